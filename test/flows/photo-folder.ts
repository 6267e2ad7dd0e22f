/** A folder of photos for the browser tests: by day and by folder, in other formats, and with clips between them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { ask } from '../faults/child.ts';
import { runTask, type SettledHome } from './places.ts';

/** Adds a library of photos, and scans it. */
export async function addPhotos({ home, token }: SettledHome): Promise<void> {
  const path = join(dirname(home.media), 'photos');
  await makePhotoFolder(path);
  const body = { name: 'Photos', path, kind: 'photos' };
  const { status } = await ask(home.server, 'POST', '/api/v1/libraries', { token, body });
  assert.equal(status, 201);
  await runTask(home, token, 'scan');
}

/** Makes six photos of five days, the newest two of one day, and the folders `Formats` and `Clips`. */
async function makePhotoFolder(root: string): Promise<void> {
  const taken = {
    'Lisbon/sea.jpg': ['2024:07:02 09:00:00', '#2b6cb0'],
    'Lisbon/tram.jpg': ['2024:07:02 10:00:00', '#d69e2e'],
    'Lisbon/tower.jpg': ['2024:06:30 20:15:00', '#c53030'],
    'Winter/snow.jpg': ['2024:01:05 12:00:00', '#e2e8f0'],
    'Winter/tree.jpg': ['2023:12:24 18:00:00', '#276749'],
    'garden.jpg': ['2023:05:01 08:00:00', '#68d391'],
  } as const;
  for (const [path, [time, background]] of Object.entries(taken)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    const bytes = await sharp({ create: { width: 1200, height: 800, channels: 3, background } })
      .withExif({ IFD0: { Model: 'Matinee One' }, IFD2: { DateTimeOriginal: time, ISOSpeedRatings: '200' } })
      .jpeg()
      .toBuffer();
    writeFileSync(join(root, path), bytes);
  }
  await makeOtherFormats(join(root, 'Formats'));
  await makeClips(join(root, 'Clips'));
}

/** A picture that browsers do not show, a damaged one, and one that moves; all of the day of the garden. */
async function makeOtherFormats(folder: string): Promise<void> {
  mkdirSync(folder);
  const plain = () => sharp({ create: { width: 1200, height: 800, channels: 3, background: '#345' } });
  writeFileSync(join(folder, 'IMG_20230501_070000.tiff'), await plain().tiff().toBuffer());
  writeFileSync(join(folder, 'IMG_20230501_070100.jpg'), (await plain().jpeg().toBuffer()).subarray(0, 700));
  writeFileSync(join(folder, 'IMG_20230501_070200.gif'), await plain().gif().toBuffer());
}

const encode = (...args: string[]): void =>
  void execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=10:d=3', ...args]);

/** Two clips between photos; browsers do not play the second as it is. */
async function makeClips(folder: string): Promise<void> {
  mkdirSync(folder);
  const sound = ['-f', 'lavfi', '-i', 'sine=f=440:d=3'];
  encode(...sound, '-pix_fmt', 'yuv420p', '-c:a', 'aac', join(folder, 'VID_20230501_090100.mp4'));
  encode(...sound, '-c:v', 'mpeg4', '-c:a', 'mp2', join(folder, 'VID_20230501_090200.avi'));
  const plain = sharp({ create: { width: 1200, height: 800, channels: 3, background: '#553' } }).jpeg();
  for (const time of ['090000', '090300'])
    writeFileSync(join(folder, `IMG_20230501_${time}.jpg`), await plain.clone().toBuffer());
}
