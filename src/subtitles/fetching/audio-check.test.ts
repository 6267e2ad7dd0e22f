/** Fetching for films with speech: which subtitles fit, are moved, or are refused. */
import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { fails, type Scene, openScene } from '../../../test/subtitles/scene.ts';
import type { Fixtures } from '../../../test/stand-ins/index.ts';
import { readSubtitle } from '../../cues/index.ts';
import { makeClip } from '../../speech/testing/clip.ts';
import { installingStore } from '../store/installing.ts';

const NAME = 'Night.of.the.Living.Dead.1968.1080p.BluRay.x264-GHOUL';
const FOLDER = `${NAME} {imdb-tt0063350}`;
/** As it is somewhere else: nothing of it speaks for this cut. */
const ELSEWHERE = 'Night.of.the.Living.Dead.1968.DVDRip.XviD-OTHER';
const SECONDS = 180;
const SENTENCES = [
  'Where have you been all this time?',
  'I was waiting for you at the station.',
  'You should not have come here tonight.',
  'Nobody knows that we are here.',
  'Do you remember the house by the lake?',
];
type Subtitle = Fixtures['items'][number]['subtitles'][number];

let home: string;
let spoken: { start: number; end: number }[];
// Made once: it takes a while.
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'matinee-heard-'));
  ({ spoken } = await makeClip(join(home, 'clip.mkv'), { seconds: SECONDS }));
});
after(() => rm(home, { recursive: true, force: true }));

/** The lines of the film, later by so many seconds. */
const timed = (late = 0) =>
  spoken.map(({ start, end }, n) => ({
    start: start / 1000 + late,
    end: end / 1000 + late,
    text: SENTENCES[n % SENTENCES.length] ?? '',
  }));
const elsewhere = () =>
  spoken
    .map((_, n) => ({ start: 1 + n * 3.17, end: 1 + n * 3.17 + 0.8, text: SENTENCES[n % SENTENCES.length] ?? '' }))
    .filter(({ end }) => end < SECONDS);

async function house(
  t: TestContext,
  subtitle: Subtitle,
  providers: readonly ('subtitles_a' | 'subtitles_b' | 'subtitles_c')[] = ['subtitles_a'],
): Promise<Scene & { id: string }> {
  const s = await openScene(t, {
    providers,
    videos: {},
    fixtures: {
      items: [
        {
          kind: 'movie',
          title: 'Night of the Living Dead',
          year: 1968,
          imdb: 'tt0063350',
          duration: SECONDS,
          subtitles: [subtitle],
        },
      ],
    },
    before: async (media) => {
      await mkdir(join(media, FOLDER), { recursive: true });
      await copyFile(join(home, 'clip.mkv'), join(media, FOLDER, `${NAME}.mkv`));
    },
  });
  return Object.assign(s, { id: await s.idOf('Night') });
}
/** Seconds by which the first lines of a file are later than they are said. */
async function lateness(s: Scene, file: string): Promise<number> {
  const { document } = await readSubtitle(await readFile(join(s.media, file)), { extension: 'srt' });
  return (
    Math.max(...document.cues.slice(0, 20).map(({ start }, n) => Math.abs(start - (spoken[n]?.start ?? 0)))) / 1000
  );
}

test('a fitting subtitle is verified, so that a weak match is accepted', async (t) => {
  const s = await house(t, { language: 'en', releases: [ELSEWHERE], lines: timed() });
  const fetched = await s.fetch(s.id);
  assert.equal(fetched.match, 'verified');
  assert.ok(
    fetched.evidence.some(({ kind, detail }) => kind === 'timing' && /fit the speech as they are/.test(detail)),
    JSON.stringify(fetched.evidence),
  );
  assert.ok((await lateness(s, fetched.file)) < 0.01, 'nothing was moved');
});

test('a late subtitle is moved and says by how much; the delivered bytes are preserved', async (t) => {
  const s = await house(t, { language: 'en', releases: [NAME], lines: timed(2.4) });
  const fetched = await s.fetch(s.id);
  assert.equal(fetched.match, 'verified');
  assert.match(
    fetched.evidence.find(({ kind }) => kind === 'timing')?.detail ?? '',
    /moved by −2\.\d\d s to fit the speech/,
  );
  assert.ok((await lateness(s, fetched.file)) < 0.1);
  const [row] = await installingStore(s.db).filesOf([s.id]);
  assert.ok(row?.delivered && row.delivered !== row.content, 'the bytes as they came');
  assert.match((await installingStore(s.db).history(s.id))[0]?.detail ?? '', /moved by/);
});

test('a file that must stay as delivered is refused when it does not fit, else installed byte for byte', async (t) => {
  const late = await house(t, { language: 'en', releases: [NAME], lines: timed(2.4) }, ['subtitles_b']);
  await fails(late.fetch(late.id), 'unavailable', 'none-trusted', /must stay as they were delivered/);
  const right = await house(t, { language: 'en', releases: [NAME], lines: timed(), encoding: 'utf-8-bom' }, [
    'subtitles_b',
  ]);
  const fetched = await right.fetch(right.id);
  assert.deepEqual([fetched.source, fetched.match], ['subtitles_b', 'verified']);
  assert.deepEqual(
    [...(await readFile(join(right.media, fetched.file))).subarray(0, 4)],
    [0xef, 0xbb, 0xbf, 0x31],
    'with its mark and all',
  );
});

test('a subtitle for other speech is refused although its release matches, and not downloaded again', async (t) => {
  const s = await house(t, { language: 'en', releases: [NAME], lines: elsewhere() });
  await fails(s.fetch(s.id), 'unavailable', 'none-trusted', /could not be confirmed/);
  const [refusal] = await installingStore(s.db).refusals(s.id, 'en');
  assert.match(refusal?.content ?? '', /^[0-9a-f]{64}$/);
  const downloads = s.calls().filter((step) => step === 'file').length;
  await fails(s.fetch(s.id), 'unavailable', 'none-trusted');
  assert.equal(s.calls().filter((step) => step === 'file').length, downloads);
});

test('a text track of a silent video confirms the timing, in any language', async (t) => {
  const said = Array.from({ length: 30 }, (_, n) => ({
    start: 2 + n * 4 + ((n * 7) % 11) * 0.13,
    long: 1 + ((n * 5) % 7) * 0.2,
  }));
  const stamp = (seconds: number) =>
    `00:0${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(3).padStart(6, '0').replace('.', ',')}`;
  const srt = said
    .map(
      ({ start, long }, n) =>
        `${n + 1}\n${stamp(start)} --> ${stamp(start + long)}\nPersonne ne sait que nous sommes ici.\n`,
    )
    .join('\n');
  const s = await openScene(t, {
    providers: ['subtitles_a'],
    videos: { [`${FOLDER}/${NAME}`]: { seconds: 130, texts: [{ srt, language: 'fre' }] } },
    fixtures: {
      items: [
        {
          kind: 'movie',
          title: 'Night of the Living Dead',
          year: 1968,
          imdb: 'tt0063350',
          duration: 130,
          subtitles: [
            {
              language: 'en',
              releases: [ELSEWHERE],
              lines: said.map(({ start, long }, n) => ({
                start: start + 3,
                end: start + 3 + long,
                text: SENTENCES[n % SENTENCES.length] ?? '',
              })),
            },
          ],
        },
      ],
    },
  });
  const fetched = await s.fetch(await s.idOf('Night'));
  assert.equal(fetched.match, 'verified');
  assert.match(
    fetched.evidence.find(({ kind }) => kind === 'timing')?.detail ?? '',
    /moved by −3\.0\d s to fit the text inside the video/,
  );
});
