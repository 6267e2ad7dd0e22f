/** Settings become exactly one request, with one source and one timing. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  anchored,
  changeOf,
  FRESH,
  isUntouched,
  kindIn,
  MAX_SHIFT,
  shiftedBy,
  shiftTo,
  withoutAnchor,
  type WorkbenchSettings,
} from './settings.ts';
import type { TimingChange } from './timing.ts';
import { speak } from '../../messages/catalogue.ts';

before(() => speak(['en']));

const NONE: TimingChange = { kind: 'none' };
const text: WorkbenchSettings['source'] = {
  kind: 'text',
  cues: [{ start: 1, end: 2, text: 'Hello', current: [0] }],
  isPaired: true,
};

test('nothing set is nothing to apply, and anything set is', () => {
  assert.equal(isUntouched(FRESH), true);
  for (const change of [
    { timing: shiftTo(50) },
    { rules: ['removeCredits'] },
    { role: 'sdh' },
    { encoding: 'gbk' },
    { source: text },
  ] as const)
    assert.equal(isUntouched({ ...FRESH, ...change }), false);
});
test('the body of a request', () => {
  assert.deepEqual(changeOf(FRESH, { language: 'en' }), { language: 'en' });
  assert.deepEqual(
    changeOf(
      { ...FRESH, timing: { kind: 'offset', ms: -250 }, rules: ['fixOverlaps', 'removeCredits'] },
      { language: 'en' },
    ),
    { language: 'en', offsetMilliseconds: -250, fixOverlaps: true, removeCredits: true },
  );
  assert.deepEqual(
    changeOf({ ...FRESH, timing: { kind: 'anchors', anchors: [{ at: 1000, offset: 5 }] } }, { language: 'en' }),
    {
      language: 'en',
      anchors: [{ atMilliseconds: 1000, offsetMilliseconds: 5 }],
    },
  );
  assert.deepEqual(
    changeOf({ ...FRESH, timing: { kind: 'framerate', from: 25, to: 24 }, role: 'forced' }, { language: 'de' }),
    {
      language: 'de',
      framerate: { from: 25, to: 24 },
      role: 'forced',
    },
  );
  assert.deepEqual(
    changeOf(
      { ...FRESH, source: { kind: 'file', name: 'a.srt', data: 'AAAA' }, encoding: 'big5', timing: { kind: 'auto' } },
      { language: 'zh' },
    ),
    { language: 'zh', data: 'AAAA', encoding: 'big5', automaticSync: true },
  );
});
test('the request names one of several files of a language, and creates one of its kind', () => {
  const shift = { ...FRESH, timing: shiftTo(50) };
  assert.deepEqual(changeOf(shift, { language: 'en', role: 'sdh' }), {
    language: 'en',
    offsetMilliseconds: 50,
    currentRole: 'sdh',
  });
  const file = { ...FRESH, source: { kind: 'file', name: 'a.srt', data: 'AAAA' } } as const;
  const made = { language: 'en', data: 'AAAA', currentRole: 'forced' };
  assert.deepEqual(changeOf(file, { language: 'en', role: 'forced', isMissing: true }), { ...made, role: 'forced' });
  assert.deepEqual(changeOf({ ...file, role: 'sdh' }, { language: 'en', role: 'forced', isMissing: true }), {
    ...made,
    role: 'sdh',
  });
  assert.deepEqual([kindIn('forced'), kindIn('hi'), kindIn(null)], ['forced', undefined, undefined]);
});
test('a text and a draft have no character set to choose', () => {
  assert.deepEqual(changeOf({ ...FRESH, source: text, encoding: 'big5' }, { language: 'en' }), {
    language: 'en',
    text: '1\n00:00:01,000 --> 00:00:02,000\nHello\n',
  });
  assert.deepEqual(
    changeOf(
      { ...FRESH, source: { kind: 'draft', id: '0123456789abcdef', method: 'ocr' }, encoding: 'big5' },
      { language: 'en' },
    ),
    { language: 'en', draftId: '0123456789abcdef' },
  );
});
test('a shift adds up, stays within its bounds, and nothing is none', () => {
  assert.deepEqual(shiftedBy(shiftedBy(NONE, 500), -100), { kind: 'offset', ms: 400 });
  assert.deepEqual(shiftedBy({ kind: 'offset', ms: 100 }, -100), NONE);
  assert.deepEqual(shiftTo(9_999_999), { kind: 'offset', ms: MAX_SHIFT });
  assert.deepEqual(shiftedBy({ kind: 'auto' }, 50), { kind: 'offset', ms: 50 });
  assert.deepEqual(shiftedBy({ kind: 'anchors', anchors: [{ at: 5, offset: 10 }] }, 100), {
    kind: 'anchors',
    anchors: [{ at: 5, offset: 110 }],
  });
});
test('anchors are in order, one at a place, at most eight, and never turn time round', () => {
  let timing = anchored(NONE, { at: 60_000, offset: 500 }) as TimingChange;
  timing = anchored(timing, { at: 10_000, offset: 400 }) as TimingChange;
  timing = anchored(timing, { at: 60_200, offset: 900 }) as TimingChange;
  assert.deepEqual(timing, {
    kind: 'anchors',
    anchors: [
      { at: 10_000, offset: 400 },
      { at: 60_200, offset: 900 },
    ],
  });
  assert.match(JSON.stringify(anchored(timing, { at: 61_000, offset: -100_000 })), /order/);
  for (let n = 0; n < 6; n++) timing = anchored(timing, { at: 100_000 + n * 1000, offset: 900 }) as TimingChange;
  assert.match(JSON.stringify(anchored(timing, { at: 200_000, offset: 900 })), /8 anchors/);
  assert.deepEqual(
    withoutAnchor(
      withoutAnchor(
        {
          kind: 'anchors',
          anchors: [
            { at: 1, offset: 2 },
            { at: 9, offset: 2 },
          ],
        },
        1,
      ),
      9,
    ),
    NONE,
  );
});
