/**
 * A household under test: its folders, its films, and a ledger of everything that its server has acknowledged.
 *
 * Whoever drives it says before a request what may come of it and after the answer what was acknowledged. So after
 * a crash there are two good answers to each question, the last acknowledged value or the one that was on its way,
 * and one good answer after a crash between requests.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fixtures, startStandIns, type StandIns } from '../stand-ins/index.ts';
import {
  type Answer,
  ask,
  type Asking,
  type Child,
  type ChildNeeds,
  type Folders,
  startServerProcess,
} from './child.ts';

export const PASSWORD = 'four warm brown bread rolls';
export const DURATION = 40;
const SHOW = 'The Night Ferry';

/** A value that was acknowledged, and one that may have been written since. */
export interface Entry<T> {
  acknowledged: T | undefined;
  underway: T[];
}

export interface Ledger {
  token: string | undefined;
  profile: string | undefined;
  /** Secret and id of the API key. */
  key: { id: string; secret: string } | undefined;
  configuration: Map<string, Entry<string>>;
  /** By item. */
  progress: Map<string, Entry<number>>;
  /** By item: the file below the media folder. */
  fetched: Map<string, Entry<string>>;
  /** Changed subtitles by item: the role and when its first line is said, as `normal 1.25`. */
  shown: Map<string, Entry<string>>;
  /** By item: the same before the first change. */
  originals: Map<string, string>;
}

export interface Household extends Folders {
  home: string;
  /** Titles. */
  films: readonly string[];
  episodes: number;
  ledger: Ledger;
  env: Record<string, string>;
  start(more?: Partial<ChildNeeds>): Promise<Child>;
  /** As whoever holds the API key. Throws when the server dies. */
  ask<T = Record<string, unknown>>(child: Child, method: string, path: string, asking?: Asking): Promise<Answer<T>>;
  /** One more film in the folders. */
  add(): void;
  remove(): Promise<void>;
}

/** The title of a film: words, so that no two are alike. */
const WORDS = [
  'Amber',
  'Birch',
  'Cobalt',
  'Dune',
  'Ember',
  'Fjord',
  'Garnet',
  'Harbor',
  'Indigo',
  'Juniper',
  'Kestrel',
  'Lagoon',
  'Meadow',
  'Nectar',
  'Orchid',
  'Pebble',
  'Quartz',
  'Raven',
  'Saffron',
  'Thistle',
];
const PLACES = ['Road', 'House', 'Winter', 'Garden', 'Letters', 'River', 'Station', 'Island'];
const titleOf = (n: number): string =>
  `${WORDS[n % WORDS.length] ?? ''} ${WORDS[(n * 7 + 3 + Math.floor(n / WORDS.length)) % WORDS.length] ?? ''} ` +
  (PLACES[Math.floor(n / WORDS.length) % PLACES.length] ?? '');
const yearOf = (n: number): number => 1950 + (n % 70);
const releaseOf = (n: number): string => `${titleOf(n).replaceAll(' ', '.')}.${yearOf(n)}.1080p.WEB.h264-CREW`;

let clip: string | undefined;
/** A film of forty seconds in a few kilobytes, made once. */
function oneClip(): string {
  if (clip !== undefined) return clip;
  const folder = mkdtempSync(join(tmpdir(), 'matinee-clip-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  clip = join(folder, 'clip.mp4');
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=64x36:rate=2:duration=${DURATION}`,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-movflags',
    '+faststart',
    clip,
  ]);
  return clip;
}

function place(path: string, n: number): void {
  copyFileSync(oneClip(), path);
  // A box that players skip makes each file another one.
  const box = Buffer.alloc(16 + (n % 500));
  box.writeUInt32BE(box.length, 0);
  box.write('free', 4);
  box.writeUInt32BE(n, 8);
  appendFileSync(path, box);
}

export interface HouseholdNeeds {
  films: number;
  episodes?: number;
  standIns?: StandIns | undefined;
}

export function makeHousehold({ films, episodes = 0, standIns }: HouseholdNeeds): Household {
  const home = mkdtempSync(join(tmpdir(), 'matinee-household-'));
  const media = join(home, 'media');
  mkdirSync(media);
  for (let n = 0; n < films; n++) addFilm(media, n);
  for (let n = 1; n <= episodes; n++) {
    const folder = join(media, SHOW, 'Season 01');
    mkdirSync(folder, { recursive: true });
    place(join(folder, `${SHOW} - S01E${String(n).padStart(2, '0')}.mp4`), 10_000 + n);
  }
  return householdIn(home, { films, episodes, standIns }, emptyLedger());
}

/** Another household with everything that one has, whose server is stopped. */
export function copyHousehold({ home: from, films, episodes, ledger }: Household, standIns?: StandIns): Household {
  const home = mkdtempSync(join(tmpdir(), 'matinee-household-'));
  cpSync(from, home, { recursive: true, preserveTimestamps: true });
  return householdIn(home, { films: films.length, episodes, standIns }, structuredClone(ledger));
}

const emptyLedger = (): Ledger => ({
  token: undefined,
  profile: undefined,
  key: undefined,
  configuration: new Map(),
  progress: new Map(),
  fetched: new Map(),
  shown: new Map(),
  originals: new Map(),
});

function householdIn(home: string, { films, episodes = 0, standIns }: HouseholdNeeds, ledger: Ledger): Household {
  const folders = { data: join(home, 'data'), cache: join(home, 'cache'), media: join(home, 'media') };
  const children: Child[] = [];
  const titles = Array.from({ length: films }, (_, n) => titleOf(n));
  const env = { SERVICE_REQUIRE_MFA: 'false', SERVICE_SCAN_INTERVAL: '0s', ...standIns?.environment };
  return {
    home,
    ...folders,
    films: titles,
    episodes,
    ledger,
    env,
    start: async (more = {}) => {
      const child = await startServerProcess({ ...folders, isShortLived: true, ...more, env: { ...env, ...more.env } });
      children.push(child);
      return child;
    },
    ask: (child, method, path, asking = {}) =>
      ask(child, method, path, { token: ledger.key?.secret ?? ledger.token, ...asking }),
    add: () => {
      addFilm(folders.media, titles.length);
      titles.push(titleOf(titles.length));
    },
    // After a failure a server may still run, and would keep the test from ending.
    remove: async () => {
      for (const child of children) await child.kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function addFilm(media: string, n: number): void {
  const folder = join(media, `${titleOf(n)} (${yearOf(n)})`);
  if (existsSync(folder)) throw new Error(`two films are called ${titleOf(n)}`);
  mkdirSync(folder);
  place(join(folder, `${releaseOf(n)}.mp4`), n);
}

/** Providers that have a subtitle for every film, in its very release. */
export const startProviders = (films: number): Promise<StandIns> =>
  startStandIns({ fixtures: fixturesFor(films), downloads: { subtitles_a: 100_000, subtitles_c: 100_000 } });

const fixturesFor = (films: number): Fixtures => ({
  items: Array.from({ length: films }, (_, n) => ({
    kind: 'movie' as const,
    title: titleOf(n),
    year: yearOf(n),
    imdb: `tt${8_000_000 + n}`,
    duration: DURATION,
    subtitles: [{ language: 'en', releases: [releaseOf(n)], trusted: true }],
  })),
});

/** Says what is about to be written, asks, and says what came of it. */
async function told<T>(
  of: Map<string, Entry<T>>,
  name: string,
  value: T,
  work: () => Promise<T | undefined>,
): Promise<void> {
  const entry = of.get(name) ?? { acknowledged: undefined, underway: [] };
  of.set(name, entry);
  entry.underway.push(value);
  const acknowledged = await work();
  entry.underway = [];
  if (acknowledged !== undefined) entry.acknowledged = acknowledged;
}

/** Households whose set-up was asked for, and perhaps not answered. */
const setUps = new WeakSet<Household>();

/** The first Owner, an API key, and the language of subtitles. Each only once. */
export async function settle(house: Household, child: Child): Promise<void> {
  const { ledger } = house;
  if (ledger.token === undefined) {
    const asked = setUps.has(house);
    setUps.add(house);
    let made = await ask<{ token: string; profile: { id: string } }>(child, 'POST', '/api/v1/setup', {
      body: { name: 'Ada', password: PASSWORD },
    });
    // Killed after the Owner was written and before the answer: the password that was chosen is the Owner's.
    if (asked && made.status === 409)
      made = await ask(child, 'POST', '/api/v1/session', { body: { name: 'Ada', password: PASSWORD } });
    expect(made, 201);
    ledger.token = made.body.token;
    ledger.profile = made.body.profile.id;
  }
  if (ledger.key === undefined) {
    const made = await ask<{ id: string; secret: string }>(child, 'POST', '/api/v1/api-keys', {
      token: ledger.token,
      body: { name: 'crash', scopes: ['admin', 'library', 'write', 'stream', 'download'] },
    });
    expect(made, 201);
    ledger.key = { id: made.body.id, secret: made.body.secret };
  }
  if (ledger.configuration.get('subtitles.language')?.acknowledged === undefined)
    await save(house, child, 'subtitles.language', 'en');
}

export const save = (house: Household, child: Child, key: string, value: string): Promise<void> =>
  told(house.ledger.configuration, key, value, async () => {
    expect(await house.ask(child, 'PUT', `/api/v1/configuration/${key}`, { body: { value } }), 202);
    return value;
  });

export const watch = (house: Household, child: Child, item: string, position: number): Promise<void> =>
  told(house.ledger.progress, item, position, async () => {
    expect(await house.ask(child, 'PUT', `/api/v1/items/${item}/progress`, { body: { position } }), 200);
    return position;
  });

/** A subtitle that the last crash already put in place is good, too. */
export const fetchSubtitle = (house: Household, child: Child, item: string): Promise<void> =>
  told(house.ledger.fetched, item, '', async () => {
    const reply = await house.ask<{ file: string }>(child, 'POST', `/api/v1/subtitle-library/${item}/fetch`, {
      body: { language: 'en' },
    });
    if (reply.status === 409) return undefined;
    expect(reply, 201);
    return reply.body.file;
  });

interface Inspection {
  fingerprint: string;
  role: string;
  current?: { cues: { start: number }[] };
}
const valueOf = (role: string, start: number): string => `${role} ${Math.round(start * 1000) / 1000}`;
/** Returns the subtitle as a client sees it; undefined if there is none. */
export async function shownNow(
  house: Household,
  child: Child,
  item: string,
): Promise<{ value: string; role: string; start: number; fingerprint: string } | undefined> {
  const reply = await house.ask<Inspection>(child, 'GET', `/api/v1/subtitle-library/${item}/inspect?language=en`);
  expect(reply, 200);
  const { role, fingerprint, current } = reply.body;
  const start = current?.cues[0]?.start;
  return start === undefined || fingerprint === 'missing'
    ? undefined
    : { value: valueOf(role, start), role, start, fingerprint };
}
/** Later by a quarter of a second; another role, and so another name; and back to what it was at first. */
export async function editSubtitle(
  house: Household,
  child: Child,
  item: string,
  how: 'shift' | 'role' | 'restore',
): Promise<void> {
  const { ledger } = house;
  const now = await shownNow(house, child, item);
  if (!now) return;
  if (!ledger.originals.has(item)) ledger.originals.set(item, now.value);
  if (!ledger.shown.has(item)) ledger.shown.set(item, { acknowledged: now.value, underway: [] });
  const original = ledger.originals.get(item) ?? now.value;
  if (how === 'restore') {
    if (now.value === original) return;
    await told(ledger.shown, item, original, async () => {
      expect(
        await house.ask(child, 'POST', `/api/v1/subtitle-library/${item}/restore`, { body: { language: 'en' } }),
        200,
      );
      return original;
    });
    return;
  }
  const role = how === 'shift' ? now.role : now.role === 'sdh' ? 'normal' : 'sdh';
  const value = valueOf(role, how === 'shift' ? now.start + 0.25 : now.start);
  await told(ledger.shown, item, value, async () => {
    const change = how === 'shift' ? { offsetMilliseconds: 250 } : { role };
    const reply = await house.ask<Inspection>(child, 'POST', `/api/v1/subtitle-library/${item}/apply`, {
      body: { language: 'en', fingerprint: now.fingerprint, ...change },
    });
    expect(reply, 200);
    return value;
  });
}

export function expect(answer: Answer<unknown>, status: number): void {
  if (answer.status !== status) throw new Unexpected(`answered ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** The server answered, and wrongly: no crash, but a fault. */
export class Unexpected extends Error {}

interface TaskList {
  items: { name: string; state: string; error?: string }[];
}

/** Waits until no task is waiting or at work: for what is bound to come, with time for the slowest machine. */
export async function idle(house: Household, child: Child): Promise<void> {
  for (let i = 0; i < 4_000; i++) {
    const { body } = await house.ask<TaskList>(child, 'GET', '/api/v1/tasks');
    if (body.items.every(({ state }) => state !== 'queued' && state !== 'running')) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Unexpected('a task does not end');
}

export async function scan(house: Household, child: Child): Promise<void> {
  expect(await house.ask(child, 'POST', '/api/v1/tasks/scan', { body: {} }), 202);
  await idle(house, child);
}

export interface ListedItem {
  id: string;
  title: string;
  kind: string;
}

export async function listed(house: Household, child: Child, view: 'movies' | 'shows'): Promise<ListedItem[]> {
  const all: ListedItem[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await house.ask<{ items: ListedItem[]; nextCursor?: string }>(
      child,
      'GET',
      `/api/v1/library?view=${view}&limit=200${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    all.push(...body.items);
    cursor = body.nextCursor;
  } while (cursor !== undefined);
  return all;
}
