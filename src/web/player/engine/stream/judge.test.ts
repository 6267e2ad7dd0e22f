/** Decisions after failures of a stream. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { decideOnFailure, lacksData } from './judge.ts';
import { speak } from '../../../messages/catalogue.ts';

before(() => speak(['en']));

const fresh = { tries: 0, isReplanned: false };

test('a lost network is waited for, longer each time and never over 15 seconds', () => {
  const waits = [0, 1, 2, 3, 4, 9].map((tries) => decideOnFailure({ status: 0, says: '' }, { ...fresh, tries }));
  assert.deepEqual(
    waits.map((verdict) => verdict.do === 'wait' && verdict.ms),
    [1_000, 2_000, 4_000, 8_000, 15_000, 15_000],
  );
  assert.ok(
    waits.every(
      (verdict) =>
        verdict.do === 'wait' && verdict.fault.kind === 'lost' && verdict.fault.says.includes('when it is back'),
    ),
  );
});
test("a busy server is waited for, in the server's words", () => {
  const verdict = decideOnFailure({ status: 503, says: 'Too many films are being converted.' }, fresh);
  assert.deepEqual(verdict, {
    do: 'wait',
    ms: 1_000,
    fault: { kind: 'lost', says: 'Too many films are being converted. Retrying automatically.' },
  });
});
test('a changed file and an expired link lead to one new plan; the second refusal is believed', () => {
  for (const status of [401, 403, 404, 409]) {
    assert.deepEqual(decideOnFailure({ status, says: '' }, fresh), { do: 'replan' });
    assert.deepEqual(decideOnFailure({ status, says: 'No.' }, { ...fresh, isReplanned: true }), {
      do: 'stop',
      fault: { kind: 'refused', says: 'No.' },
    });
  }
});
test('what the owner stopped is over at once', () => {
  assert.deepEqual(decideOnFailure({ status: 410, says: '' }, fresh), {
    do: 'stop',
    fault: { kind: 'ended', says: 'An owner of this server stopped playback.' },
  });
});

/** An element of 40 seconds that plays and has these ranges in its buffer. */
const element = (currentTime: number, ranges: [number, number][], more: Partial<HTMLMediaElement> = {}) => ({
  currentTime,
  duration: 40,
  buffered: {
    length: ranges.length,
    start: (n: number) => ranges[n]?.[0] ?? NaN,
    end: (n: number) => ranges[n]?.[1] ?? NaN,
  },
  ended: false,
  error: null,
  paused: false,
  readyState: 1,
  seeking: true,
  ...more,
});

test('an element lacks data if it waits for a picture and its buffer does not go on from there', () => {
  assert.equal(lacksData(element(36, [[0, 8]])), true);
  assert.equal(lacksData(element(36, [[0, 36.005]])), true, 'the last milliseconds hold no whole picture');
  assert.equal(
    lacksData(
      element(36, [
        [0, 8],
        [32, 38],
      ]),
    ),
    false,
  );
  assert.equal(lacksData(element(39.9, [[0, 40]])), false, 'nothing comes after the end of the film');
  const ends = { seeking: false, readyState: 2 };
  assert.equal(lacksData(element(8, [[0, 8.1]], ends)), true);
  assert.equal(lacksData(element(8, [[0, 8.1]], { ...ends, paused: true })), false);
  assert.equal(lacksData(element(8, [[0, 8.1]], { ...ends, readyState: 3 })), false);
  assert.equal(lacksData(element(40, [[0, 40]], { ...ends, ended: true })), false);
  assert.equal(lacksData(element(36, [[0, 36]], { ended: true })), true, 'a jump that has not ended');
});
