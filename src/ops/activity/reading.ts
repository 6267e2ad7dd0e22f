/** The activity log as it is read: entries with the current names of what their ids refer to, in pages and files. */
import { z } from 'zod';
import type { Activity, ActivityEntry, EntryFilter } from '../../activity/index.ts';
import {
  type ActivityCheck,
  type ActivityItem,
  type activity,
  type SecurityNotice,
} from '../../contract/activity/activity.ts';
import { ACTIVITY_KINDS, type ActivityCategory, type ActivityKind } from '../../contract/activity/kinds.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { iso } from '../../lib/clock.ts';
import { decodeCursor, encodeCursor } from '../../lib/json/cursor.ts';
import { csvRow, EXPORT_COLUMNS, exportLine } from './export.ts';

/** Number of the last entry of a page. */
const Position = z.tuple([z.int()]);

type Query = z.output<(typeof activity)['list']['query']>;
type Filters = Omit<Query, 'limit' | 'cursor'>;

export interface ActivityReading {
  page(by: Principal, query: Query): Promise<z.input<(typeof activity)['list']['result']>>;
  /** Returns all entries of a filter as pieces of a file. */
  file(by: Principal, filters: Filters, format: 'jsonl' | 'csv'): AsyncGenerator<Uint8Array, void, undefined>;
  /** Returns what the last check of the log found. */
  check(): ActivityCheck;
  notices(by: Principal, isAll: boolean): Promise<{ items: SecurityNotice[]; unseen: number }>;
  /** Marks notices as seen. */
  see(by: Principal, ids: readonly string[]): Promise<void>;
}

export interface ActivityNames {
  /** Returns the name of a Profile, device, key or passkey. */
  nameOf(id: string): string | undefined;
  /** Returns the names of the libraries that the caller may see. */
  librariesOf(by: Principal): ReadonlyMap<string, string>;
  /** Returns titles of those of some items that the caller may see. */
  titlesOf(by: Principal, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Kinds whose target is an item. */
const isAboutItem = ({ kind, chain }: ActivityEntry): boolean =>
  chain === 'playback' || kind === 'item-granted' || kind.startsWith('metadata-') || kind.startsWith('subtitle-');

const isAboutLibrary = ({ kind }: ActivityEntry): boolean => kind.startsWith('library-');

const categoryOf = (kind: string): ActivityCategory =>
  (ACTIVITY_KINDS as Readonly<Record<string, { category: ActivityCategory }>>)[kind]?.category ?? 'system';

function filterOf({ category, kind, profile, outcome, from, to }: Filters): EntryFilter {
  const kinds = (Object.keys(ACTIVITY_KINDS) as ActivityKind[]).filter(
    (name) => (kind === undefined || name === kind) && (category === undefined || categoryOf(name) === category),
  );
  return {
    // Entries of other versions have kinds that are not listed, so without a filter all kinds are read.
    ...((kind !== undefined || category !== undefined) && { kinds }),
    profile,
    outcome,
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to),
  };
}

export function createActivityReading({
  log,
  names,
}: {
  log: Pick<Activity, 'reading' | 'notices' | 'upkeep'>;
  names: ActivityNames;
}): ActivityReading {
  const named = (id: string, name: string | undefined) => ({ id, ...(name !== undefined && { name }) });
  const shown = async (by: Principal, entries: readonly ActivityEntry[]): Promise<ActivityItem[]> => {
    const items = entries.flatMap((entry) => (isAboutItem(entry) && entry.target !== undefined ? [entry.target] : []));
    const titles = await names.titlesOf(by, [...new Set(items)]);
    const libraries = entries.some(isAboutLibrary) ? names.librariesOf(by) : new Map<string, string>();
    return entries.map((entry): ActivityItem => {
      const { id, at, kind, count, actor, via, profile, target, reach, network, details } = entry;
      const nameOf = (of: string) =>
        isAboutItem(entry) ? titles.get(of) : isAboutLibrary(entry) ? libraries.get(of) : names.nameOf(of);
      return {
        id,
        at: iso(at),
        category: categoryOf(kind),
        kind,
        outcome: entry.outcome as ActivityItem['outcome'],
        count,
        ...(actor !== undefined && { actor: named(actor, names.nameOf(actor)) }),
        ...(via !== undefined && { via: via as NonNullable<ActivityItem['via']> }),
        ...(profile !== undefined && { profile: named(profile, names.nameOf(profile)) }),
        ...(target !== undefined && { target: named(target, nameOf(target)) }),
        ...(reach !== undefined && { reach: reach as 'local' | 'public' }),
        ...(network !== undefined && { network }),
        details,
      };
    });
  };

  return {
    page: async (by, { limit, cursor, ...filters }) => {
      const filter = filterOf(filters);
      const before = cursor === undefined ? undefined : decodeCursor(filters, cursor, Position)[0];
      const { entries, total } = await log.reading.page({ ...filter, before }, limit + 1);
      const page = entries.slice(0, limit);
      const last = page.at(-1);
      return {
        items: await shown(by, page),
        total,
        ...(entries.length > limit && last && { nextCursor: encodeCursor(filters, [last.number]) }),
      };
    },
    file: async function* (by, filters, format) {
      if (format === 'csv') yield Buffer.from(csvRow(EXPORT_COLUMNS));
      for await (const entries of log.reading.pages(filterOf(filters)))
        yield Buffer.from((await shown(by, entries)).map((item) => exportLine(item, format)).join(''));
    },
    check: log.upkeep.lastCheck,
    see: (by, ids) => log.notices.see(by.profile, ids),
    notices: async (by, isAll) => {
      const rows = await log.notices.newest(by.profile, {
        isUnseenOnly: !isAll,
        except: isAll ? undefined : by.credential,
      });
      const items = await shown(
        by,
        rows.map(({ entry }) => entry),
      );
      return {
        items: items.map((item, n) => ({
          ...item,
          seen: rows[n]?.seenAt !== undefined,
          own: item.profile?.id === by.profile,
        })),
        unseen: rows.filter(({ seenAt, entry }) => seenAt === undefined && entry.credential !== by.credential).length,
      };
    },
  };
}
