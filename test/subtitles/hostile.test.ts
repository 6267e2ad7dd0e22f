/**
 * No path reads a large subtitle in the server's own process: players, the workbench, exports, providers, drafts. What
 * is read here is watched, and the main thread is timed meanwhile. The margins are wide: what this is about took 20 s.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { before, test } from 'node:test';
import { Failure } from '../../src/lib/failure.ts';
import { makePrincipal } from '../../src/http/testing.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createPlayback } from '../../src/playback/index.ts';
import { openPlaybackNeeds } from '../../src/playback/testing.ts';
import { readings } from '../../src/cues/limits.ts';
import { type HostileFile, makeHostileFiles } from './hostile.ts';
import { NIGHT, night, RELEASE, openScene, SIGNAL } from './scene.ts';

const KIB = 1024;
/** Characters that may be read in the server's process. */
const MAX_READ = 100 * KIB;
const MAX_STALL_MS = 1_000;
/** The languages that the files are given, so that each is named by one. */
const LANGUAGES = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'sv'];
const NAMES = [
  'srt: overlapping cues',
  'srt: one cue of "a\\n"',
  'vtt: cues in regions',
  'ass: resets to styles',
  'microdvd: mix 1',
  'ttml: ten levels of four references in a circle',
  'sami: classes',
];

let files: (HostileFile & { language: string })[] = [];
before(() => {
  const wanted = new Set(NAMES);
  files = [...makeHostileFiles(128 * KIB)]
    .filter(({ name }) => wanted.has(name.replace(/^smi:/, 'sami:')))
    .map((file, n) => ({ ...file, language: LANGUAGES[n] ?? 'en' }));
  assert.equal(files.length, NAMES.length);
});

/** Runs that, and fails when a large text is read in this process or the main thread is held up. */
async function watched(name: string, work: () => Promise<unknown>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  let largest = 0;
  readings.watch = (length) => (largest = Math.max(largest, length));
  delay.enable();
  try {
    await work();
  } catch (error) {
    // A refusal is fine; only reading it here would be a fault.
    if (!(error instanceof Failure && (error.kind === 'conflict' || error.kind === 'invalid'))) throw error;
  } finally {
    delay.disable();
    delete readings.watch;
  }
  assert.ok(largest < MAX_READ, `${name}: ${largest} characters were read in the server's process`);
  assert.ok(delay.max / 1e6 < MAX_STALL_MS, `${name}: the main thread was held for ${Math.round(delay.max / 1e6)} ms`);
}

test('files next to a video: played, opened, tried, saved, drafted', async (t) => {
  const s = await openScene(t, {
    providers: [],
    before: async (media) => {
      for (const { bytes, extension, language } of files)
        await writeFile(join(media, `${NIGHT}.${language}.${extension}`), bytes);
    },
  });
  const id = await s.idOf('Night');
  const playback = await createPlayback({
    ...(await openPlaybackNeeds(t)),
    catalog: s.requests,
    processes: { startHelper: () => assert.fail('nothing is planned') },
    encoders: {
      video: () => assert.fail('nothing is converted'),
      audio: () => assert.fail('nothing is converted'),
      blank: () => assert.fail('nothing is converted'),
    },
    ffmpeg: {
      extractText: () => assert.fail('nothing is embedded'),
      extractPictures: () => assert.fail('nothing is embedded'),
      probe: () => assert.fail('nothing is embedded'),
      cutAudio: () => assert.fail('nothing is cut'),
    },
    log: silentLog,
    cache: join(s.folder, 'played'),
    makeTicket: () => assert.fail('nothing is planned'),
    config: { get: () => assert.fail('nothing is planned') },
    markers: { of: () => assert.fail('nothing is planned') },
    hardware: {
      machine: () => assert.fail('nothing is planned'),
      noteFailure: () => assert.fail('nothing is converted'),
    },
    ...s.subtitles.delivery,
  });
  t.after(() => playback.close());
  const bench = s.subtitles.workbench;
  const cleaning = {
    removeCredits: true,
    mergeRepeated: true,
    removeHearingImpaired: true,
    fixCommonErrors: true,
    fixOverlaps: true,
  };
  for (const { name, language } of files) {
    await watched(`${name} played`, () =>
      playback.subtitles.track(makePrincipal(), { id, language, format: 'vtt' }, SIGNAL),
    );
    await watched(`${name} inspected`, () => bench.inspect({ id, language }, SIGNAL));
    await watched(`${name} tried`, () => bench.preview({ id, language, ...cleaning }, SIGNAL));
    await watched(`${name} saved`, () => bench.export({ id, language, format: 'original' }, SIGNAL));
  }
  await watched('brought by hand', () =>
    bench.preview({ id, language: 'en', data: files[0]?.bytes.toString('base64') }, SIGNAL),
  );
  const [first] = files;
  await watched('aligned', async () => {
    await s.subtitles.drafts.start({ id, language: first?.language ?? '', method: 'alignment' });
    while ((await s.subtitles.drafts.read({ id })).state === 'running')
      await new Promise((resolve) => setImmediate(resolve));
  });
});

const SENTENCES = [
  'Where have you been all this time?',
  'I was waiting for you at the station.',
  'You should not have come here tonight.',
  'There is something that I have to tell you.',
];
const lines = Array.from({ length: 3_000 }, (_, n) => ({
  start: n * 0.019,
  end: n * 0.019 + 0.015,
  text: `${SENTENCES[n % SENTENCES.length]} ${SENTENCES[(n * 7) % SENTENCES.length]}`,
}));
const stamp = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 23).replace('.', ',');

test('what a provider delivers, and what is inside a video', async (t) => {
  const inside = 'Inside (2001)/Inside.2001';
  const srt = lines
    .map(({ start, end, text }, n) => `${n + 1}\n${stamp(start)} --> ${stamp(end)}\n${text}\n`)
    .join('\n');
  assert.ok(srt.length > 2 * MAX_READ);
  const s = await openScene(t, {
    fixtures: { items: [{ ...night, subtitles: [{ language: 'en', releases: [RELEASE], lines }] }] },
    videos: { [NIGHT]: {}, [inside]: { texts: [{ srt }] } },
  });
  for (const [title, source] of [
    ['Night', /^subtitles_/],
    ['Inside', /^embedded$/],
  ] as const) {
    const id = await s.idOf(title);
    await watched(`${title} fetched`, async () => assert.match((await s.fetch(id)).source, source));
    await watched(`${title} inspected`, () => s.subtitles.workbench.inspect({ id, language: 'en' }, SIGNAL));
  }
});
