/**
 * Files of sound in twelve formats with known tags, made by ffmpeg in one call for each format, and what ffprobe reads
 * of them.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface TaggedFile {
  path: string;
  format: string;
  /** Tags as they were written. */
  tags: Readonly<Record<'title' | 'artist' | 'album' | 'album_artist' | 'track' | 'date' | 'genre', string>>;
}
/** Formats by the ending of their files, with the options that make them. */
const FORMATS: Readonly<Record<string, { ending: string; args: readonly string[] }>> = {
  mp3: { ending: 'mp3', args: ['-c:a', 'libmp3lame', '-b:a', '64k'] },
  flac: { ending: 'flac', args: [] },
  vorbis: { ending: 'ogg', args: ['-c:a', 'libvorbis'] },
  opus: { ending: 'opus', args: ['-c:a', 'libopus', '-ar', '48000'] },
  aac: { ending: 'm4a', args: ['-c:a', 'aac'] },
  alac: { ending: 'alac.m4a', args: ['-c:a', 'alac'] },
  wav: { ending: 'wav', args: [] },
  aiff: { ending: 'aiff', args: ['-write_id3v2', '1'] },
  wma: { ending: 'wma', args: ['-c:a', 'wmav2'] },
  wavpack: { ending: 'wv', args: [] },
  matroska: { ending: 'mka', args: ['-c:a', 'libvorbis'] },
  tta: { ending: 'tta', args: [] },
};
const WORDS = [
  'Ölüm',
  'Red',
  '赤い',
  'Night',
  'Ça va',
  'AC/DC',
  'Simon & Sons',
  'Été',
  'No. 5',
  'Привет',
  'x',
] as const;

/** Makes `count` files in `folder`, the same at every call, evenly over the formats. */
export async function makeTagged(folder: string, count: number): Promise<TaggedFile[]> {
  let state = 20_261_123;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const word = () => WORDS[next(WORDS.length)] ?? '';
  const formats = Object.entries(FORMATS);
  const files = Array.from({ length: count }, (_, i): TaggedFile => {
    const [format, { ending }] = formats[i % formats.length] ?? ['flac', { ending: 'flac' }];
    const tags = {
      title: `${word()} ${word()} ${i}`,
      artist: word(),
      album: `${word()} ${next(40)}`,
      album_artist: word(),
      track: String(1 + next(30)),
      date: String(1950 + next(70)),
      genre: ['Rock', 'Jazz', 'Pop'][next(3)] ?? 'Pop',
    };
    return { path: join(folder, `${i}.${ending}`), format, tags };
  });
  for (const [format, own] of Map.groupBy(files, (file) => file.format)) {
    const outputs = own.flatMap(({ path, tags }) => [
      ...['-map', '0:a', ...(FORMATS[format]?.args ?? [])],
      ...Object.entries(tags).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]),
      path,
    ]);
    await run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'sine=f=440:r=44100:d=0.3', ...outputs]);
  }
  return files;
}

/** Returns the tags that ffprobe reads, by lower-case names. */
export async function probedTags(path: string): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', path]);
  const reply = JSON.parse(stdout) as Record<'format', { tags?: Record<string, string> }> & {
    streams: { tags?: Record<string, string> }[];
  };
  const all = { ...reply.streams[0]?.tags, ...reply.format.tags };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]));
}
