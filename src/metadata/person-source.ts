/**
 * Biographies and pictures of people at TMDB. They are fetched when a person is first looked at, and kept as files in
 * the cache.
 *
 * Each file lies in the folder of the period in which it was fetched. A new period begins with an empty folder, and
 * those of earlier ones are removed, so nothing is kept longer than a period: TMDB allows six months.
 *
 * On a full disk facts are kept in memory, up to a limit, and pictures are not fetched again until some time has
 * passed: without this each look at a person would send the same requests.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { PersonFacts, PersonSource } from '../catalog/index.ts';
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
const MAX_BIOGRAPHY_LENGTH = 20_000;
/** A portrait of 421 by 632 pixels. */
const PICTURE_SIZE = 'h632';
const REQUESTS_AT_ONCE = 2;
/** Time until a person is asked for again after a failure, and the number of failures that are remembered. */
const RETRY_MS = 10 * 60_000;
const MAX_FAILURES = 1_000;
/** Number of people kept in memory while the disk is full. Each takes at most 80 kB, most of them 2 kB. */
const MAX_UNSTORED = 100;
const UNSTORED_MS = 60 * 60_000;

const text = z.string().max(MAX_BIOGRAPHY_LENGTH).nullish();
const PersonReply = z.object({
  biography: text,
  birthday: text,
  deathday: text,
  place_of_birth: text,
  imdb_id: text,
  profile_path: z.string().max(200).nullish(),
});
type PersonReply = z.output<typeof PersonReply>;
const StoredFacts = z.strictObject({
  biography: z.string().optional(),
  born: z.string().optional(),
  died: z.string().optional(),
  birthplace: z.string().optional(),
  imdb: z.string().optional(),
  picture: z.string().optional(),
});

export interface PersonSourceNeeds {
  client: Pick<MetadataClient, 'isConfigured' | 'read' | 'picture'>;
  clock: Clock;
  log: Log;
  /** Folder of the cache. */
  folder: string;
  language(): string;
}
export interface OpenPersonSource extends PersonSource {
  /** Removes the folders of earlier periods. */
  sweep(): Promise<void>;
  /** Stops what is being fetched. */
  close(): void;
}

const dayOf = (day: string | null | undefined): string | undefined =>
  day != null && /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : undefined;
const textOf = (words: string | null | undefined): string | undefined => words?.trim() || undefined;

/** Returns the facts of a reply. Members that the service does not know are left out. */
export function personFactsOf(reply: PersonReply): PersonFacts {
  const facts = {
    biography: textOf(reply.biography),
    born: dayOf(reply.birthday),
    died: dayOf(reply.deathday),
    birthplace: textOf(reply.place_of_birth),
    imdb: /^nm\d{1,12}$/.test(reply.imdb_id ?? '') ? (reply.imdb_id ?? undefined) : undefined,
    picture: reply.profile_path ?? undefined,
  };
  return StoredFacts.parse(JSON.parse(JSON.stringify(facts))) as PersonFacts;
}

export function createPersonSource({ client, clock, log, folder, language }: PersonSourceNeeds): OpenPersonSource {
  const stop = new AbortController();
  const limit = createLimit(REQUESTS_AT_ONCE);
  const fetching = new Set<string>();
  const failed = new Map<string, number>();
  const unstored = new Map<string, { facts: PersonFacts; until: number }>();
  const join = createInFlight<boolean>();
  let current: { period: string; files: CacheFolder } | undefined;

  const periodNow = (): string => String(Math.floor(clock.now() / PERIOD_MS));
  const files = (): { files: CacheFolder; root: string } => {
    const period = periodNow();
    const root = `${folder}/${period}`;
    if (current?.period !== period)
      current = {
        period,
        files: createCacheFolder({
          folder: root,
          names: /^[0-9a-f]{40}\.(?:person|picture|lost)$/,
          maxBytes: MAX_BYTES,
          maxFileBytes: MAX_FILE_BYTES,
          log,
          clock,
        }),
      };
    return { files: current.files, root };
  };
  const nameOf = (what: string, kind: 'person' | 'picture' | 'lost'): string =>
    `${createHash('sha256').update(what).digest('hex').slice(0, 40)}.${kind}`;

  const read = (tmdb: string, spoken: string): Promise<PersonReply | undefined> =>
    client.read({ path: `/person/${tmdb}`, query: { language: spoken }, shape: PersonReply }, stop.signal);
  const fetchFacts = async (tmdb: string, name: string): Promise<void> => {
    const spoken = language();
    const own = await read(tmdb, spoken);
    // Few biographies are translated.
    const english =
      own && textOf(own.biography) === undefined && !spoken.startsWith('en') ? await read(tmdb, 'en') : own;
    const facts = own ? personFactsOf({ ...own, biography: english?.biography }) : {};
    if (await files().files.put(name, Buffer.from(JSON.stringify(facts)))) return;
    remember(unstored, name, { facts, until: clock.now() + UNSTORED_MS }, MAX_UNSTORED);
  };
  const isHeldBack = (name: string): boolean => clock.now() < (failed.get(name) ?? -Infinity);
  const holdBack = (name: string): void => remember(failed, name, clock.now() + RETRY_MS, MAX_FAILURES);
  /** Fetches a picture. One that the service lost is marked by a file, and not asked for again in this period. */
  const fetchPicture = async (path: string, name: string): Promise<boolean> => {
    const { files: kept } = files();
    const bytes = await client.picture(PICTURE_SIZE, path, stop.signal);
    if (bytes && (await kept.put(name, bytes))) return true;
    if (bytes || !(await kept.put(nameOf(path, 'lost'), Buffer.alloc(1)))) holdBack(name);
    return false;
  };
  /** Begins to fetch a person, unless that is under way or failed lately. Returns whether it is under way. */
  const begin = (tmdb: string, name: string): boolean => {
    if (fetching.has(name)) return true;
    if (!client.isConfigured || stop.signal.aborted || isHeldBack(name)) return false;
    fetching.add(name);
    limit(() => fetchFacts(tmdb, name))
      .catch((error: unknown) => {
        holdBack(name);
        if (!(error instanceof Failure) && !stop.signal.aborted) log.fault('metadata.person', error);
      })
      .finally(() => fetching.delete(name));
    return true;
  };

  return {
    of: async (tmdb) => {
      if (!/^[1-9]\d{0,9}$/.test(tmdb)) return { facts: undefined, isPending: false };
      const name = nameOf(`${tmdb} ${language()}`, 'person');
      const kept = await files().files.get(name);
      const facts = kept && StoredFacts.safeParse(parseJson(kept));
      const held = unstored.get(name);
      if (held && clock.now() < held.until) return { facts: held.facts, isPending: false };
      if (facts?.success === true) return { facts: facts.data as PersonFacts, isPending: false };
      return { facts: undefined, isPending: begin(tmdb, name) };
    },
    picture: async (path) => {
      const name = nameOf(path, 'picture');
      const { files: kept, root } = files();
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
      const period = periodNow();
      for (const { name, kind } of await listFolder(folder).catch(() => []))
        if (kind === 'folder' && /^\d{1,9}$/.test(name) && name !== period) await removeFolder(`${folder}/${name}`);
    },
    close: () => stop.abort(),
  };
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
