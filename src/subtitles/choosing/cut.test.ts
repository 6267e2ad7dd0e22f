/** A text of a whole film for one part of it: it is cut, and taken only where the speech of the part confirms it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Candidate, ProviderQuery } from '../providers/provider.ts';
import { checkDownload, type VerifyTiming } from './check.ts';
import { score } from './score.ts';
import { film, ids, offer, RELEASE } from './testing.ts';

const never = new AbortController().signal;
const strong: Candidate = offer({ ...ids, releases: [RELEASE] });
const SENTENCES = ['Where have you been all this time?', 'Nobody knows that we are here tonight.'];
const stamp = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(11, 19)},000`;
const bytes = Buffer.from(
  Array.from({ length: 350 }, (_, n) => {
    const start = 1 + n * 20;
    return `${n + 1}\n${stamp(start)} --> ${stamp(start + 2)}\n${SENTENCES[n % 2] ?? ''}\n`;
  }).join('\n'),
);
const second: ProviderQuery = { ...film, duration: 3_600, part: { number: 2, of: 2, start: 3_600 } };
const outcome = async (ask: ProviderQuery, verify?: VerifyTiming, asDelivered = false): Promise<string> => {
  const given = { ask, scored: score(strong, ask), asDelivered, ...(verify && { verify }) };
  const checked = await checkDownload({ bytes, name: 'x.srt' }, given, never);
  return checked.accepted ? `accepted ${checked.isCut ? 'cut' : 'whole'}` : checked.reason;
};

test('a text of the whole film is cut for a part, and only its speech confirms that', async () => {
  const heard: number[][] = [];
  const says =
    (result: 'fits' | 'misfits' | 'unknown'): VerifyTiming =>
    async (cues) => {
      heard.push([cues[0]?.start ?? -1, (cues.at(-1)?.end ?? 0) / 1000]);
      return { outcome: result, why: { reason: 'fits-as-is', values: { reference: 'speech' } } };
    };
  assert.equal(await outcome(second, says('fits')), 'accepted cut');
  const [first, last] = heard[0] ?? [];
  assert.ok(first !== undefined && first >= 0 && first < 20_000, 'the cues are counted from the start of the part');
  assert.ok(last !== undefined && last > 3_300 && last <= 3_600, `the last one ends at ${last}`);
  assert.equal(await outcome(second, says('misfits')), 'timing');
  assert.equal(await outcome(second, says('unknown')), 'timing', 'a matching release proves nothing');
  assert.equal(await outcome(second), 'timing', 'without audio');
  assert.equal(await outcome({ ...second, part: { number: 2, of: 2 } }, says('fits')), 'timing', 'an unknown place');
  const alignment = {
    outcome: 'moved' as const,
    ratio: 1,
    segments: [{ from: 0, to: 174, offset: 900 }],
    evidence: [],
  };
  const late: VerifyTiming = async () => ({
    outcome: 'moved',
    why: { reason: 'moved', values: { reference: 'speech', ratio: 1, shifts: '900' } },
    alignment,
  });
  assert.equal(await outcome(second, late), 'timing', 'a cut that has to be moved is not certain');
  assert.equal(await outcome(second, says('fits'), true), 'timing', 'a file that must stay as it is');
});
