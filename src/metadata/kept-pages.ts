/**
 * Pages of TMDB about people and sets. They are fetched when one is first looked at, and kept as files in the cache.
 *
 * Each file lies in the folder of the period in which it was fetched. A new period begins with an empty folder, and
 * those of earlier ones are removed, so nothing is kept longer than a period: TMDB allows six months.
 *
 * On a full disk facts are kept in memory, up to a limit, and pictures are not fetched again until some time has
 * passed: without this each look at a page would send the same requests.
 */
import { hash } from 'node:crypto';
import type { z } from 'zod';
import type { PageSource } from '../catalog/index.ts';
import type { Clock } from '../lib/clock.ts';
import { createInFlight } from '../lib/coalesce.ts';
import { Failure } from '../lib/failure.ts';
import { type CacheFolder, createCacheFolder, listFolder, removeFolder } from '../lib/files.ts';
import { createLimit } from '../lib/limit.ts';
import type { Log } from '../lib/log.ts';
import type { MetadataClient } from './client.ts';

const DAY_MS = 86_400_000;
const PERIOD_MS = 120 * DAY_MS;
const MIB = 1024 ** 2;
const MAX_BYTES = 512 * MIB;
const MAX_FILE_BYTES = 16 * MIB;
const REQUESTS_AT_ONCE = 2;
/** Time until a page is asked for again after a failure, and the number of failures that are remembered. */
const RETRY_MS = 10 * 60_000;
const MAX_FAILURES = 1_000;
/** Number of pages kept in memory while the disk is full. Each takes at most 80 kB, most of them 2 kB. */
const MAX_UNSTORED = 100;
const UNSTORED_MS = 60 * 60_000;
/** Number of pages that stay in memory once they were read. */
const MAX_READ = 200;

export interface KeptPagesNeeds {
  client: Pick<MetadataClient, 'isConfigured' | 'read' | 'picture'>;
  clock: Clock;
  log: Log;
  /** Folder of the cache. */
  folder: string;
  language(): string;
}
/** One sort of page: how it is read and stored. */
export interface PageSort<F extends object> {
  /** Ending of its files, and its name in the log. */
  name: 'person' | 'set';
  /** Facts as they are stored. */
  stored: z.ZodType<F>;
  pictureSize: string;
  /** Returns the facts of a page; without members if the service does not know it. */
  read(client: KeptPagesNeeds['client'], asked: { id: string; language: string }, signal: AbortSignal): Promise<F>;
}
export interface OpenPageSource<F extends object> extends PageSource<F> {
  /** Removes the folders of earlier periods. */
  sweep(): Promise<void>;
  /** Stops what is being fetched. */
  close(): void;
}

/** Reads a page, and its text from the English page if it has none in this language: few are translated. */
export async function readTranslated<R extends object>(
  read: (language: string) => Promise<R | undefined>,
  language: string,
  textIn: (page: R) => string | null | undefined,
): Promise<{ page: R; text: string | undefined } | undefined> {
  const page = await read(language);
  if (!page) return undefined;
  const own = textIn(page)?.trim() ?? '';
  const english = own === '' && !language.startsWith('en') ? await read('en') : undefined;
  const text = own === '' ? ((english && textIn(english)?.trim()) ?? '') : own;
  return { page, text: text === '' ? undefined : text };
}

export function createKeptPages<F extends object>(
  sort: PageSort<F>,
  { client, clock, log, folder, language }: KeptPagesNeeds,
): OpenPageSource<F> {
  const stop = new AbortController();
  const limit = createLimit(REQUESTS_AT_ONCE);
  const fetching = new Set<string>();
  const failed = new Map<string, number>();
  const unstored = new Map<string, { facts: F; until: number }>();
  const join = createInFlight<boolean>();
  let current: Period<F> | undefined;

  const periodNow = (): string => String(Math.floor(clock.now() / PERIOD_MS));
  const period = (): Period<F> => {
    const root = `${folder}/${periodNow()}`;
    if (current?.root !== root) current = openPeriod(root, { log, clock });
    return current;
  };
  const nameOf = (what: string, kind: PageSort<F>['name'] | 'picture' | 'lost'): string =>
    `${hash('sha256', what, 'hex').slice(0, 40)}.${kind}`;

  const fetchFacts = async (id: string, name: string): Promise<void> => {
    const facts = await sort.read(client, { id, language: language() }, stop.signal);
    if (await period().files.put(name, Buffer.from(JSON.stringify(facts)))) return;
    remember(unstored, name, { facts, until: clock.now() + UNSTORED_MS }, MAX_UNSTORED);
  };
  const isHeldBack = (name: string): boolean => clock.now() < (failed.get(name) ?? -Infinity);
  const holdBack = (name: string): void => remember(failed, name, clock.now() + RETRY_MS, MAX_FAILURES);
  /** Fetches a picture. One that the service lost is marked by a file, and not asked for again in this period. */
  const fetchPicture = async (path: string, name: string): Promise<boolean> => {
    const { files: kept } = period();
    const bytes = await client.picture(sort.pictureSize, path, stop.signal);
    if (bytes && (await kept.put(name, bytes))) return true;
    if (bytes || !(await kept.put(nameOf(path, 'lost'), Buffer.alloc(1)))) holdBack(name);
    return false;
  };
  /** Begins to fetch a page, unless that is under way or failed lately. Returns whether it is under way. */
  const begin = (id: string, name: string): boolean => {
    if (fetching.has(name)) return true;
    if (!client.isConfigured || stop.signal.aborted || isHeldBack(name)) return false;
    fetching.add(name);
    limit(() => fetchFacts(id, name))
      .catch((error: unknown) => {
        holdBack(name);
        if (!(error instanceof Failure) && !stop.signal.aborted) log.fault(`metadata.${sort.name}`, error);
      })
      .finally(() => fetching.delete(name));
    return true;
  };

  return {
    of: async (id, { isKeptOnly = false } = {}) => {
      if (!/^[1-9]\d{0,9}$/.test(id)) return { facts: undefined, isPending: false };
      const name = nameOf(`${id} ${language()}`, sort.name);
      const held = unstored.get(name);
      if (held && clock.now() < held.until) return { facts: held.facts, isPending: false };
      const facts = await factsIn(period(), name, sort.stored);
      if (facts) return { facts, isPending: false };
      return { facts: undefined, isPending: !isKeptOnly && begin(id, name) };
    },
    picture: async (path) => {
      const name = nameOf(path, 'picture');
      const { files: kept, root } = period();
      await kept.open().catch(() => undefined);
      const isAskedFor = client.isConfigured && !kept.has(nameOf(path, 'lost')) && !isHeldBack(name);
      const isThere =
        kept.has(name) ||
        (isAskedFor &&
          (await join(name, () =>
            fetchPicture(path, name).catch((error: unknown) => {
              // A picture that cannot be fetched now is shown as if there were none.
              if (!(error instanceof Failure)) throw error;
              holdBack(name);
              return false;
            }),
          )));
      return isThere ? { root, relative: name } : undefined;
    },
    sweep: async () => {
      const now = periodNow();
      for (const { name, kind } of await listFolder(folder).catch(() => []))
        if (kind === 'folder' && /^\d{1,9}$/.test(name) && name !== now) await removeFolder(`${folder}/${name}`);
    },
    close: () => stop.abort(),
  };
}

/** The folder of a period, and pages of it that were read. */
interface Period<F> {
  root: string;
  files: CacheFolder;
  read: Map<string, F>;
}
const openPeriod = <F>(root: string, { log, clock }: Pick<KeptPagesNeeds, 'log' | 'clock'>): Period<F> => ({
  root,
  files: createCacheFolder({
    folder: root,
    names: /^[0-9a-f]{40}\.(?:person|set|picture|lost)$/,
    maxBytes: MAX_BYTES,
    maxFileBytes: MAX_FILE_BYTES,
    log,
    clock,
  }),
  read: new Map(),
});

/** Returns the facts of a file. The disk is not asked for one that is not there. */
async function factsIn<F>({ files, read }: Period<F>, name: string, stored: z.ZodType<F>): Promise<F | undefined> {
  const known = read.get(name);
  if (known) return known;
  const isListed = await files.open().then(
    () => true,
    () => false,
  );
  const bytes = isListed && !files.has(name) ? undefined : await files.get(name);
  const facts = bytes && stored.safeParse(parseJson(bytes));
  if (facts?.success !== true) return undefined;
  remember(read, name, facts.data, MAX_READ);
  return facts.data;
}

/** Adds an entry, and removes the oldest one of a map that has more than `max`. */
function remember<T>(entries: Map<string, T>, name: string, value: T, max: number): void {
  entries.delete(name);
  entries.set(name, value);
  if (entries.size > max) entries.delete(entries.keys().next().value ?? '');
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}
