/**
 * Keeps the facts of all films and shows current: new items at once, shows on air every day, works that the provider
 * lists as changed, and all others after 150 days. Facts that the provider could not confirm for six months are
 * removed.
 *
 * A run asks for one item after the other and may be stopped at any moment. Without a provider it only removes what is
 * too old. While the provider cannot be used a run ends, and the next one begins when requests are sent again.
 */
import type { TaskRemark } from '../contract/ops/task-remarks.ts';
import type { CatalogBackground, CatalogWork } from '../catalog/index.ts';
import { type Clock, isAhead, isPlausible } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import type { Log } from '../lib/log.ts';
import { readChanges } from './changes.ts';
import type { MetadataClient } from './client.ts';
import type { Matching } from './matching.ts';
import type { MatchRow, MatchStore } from './store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** An item without a certain work is looked for again after this time. */
const RETRY_MS = 30 * DAY_MS;
const OLDEST_MS = 150 * DAY_MS;
/** The terms of TMDB allow no longer. */
const EXPIRY_MS = 180 * DAY_MS;
const ITEMS_AT_ONCE = 4;

export interface RefreshNeeds {
  client: MetadataClient;
  matching: Matching;
  store: MatchStore;
  catalog: Pick<CatalogBackground, 'works' | 'layers'>;
  /** Whether items of a library are looked up. What is known of others expires. */
  isAskedFor(library: string): boolean;
  clock: Clock;
  log: Log;
}
export interface RefreshRun {
  /** Only items of this library. */
  library?: string | undefined;
  /** `due`: those that are due; `missing`: also those without a work; `all`: all. */
  mode: 'due' | 'missing' | 'all';
  images: boolean;
  /** When the task was started first: items that were asked for since then are done. */
  since: number;
}
export interface RefreshReport {
  refreshed: number;
  unsure: number;
  notFound: number;
  /** Items for which the provider could not be asked. */
  left: number;
}

interface DueWork {
  work: CatalogWork;
  row: MatchRow | undefined;
}

const isUnavailable = (error: unknown): boolean => error instanceof Failure && error.kind === 'unavailable';

/** Whether the provider is to be asked for an item. */
export function isDue(work: CatalogWork, row: MatchRow | undefined, now: number): boolean {
  if (!work.isPresent || row?.state === 'none') return false;
  if (!row || row.asked === null || isAhead(row.asked, now)) return true;
  const age = now - row.asked;
  if (row.state !== 'matched') return row.described !== work.described || row.parts !== work.parts || age > RETRY_MS;
  return row.isChanged || row.parts !== work.parts || (row.isAiring && age > DAY_MS) || age > OLDEST_MS;
}

export function createRefresh({ client, matching, store, catalog, isAskedFor, clock, log }: RefreshNeeds) {
  /** Returns the works to ask for, those that were tried last at the end. Stops when it has found `most`. */
  const dueItems = async ({ library, mode, since }: RefreshRun, most = Infinity): Promise<DueWork[]> => {
    const now = clock.now();
    const isWanted = ({ work, row }: DueWork): boolean => {
      if ((library !== undefined && work.library !== library) || !isAskedFor(work.library)) return false;
      // An item that failed in this run waits for the next one.
      if (row && row.tried >= since && !isAhead(row.tried, now) && row.asked !== row.tried) return false;
      if (isDue(work, row, now)) return true;
      if (mode === 'due' || !work.isPresent || row?.state === 'none' || (row?.asked ?? 0) >= since) return false;
      return mode === 'all' || row?.state !== 'matched';
    };
    const due: DueWork[] = [];
    for await (const works of catalog.works()) {
      const rows = new Map((await store.among(works.map(({ id }) => id))).map((row) => [row.item, row]));
      due.push(...works.map((work) => ({ work, row: rows.get(work.id) })).filter(isWanted));
      if (due.length >= most) break;
    }
    return due.toSorted((one, two) => (one.row?.tried ?? 0) - (two.row?.tried ?? 0));
  };

  /** Drops rows of deleted items, finishes removals that a crash cut off, and removes facts that are too old. */
  const tidy = async (): Promise<void> => {
    const ids = new Set<string>();
    for await (const works of catalog.works()) for (const { id } of works) ids.add(id);
    const now = clock.now();
    const isOld = ({ asked }: MatchRow) => isPlausible(now) && asked !== null && now - asked > EXPIRY_MS;
    const [deleted, removed, old]: [string[], string[], string[]] = [[], [], []];
    for await (const rows of store.all())
      for (const row of rows) {
        if (!ids.has(row.item)) deleted.push(row.item);
        else if (row.state === 'none') removed.push(row.item);
        else if (row.state === 'matched' && isOld(row)) old.push(row.item);
      }
    await store.forget(deleted);
    for (const { id, layers } of await catalog.layers.read(removed))
      if (layers.match ?? layers.tmdb) await matching.drop(id);
    for (const item of old) await matching.expire(item);
  };

  const run = async (
    how: RefreshRun,
    progress: (part: number, remark: TaskRemark) => void,
    signal: AbortSignal,
  ): Promise<RefreshReport> => {
    const report: RefreshReport = { refreshed: 0, unsure: 0, notFound: 0, left: 0 };
    if (client.isConfigured && client.pausedFor() === 0)
      await readChanges({ client, store, catalog, clock }, signal).catch(ignoreUnavailable);
    const queue = client.isConfigured ? await dueItems(how) : [];
    const total = queue.length;
    let done = 0;
    const ask = async ({ work, row }: (typeof queue)[number]): Promise<void> => {
      try {
        const asked = { images: how.images, known: row?.work ?? null };
        const { outcome } = await matching.refreshDue(work, asked, signal);
        if (outcome === 'refreshed') report.refreshed++;
        if (outcome === 'unsure') report.unsure++;
        if (outcome === 'not-found') report.notFound++;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof Failure && error.kind === 'missing') return;
        if (!isUnavailable(error)) log.fault('metadata.not-refreshed', error);
        report.left++;
        await store.tried(work.id, clock.now());
      } finally {
        progress(++done / total, { reason: 'title', values: { title: work.described.split('/')[0] ?? '' } });
      }
    };
    const worker = async (): Promise<void> => {
      for (let one = queue.shift(); one; one = queue.shift()) {
        signal.throwIfAborted();
        if (client.pausedFor() > 0) {
          report.left += queue.length + 1;
          queue.length = 0;
          return;
        }
        await ask(one);
      }
    };
    await Promise.all(Array.from({ length: ITEMS_AT_ONCE }, worker));
    signal.throwIfAborted();
    await tidy();
    return report;
  };
  return {
    run,
    /** Whether a run would ask for anything now. */
    hasDue: async (): Promise<boolean> =>
      client.isConfigured &&
      client.pausedFor() === 0 &&
      (await dueItems({ mode: 'due', images: false, since: Infinity }, 1)).length > 0,
  };
}
export type Refresh = ReturnType<typeof createRefresh>;

/** The lists of changes are read again in the next run. */
function ignoreUnavailable(error: unknown): void {
  if (!isUnavailable(error)) throw error;
}
