/** Real HEIC files for tests, made of a picture that ffmpeg codes. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { exifOf, heicFile } from '../probe/testing/pictures.ts';

/** Makes a HEIC file of a picture that is stored a quarter turn off, with the profile of a phone. */
export async function codedHeic(folder: string, upright: Buffer): Promise<Buffer> {
  mkdirSync(folder, { recursive: true });
  const [from, to] = [join(folder, 'frame.png'), join(folder, 'frame.mp4')];
  // A turn of one quarter counterclockwise in the container makes it upright.
  await sharp(upright).rotate(90).png().toFile(from);
  const options = ['-c:v', 'libx265', '-x265-params', 'log-level=none:crf=12', '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', from, ...options, '-frames:v', '1', to]);
  const film = readFileSync(to);
  const hvcAt = film.indexOf('hvcC');
  const dataAt = film.indexOf('mdat');
  const hvcC = film.subarray(hvcAt + 4, hvcAt - 4 + film.readUInt32BE(hvcAt - 4));
  const sample = film.subarray(dataAt + 4, dataAt - 4 + film.readUInt32BE(dataAt - 4));
  return heicFile(
    { width: 80, height: 120, hvcC, sample },
    { exif: exifOf({ original: '2024:02:02 02:02:02', camera: 'Ricoh GR III', orientation: 6 }), quarterTurns: 1 },
  );
}
