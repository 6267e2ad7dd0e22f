/**
 * The queue as it is kept for a reload: ids only, because titles are the server's to show. What is restored is asked
 * for again, so an item that the Profile may no longer see is left out. Pure.
 */
import type { ListenItem } from '../../../parts/listening/items.ts';
import { EMPTY_QUEUE, type ListenQueue, type Repeat, REPEATS } from './queue.ts';

/** Entries that are kept before the current one, and in all. */
const MAX_KEPT_PLAYED = 100;
const MAX_KEPT = 1000;

export interface KeptQueue {
  ids: string[];
  at: number;
  repeat: Repeat;
  /** The order before shuffling, as indexes of `ids`. */
  order: number[] | undefined;
  /** Seconds of the current entry. */
  time: number;
  after: string | undefined;
}

/** Returns what is kept of a queue; undefined for an empty one. */
export function keptOf(queue: ListenQueue, { time, after }: Pick<KeptQueue, 'time' | 'after'>): KeptQueue | undefined {
  if (queue.at < 0) return undefined;
  const from = Math.max(0, queue.at - MAX_KEPT_PLAYED);
  const entries = queue.entries.slice(from, from + MAX_KEPT);
  const places = new Map(entries.map(({ key }, index) => [key, index]));
  return {
    ids: entries.map(({ item }) => item.id),
    at: queue.at - from,
    repeat: queue.repeat,
    order: queue.unshuffled?.flatMap((key) => places.get(key) ?? []),
    time: Math.floor(time),
    after,
  };
}

const isIndex = (value: unknown, count: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count;

/** Reads what was kept. Returns undefined for anything that does not fit. */
export function keptFrom(text: string | null): KeptQueue | undefined {
  let kept: Partial<Record<keyof KeptQueue, unknown>>;
  try {
    const read: unknown = JSON.parse(text ?? 'null');
    if (typeof read !== 'object' || read === null) return undefined;
    kept = read;
  } catch {
    return undefined;
  }
  const { ids, at, repeat, order, time, after } = kept;
  if (!Array.isArray(ids) || ids.length > MAX_KEPT || !isIndex(at, ids.length)) return undefined;
  if (!ids.every((id): id is string => typeof id === 'string' && /^[0-9a-f]{16}$/.test(id))) return undefined;
  const isOrder =
    Array.isArray(order) &&
    order.length === ids.length &&
    order.every((index) => isIndex(index, ids.length)) &&
    new Set(order).size === ids.length;
  return {
    ids,
    at,
    repeat: REPEATS.find((one) => one === repeat) ?? 'off',
    order: isOrder ? (order as number[]) : undefined,
    time: typeof time === 'number' && time > 0 && Number.isFinite(time) ? time : 0,
    // An address of this dashboard, and never one of another server.
    after: typeof after === 'string' && /^\/play\/[0-9a-f]{16}\?/.test(after) ? after : undefined,
  };
}

/** Returns the queue with the items that are still there; `isSame` says whether its current entry is the one kept. */
export function restoredQueue(
  { ids, at, repeat, order }: KeptQueue,
  items: ReadonlyMap<string, ListenItem>,
): { queue: ListenQueue; isSame: boolean } {
  const places = ids.map((id, index) => ({ item: items.get(id), index }));
  const known = places.flatMap(({ item, index }) => (item ? [{ item, key: index + 1 }] : []));
  if (known.length === 0) return { queue: EMPTY_QUEUE, isSame: false };
  const same = known.findIndex(({ key }) => key === at + 1);
  const following = known.findIndex(({ key }) => key > at);
  const keys = new Set(known.map(({ key }) => key));
  return {
    queue: {
      entries: known.map(({ item, key }) => ({ key, item })),
      at: same >= 0 ? same : following >= 0 ? following : known.length - 1,
      repeat,
      unshuffled: order?.map((index) => index + 1).filter((key) => keys.has(key)),
      nextKey: ids.length + 1,
    },
    isSame: same >= 0,
  };
}
