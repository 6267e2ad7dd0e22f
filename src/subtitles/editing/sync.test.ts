/** Bringing cues to the video: which track is the measure, and that weak evidence proposes and writes nothing. */
import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeVideo, openWorld, openTemporaryFolder } from '../../../test/subtitles/world.ts';
import { workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import type { InventoryTrack } from '../store/rows.ts';
import { Failure } from '../../lib/failure.ts';
import { referenceIn } from './sync.ts';

const inside = (stream: number, language: string | undefined, more: Partial<InventoryTrack> = {}): InventoryTrack => ({
  source: 'embedded',
  role: 'normal',
  format: 'subrip',
  stream,
  ...(language !== undefined && { language }),
  ...more,
});

test('the reference is a full track, in the same language if there is one, and never the track itself', () => {
  const english = inside(2, 'en');
  const german = inside(3, 'de');
  assert.equal(referenceIn([german, english], 'en-gb', undefined), english);
  assert.equal(referenceIn([german], 'en', undefined), german);
  assert.equal(referenceIn([english, german], 'en', english), german);
  assert.equal(referenceIn([english], 'en', english), undefined);
  assert.equal(
    referenceIn(
      [
        inside(2, 'en', { role: 'forced' }),
        inside(3, 'en', { picture: true }),
        inside(4, 'en', { commentary: true }),
        { ...english, source: 'sidecar' },
      ],
      'en',
      undefined,
    ),
    undefined,
  );
});

const stamp = (ms: number): string => new Date(ms).toISOString().slice(11, 23).replace('.', ',');
/** Lines whose lengths and gaps are of chance: no other seed has the like. */
const lines = (seed: number): string => {
  let state = seed;
  const chance = (most: number): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) % most;
  let at = 1000;
  return Array.from({ length: 70 }, (_, n) => {
    const end = at + 600 + chance(2500);
    const text = `${n + 1}\n${stamp(at)} --> ${stamp(end)}\nThis is what is said at place ${n}.\n`;
    at = end + 250 + chance(4000);
    return text;
  }).join('\n');
};

test('weak evidence: the preview reports it and moves nothing, and apply is refused', async (t) => {
  const folder = await openTemporaryFolder(t);
  const media = join(folder, 'media/Film (2000)');
  await makeVideo(join(media, 'Film (2000).mkv'), { seconds: 320, texts: [{ srt: lines(5), language: 'ger' }] });
  await writeFile(join(media, 'Film (2000).en.srt'), lines(91));
  const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
  t.after(() => world.close());
  await world.scan();
  const id = await world.idOf('Film');
  const { workbench } = world.subtitles;
  const signal = new AbortController().signal;
  const tried = endpoints.preview.result.parse(
    await workbench.preview({ id, language: 'en', automaticSync: true }, signal),
  );
  assert.equal(tried.alignment?.outcome, 'refused');
  assert.ok((tried.alignment?.reason ?? '') !== '' && (tried.alignment?.evidence.length ?? 0) > 0);
  assert.deepEqual(tried.proposed.cues, tried.current?.cues);
  assert.equal(tried.changes, false);
  await assert.rejects(
    workbench.apply(
      { id, language: 'en', fingerprint: tried.fingerprint, automaticSync: true, removeCredits: true },
      signal,
    ),
    (error) => error instanceof Failure && error.kind === 'conflict' && /evidence is weak/.test(error.message),
  );
  assert.equal((await workbench.inspect({ id, language: 'en' }, signal)).fingerprint, tried.fingerprint);
  assert.deepEqual((await readdir(media)).sort(), ['Film (2000).en.srt', 'Film (2000).mkv']);
});
