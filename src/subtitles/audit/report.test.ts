/** Permission and fixes: which files need a person's permission, and which cannot be fixed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedJudgement } from '../store/audits.ts';
import { AUDIT_METHOD } from '../store/judgements.ts';
import { type InventoryTrack, trackKeyOf, versionOf, versionOfTrack } from '../store/rows.ts';
import type { Origin } from '../store/tables.ts';
import { describeJudgements } from './report.ts';

const file: InventoryTrack = {
  source: 'sidecar',
  role: 'normal',
  format: 'srt',
  language: 'en',
  relative: 'Film.en.srt',
  size: 5,
  modified: 7,
};
const inside: InventoryTrack = { source: 'embedded', role: 'normal', format: 'subrip', stream: 2, language: 'en' };
const content = 'c'.repeat(64);

interface Case {
  tracks?: InventoryTrack[];
  track?: InventoryTrack;
  verdict?: ListedJudgement['verdict'];
  /** The row of the file, if this server wrote it. */
  origin?: Origin;
  source?: string;
  isFrozen?: boolean;
  isOnline?: boolean;
}
async function describe({
  track = file,
  tracks = [track],
  verdict = 'shifted',
  origin,
  source = 'subtitles_a',
  isFrozen = false,
  isOnline = true,
}: Case) {
  const row = { id: 'i', library: 'l', size: 1, modified: 1, title: 't', kind: 'movie', year: null, context: null };
  const judgement = {
    item: 'i',
    track: trackKeyOf(track),
    video: versionOf(row),
    version: versionOfTrack(track),
    method: AUDIT_METHOD,
    content: track.source === 'embedded' ? null : content,
    verdict,
    facts: { ratio: 1, segments: [{ from: 0, to: 9, offset: 2_000 }], evidence: [] },
    at: 1_000,
    row: { ...row, tracks },
  } as unknown as ListedJudgement;
  const rows = origin === undefined ? [] : [{ item: 'i', relative: file.relative, content, origin, source }];
  const [found] = await describeJudgements(
    {
      installing: {
        filesOf: async () => rows as never,
        frozen: async () => (isFrozen ? [{ item: 'i', language: 'en' }] : []),
      },
      isAsDelivered: (one) => one === 'subtitles_b',
      libraries: () => [{ id: 'l', isOnline }],
      languages: () => ['en'],
    },
    [judgement],
  );
  return found?.view;
}
const own = async (given: Case) => (await describe(given))?.own;
const fixable = async (given: Case) => (await describe(given))?.fixable;

test('only a fetched file that was not changed or frozen is not your own', async () => {
  assert.equal(await own({}), true, 'a file that this server did not write');
  assert.equal(await own({ origin: 'fetched' }), false);
  for (const origin of ['own', 'edited', 'imported', 'draft'] as const)
    assert.equal(await own({ origin }), true, origin);
  assert.equal(await own({ origin: 'fetched', isFrozen: true }), true, 'a person chose to keep it');
  assert.equal(await own({ track: inside }), false, 'its fix is a separate file');
});

test('what moving the lines puts right can be fixed, unless something forbids it', async () => {
  for (const verdict of ['shifted', 'rate', 'cut'] as const) assert.equal(await fixable({ verdict }), true, verdict);
  for (const verdict of ['fits', 'mismatch', 'language', 'unknown'] as const)
    assert.equal(await fixable({ verdict }), false, verdict);
  assert.equal(await fixable({ origin: 'fetched', source: 'subtitles_b' }), false, 'its terms forbid changes');
  assert.equal(await fixable({ isOnline: false }), false);
  assert.equal(await fixable({ track: inside }), true);
  assert.equal(await fixable({ track: inside, tracks: [inside, file] }), false, 'a file is in the way');
  assert.equal(await fixable({ track: inside, tracks: [inside, { ...file, language: 'de' }] }), true);
});

test('a judgement of another version is not described', async () => {
  assert.equal(await describe({ tracks: [{ ...file, size: 6 }] }), undefined);
  assert.equal(await describe({ tracks: [] }), undefined);
});

test('each judgement has its own digest', async () => {
  const digests = await Promise.all(
    [{}, { verdict: 'rate' as const }, { track: inside }].map(async (one) => (await describe(one))?.judgement),
  );
  assert.equal(new Set(digests).size, 3);
});
