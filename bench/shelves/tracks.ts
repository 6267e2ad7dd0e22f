/**
 * Music for benches, made once and kept in `bench/data`: a collection as households have it, in four formats and with
 * a cover in most files, and one of bare FLAC files.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { flac, madeOnce, SOUND_CACHE } from '../../src/catalog/testing/sound.ts';

const TRACKS_OF_ALBUM = 12;
const ALBUMS_OF_ARTIST = 4;
/** Formats by their share of twenty albums, with what ffmpeg needs to make them. */
const FORMATS = [
  { ending: 'mp3', albums: 8, args: ['-c:a', 'libmp3lame', '-b:a', '128k', '-id3v2_version', '3'], hasCover: true },
  { ending: 'flac', albums: 7, args: ['-c:a', 'flac'], hasCover: true },
  { ending: 'm4a', albums: 3, args: ['-c:a', 'aac', '-b:a', '96k'], hasCover: true },
  { ending: 'opus', albums: 2, args: ['-c:a', 'libopus', '-b:a', '64k'], hasCover: false },
] as const;
const OUTPUTS_AT_ONCE = 100;

interface TrackToMake {
  path: string;
  ending: string;
  tags: Readonly<Record<'TITLE' | 'ALBUM' | 'ARTIST' | 'ALBUMARTIST' | 'TRACKNUMBER' | 'DATE' | 'GENRE', string>>;
}

const formatOf = (album: number): string => {
  let place = album % FORMATS.reduce((sum, { albums }) => sum + albums, 0);
  return FORMATS.find(({ albums }) => (place -= albums) < 0)?.ending ?? 'flac';
};

function trackToMake(n: number, ending: (album: number) => string): TrackToMake {
  const album = Math.floor(n / TRACKS_OF_ALBUM);
  const track = String(1 + (n % TRACKS_OF_ALBUM));
  const artist = `Artist ${Math.floor(album / ALBUMS_OF_ARTIST)}`;
  return {
    path: join(artist, `Album ${album}`, `${track.padStart(2, '0')} Track ${n}.${ending(album)}`),
    ending: ending(album),
    tags: {
      TITLE: `Track ${n}`,
      ALBUM: `Album ${album}`,
      ARTIST: artist,
      ALBUMARTIST: artist,
      TRACKNUMBER: track,
      DATE: String(1950 + (album % 70)),
      GENRE: 'Rock',
    },
  };
}

/** Makes one file of a format with the cover that all of them have. The name in the cache says what it holds. */
async function baseOf({ ending, args, hasCover }: (typeof FORMATS)[number]): Promise<string> {
  const cover = join(SOUND_CACHE, 'bench-cover.jpg');
  mkdirSync(SOUND_CACHE, { recursive: true });
  if (!existsSync(cover))
    // Noise, which a JPEG cannot make small: the 30 KB of a usual cover.
    await sharp({
      create: {
        width: 220,
        height: 220,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    })
      .jpeg({ quality: 85 })
      .toFile(cover);
  return madeOnce(`bench-base-2s.${ending}`, [
    ...['-f', 'lavfi', '-i', 'sine=f=440:r=44100:d=2'],
    ...(hasCover ? ['-i', cover, '-map', '0', '-map', '1', '-c:v', 'copy', '-disposition:v', 'attached_pic'] : []),
    ...args,
  ]);
}

/** Makes `count` tracks in `folder` each with a separate path and tags, unless they are there. Returns the folder. */
export async function makeCollection(folder: string, count: number): Promise<string> {
  const media = join(folder, 'media');
  if (existsSync(join(folder, 'made'))) return media;
  const tracks = Array.from({ length: count }, (_, n) => trackToMake(n, formatOf));
  for (const format of FORMATS) {
    const base = await baseOf(format);
    const own = tracks.filter(({ ending }) => ending === format.ending);
    for (let at = 0; at < own.length; at += OUTPUTS_AT_ONCE) {
      const outputs = own.slice(at, at + OUTPUTS_AT_ONCE).flatMap(({ path, tags: { TRACKNUMBER: track, ...tags } }) => {
        mkdirSync(dirname(join(media, path)), { recursive: true });
        const { ALBUMARTIST: albumArtist, ...others } = tags;
        const metadata = { ...others, album_artist: albumArtist, track };
        return [
          ...['-map', '0', '-c', 'copy'],
          ...(format.ending === 'mp3' ? ['-id3v2_version', '3'] : []),
          ...Object.entries(metadata).flatMap(([name, value]) => ['-metadata', `${name.toLowerCase()}=${value}`]),
          ...(format.ending === 'opus' ? ['-metadata:s:a', `title=${tags.TITLE}`] : []),
          join(media, path),
        ];
      });
      execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', base, ...outputs]);
    }
  }
  writeFileSync(join(folder, 'made'), '');
  return media;
}

/** Makes `count` FLAC files of one second without a cover, the quickest to read of all. Returns the folder. */
export function makeBareFlacs(folder: string, count: number): string {
  const media = join(folder, 'media');
  if (existsSync(join(folder, 'made'))) return media;
  for (let n = 0; n < count; n++) {
    const { path, tags } = trackToMake(n, () => 'flac');
    mkdirSync(dirname(join(media, path)), { recursive: true });
    writeFileSync(join(media, path), flac(tags));
  }
  writeFileSync(join(folder, 'made'), '');
  return media;
}
