/**
 * Picture subtitles end to end with the real tesseract: drawn text, written as every kind of file that people
 * have, comes back as text with exact times. Needs ffmpeg, mkvmerge and tesseract with English data.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { chance } from '../../../test/chance.ts';
import { draw, type ShownPicture, type Size, sup, vobSub } from '../../../test/subtitles/picture-writers.ts';
import { openTestLibrary, type OpenTestLibrary } from '../../../test/subtitles/test-library.ts';
import { Failure } from '../../lib/failure.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { plainText, toSrt } from '../../cues/index.ts';
import { createOcr, type Ocr, type OcrResult } from './ocr.ts';

const run = promisify(execFile);
const TEXTS = [
  'Hello there, my friend.',
  'What is it?\n- I do not know!',
  '[door slams]',
  'We should have left\nyesterday, before the storm.',
  'NO!',
  '- Is that the last one?\n- Yes, I think so.',
  'The quick brown fox jumps over\nthe lazy dog at 7 p.m.',
  '12 minutes later...',
  '♪ Sing it again ♪',
];
const HD: Size = { width: 1920, height: 1080 };
const DVD: Size = { width: 720, height: 576 };
/** The unit of a DVD picture's end is 1024/90 ms. */
const DVD_UNIT = 1024 / 90;

let folder: string;
let media: OpenTestLibrary;
let ocr: Ocr;

const shownAs = (size: Size, letters: number, outline: number): Promise<ShownPicture[]> =>
  Promise.all(
    TEXTS.map(async (text, n) => {
      const drawing = await draw(text, { size: letters, outline });
      const start = 1_000 + n * 3_040;
      return {
        start,
        end: start + 2_000 + n * 40,
        drawing,
        x: (size.width - drawing.width) >> 1,
        y: size.height - 60 - drawing.height,
      };
    }),
  );
const ffmpeg = (...args: string[]) => run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args]);
/** The path of a new film's video, without its ending. */
const place = async (name: string): Promise<string> => {
  await mkdir(join(media.media, name));
  return join(media.media, name, name);
};
const VIDEO = ['-f', 'lavfi', '-i', 'color=c=black:s=1280x720:r=5:d=30'];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'matinee-pictures-'));
  media = await openTestLibrary(folder);
  ocr = createOcr({ processes: media.processes, ffmpeg: media.ffmpeg, tesseract: () => 'tesseract', log: quietLog });
  await makeFilms();
  await media.scan();
});
after(async () => {
  await media.close();
  await rm(folder, { recursive: true, force: true });
});

async function makeFilms(): Promise<void> {
  const bluray = sup(await shownAs(HD, 54, 4), HD, { piece: 4_000 });
  const dvd = vobSub(
    [
      { language: 'de', shown: (await shownAs(DVD, 28, 2)).slice(0, 2) },
      { language: 'en', shown: await shownAs(DVD, 28, 2) },
    ],
    DVD,
  );
  const source = join(folder, 'source');
  await writeFile(`${source}.sup`, bluray);
  await writeFile(`${source}.idx`, vobSub([{ language: 'en', shown: await shownAs(DVD, 28, 2) }], DVD).idx);
  await writeFile(`${source}.sub`, vobSub([{ language: 'en', shown: await shownAs(DVD, 28, 2) }], DVD).sub);
  await ffmpeg(...VIDEO, '-c:v', 'mpeg4', `${source}.mkv`);

  const beside = await place('Beside (2001)');
  await ffmpeg('-i', `${source}.mkv`, '-c', 'copy', `${beside}.mkv`);
  await writeFile(`${beside}.en.sup`, bluray);
  const pair = await place('Pair (2002)');
  await ffmpeg('-i', `${source}.mkv`, '-c', 'copy', `${pair}.mkv`);
  await writeFile(`${pair}.idx`, dvd.idx);
  await writeFile(`${pair}.SUB`, dvd.sub);
  const inside = await place('Inside (2003)');
  await run('mkvmerge', ['-q', '-o', `${inside}.mkv`, `${source}.mkv`, '--language', '0:eng', `${source}.sup`]);
  const disc = await place('Disc (2004)');
  await run('mkvmerge', ['-q', '-o', `${disc}.mkv`, `${source}.mkv`, '--language', '0:eng', `${source}.idx`]);
  const drawnAnew = [
    '-copyts',
    '-fix_sub_duration',
    '-i',
    `${source}.sup`,
    '-map',
    '0',
    '-map',
    '1',
    '-c:v',
    'copy',
    '-metadata:s:s:0',
    'language=eng',
  ];
  await ffmpeg(
    '-i',
    `${source}.mkv`,
    ...drawnAnew,
    '-c:s',
    'dvdsub',
    '-s',
    '1920x1080',
    `${await place('Encoded (2005)')}.mkv`,
  );
  await ffmpeg(
    '-i',
    `${source}.mkv`,
    ...drawnAnew,
    '-c:s',
    'dvdsub',
    '-s',
    '1920x1080',
    `${await place('Encoded (2006)')}.mp4`,
  );
  await ffmpeg('-i', `${source}.mkv`, ...drawnAnew, '-c:s', 'dvbsub', `${await place('Broadcast (2007)')}.ts`);
}

async function read(
  name: string,
  { signal = new AbortController().signal, by = ocr }: { signal?: AbortSignal; by?: Ocr } = {},
): Promise<OcrResult & { format: string; parts: number[] }> {
  const subject = await media.film(name);
  const file = subject.files[0];
  assert.ok(file);
  const track = ocr.fitting(subject, file, 'en');
  assert.ok(track, `a track in ${name}`);
  const parts: number[] = [];
  const root = await media.catalog.root(file.root);
  return {
    ...(await by.read(track, { file, root, language: 'en', progress: (part) => parts.push(part), signal })),
    format: track.format,
    parts,
  };
}

/** The text is what was drawn, to the letter; every start is exact, every end to `tolerance` ms. */
function check(
  { document, words, parts }: Awaited<ReturnType<typeof read>>,
  { tolerance = 0, last = TEXTS.length } = {},
): void {
  assert.deepEqual(
    document.cues.map(({ spans }) => plainText(spans)),
    TEXTS.slice(0, last),
  );
  for (const [n, { start, end }] of document.cues.entries()) {
    assert.equal(start, 1_000 + n * 3_040, `start of ${n}`);
    const drawn = start + 2_000 + n * 40;
    assert.ok(Math.abs(end - drawn) <= tolerance, `end of ${n}: ${end} for ${drawn}`);
  }
  for (const [n, { spans }] of document.cues.entries()) {
    const own = words.filter(({ cue }) => cue === n);
    assert.equal(own.map(({ text }) => text).join(' '), plainText(spans).replaceAll('\n', ' '));
    assert.ok(
      own.every(({ confidence }) => confidence > 0.2 && confidence <= 1),
      JSON.stringify(own),
    );
  }
  assert.equal(parts.at(-1), 1);
  assert.deepEqual(
    parts,
    parts.toSorted((a, b) => a - b),
    'progress only grows',
  );
}

for (const [name, format, tolerance] of [
  ['Beside (2001)', 'sup', 0],
  ['Pair (2002)', 'vobsub', DVD_UNIT / 2 + 1],
  ['Inside (2003)', 'hdmv_pgs_subtitle', 0],
  ['Disc (2004)', 'dvd_subtitle', DVD_UNIT / 2 + 1],
  ['Encoded (2005)', 'dvd_subtitle', DVD_UNIT + 1],
  ['Encoded (2006)', 'dvd_subtitle', DVD_UNIT + 1],
  ['Broadcast (2007)', 'dvb_subtitle', DVD_UNIT + 1],
] as const) {
  test(`${format} is read: ${name}`, async () => {
    const recognised = await read(name);
    assert.equal(recognised.format, format);
    check(recognised, { tolerance });
  });
}

test('planted: other pictures give other text', async () => {
  const path = join(media.media, 'Beside (2001)', 'Beside (2001).en.sup');
  const [one] = await shownAs(HD, 54, 4);
  assert.ok(one);
  await writeFile(path, sup([{ ...one, drawing: await draw('Somebody else.', { size: 54 }) }], HD));
  const { document } = await read('Beside (2001)');
  assert.deepEqual(
    document.cues.map(({ spans }) => plainText(spans)),
    ['Somebody else.'],
  );
  await rm(path);
});

test('letters without an outline that have dark specks at their edges are read', async () => {
  const path = join(media.media, 'Beside (2001)', 'Beside (2001).en.sup');
  const texts = ['What is it?', 'We should have left.', 'He lives at 42 Baker Street.', 'Stop!'];
  const next = chance(11);
  const shown = await Promise.all(
    texts.map(async (text, n): Promise<ShownPicture> => {
      const drawing = await draw(text, { size: 26, outline: 0 });
      const isSpeck = drawing.cover.map((cover) => (cover > 4 && cover < 9 && next() < 0.4 ? 1 : 0));
      return {
        start: 1_000 + n * 2_000,
        end: 2_000 + n * 2_000,
        drawing: {
          ...drawing,
          cover: drawing.cover.map((cover) => (cover > 4 ? 15 : 0)),
          fill: drawing.cover.map((_, at) => (isSpeck[at] === 1 ? 0 : 15)),
        },
        x: 300,
        y: 960,
      };
    }),
  );
  await writeFile(path, sup(shown, HD));
  const { document } = await read('Beside (2001)');
  await rm(path);
  assert.deepEqual(
    document.cues.map(({ spans }) => plainText(spans)),
    texts,
  );
});

test('a missing program or language names the package to install', async () => {
  const signal = new AbortController().signal;
  const lacking =
    (words: RegExp) =>
    (error: unknown): boolean =>
      error instanceof Failure && error.kind === 'conflict' && words.test(error.message);
  const without = createOcr({
    processes: media.processes,
    ffmpeg: media.ffmpeg,
    tesseract: () => 'tesseract-that-is-not-there',
    log: quietLog,
  });
  await assert.rejects(
    without.check('en', signal),
    lacking(/^tesseract is not installed: install the package tesseract-ocr$/),
  );
  await assert.rejects(
    ocr.check('eo', signal),
    lacking(/^tesseract has no data for Esperanto: install the package tesseract-ocr-epo$/),
  );
  await assert.rejects(ocr.check('zh-tw', signal), lacking(/tesseract-ocr-chi-tra$/));
  await ocr.check('en-gb', signal);
});

test('a cancelled reading ends, before tesseract is at it and while it is', async () => {
  const stop = new AbortController();
  stop.abort(new Error('changed my mind'));
  await assert.rejects(read('Inside (2003)', { signal: stop.signal }));
  const later = new AbortController();
  let started = 0;
  const processes = {
    run: (command: Parameters<typeof media.processes.run>[0], signal?: AbortSignal) => {
      if (command.input !== undefined && ++started === 1) setImmediate(() => later.abort(new Error('changed my mind')));
      return media.processes.run(command, signal);
    },
  };
  const watched = createOcr({ processes, ffmpeg: media.ffmpeg, tesseract: () => 'tesseract', log: quietLog });
  await assert.rejects(read('Inside (2003)', { signal: later.signal, by: watched }));
  assert.ok(started > 0);
  assert.deepEqual(media.processes.stats(), { running: 0, waiting: 0 });
});

test('text at the top is marked so, and of broken files what can be read is', async () => {
  const subject = await media.film('Inside (2003)');
  const [file] = subject.files;
  assert.ok(file);
  const root = await media.catalog.root(file.root);
  const [high, low] = await Promise.all([draw('Up here.', { size: 54 }), draw('Down there.', { size: 54 })]);
  const bytes = sup(
    [
      { start: 1_000, end: 2_000, drawing: high, x: 700, y: 60 },
      { start: 3_000, end: 4_000, drawing: low, x: 700, y: 960 },
    ],
    HD,
  );
  const readFile = async (content: Uint8Array) => {
    await writeFile(join(media.media, 'Inside (2003)', 'extra.sup'), content);
    return ocr.read(
      { source: 'sidecar', format: 'sup', role: 'normal', relative: 'Inside (2003)/extra.sup' },
      { file, root, language: 'en', signal: new AbortController().signal },
    );
  };
  const { document } = await readFile(bytes);
  assert.equal(
    toSrt(document),
    '1\n00:00:01,000 --> 00:00:02,000\n{\\an8}Up here.\n\n2\n00:00:03,000 --> 00:00:04,000\nDown there.\n',
  );
  const cut = await readFile(bytes.subarray(0, bytes.length - 40));
  assert.deepEqual(
    cut.document.cues.map(({ start, end }) => [start, end]),
    [
      [1_000, 2_000],
      [3_000, 8_000],
    ],
  );
  assert.deepEqual(
    cut.document.warnings.map(({ message }) => message),
    ['the file ends within a segment', 'a picture has no end'],
  );
  const refused =
    (words: RegExp) =>
    (error: unknown): boolean =>
      error instanceof Failure && error.kind === 'conflict' && words.test(error.message);
  await assert.rejects(readFile(Buffer.from('no pictures at all')), refused(/no pictures/));
  await assert.rejects(
    readFile(
      sup(
        [
          {
            start: 0,
            end: 900,
            drawing: { width: 30, height: 8, cover: new Uint8Array(240), fill: new Uint8Array(240) },
            x: 0,
            y: 0,
          },
        ],
        HD,
      ),
    ),
    refused(/no text could be read/),
  );
});
