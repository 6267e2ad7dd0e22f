/** Every method of making a draft, with the whole server, up to the file that apply installs; and drafts over HTTP. */
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { draw, type ShownPicture, sup } from '../../../test/subtitles/picture-writers.ts';
import { makeVideo, openWorld, openTemporaryFolder, type World } from '../../../test/subtitles/world.ts';
import { Failure } from '../../lib/failure.ts';
import { workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import { until } from '../../../test/until.ts';

const SIGNAL = new AbortController().signal;
const FILM = 'Film (2001)/Film (2001)';
const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 23).replace('.', ',');
/** Lines at uneven times, later by so much. */
const srt = (lines: number, late = 0): string =>
  Array.from({ length: lines }, (_, n) => ({
    start: 2_000 + n * 4_100 + ((n * 7919) % 1_900) + late,
    length: 900 + ((n * 104_729) % 1_300),
  }))
    .map(
      ({ start, length }, n) =>
        `${n + 1}\n${clock(start)} --> ${clock(start + length)}\nLine number ${n + 1} is said here.\n`,
    )
    .join('\n');

async function house(
  t: TestContext,
  make: (at: (name: string) => string) => Promise<void>,
): Promise<
  World & {
    id: string;
    names(): Promise<string[]>;
    text(name: string): Promise<string>;
    ended(): ReturnType<World['subtitles']['drafts']['read']>;
  }
> {
  const folder = await openTemporaryFolder(t);
  const at = (name: string): string => join(folder, 'media', `${FILM}${name}`);
  await make(at);
  const world = await openWorld({ folder, env: { SERVICE_SUBTITLE_LANGUAGE: 'en' } });
  t.after(() => world.close());
  await world.scan();
  const id = await world.idOf('Film');
  return {
    ...world,
    id,
    names: async () => (await readdir(dirname(at('')))).sort(),
    text: (name) => readFile(at(name), 'utf8'),
    ended: async () => {
      return until('the end of the draft', async () => {
        const draft = endpoints.draft.result.parse(await world.subtitles.drafts.read({ id, language: 'en' }));
        return draft.state === 'running' ? undefined : draft;
      });
    },
  };
}

test('the current subtitle is aligned with a text track in another language, and applied', async (t) => {
  const w = await house(t, async (at) => {
    await makeVideo(at('.mkv'), { seconds: 300, texts: [{ srt: srt(60), language: 'ger' }] });
    await writeFile(at('.en.srt'), srt(60, 3_400));
  });
  await w.subtitles.drafts.start({ id: w.id, language: 'en', method: 'alignment' });
  const draft = await w.ended();
  assert.deepEqual(
    [draft.state, draft.alignment?.outcome, draft.alignment?.reference, draft.words],
    ['ready', 'moved', 'embedded', undefined],
  );
  assert.ok(Math.abs((draft.cues?.[0]?.start ?? 0) - 2) <= 0.1, `the first cue is at ${draft.cues?.[0]?.start}`);
  assert.equal(await w.text('.en.srt'), srt(60, 3_400), 'nothing is installed by a draft');
  const { fingerprint } = await w.subtitles.workbench.inspect({ id: w.id, language: 'en' }, SIGNAL);
  const applied = await w.subtitles.workbench.apply(
    { id: w.id, language: 'en', fingerprint, draftId: draft.draftId ?? '' },
    SIGNAL,
  );
  assert.ok(Math.abs((applied.current?.cues[0]?.start ?? 0) - 2) <= 0.1);
  assert.deepEqual(await w.names(), ['Film (2001).en.srt', 'Film (2001).mkv']);
  assert.equal(applied.restorable, true);
  const found = (draft.alignment?.evidence ?? []).map(({ kind, detail }) => `${kind} ${detail}`);
  const kept = applied.evidence.map(({ kind, detail }) => `${kind} ${detail}`);
  assert.ok(found.length > 0);
  assert.deepEqual(kept.slice(-found.length), found, 'the evidence of the draft stays with the subtitle');
  assert.match(kept[0] ?? '', /^edited Made from a draft \(alignment\)\./);
  const { languages } = await w.subtitles.item(w.id);
  assert.equal(languages.find(({ language }) => language === 'en')?.installed?.match, 'verified');
  const late = w.subtitles.workbench.preview({ id: w.id, language: 'en', draftId: draft.draftId ?? '' }, SIGNAL);
  await assert.rejects(
    late,
    (error) => error instanceof Failure && error.kind === 'conflict' && /subtitle changed since/.test(error.message),
    'it was made of another one',
  );
});

test('a fitting subtitle is reported as such; one that fits nothing fails with the reason', async (t) => {
  const w = await house(t, async (at) => {
    await makeVideo(at('.mkv'), { seconds: 300, texts: [{ srt: srt(60), language: 'eng' }] });
    await writeFile(at('.en.srt'), srt(60));
  });
  await w.subtitles.drafts.start({ id: w.id, language: 'en', method: 'alignment' });
  const fits = await w.ended();
  assert.deepEqual(
    [fits.state, fits.alignment?.outcome, fits.message],
    ['ready', 'fits', 'It fits the video as it is.'],
  );
  await writeFile(join(w.media, `${FILM}.en.srt`), '1\n00:00:01,000 --> 00:00:02,000\nOne line alone.\n');
  await w.scan();
  await w.subtitles.drafts.start({ id: w.id, language: 'en', method: 'alignment' });
  const refused = await w.ended();
  assert.deepEqual([refused.state, refused.cues], ['failed', undefined]);
  assert.match(refused.message ?? '', /^[A-Z].*\.$/);
});

test('pictures next to the video are read by tesseract, with how sure each word is, and applied as text', async (t) => {
  const texts = ['Hello there, my friend.', 'The quick brown fox jumps.', 'We should have left yesterday.'];
  const w = await house(t, async (at) => {
    await makeVideo(at('.mkv'), { seconds: 30 });
    const shown = await Promise.all(
      texts.map(async (text, n): Promise<ShownPicture> => {
        const drawing = await draw(text, { size: 54, outline: 4 });
        return {
          start: 1_000 + n * 3_000,
          end: 3_000 + n * 3_000,
          drawing,
          x: (1920 - drawing.width) >> 1,
          y: 1020 - drawing.height,
        };
      }),
    );
    await writeFile(at('.en.sup'), sup(shown, { width: 1920, height: 1080 }));
  });
  const started = await w.subtitles.drafts.start({ id: w.id, language: 'en', method: 'translation-free' });
  assert.equal(started.method, 'translation-free');
  const draft = await w.ended();
  assert.deepEqual(
    [draft.state, draft.cues?.map(({ start, text }) => [start, text])],
    ['ready', texts.map((text, n) => [1 + n * 3, text])],
  );
  assert.ok(
    draft.words?.every(({ confidence }) => confidence > 0.5) &&
      draft.cues?.every(({ confidence = 0 }) => confidence > 0.5),
  );
  const previewed = await w.subtitles.workbench.preview(
    { id: w.id, language: 'en', draftId: draft.draftId ?? '' },
    SIGNAL,
  );
  assert.deepEqual(
    previewed.proposed.cues.map(({ confidence }) => confidence),
    draft.cues?.map(({ confidence }) => confidence),
  );
  await w.subtitles.workbench.apply(
    { id: w.id, language: 'en', fingerprint: 'missing', draftId: draft.draftId ?? '' },
    SIGNAL,
  );
  assert.deepEqual(await w.names(), ['Film (2001).en.srt', 'Film (2001).en.sup', 'Film (2001).mkv']);
  assert.match(await w.text('.en.srt'), /Hello there, my friend\./);
  // No pictures are in another language.
  await assert.rejects(
    w.subtitles.drafts.start({ id: w.id, language: 'fr', method: 'ocr' }),
    (error) => error instanceof Failure && error.kind === 'conflict',
  );
});
