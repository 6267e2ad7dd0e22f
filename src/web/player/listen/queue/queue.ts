/**
 * The queue of the audio player: its entries in the order in which they are played, and the current one. Pure; an item
 * may be in it more than once, so entries have keys.
 */
import type { ListenItem } from '../../../parts/listening/items.ts';
import { shuffleApart } from './shuffle.ts';

export interface QueueEntry {
  key: number;
  item: ListenItem;
}
export const REPEATS = ['off', 'all', 'one'] as const;
export type Repeat = (typeof REPEATS)[number];
export interface ListenQueue {
  entries: readonly QueueEntry[];
  /** Index of the current entry; -1 if the queue is empty. */
  at: number;
  repeat: Repeat;
  /** Keys in the order before shuffling; undefined while the queue is not shuffled. */
  unshuffled: readonly number[] | undefined;
  /** Key of the next new entry. */
  nextKey: number;
}
/** Maximum number of entries. The ones that follow are left out. */
export const MAX_QUEUE = 10_000;

export const EMPTY_QUEUE: ListenQueue = { entries: [], at: -1, repeat: 'off', unshuffled: undefined, nextKey: 1 };

const limitedAt = (at: number, count: number): number => (count === 0 ? -1 : Math.min(Math.max(0, at), count - 1));
const withKeys = (items: readonly ListenItem[], first: number): QueueEntry[] =>
  items.map((item, index) => ({ key: first + index, item }));

/** Replaces the entries. Keys continue, so that an entry of the queue before is never taken for one of these. */
export function replaced({ repeat, nextKey }: ListenQueue, items: readonly ListenItem[], at = 0): ListenQueue {
  const entries = withKeys(items.slice(0, MAX_QUEUE), nextKey);
  return {
    entries,
    at: limitedAt(at, entries.length),
    repeat,
    unshuffled: undefined,
    nextKey: nextKey + entries.length,
  };
}

export const currentOf = ({ entries, at }: ListenQueue): QueueEntry | undefined => entries[at];

/** Adds items behind the current entry, or at the end. The first items in an empty queue become current. */
export function withAdded(queue: ListenQueue, items: readonly ListenItem[], where: 'next' | 'last'): ListenQueue {
  const fresh = withKeys(items.slice(0, Math.max(0, MAX_QUEUE - queue.entries.length)), queue.nextKey);
  const index = where === 'next' ? queue.at + 1 : queue.entries.length;
  const keys = fresh.map(({ key }) => key);
  return {
    ...queue,
    entries: [...queue.entries.slice(0, index), ...fresh, ...queue.entries.slice(index)],
    at: queue.at < 0 && fresh.length > 0 ? 0 : queue.at,
    // In the order without shuffling they follow the current entry or are last, too.
    unshuffled:
      queue.unshuffled && insertedKeys(queue.unshuffled, keys, where === 'next' ? currentOf(queue)?.key : undefined),
    nextKey: queue.nextKey + fresh.length,
  };
}
function insertedKeys(order: readonly number[], keys: readonly number[], after: number | undefined): number[] {
  const index = after === undefined ? order.length : order.indexOf(after) + 1;
  return [...order.slice(0, index), ...keys, ...order.slice(index)];
}

const positionOf = ({ entries }: ListenQueue, key: number | undefined): number =>
  entries.findIndex((one) => one.key === key);

/** Moves an entry so that it is at index `to` afterwards. The current entry stays current. */
export function moved(queue: ListenQueue, key: number, to: number): ListenQueue {
  const from = positionOf(queue, key);
  const entry = queue.entries[from];
  if (!entry) return queue;
  const rest = queue.entries.filter((one) => one.key !== key);
  const index = Math.min(Math.max(0, to), rest.length);
  const entries = [...rest.slice(0, index), entry, ...rest.slice(index)];
  return { ...queue, entries, at: entries.findIndex((one) => one.key === currentOf(queue)?.key) };
}

/** Removes an entry. If it is the current one, the one behind it becomes current. */
export function withRemoved(queue: ListenQueue, key: number): ListenQueue {
  const index = positionOf(queue, key);
  if (index < 0) return queue;
  const entries = queue.entries.filter((one) => one.key !== key);
  return {
    ...queue,
    entries,
    at: limitedAt(index < queue.at ? queue.at - 1 : queue.at, entries.length),
    unshuffled: queue.unshuffled?.filter((one) => one !== key),
  };
}

/** Removes everything but the current entry, which continues to play. */
export function cleared(queue: ListenQueue): ListenQueue {
  const current = currentOf(queue);
  return { ...queue, entries: current ? [current] : [], at: current ? 0 : -1, unshuffled: undefined };
}

/** Puts back the entries of `before`. What plays now stays current, behind its place or at the end. */
export function restored(queue: ListenQueue, before: ListenQueue): ListenQueue {
  const current = currentOf(queue);
  const keys = new Set(before.entries.map(({ key }) => key));
  const entries = [...before.entries, ...queue.entries.filter(({ key }) => !keys.has(key))];
  return {
    entries,
    at: current ? entries.findIndex(({ key }) => key === current.key) : before.at,
    repeat: queue.repeat,
    unshuffled: before.unshuffled && [
      ...before.unshuffled,
      ...queue.entries.filter(({ key }) => !keys.has(key)).map(({ key }) => key),
    ],
    nextKey: Math.max(queue.nextKey, before.nextKey),
  };
}

export const jumped = (queue: ListenQueue, key: number): ListenQueue => {
  const at = positionOf(queue, key);
  return at < 0 ? queue : { ...queue, at };
};

/**
 * Returns the entry that follows the current one; undefined at the end. `isAsked`: a person asked for it, so that
 * repeating one entry does not count.
 */
export function entryAfter(queue: ListenQueue, isAsked = false): QueueEntry | undefined {
  const { entries, at, repeat } = queue;
  if (repeat === 'one' && !isAsked) return entries[at];
  return entries[at + 1] ?? (repeat === 'off' ? undefined : entries[0]);
}
/** Returns the entry before the current one; undefined at the beginning. */
export const entryBefore = ({ entries, at, repeat }: ListenQueue): QueueEntry | undefined =>
  entries[at - 1] ?? (repeat === 'off' ? undefined : entries[entries.length - 1]);

/** Shuffles what follows the current entry; what was played stays where it is. */
export function shuffled(queue: ListenQueue, random: () => number): ListenQueue {
  const { entries, at } = queue;
  const played = entries.slice(0, at + 1);
  const rest = shuffleApart(entries.slice(at + 1), ({ item }) => item.by, random, currentOf(queue)?.item.by);
  return { ...queue, entries: [...played, ...rest], unshuffled: queue.unshuffled ?? entries.map(({ key }) => key) };
}
/** Shuffles all entries; the current one becomes the first. */
export function shuffledAll(queue: ListenQueue, random: () => number): ListenQueue {
  const current = currentOf(queue);
  if (!current) return queue;
  const rest = queue.entries.filter(({ key }) => key !== current.key);
  return shuffled(
    { ...queue, entries: [current, ...rest], at: 0, unshuffled: queue.entries.map(({ key }) => key) },
    random,
  );
}
/** Restores the order before shuffling. The current entry stays current. */
export function unshuffledQueue(queue: ListenQueue): ListenQueue {
  if (!queue.unshuffled) return queue;
  const byKey = new Map(queue.entries.map((entry) => [entry.key, entry]));
  const entries = queue.unshuffled.flatMap((key) => byKey.get(key) ?? []);
  return {
    ...queue,
    entries,
    at: entries.findIndex(({ key }) => key === currentOf(queue)?.key),
    unshuffled: undefined,
  };
}

export const NEXT_REPEAT: Readonly<Record<Repeat, Repeat>> = { off: 'all', all: 'one', one: 'off' };
