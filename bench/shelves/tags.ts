/** Tags of 500 generated files in twelve formats, compared with ffprobe and with MPD. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createProbe } from '../../src/catalog/probe/index.ts';
import { makeTagged, probedTags, type TaggedFile } from '../../src/catalog/probe/testing/tagged.ts';
import { createFfmpeg } from '../../src/lib/ffmpeg/index.ts';
import { createProcesses } from '../../src/lib/process.ts';
import { quietLog } from '../../src/lib/process/testing.ts';
import { report } from '../report.ts';
import { runMpd } from './mpd.ts';

const FILES = Number(process.argv.find((one) => one.startsWith('--tagged='))?.split('=')[1] ?? 500);
const MAX_NAMED = 5;

type Tags = readonly [title: string, artist: string, album: string, track: number, year: string];
const tagsOf = (of: Partial<Record<'title' | 'artist' | 'album' | 'track' | 'date', string | undefined>>): Tags => [
  of.title ?? '',
  of.artist ?? '',
  of.album ?? '',
  Number.parseInt(of.track ?? '0', 10),
  (of.date ?? '').slice(0, 4),
];

/**
 * Names of chunks that MPD's reader of WAV and AIFF (libsndfile) reads otherwise, and what takes their place. It knows
 * the number of a track as `ITRK` only, not as `IPRT`, which ffmpeg writes. A text chunk of AIFF with the title keeps
 * it from the ID3 chunk, where everything else is.
 */
const RENAMED_CHUNKS: Readonly<Record<string, readonly [name: string, other: string]>> = {
  wav: ['IPRT', 'ITRK'],
  aiff: ['NAME', 'SKIP'],
};

export async function measureTags(home: string): Promise<void> {
  const folder = join(home, 'tagged');
  mkdirSync(folder, { recursive: true });
  const files = await makeTagged(folder, FILES);
  await compareTags(home, folder, files, { which: 'as ffmpeg writes them', excepted: Object.keys(RENAMED_CHUNKS) });
  for (const { path, format } of files) {
    const [name, other] = RENAMED_CHUNKS[format] ?? [];
    if (name === undefined || other === undefined) continue;
    const bytes = readFileSync(path);
    const at = bytes.indexOf(name, 0, 'latin1');
    if (at >= 0) bytes.write(other, at, 'latin1');
    writeFileSync(path, bytes);
  }
  await compareTags(home, folder, files, { which: 'with the chunks of WAV and AIFF that MPD knows', excepted: [] });
}

/** `excepted` are the formats that MPD is known to read otherwise. */
async function compareTags(
  home: string,
  folder: string,
  files: readonly TaggedFile[],
  { which, excepted }: { which: string; excepted: readonly string[] },
): Promise<void> {
  const processes = await createProcesses({ log: quietLog, temporary: join(home, 'tmp') });
  const ffmpeg = createFfmpeg({ processes });
  const probe = createProbe({ processes, ffprobe: (path, signal) => ffmpeg.probe(path, signal), log: quietLog });
  const results = await probe.probe(
    files.map(({ path }) => ({ path, size: statSync(path).size, mtimeMs: 0 })),
    new AbortController().signal,
  );
  await probe.close();
  await processes.close();
  const own = results.map((result): Tags => {
    const audio = result.ok ? result.info.audio : undefined;
    const track = audio?.track.number === undefined ? undefined : String(audio.track.number);
    return tagsOf({ ...audio, artist: audio?.artists.join('; '), track });
  });
  const compare = (what: string, others: readonly (Tags | undefined)[], excepted: readonly string[] = []): void => {
    const unlike = files.filter((_, i) => others[i] && JSON.stringify(own[i]) !== JSON.stringify(others[i]));
    const compared = others.filter((one) => one !== undefined).length;
    const formats = [...Map.groupBy(unlike, ({ format }) => format)].map(([name, some]) => `${name} ${some.length}`);
    report({
      what: `tags: files ${which}, read as ${what} reads them`,
      figure: `${compared - unlike.length} of ${compared}`,
      aim: excepted.length === 0 ? 'all' : `all but ${excepted.join(', ')}`,
      met: unlike.every(({ format }) => excepted.includes(format)),
      ...(unlike.length > 0 && { note: `unlike: ${formats.slice(0, MAX_NAMED).join(', ')}` }),
    });
  };
  const probed: Tags[] = [];
  for (const { path } of files) probed.push(tagsOf(await probedTags(path)));
  compare('ffprobe', probed);
  const mpd = await runMpd(join(home, `mpd-tags-${which.length}`), folder);
  if (!mpd) return;
  // MPD has no reader for the tags of some formats, which says nothing about ours.
  const songs = files.map(({ path }) => mpd.songs.get(basename(path)));
  compare(
    'MPD',
    songs.map((song) => (song && song.title !== '' ? tagsOf(song) : undefined)),
    excepted,
  );
}
