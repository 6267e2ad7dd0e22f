/**
 * Tracks: a cold scan compared with MPD in the same run, and a scan without changes. The collection is in four formats
 * with covers, as households have it; bare FLAC files are measured as well, because MPD reads them fastest.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { report } from '../report.ts';
import { runMpd } from './mpd.ts';
import { scanLibraryTwice } from './scanned.ts';
import { makeBareFlacs, makeCollection } from './tracks.ts';

const TRACKS = Number(process.argv.find((one) => one.startsWith('--tracks='))?.split('=')[1] ?? 10_000);
const DATA = join(import.meta.dirname, '..', 'data');
const MAX_UNCHANGED_S = 0.3;

export async function measureMusic(home: string): Promise<void> {
  await compare(home, 'in four formats', await makeCollection(join(DATA, `tracks-${TRACKS}`), TRACKS));
  await compare(home, 'of bare FLAC', makeBareFlacs(join(DATA, `flacs-${TRACKS}`), TRACKS));
}

async function compare(home: string, what: string, media: string): Promise<void> {
  const folder = join(home, `music-${what.replaceAll(' ', '-')}`);
  // Both find the files in the memory of the system, whichever reads first.
  for (const entry of readdirSync(media, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) readFileSync(join(entry.parentPath, entry.name));
  const mpd = await runMpd(join(folder, 'mpd'), media);
  const { cold, unchanged, items } = await scanLibraryTwice(join(folder, 'catalog'), media, 'music');
  const ratio = mpd && mpd.cold / cold.seconds;
  report({
    what: `music: ${TRACKS} tracks ${what}, cold`,
    figure: `${cold.seconds.toFixed(2)} s, ${Math.round(TRACKS / cold.seconds)}/s`,
    ...(ratio !== undefined && { aim: 'as fast as MPD', met: ratio >= 1 }),
    note:
      (mpd
        ? `MPD ${mpd.cold.toFixed(2)} s and ${mpd.processor.toFixed(1)} CPU s with ${mpd.songs.size} songs: ` +
          `${(ratio ?? 0).toFixed(2)} times as fast`
        : 'MPD is not installed') + `; ${items} tracks; ${cold.usage}`,
  });
  report({
    what: `music: ${TRACKS} tracks ${what}, unchanged`,
    figure: `${unchanged.seconds.toFixed(2)} s`,
    aim: `${MAX_UNCHANGED_S} s`,
    met: unchanged.seconds <= MAX_UNCHANGED_S,
    note: `${mpd ? `MPD ${mpd.unchanged.toFixed(2)} s; ` : ''}${unchanged.usage}`,
  });
}
