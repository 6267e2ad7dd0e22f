/**
 * 100,000 items of every kind, compared with as many films and episodes in the same run: start, memory, lists and
 * search, each with a separate process of the built server. The folders are empty, so the server takes each library
 * for a disk that is away and keeps every item.
 */
import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { MIGRATIONS } from '../../src/migrations.ts';
import { openDatabase } from '../../src/lib/db/index.ts';
import { median, quantile, report } from '../report.ts';
import { measured } from '../usage.ts';
import { type MixedFolders, type MixedSizes, populateMixed } from './mixed-library.ts';
import { serverFolders, type BenchServer, startServed } from './served.ts';

const NOTHING = { films: 0, shows: 0, episodes: 0, tracks: 0, audiobooks: 0, books: 0, photos: 0 };
/** Both have 100,000 items; albums, series and shows are in addition. */
const CATALOGUES: Readonly<Record<'films' | 'mixed', MixedSizes>> = {
  films: { ...NOTHING, films: 60_000, shows: 800, episodes: 40_000 },
  mixed: {
    films: 25_000,
    shows: 400,
    episodes: 20_000,
    tracks: 34_000,
    audiobooks: 1_000,
    books: 5_000,
    photos: 15_000,
  },
};
const STARTS = 3;
const ROUNDS = 200;
const IDLE_MS = 5_000;
const MAX_MORE_MIB = 40;
/** Share by which a figure of the mixed catalogue may exceed that of films, which covers the noise of a run. */
const MAX_RATIO = 1.5;
/** Differences below this are noise of the clock and the scheduler. */
const NOISE_MS = 1;
/** Aims of SPEC for 100,000 items: start in milliseconds, and p99 of lists and search. */
const AIMS = { start: 500, list: 5, search: 8 } as const;

interface CatalogueFigures {
  start: number;
  list: number;
  search: number;
  memory: number;
  usage: string;
}

export async function measureMixed(home: string): Promise<void> {
  const figures: Partial<Record<keyof typeof CATALOGUES, CatalogueFigures>> = {};
  for (const name of ['films', 'mixed'] as const)
    figures[name] = await figuresOf(join(home, `catalogue-${name}`), name);
  const { films, mixed } = figures;
  if (!films || !mixed) return;
  for (const what of ['start', 'list', 'search'] as const) {
    const ratio = mixed[what] / films[what];
    const isAlike = ratio <= MAX_RATIO || mixed[what] - films[what] <= NOISE_MS;
    report({
      what: `100,000 mixed items: ${what}${what === 'start' ? '' : ', p99'}`,
      figure: `${mixed[what].toFixed(1)} ms`,
      aim: `${AIMS[what]} ms, and as films`,
      met: mixed[what] <= AIMS[what] && isAlike,
      note: `films and episodes alone ${films[what].toFixed(1)} ms: ratio ${ratio.toFixed(2)}; ${mixed.usage}`,
    });
  }
  report({
    what: `100,000 mixed items: memory ${IDLE_MS / 1000} s after the start and the requests`,
    figure: `${mixed.memory} MiB`,
    aim: `films + ${MAX_MORE_MIB} MiB`,
    met: mixed.memory <= films.memory + MAX_MORE_MIB,
    note: `films and episodes alone ${films.memory} MiB: ratio ${(mixed.memory / films.memory).toFixed(2)}`,
  });
}

async function figuresOf(home: string, name: keyof typeof CATALOGUES): Promise<CatalogueFigures> {
  const folders = serverFolders(home);
  const shelf = (kind: string): string => {
    mkdirSync(join(folders.media, kind), { recursive: true });
    return join(folders.media, kind);
  };
  const paths: MixedFolders = {
    films: shelf('films'),
    music: shelf('music'),
    audiobooks: shelf('audiobooks'),
    books: shelf('books'),
    photos: shelf('photos'),
  };
  const db = await openDatabase({ file: join(folders.data, 'matinee.db'), migrations: MIGRATIONS });
  await populateMixed(db, CATALOGUES[name], paths);
  await db.close();
  const listed = Object.entries(paths).map(([kind, path]) => ({
    name: kind,
    path,
    kind: kind === 'films' ? 'mixed' : kind,
  }));
  const env = { SERVICE_LIBRARIES: JSON.stringify(listed) };
  // The first start fills the caches: compiled code, the snapshot of the library, and the indexes behind it.
  const filling = await startServed(folders, env);
  await filling.quiet();
  await filling.stop();
  const starts: number[] = [];
  let served: BenchServer | undefined;
  for (let i = 0; i < STARTS; i++) {
    await served?.stop();
    served = await startServed(folders, env);
    starts.push(served.startMs);
  }
  if (!served) throw new Error('no server was started');
  try {
    const running = served;
    await running.quiet();
    const { value, usage } = await measured(() => requestsOf(running));
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    return { start: median(starts), ...value, memory: served.memory(), usage };
  } finally {
    await served.stop();
  }
}

/** p99 of pages of lists, in all orders and views that both catalogues have, and of searches as they are typed. */
async function requestsOf(served: BenchServer): Promise<Pick<CatalogueFigures, 'list' | 'search'>> {
  const { total } = await served.json<{ total: number }>('/api/v1/library?limit=1');
  const pages = Array.from(
    { length: 30 },
    (_, i) => `/api/v1/library?limit=100&offset=${Math.floor((total - 100) * (i / 29))}`,
  );
  const others = ['sort=added', 'sort=year', 'sort=random&seed=1', 'view=movies', 'view=shows', 'view=unwatched'].map(
    (one) => `/api/v1/library?limit=100&${one}`,
  );
  const sample = await served.json<{ items: { title: string }[] }>('/api/v1/library?limit=60&sort=random&seed=3');
  const words = sample.items.flatMap(({ title }) => title.split(' ')).filter((one) => one.length > 3);
  const typed = words.slice(0, 20).flatMap((one) => Array.from({ length: one.length }, (_, i) => one.slice(0, i + 1)));
  return {
    list: await slowest(served, [...pages, ...others]),
    search: await slowest(
      served,
      typed.map((q) => `/api/v1/library?limit=50&q=${encodeURIComponent(q)}`),
    ),
  };
}

async function slowest(served: BenchServer, paths: readonly string[]): Promise<number> {
  for (const path of paths.slice(0, 40)) await served.get(path);
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) times.push((await served.get(paths[i % paths.length] ?? '')).ms);
  return quantile(times, 0.99);
}
