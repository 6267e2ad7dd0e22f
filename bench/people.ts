/**
 * The page of a person on 100,000 synthetic items with 500,000 credits, over HTTP, one request at a time on a kept
 * connection: of people with some works, of actors of 1,000 films, and of directors of 4,000 episodes.
 *
 * The floor is a page of as many films of the library, by the same server for the same Profile. It makes the same
 * cards, which the server has not shown recently, and knows nothing about people. The CPU time of a request is that of
 * all threads of the server, which has built its indexes before.
 *
 * By hand: `node --expose-gc bench/people.ts [--rounds=400] [--keep=FOLDER]`; a kept catalogue is read again.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { personId } from '../src/catalog/core/people/identity.ts';
import { createPeople } from '../src/catalog/core/people/index.ts';
import { readingStore } from '../src/catalog/store/reading.ts';
import type { Person } from '../src/catalog/store/records.ts';
import { OWNER_POLICY } from '../src/contract/identity/profiles.ts';
import { openDatabase } from '../src/lib/db/index.ts';
import { MIGRATIONS } from '../src/migrations.ts';
import { collectBefore } from './garbage.ts';
import { populate } from './library.ts';
import { quantile, report } from './report.ts';
import { type BenchServer, serverFolders, startServed } from './shelves/served.ts';

const option = (name: string) => process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1];
const ROUNDS = Number(option('rounds') ?? 400);
const WARM_UP = 60;
const AIM_MS = 20;
/** As the page of a person in the dashboard asks. */
const WORKS = 100;
const SIZES = { films: 60_000, shows: 800, episodes: 40_000 };
/** Each is in one film of sixty. */
const ACTORS = 60;
/** Each directs one episode of ten. */
const DIRECTORS = 10;
/** Everyone else: about seven works each. */
const OTHERS = 60_000;
const PEOPLE_OF_ITEM = 5;
/** Every seventh item names an actor or a director without an id. */
const UNNAMED = 7;

const idOfActor = (n: number): string => `${1000 + n}`;
const idOfDirector = (n: number): string => `${2000 + n}`;
const nameOfOther = (n: number): string => `Robin ${n.toString(36)} Sample`;

function peopleOf(kind: string, n: number): Person[] {
  if (kind !== 'movie' && kind !== 'episode') return [];
  const isFilm = kind === 'movie';
  const number = isFilm ? n % ACTORS : n % DIRECTORS;
  const tmdb = isFilm ? idOfActor(number) : idOfDirector(number);
  const hasId = Math.floor(n / (isFilm ? ACTORS : DIRECTORS)) % UNNAMED !== 0;
  const busy: Person = {
    name: isFilm ? `Alex ${number} Actor` : `Dana ${number} Director`,
    job: isFilm ? 'actor' : 'director',
    ...(isFilm && { role: `Part ${n}` }),
    ...(hasId && { ids: { tmdb }, picture: `/${tmdb}.jpg` }),
  };
  const others = Array.from({ length: PEOPLE_OF_ITEM - 1 }, (_, i): Person => {
    const other = (Math.imul(n * PEOPLE_OF_ITEM + i + (isFilm ? 0 : 7), 2_654_435_761) >>> 0) % OTHERS;
    return { name: nameOfOther(other), job: 'actor', role: `Part ${i}` };
  });
  return [busy, ...others];
}

const PEOPLE = {
  'some works': Array.from({ length: 200 }, (_, n) => personId({ name: nameOfOther(n * 211) })),
  '1,000 films': Array.from({ length: ACTORS }, (_, n) => personId({ name: '', ids: { tmdb: idOfActor(n) } })),
  '4,000 episodes': Array.from({ length: DIRECTORS }, (_, n) => personId({ name: '', ids: { tmdb: idOfDirector(n) } })),
} as const;

interface Measured {
  times: number[];
  /** CPU time of each request in milliseconds. */
  cpu: number[];
}

interface MeasuredPages {
  paths: readonly string[];
  token: string | undefined;
  cpuFile: string;
  /** Runs before each request, and is not measured. Returns the number of requests that it made. */
  before?: (round: number) => Promise<number>;
}

async function measure(
  { get }: BenchServer,
  { paths, token, cpuFile, before = async () => 0 }: MeasuredPages,
): Promise<Measured> {
  for (let i = 0; i < WARM_UP; i++) await get(paths[i % paths.length] ?? '', token);
  truncateSync(cpuFile);
  const times: number[] = [];
  /** Lines of the file that belong to measured requests. */
  const measured = new Set<number>();
  let asked = 0;
  const ask = async (i: number) => {
    asked++;
    return (await get(paths[i % paths.length] ?? '', token)).ms;
  };
  for (let i = 0; i < ROUNDS; i++) {
    await collectBefore(i, () => ask(i + paths.length - 1));
    asked += await before(i);
    measured.add(asked);
    times.push(await ask(i));
  }
  const cpu = readFileSync(cpuFile, 'utf8').trim().split('\n').map(Number);
  return { times, cpu: cpu.filter((_, line) => measured.has(line)) };
}

const half = (values: readonly number[]): number => quantile(values, 0.5);
const most = (values: readonly number[]): number => quantile(values, 0.99);
const figures = ({ times, cpu }: Measured): string =>
  `p50 ${half(times).toFixed(1)} ms, p99 ${most(times).toFixed(1)} ms, ` +
  `CPU p50 ${half(cpu).toFixed(1)} ms, p99 ${most(cpu).toFixed(1)} ms`;

async function measureFor(server: BenchServer, who: string, cpuFile: string, token?: string): Promise<void> {
  const { total } = JSON.parse((await server.get('/api/v1/library?view=movies&limit=1', token)).bytes.toString()) as {
    total: number;
  };
  const pages = Array.from(
    { length: Math.floor(total / WORKS) },
    (_, i) => `/api/v1/library?view=movies&limit=${WORKS}&offset=${i * WORKS}`,
  );
  const floor = await measure(server, { paths: pages, token, cpuFile });
  report({ what: `floor: a page of ${WORKS} films, for ${who}`, figure: figures(floor) });
  for (const [works, ids] of Object.entries(PEOPLE)) {
    const paths: string[] = [];
    for (const id of ids) {
      const path = `/api/v1/people/${id}?limit=${WORKS}`;
      const { bytes } = await server.get(path, token).catch(() => ({ bytes: undefined }));
      // A child sees nothing of some people.
      if (!bytes) continue;
      paths.push(path);
      const { nextCursor } = JSON.parse(bytes.toString()) as { nextCursor?: string };
      if (nextCursor !== undefined) paths.push(`${path}&cursor=${encodeURIComponent(nextCursor)}`);
    }
    const page = await measure(server, { paths, token, cpuFile });
    report({
      what: `the page of a person with ${works}, for ${who}`,
      figure: figures(page),
      aim: `p99 under ${AIM_MS} ms`,
      met: most(page.times) < AIM_MS,
      note:
        `${(half(page.cpu) / half(floor.cpu)).toFixed(2)} times the CPU p50 of the floor; ` +
        `load ${loadavg()[0]?.toFixed(1)}`,
    });
  }
}

/** Credits that are kept in memory are read again after each change of the catalogue. */
async function measureAfterChanges(server: BenchServer, cpuFile: string): Promise<void> {
  const films = await server.json<{ items: { id: string }[] }>('/api/v1/library?view=movies&limit=1');
  const ids = films.items.map(({ id }) => id);
  const page = await measure(server, {
    paths: PEOPLE['4,000 episodes'].map((id) => `/api/v1/people/${id}?limit=${WORKS}`),
    token: undefined,
    cpuFile,
    before: async (round) => {
      await server.post('/api/v1/metadata/bulk', { ids, set: { year: 1900 + (round % 100) } });
      return 1;
    },
  });
  report({
    what: 'the page of a person with 4,000 episodes, for an Owner, each right after an item was edited',
    figure: figures(page),
  });
}

const kept = option('keep');
const home = kept ?? mkdtempSync(join(tmpdir(), 'matinee-bench-'));
const folders = serverFolders(home);
const database = join(folders.data, 'matinee.db');
const cpuFile = join(home, 'cpu');
let server: BenchServer | undefined;
try {
  if (!existsSync(database)) {
    const db = await openDatabase({ file: database, migrations: MIGRATIONS });
    await populate(db, { ...SIZES, peopleOf }, { name: 'media', path: folders.media });
    const failed = (error: unknown): void => {
      throw error;
    };
    await createPeople({ db, reading: readingStore(db), failed }).index.catchUp();
    await db.close();
  }
  writeFileSync(cpuFile, '');
  server = await startServed(folders, { REQUEST_CPU_FILE: cpuFile }, [
    '--import',
    fileURLToPath(new URL('./request-cpu.ts', import.meta.url)),
  ]);
  const { items } = await server.json<{ items: { id: string }[] }>('/api/v1/libraries');
  const policy = { ...OWNER_POLICY, libraries: items.map(({ id }) => id), rating: 13, unrated: false };
  const child = await server.viewer(`Viewer ${process.pid}`, policy);
  // Other indexes follow the items of a new catalogue for some minutes, and their work would be in every figure.
  await server.quiet();
  await measureFor(server, 'an Owner', cpuFile);
  await measureFor(server, 'a child with a ceiling', cpuFile, child);
  await measureAfterChanges(server, cpuFile);
} finally {
  await server?.stop();
  if (kept === undefined) rmSync(home, { recursive: true, force: true });
}
