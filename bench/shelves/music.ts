/** 10,000 tracks: a cold scan compared with MPD in the same run, and a scan without changes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { flac } from '../../src/catalog/testing/sound.ts';
import { openCatalog, worldMigrations } from '../../src/catalog/testing/world.ts';
import { openDatabase } from '../../src/lib/db/index.ts';
import { report } from '../report.ts';
import { runMpd } from './mpd.ts';

const TRACKS = Number(process.argv.find((one) => one.startsWith('--tracks='))?.split('=')[1] ?? 10_000);
const TRACKS_OF_ALBUM = 12;
const MAX_UNCHANGED_S = 0.3;

function makeMusic(media: string): void {
  for (let n = 0; n < TRACKS; n++) {
    const album = Math.floor(n / TRACKS_OF_ALBUM);
    const track = 1 + (n % TRACKS_OF_ALBUM);
    const artist = `Artist ${Math.floor(album / 4)}`;
    const path = join(media, artist, `Album ${album}`, `${String(track).padStart(2, '0')} Track ${n}.flac`);
    mkdirSync(dirname(path), { recursive: true });
    const tags = { TITLE: `Track ${n}`, ALBUM: `Album ${album}`, ARTIST: artist, ALBUMARTIST: artist };
    writeFileSync(
      path,
      flac({ ...tags, TRACKNUMBER: String(track), DATE: String(1950 + (album % 70)), GENRE: 'Rock' }),
    );
  }
}

export async function measureMusic(home: string): Promise<void> {
  const media = join(home, 'music');
  makeMusic(media);
  const folder = join(home, 'catalog');
  mkdirSync(folder, { recursive: true });
  const db = await openDatabase({ file: join(folder, 'test.db'), migrations: worldMigrations });
  const { catalog, close } = await openCatalog({
    folder,
    db,
    listed: [{ name: 'Music', path: media, kind: 'music' }],
    clock: { now: () => Date.now(), monotonic: () => performance.now(), ahead: 0 },
    disk: { looks: (looked) => looked },
    probeModule: undefined,
  });
  const context = { id: 't', input: {}, signal: new AbortController().signal, resumed: false, saved: undefined };
  const scan = async (name: string): Promise<number> => {
    const since = performance.now();
    const task = catalog.tasks.find((one) => one.name === name);
    await task?.run({ ...context, progress: () => {}, save: () => Promise.resolve() } as never);
    return (performance.now() - since) / 1000;
  };
  // MPD reads first, so that it is the one that finds the files less warm.
  const mpd = await runMpd(join(home, 'mpd'), media);
  const cold = await scan('scan');
  const unchanged = await scan('scan-changes');
  await close();
  await db.close();
  const ratio = mpd && mpd.cold / cold;
  report({
    what: `music: ${TRACKS} tracks cold`,
    figure: `${cold.toFixed(2)} s, ${Math.round(TRACKS / cold)}/s`,
    ...(ratio !== undefined && { aim: 'as fast as MPD', met: ratio >= 1 }),
    note: mpd ? `MPD ${mpd.cold.toFixed(2)} s: ${(ratio ?? 0).toFixed(2)} times as fast` : 'MPD is not installed',
  });
  report({
    what: `music: ${TRACKS} tracks unchanged`,
    figure: `${unchanged.toFixed(2)} s`,
    aim: `${MAX_UNCHANGED_S} s`,
    met: unchanged <= MAX_UNCHANGED_S,
    ...(mpd && { note: `MPD ${mpd.unchanged.toFixed(2)} s` }),
  });
}
