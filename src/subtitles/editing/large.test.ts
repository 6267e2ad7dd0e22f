/** A subtitle too large for this process is inspected, previewed, aligned, applied and restored like any other. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeVideo, openWorld, openTemporaryFolder } from '../../../test/subtitles/world.ts';
import { workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import { Failure } from '../../lib/failure.ts';
import { writtenIn } from '../../lib/json/written.ts';

const SIGNAL = new AbortController().signal;
const CUES = 380;
/** Few cues, so that the video that they fit is short, of many words. */
const WORDS = 'and what is said in it goes on. '.repeat(26);
const stamp = (ms: number): string => new Date(ms).toISOString().slice(11, 23).replace('.', ',');
/** Uneven pauses, so that only one offset fits. */
const STARTS = (() => {
  let [at, state] = [5_000, 11];
  return Array.from({ length: CUES }, () => {
    const start = at;
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    at += 1_600 + ((state >>> 8) % 2_600);
    return start;
  });
})();
const startOf = (n: number): number => STARTS[n] ?? 0;
const srt = (cues: number, by = 0): string =>
  Array.from(
    { length: cues },
    (_, n) =>
      `${n + 1}\n${stamp(startOf(n) + by)} --> ${stamp(startOf(n) + by + 1_400)}\nThis is line ${n}, ${WORDS}\n`,
  ).join('\n');

test('a large subtitle is inspected, previewed, aligned, applied, exported and restored', async (t) => {
  const folder = await openTemporaryFolder(t);
  const at = join(folder, 'media/Film (2001)/Film (2001)');
  await makeVideo(`${at}.mkv`, { seconds: 1_200, texts: [{ srt: srt(CUES), language: 'de' }] });
  const late = srt(CUES, 2_000);
  assert.ok(late.length > 256 * 1024);
  await writeFile(`${at}.en.srt`, late);
  const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
  t.after(() => world.close());
  await world.scan();
  const { workbench: bench } = world.subtitles;
  const of = { id: await world.idOf('Film'), language: 'en' };

  const seen = await bench.inspect(of, SIGNAL);
  assert.ok(writtenIn(seen), 'it comes from the other process');
  assert.equal(endpoints.inspect.result.parse({ ...seen }).current?.cues.length, CUES);
  const tried = endpoints.preview.result.parse({
    ...(await bench.preview({ ...of, offsetMilliseconds: -1_000 }, SIGNAL)),
  });
  assert.deepEqual(
    [tried.proposed.cues[0]?.start, tried.comparison.length, tried.changes, tried.current?.cues[0]?.start],
    [6, CUES, true, 7],
  );
  const aligned = await bench.preview({ ...of, automaticSync: true }, SIGNAL);
  assert.deepEqual(
    [aligned.alignment?.reason, aligned.alignment?.outcome, aligned.alignment?.reference],
    [undefined, 'moved', 'embedded'],
  );
  assert.ok(Math.abs((aligned.proposed.cues[0]?.start ?? 0) - 5) < 0.05);

  const { fingerprint } = seen;
  await assert.rejects(
    bench.apply({ ...of, fingerprint, offsetMilliseconds: 0 }, SIGNAL),
    (error: unknown) => error instanceof Failure && error.kind === 'conflict' && /has no effect/.test(error.message),
  );
  assert.equal(await readFile(`${at}.en.srt`, 'utf8'), late, 'what is refused touches nothing');
  const applied = await bench.apply({ ...of, fingerprint, offsetMilliseconds: -2_000 }, SIGNAL);
  assert.deepEqual([applied.current?.cues[0]?.start, applied.originalAvailable], [5, true]);
  const text = await readFile(`${at}.en.srt`, 'utf8');
  assert.ok(text.includes(`${stamp(startOf(CUES - 1))} -->`));
  assert.equal(
    Buffer.from((await bench.export({ ...of, format: 'vtt' }, SIGNAL)).bytes)
      .toString()
      .match(/ --> /g)?.length,
    CUES,
  );
  await bench.restore(of, SIGNAL);
  assert.equal(await readFile(`${at}.en.srt`, 'utf8'), late);
});
