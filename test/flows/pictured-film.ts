/**
 * A film with picture subtitles inside it, for the workbench to read: a Matroska file with a PGS track of drawn lines.
 * Most are drawn clearly; some have scratches across their last word, so that reading it is a guess.
 */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { draw, type Drawing, type ShownPicture, type Size, sup } from '../subtitles/picture-writers.ts';

const run = promisify(execFile);

export const PICTURED = {
  title: 'The Silent Reel',
  year: 2018,
  folder: 'Films/The Silent Reel (2018)',
  name: 'The Silent Reel (2018)',
} as const;
const SIZE: Size = { width: 1280, height: 720 };
const LINES = [
  'The reel was found in the cellar.',
  'Nobody had opened it for years.',
  'Careful, the film is very old.',
  'Do you know who made it?',
  'There is a name on the box.',
  'Hold it up to the light.',
  'I can see a harbour and a boat.',
  'That must be the old pier.',
  'And who is the woman there?',
  'Nobody ever told me her name.',
] as const;
/** How many there are of them; enough to see the reading go on. */
export const PICTURES = 60;
/** Every line of this kind is drawn badly. */
export const isScratched = (n: number): boolean => n % 6 === 5;

/** With scratches across its end. */
function scratched(drawing: Drawing): Drawing {
  const { width, cover, fill } = drawing;
  const isOff = (at: number): boolean => at % width > width * 0.8 && (at % width) % 9 < 3;
  return {
    ...drawing,
    cover: cover.map((value, at) => (isOff(at) ? 15 : value)),
    fill: fill.map((value, at) => (isOff(at) ? 15 : value)),
  };
}

/** Makes it in a library. Returns the drawn text. */
export async function makePicturedFilm(media: string): Promise<string[]> {
  const texts = Array.from({ length: PICTURES }, (_, n) => LINES[n % LINES.length] ?? '');
  const shown = await Promise.all(
    texts.map(async (text, n): Promise<ShownPicture> => {
      const clear = await draw(text, { size: 40 });
      const drawing = isScratched(n) ? scratched(clear) : clear;
      const start = 1_000 + n * 2_000;
      return {
        start,
        end: start + 1_600,
        drawing,
        x: (SIZE.width - drawing.width) >> 1,
        y: SIZE.height - 60 - drawing.height,
      };
    }),
  );
  const file = join(media, PICTURED.folder, `${PICTURED.name}.mkv`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.part.sup`, sup(shown, SIZE));
  await run('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    `testsrc2=s=160x90:r=5:d=${PICTURES * 2 + 2}`,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-crf',
    '40',
    '-pix_fmt',
    'yuv420p',
    '-f',
    'matroska',
    `${file}.part.video`,
  ]);
  await run('mkvmerge', ['-q', '-o', file, `${file}.part.video`, '--language', '0:eng', `${file}.part.sup`]);
  for (const part of ['sup', 'video']) await rm(`${file}.part.${part}`);
  return texts;
}
