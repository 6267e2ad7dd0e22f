/** Accelerators in words, as the settings show them. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { acceleratorLines, progressOf, type AcceleratorInfo, stateOf } from './words.ts';
import { speak } from '../../../messages/catalogue.ts';

before(() => speak(['en']));

const failed = { passed: false, reason: 'not tried, because encoding failed' };
const works: AcceleratorInfo = {
  name: 'vaapi',
  found: true,
  device: '/dev/dri/renderD128',
  encode: { passed: true, speed: 9.5 },
  decode: { passed: true },
  toneMap: { passed: true },
  codecs: ['h264', 'hevc'],
  decodes: ['h264', 'vp9'],
};

test('a row says what it does, or why it does nothing', () => {
  assert.deepEqual(acceleratorLines(works), [
    '/dev/dri/renderD128 · 9.5× real time for 1080p',
    'Encodes H.264, HEVC.',
    'Decodes H.264, VP9; the processor decodes the rest.',
    'Converts the colours of HDR films.',
  ]);
  assert.deepEqual(
    acceleratorLines({
      ...works,
      name: 'v4l2m2m',
      decodes: [],
      decode: { passed: false, reason: 'it encodes only, and software decodes' },
      toneMap: { passed: false, reason: 'its pictures are wrong' },
    }).slice(2),
    [
      'Decodes nothing, so the processor does: it encodes only, and software decodes.',
      'Does not convert the colours of HDR films: its pictures are wrong.',
    ],
  );
  assert.deepEqual(
    acceleratorLines({
      ...works,
      encode: { passed: false, reason: 'no such device was found' },
      decode: failed,
      toneMap: failed,
      codecs: [],
      decodes: [],
    }),
    ['/dev/dri/renderD128', 'No such device was found.'],
  );
  assert.equal(acceleratorLines({ ...works, name: 'cuda', device: '0' })[0], 'card 0 · 9.5× real time for 1080p');
});

test('its state in a word', () => {
  const broken: AcceleratorInfo = { ...works, encode: failed };
  assert.deepEqual(
    [
      stateOf(works, true).word,
      stateOf(works, false).word,
      stateOf(broken, false).word,
      stateOf({ ...broken, found: false }, false).word,
    ],
    ['In use', 'Works', 'Does not work', 'Not found'],
  );
});

test('how far a test is', () => {
  assert.deepEqual(progressOf({ progress: { name: 'qsv', number: 2, of: 8 } }), {
    label: 'Testing Intel Quick Sync, 2 of 8',
    value: 1 / 8,
  });
  assert.deepEqual(progressOf({}), { label: 'Preparing the test', value: undefined });
});
