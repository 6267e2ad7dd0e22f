/**
 * 100,000 items of every kind, compared with as many films and episodes in the same run: start, memory, lists and
 * search. Two servers, each a separate process of the built server, take turns with every start and every request, so
 * that the load of the machine is the same for both; times are those of the machine, and processor times are hardly
 * changed by it. The folders are empty, so a server takes each library for a disk that is away and keeps every item.
 *
 * `--mixed=0.1` makes both catalogues a tenth as large.
 */
import { join } from 'node:path';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { MIGRATIONS } from '../../src/migrations.ts';
import { openDatabase } from '../../src/lib/db/index.ts';
import { collectBefore } from '../garbage.ts';
import { median, quantile, report } from '../report.ts';
import { type MixedFolders, type MixedSizes, populateMixed } from './mixed-library.ts';
import { serverFolders, type BenchServer, startServed } from './served.ts';

const NOTHING = { films: 0, shows: 0, episodes: 0, tracks: 0, audiobooks: 0, books: 0, photos: 0 };
/** Both have 100,000 items; albums, series and shows are in addition. */
const CATALOGUES = {
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
} as const satisfies Record<string, MixedSizes>;
type Name = keyof typeof CATALOGUES;
const NAMES = ['films', 'mixed'] as const;
const SHARE = Number(process.argv.find((one) => one.startsWith('--mixed='))?.split('=')[1] ?? 1);
const ITEMS = (100_000 * SHARE).toLocaleString('en');
const STARTS = 5;
const ROUNDS = 300;
const WARM_UP = 40;
const IDLE_MS = 5_000;
const MAX_MORE_MIB = 40;
/** Ratio to films that covers the noise of a run. */
const MAX_RATIO = 1.5;
/** Differences below this are noise of the clock and the scheduler. */
const NOISE_MS = 1;
/** Aims of SPEC for 100,000 items: start in milliseconds, and p99 of lists and search. */
const AIMS = { start: 500, list: 5, search: 8 } as const;
const SIXTH_LETTER = 6;

/** One server with its catalogue, and the file to which it writes the processor time of each request. */
interface Side {
  cpuFile: string;
  start(): Promise<BenchServer>;
}
/** Times of both servers, in pairs that belong together. */
type Pairs = Readonly<Record<Name, number[]>>;
const noPairs = (): Pairs => ({ films: [], mixed: [] });
const ratios = ({ films, mixed }: Pairs): number[] => mixed.map((own, i) => own / (films[i] ?? Number.NaN));

export async function measureMixed(home: string): Promise<void> {
  const [films, mixed] = await Promise.all(NAMES.map((name) => prepare(join(home, `catalogue-${name}`), name)));
  if (!films || !mixed) return;
  const sides: Readonly<Record<Name, Side>> = { films, mixed };
  const [starts, startCpu] = [noPairs(), noPairs()];
  const running: Partial<Record<Name, BenchServer>> = {};
  try {
    for (let i = 0; i < STARTS; i++) {
      for (const name of NAMES) {
        await running[name]?.stop();
        const server = (running[name] = await sides[name].start());
        starts[name].push(server.startMs);
        startCpu[name].push(server.processor() * 1000);
      }
    }
    tell('start', { times: starts, cpu: startCpu, aim: AIMS.start, of: median });
    const servers = running as Readonly<Record<Name, BenchServer>>;
    for (const name of NAMES) await servers[name].quiet();
    await compare('list', { servers, sides, pathsOf: listPaths });
    await compare('search', { servers, sides, pathsOf: searchPaths });
    await compare('search for a letter or two', {
      servers,
      sides,
      pathsOf: async (server) => (await searchPaths(server)).filter((path) => /q=.{1,2}$/.test(path)),
    });
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const [own, others] = [servers.mixed.memory(), servers.films.memory()];
    report({
      what: `${ITEMS} mixed items: memory ${IDLE_MS / 1000} s after the requests`,
      figure: `${own} MiB`,
      aim: `films + ${MAX_MORE_MIB} MiB`,
      met: own <= others + MAX_MORE_MIB,
      note: `films and episodes alone ${others} MiB: ${own - others} MiB more`,
    });
  } finally {
    for (const server of Object.values(running)) await server.stop();
  }
}

/** Writes a catalogue, and lets a server fill the caches: compiled code, the snapshot of the library, and indexes. */
async function prepare(home: string, name: Name): Promise<Side> {
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
  const sizes = Object.fromEntries(
    Object.entries(CATALOGUES[name]).map(([kind, count]) => [kind, Math.round(count * SHARE)]),
  );
  const db = await openDatabase({ file: join(folders.data, 'matinee.db'), migrations: MIGRATIONS });
  await populateMixed(db, sizes as unknown as MixedSizes, paths);
  await db.close();
  const listed = Object.entries(paths).map(([kind, path]) => ({
    name: kind,
    path,
    kind: kind === 'films' ? 'mixed' : kind,
  }));
  const cpuFile = join(home, 'cpu');
  writeFileSync(cpuFile, '');
  const env = { SERVICE_LIBRARIES: JSON.stringify(listed), REQUEST_CPU_FILE: cpuFile };
  const flags = ['--import', fileURLToPath(new URL('../request-cpu.ts', import.meta.url))];
  const start = () => startServed(folders, env, flags);
  const filling = await start();
  await filling.quiet();
  await filling.stop();
  return { cpuFile, start };
}

interface Comparison {
  servers: Readonly<Record<Name, BenchServer>>;
  sides: Readonly<Record<Name, Side>>;
  pathsOf(server: BenchServer): Promise<string[]>;
}
/** Sends each server its requests, one after the other in turn. */
async function compare(what: string, { servers, sides, pathsOf }: Comparison): Promise<void> {
  const paths = { films: await pathsOf(servers.films), mixed: await pathsOf(servers.mixed) };
  const times = noPairs();
  /** Lines of the files of CPU times that belong to measured requests. */
  const measured = new Set<number>();
  let asked = 0;
  const ask = async (i: number) => {
    asked++;
    const pair: Partial<Record<Name, number>> = {};
    for (const name of NAMES) pair[name] = (await servers[name].get(paths[name][i % paths[name].length] ?? '')).ms;
    return pair;
  };
  for (let i = 0; i < WARM_UP; i++) await ask(i);
  for (const name of NAMES) truncateSync(sides[name].cpuFile);
  asked = 0;
  for (let i = WARM_UP; i < WARM_UP + ROUNDS; i++) {
    await collectBefore(i, () => ask(i - 1));
    measured.add(asked);
    const pair = await ask(i);
    for (const name of NAMES) times[name].push(pair[name] ?? Number.NaN);
  }
  const cpuOf = (name: Name) =>
    readFileSync(sides[name].cpuFile, 'utf8')
      .trim()
      .split('\n')
      .map(Number)
      .filter((_, line) => measured.has(line));
  const cpu = { films: cpuOf('films'), mixed: cpuOf('mixed') };
  const aim = what === 'list' ? AIMS.list : AIMS.search;
  tell(`${what}, p99`, { times, cpu, aim, of: (all) => quantile(all, 0.99) });
}

/** Reports a figure with its ratio to films: of the times as they were, and of processor time. */
function tell(
  what: string,
  { times, cpu, aim, of }: { times: Pairs; cpu: Pairs; aim: number; of: (all: number[]) => number },
): void {
  const [own, others] = [of(times.mixed), of(times.films)];
  const [ownCpu, othersCpu] = [of(cpu.mixed), of(cpu.films)];
  const isAlike = ownCpu / othersCpu <= MAX_RATIO || ownCpu - othersCpu <= NOISE_MS;
  report({
    what: `${ITEMS} mixed items: ${what}`,
    figure: `${own.toFixed(1)} ms`,
    aim: `${aim} ms, and as films`,
    met: own <= aim && isAlike,
    note:
      `films and episodes alone ${others.toFixed(1)} ms; median of pairs ${median(ratios(times)).toFixed(2)}; ` +
      `CPU ${ownCpu.toFixed(1)} and ${othersCpu.toFixed(1)} ms: ratio ${(ownCpu / othersCpu).toFixed(2)}, ` +
      `median ${median(cpu.mixed).toFixed(1)} and ${median(cpu.films).toFixed(1)} ms; ` +
      `load ${(loadavg()[0] ?? 0).toFixed(1)}`,
  });
}

/** Returns pages of lists in all orders and views that both catalogues have. */
async function listPaths(served: BenchServer): Promise<string[]> {
  const { total } = await served.json<{ total: number }>('/api/v1/library?limit=1');
  const pages = Array.from(
    { length: 30 },
    (_, i) => `/api/v1/library?limit=100&offset=${Math.floor((total - 100) * (i / 29))}`,
  );
  const others = ['sort=added', 'sort=year', 'sort=random&seed=1', 'view=movies', 'view=shows', 'view=unwatched'];
  return [...pages, ...others.map((one) => `/api/v1/library?limit=100&${one}`)];
}

/** Returns searches as they are typed, a letter more each time. */
async function searchPaths(served: BenchServer): Promise<string[]> {
  const sample = await served.json<{ items: { title: string }[] }>('/api/v1/library?limit=60&sort=random&seed=3');
  const words = sample.items.flatMap(({ title }) => title.split(' ')).filter((one) => one.length > 3);
  const typed = words
    .slice(0, 20)
    .flatMap((one) => Array.from({ length: Math.min(one.length, SIXTH_LETTER) }, (_, i) => one.slice(0, i + 1)));
  return typed.map((q) => `/api/v1/library?limit=50&q=${encodeURIComponent(q)}`);
}
