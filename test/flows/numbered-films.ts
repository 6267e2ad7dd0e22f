/**
 * A show whose pictures carry their number, in a form that no browser plays as it is: Matroska with VP9, two tracks of
 * AC-3 (a low and a high tone) and two subtitles.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { untilPage } from './browser.ts';

const run = promisify(execFile);

export const NUMBERED = {
  show: 'Numbered Nights',
  first: 'Night One',
  second: 'Night Two',
  rate: 24,
  seconds: 40,
  low: 300,
  high: 1200,
} as const;
const FIELD = 52;
/** The number of each picture as twelve black or white fields on a line, for a picture of 640 by 360. */
const FIELDS = Array.from(
  { length: 12 },
  (_, bit) =>
    `drawbox=x=${bit * FIELD}:y=140:w=${FIELD}:h=80:color=white:t=fill:enable='gt(mod(floor(n/${2 ** bit}),2),` +
    `0)':replace=1`,
).join(',');
/** Numbered pictures on black, 640 by 360, with the noise that a film has. A source for ffmpeg. */
export const numberedPictures = (seconds: number): string =>
  `color=c=black:s=640x360:r=${NUMBERED.rate}:d=${seconds},noise=alls=24:allf=t,drawbox=x=0:y=140:w=640:h=80:` +
  `color=black:t=fill,${FIELDS}`;
/** Reads the number of the picture that an element shows; part of a script of the page. */
const READ_NUMBER = `(video) => {
  const canvas = document.createElement('canvas');
  canvas.width = 640;
  canvas.height = 360;
  const context = canvas.getContext('2d');
  context.drawImage(video, 0, 0, 640, 360);
  const { data } = context.getImageData(0, 180, 640, 1);
  let number = 0;
  for (let bit = 0; bit < 12; bit++) if (data[(bit * ${FIELD} + ${FIELD / 2}) * 4] > 127) number += 2 ** bit;
  return number;
}`;

/**
 * Goes to the middle of a picture's time, and returns the number that is then on show. A picture of before may still
 * be presented meanwhile, so each one is read when it is presented, and those that were submitted earlier do not count.
 */
export async function numberAt(page: Page, number: number): Promise<number> {
  await page.evaluate(`(() => {
    const video = document.querySelector('video');
    const read = ${READ_NUMBER};
    video.pause();
    const from = performance.now();
    const jump = { number: undefined };
    globalThis.jump = jump;
    const note = (now, { presentationTime }) => {
      if (globalThis.jump !== jump) return;
      if (presentationTime >= from) jump.number = read(video);
      video.requestVideoFrameCallback(note);
    };
    video.requestVideoFrameCallback(note);
    video.currentTime = ${(number + 0.5) / NUMBERED.rate};
  })()`);
  await untilPage(
    page,
    "!document.querySelector('video').seeking && document.querySelector('video').readyState >= 2 && " +
      'globalThis.jump.number !== undefined',
  );
  return page.evaluate<number>('globalThis.jump.number');
}

/** Plays on, until a film of so many seconds is over. */
export async function playsToTheEnd(page: Page, seconds: number): Promise<void> {
  await page.evaluate(`(() => {
    const video = document.querySelector('video');
    video.addEventListener('ended', () => { globalThis.endedAt = video.duration; });
    video.play();
  })()`);
  await untilPage(page, 'globalThis.endedAt !== undefined');
  const duration = await page.evaluate<number>('globalThis.endedAt');
  assert.ok(Math.abs(duration - seconds) < 0.2, `the film lasts ${duration} s`);
}

const stamp = (seconds: number): string => `00:00:${String(seconds).padStart(2, '0')},000`;
const srt = (word: string): string =>
  Array.from({ length: 19 }, (_, n) => `${n + 1}\n${stamp(n * 2)} --> ${stamp(n * 2 + 2)}\n${word} ${n + 1}\n`).join(
    '\n',
  );

export async function makeNumbered(media: string): Promise<void> {
  const { show, first, second, seconds, low, high } = NUMBERED;
  const at = (episode: number, title: string) =>
    join(media, 'Shows', show, 'Season 01', `${show} - S01E0${episode} - ${title}.mkv`);
  const path = at(1, first);
  await mkdir(dirname(path), { recursive: true });
  const [english, german] = [`${path}.en.part`, `${path}.de.part`];
  await writeFile(english, srt('English line'));
  await writeFile(german, srt('Deutsche Zeile'));
  const tone = (frequency: number) => ['-f', 'lavfi', '-i', `sine=f=${frequency}:r=48000:d=${seconds}`];
  await run('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    numberedPictures(seconds),
    ...tone(low),
    ...tone(high),
    '-f',
    'srt',
    '-i',
    english,
    '-f',
    'srt',
    '-i',
    german,
    '-map',
    '0:v',
    '-map',
    '1:a',
    '-map',
    '2:a',
    '-map',
    '3:s',
    '-map',
    '4:s',
    '-c:v',
    'libvpx-vp9',
    '-deadline',
    'realtime',
    '-cpu-used',
    '8',
    '-row-mt',
    '1',
    '-b:v',
    '1800k',
    '-minrate',
    '1500k',
    '-maxrate',
    '2200k',
    '-g',
    '48',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'ac3',
    '-b:a',
    '192k',
    '-c:s',
    'srt',
    '-metadata:s:a:0',
    'language=eng',
    '-metadata:s:a:1',
    'language=ger',
    '-metadata:s:s:0',
    'language=eng',
    '-metadata:s:s:1',
    'language=ger',
    '-disposition:s:0',
    '0',
    '-f',
    'matroska',
    path,
  ]);
  await Promise.all([english, german].map((part) => rm(part)));
  await copyFile(path, at(2, second));
}
