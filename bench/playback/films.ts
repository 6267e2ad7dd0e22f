/**
 * Films of the playback bench, made once and kept in `bench/data/playback`: ten minutes of 1080p at 8 Mbit/s.
 *
 * `film` is a noisy scene that is repeated, because encoding all of it would take minutes and change nothing.
 * `numbered` has a number in each picture and is filled up to its rate, so that a browser can be asked which picture it
 * shows.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

export const SECONDS = Number(process.argv.find((one) => one.startsWith('--seconds='))?.split('=')[1] ?? 600);
export const RATE = 24;
/** When the first picture of a Matroska file is shown: behind what an AAC encoder puts before its sound. */
export const FIRST_PICTURE_S = 0.021;
const SCENE = Math.min(30, SECONDS);
const folder = join(import.meta.dirname, '../data/playback');

/** Bits of the number, as black or white fields on a line in the middle of a picture. */
const BITS = 14;
const FIELD = 44;
const [WIDTH, HEIGHT] = [640, 360];
/** Reads the number of the picture that the page shows; an expression. */
export const SHOWN_NUMBER = `(() => {
  const canvas = globalThis.shownCanvas ??= new OffscreenCanvas(${WIDTH}, ${HEIGHT});
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(document.querySelector('video'), 0, 0, ${WIDTH}, ${HEIGHT});
  const { data } = context.getImageData(0, ${HEIGHT / 2}, ${WIDTH}, 1);
  let number = 0;
  for (let bit = 0; bit < ${BITS}; bit++) if (data[(bit * ${FIELD} + ${FIELD / 2}) * 4] > 127) number += 2 ** bit;
  return number;
})()`;

export const ffmpeg = (...args: string[]): Buffer => execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args]);

/** Makes a file under another name first: one that is there is whole. */
function kept(name: string, make: (path: string) => void): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${SECONDS}-${name}`);
  if (existsSync(path)) return path;
  const partial = join(folder, `making-${process.pid}-${name}`);
  make(partial);
  renameSync(partial, path);
  return path;
}

const sound = (seconds: number): string[] => [
  '-f',
  'lavfi',
  '-i',
  `anoisesrc=d=${seconds}:r=48000:a=0.1,aformat=channel_layouts=stereo`,
];
const RATES = ['-b:v', '8M', '-maxrate', '9M', '-bufsize', '8M', '-g', '48'];

/** Returns the noisy film as MP4 or Matroska. */
export function film(extension: 'mp4' | 'mkv'): string {
  const scene = kept('scene.mp4', (path) =>
    ffmpeg(
      '-f',
      'lavfi',
      '-i',
      `testsrc2=s=1920x1080:r=${RATE}:d=${SCENE},noise=alls=20:allf=t`,
      ...sound(SCENE),
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      ...RATES,
      '-c:a',
      'aac',
      '-b:a',
      '192k',
      path,
    ),
  );
  return kept(`film.${extension}`, (path) =>
    ffmpeg('-stream_loop', String(Math.ceil(SECONDS / SCENE) - 1), '-i', scene, '-c', 'copy', path),
  );
}

/** Returns the film with numbers as Matroska, which Chromium does not open by itself. */
export function numbered(): string {
  const fields = Array.from(
    { length: BITS },
    (_, bit) =>
      `drawbox=x=${bit * FIELD}:y=${HEIGHT / 2 - 40}:w=${FIELD}:h=80:color=white:t=fill:` +
      `enable='gt(mod(floor(n/${2 ** bit}),2),0)':replace=1`,
  ).join(',');
  return kept('numbered.mkv', (path) =>
    ffmpeg(
      '-f',
      'lavfi',
      '-i',
      `color=c=black:s=${WIDTH}x${HEIGHT}:r=${RATE}:d=${SECONDS},${fields},scale=1920:1080:flags=neighbor,` +
        'format=yuv420p',
      ...sound(SECONDS),
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-b:v',
      '8M',
      '-minrate',
      '8M',
      '-maxrate',
      '8M',
      '-bufsize',
      '8M',
      '-x264-params',
      'nal-hrd=cbr:force-cfr=1',
      '-g',
      '48',
      '-c:a',
      'aac',
      '-b:a',
      '192k',
      path,
    ),
  );
}
