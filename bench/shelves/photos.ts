/** Photos: a cold scan compared with minidlna in the same run and with reading the heads of the same files. */
import { closeSync, mkdirSync, openSync, readdirSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exifOf, jpegWith, quarters } from '../../src/catalog/probe/testing/pictures.ts';
import { secondsOfMinidlna } from '../minidlna.ts';
import { report } from '../report.ts';
import { measured } from '../usage.ts';
import { scanLibraryTwice } from './scanned.ts';

const PHOTOS = Number(process.argv.find((one) => one.startsWith('--photos='))?.split('=')[1] ?? 5_000);
const PHOTOS_OF_DAY = 100;
const MIN_PER_SECOND = 1_000;
/** Bytes that are read of a photo for its facts. */
const HEAD_BYTES = 128 * 1024;
const CAMERAS = ['GR III', 'X100V', 'Z 5', 'Pixel 8'];
/** Filler that makes a photo as large as its head is read. */
const FILLER = Buffer.alloc(150_000, 0x5a);

async function makePhotos(media: string): Promise<void> {
  const picture = await quarters(320, 240);
  for (let n = 0; n < PHOTOS; n++) {
    const day = new Date(Date.UTC(2015, 0, 1 + Math.floor(n / PHOTOS_OF_DAY)));
    const text = day.toISOString().slice(0, 10);
    const seconds = n % PHOTOS_OF_DAY;
    const exif = exifOf({
      orientation: 1 + (n % 8),
      original: `${text.replaceAll('-', ':')} 12:${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(
        seconds % 60,
      ).padStart(2, '0')}`,
      offset: '+02:00',
      camera: CAMERAS[n % CAMERAS.length] ?? '',
      place: n % 2 === 0,
    });
    mkdirSync(join(media, text.slice(0, 4), text), { recursive: true });
    const end = Buffer.concat([FILLER, Buffer.from(String(n))]);
    writeFileSync(join(media, text.slice(0, 4), text, `IMG_${n}.jpg`), jpegWith(picture, { exif, end }));
  }
}

/** Reads the first bytes of each file, one after the other: no scan can be faster in one thread. */
function readHeads(media: string): void {
  const head = Buffer.alloc(HEAD_BYTES);
  for (const entry of readdirSync(media, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = openSync(join(entry.parentPath, entry.name), 'r');
    readSync(file, head, 0, HEAD_BYTES, 0);
    closeSync(file);
  }
}

export async function measurePhotos(home: string): Promise<void> {
  const media = join(home, 'photos');
  await makePhotos(media);
  const other = await secondsOfMinidlna(home, media, 'P');
  const floor = await measured(() => readHeads(media));
  const { cold, unchanged, items } = await scanLibraryTwice(join(home, 'photo-catalog'), media, 'photos');
  const rate = items / cold.seconds;
  report({
    what: `photos: ${PHOTOS} cold`,
    figure: `${Math.round(rate)}/s`,
    aim: `${MIN_PER_SECOND}/s`,
    met: rate >= MIN_PER_SECOND && items === PHOTOS,
    note:
      (other === undefined
        ? 'minidlna is not installed'
        : `minidlna ${Math.round(PHOTOS / other)}/s: ${(other / cold.seconds).toFixed(1)} times as fast`) +
      `; ${(cold.seconds / floor.seconds).toFixed(1)} times the time of reading ${HEAD_BYTES / 1024} KiB of each; ` +
      cold.usage,
  });
  report({ what: `photos: ${PHOTOS} unchanged`, figure: `${unchanged.seconds.toFixed(2)} s`, note: unchanged.usage });
}
