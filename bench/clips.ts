/**
 * The clips that the benches of scans read: real ones made by ffmpeg, each followed by a unique box, so that no two are
 * alike. They are made once in a folder that is kept.
 */
import { existsSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeClip } from '../src/catalog/testing/world.ts';

/** Six of ten are films in separate folders, the others episodes: ten a season, four seasons a show. */
export const placeOfClip = (n: number): string => {
  if (n % 10 < 6)
    return `films/Picture ${n} (${1950 + (n % 70)})/Picture ${n} (${1950 + (n % 70)}).${n % 2 === 0 ? 'mp4' : 'mkv'}`;
  const [e, of] = [Math.floor(n / 10) * 4 + (n % 10) - 6, Math.floor(n / 100)];
  return (
    `shows/Serial ${of}/Season ${1 + (Math.floor(e / 10) % 4)}/Serial ${of} ` +
    `S0${1 + (Math.floor(e / 10) % 4)}E${String(1 + (e % 10)).padStart(2, '0')}.${n % 2 === 0 ? 'mp4' : 'mkv'}`
  );
};

/** Makes that number of clips in `media` in the folder, unless they are there. */
export function makeScanClips(folder: string, files: number): void {
  if (existsSync(join(folder, 'made'))) return;
  const bytes = { mp4: readFileSync(makeClip('mp4')), mkv: readFileSync(makeClip('mkv')) };
  for (let n = 0; n < files; n++) {
    const path = join(folder, 'media', placeOfClip(n));
    mkdirSync(dirname(path), { recursive: true });
    const kind = path.endsWith('.mkv') ? 'mkv' : 'mp4';
    const own = Buffer.alloc(32 + (n % 64));
    // A free box; a Void element of Matroska, whose length takes two bytes.
    if (kind === 'mp4') {
      own.writeUInt32BE(own.length, 0);
      own.write('free', 4, 'latin1');
    } else Buffer.from([0xec, 0x40 | ((own.length - 3) >> 8), (own.length - 3) & 0xff]).copy(own);
    own.writeUInt32BE(n, 12);
    writeFileSync(path, Buffer.concat([bytes[kind], own]));
  }
  writeFileSync(join(folder, 'made'), '');
}

/** Makes `large` links to the clips of another folder, `files` in number, unless they are there. */
export function linkScanClips(from: string, folder: string, { files, large }: { files: number; large: number }): void {
  if (existsSync(join(folder, 'made'))) return;
  for (let n = 0; n < large; n++) {
    const path = join(folder, 'media', placeOfClip(n));
    mkdirSync(dirname(path), { recursive: true });
    linkSync(join(from, 'media', placeOfClip(n % files)), path.replace(/\.\w+$/, placeOfClip(n % files).slice(-4)));
  }
  writeFileSync(join(folder, 'made'), '');
}
