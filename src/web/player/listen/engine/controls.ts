/** Actions of the audio player, for its buttons, for keys and for pages. */
import { toast } from '../../../kit/layers/toast.tsx';
import { position } from '../../../lib/format.ts';
import { listenRequest, type ListeningRequest } from '../../../parts/listening/requests.ts';
import { listenWords as m } from '../../../messages/listening.ts';
import { chapterAt } from '../../engine/times.ts';
import {
  withAdded,
  cleared,
  currentOf,
  entryAfter,
  entryBefore,
  jumped,
  moved,
  NEXT_REPEAT,
  unshuffledQueue,
  withRemoved,
  replaced,
  restored,
  shuffled,
  shuffledAll,
  type ListenQueue,
} from '../queue/queue.ts';
import { type BookPreferences, preferForBook } from './book.ts';
import { continueAt, follow, loadEntry, pause, resume, seek, setSpeed } from './engine.ts';
import type { Sleep } from './sleep.ts';
import { change, entryNow, listenClock, listening, listenPreferences, preferListening } from './state.ts';

const setQueue = (how: (queue: ListenQueue) => ListenQueue): void => {
  change({ queue: how(listening.get().queue) });
  follow();
};

/** Takes a request of a page. */
export function takeRequest(request: ListeningRequest): void {
  const { queue } = listening.get();
  if (request.do !== 'play') {
    const isFirst = queue.entries.length === 0;
    change({ queue: withAdded(queue, request.items, request.do), isPlaying: isFirst || listening.get().isPlaying });
    if (isFirst) follow();
    else toast({ message: m.addedToQueue({ count: request.items.length }) });
    return;
  }
  const { items, at, from, after, isShuffled = false } = request;
  const first = isShuffled ? Math.floor(Math.random() * items.length) : (at ?? 0);
  const next = replaced(queue, items, first);
  const taken = isShuffled ? shuffledAll(next, Math.random) : next;
  change({ queue: taken, after });
  const entry = currentOf(taken);
  if (entry) void loadEntry(entry, { at: from ?? (entry.item.kind === 'audiobook' ? undefined : 0) });
}
/** Takes requests as they come. Returns a function that ends that. */
export function takeRequests(): () => void {
  const take = () => {
    const request = listenRequest.get();
    if (!request) return;
    listenRequest.set(undefined);
    takeRequest(request);
  };
  take();
  return listenRequest.subscribe(take);
}

export const toggle = (): void => (listening.get().isPlaying ? pause() : resume());
export function next(): void {
  const { queue, after } = listening.get();
  const entry = entryAfter(queue, true);
  if (!entry && after !== undefined) return continueAt(after);
  if (entry) void loadEntry(entry, { at: entry.item.kind === 'audiobook' ? undefined : 0 });
  return undefined;
}
/** Within the first seconds of an entry the one before plays, otherwise the entry begins again. */
const RESTART_AFTER_S = 3;
export function previous(): void {
  const entry = entryBefore(listening.get().queue);
  if (listenClock.get().time > RESTART_AFTER_S || !entry) return seek(0);
  return void loadEntry(entry, { at: entry.item.kind === 'audiobook' ? undefined : 0 });
}
export const seekBy = (seconds: number): void => seek(listenClock.get().time + seconds);

/** A jump in a book beyond this can be undone. */
const UNDO_BEYOND_S = 60;
/** Jumps in the item. A long jump in a book can be undone, because its place is hard to find again. */
export function jump(to: number): void {
  const entry = entryNow();
  const before = listenClock.get().time;
  seek(to);
  if (entry?.item.kind !== 'audiobook' || Math.abs(to - before) < UNDO_BEYOND_S) return;
  toast({
    message: m.jumpedTo({ position: position(to) }),
    undo: () => entryNow()?.key === entry.key && seek(before),
  });
}

export function play(key: number): void {
  const queue = jumped(listening.get().queue, key);
  const entry = currentOf(queue);
  if (entry) void loadEntry(entry, { at: entry.item.kind === 'audiobook' ? undefined : 0 });
}
export const move = (key: number, to: number): void => setQueue((queue) => moved(queue, key, to));
export const remove = (key: number): void => setQueue((queue) => withRemoved(queue, key));
export function clearQueue(): void {
  const before = listening.get().queue;
  setQueue(cleared);
  toast({ message: m.queueCleared, undo: () => setQueue((queue) => restored(queue, before)) });
}
export const nextRepeat = (): void => setQueue((queue) => ({ ...queue, repeat: NEXT_REPEAT[queue.repeat] }));
export const toggleShuffle = (): void =>
  setQueue((queue) => (queue.unshuffled ? unshuffledQueue(queue) : shuffled(queue, Math.random)));

export const setVolume = (volume: number): void =>
  preferListening({ volume: Math.min(1, Math.max(0, volume)), isMuted: false });
export const toggleMuted = (): void => preferListening({ isMuted: !listenPreferences.get().isMuted });

/** Changes the speed of the book that plays, and keeps it for that book. */
export function chooseSpeed(speed: number): void {
  const entry = entryNow();
  if (entry?.item.kind !== 'audiobook') return;
  setSpeed(speed);
  preferForBook(entry.item.id, { speed });
}

/** Chooses how far the skip buttons go, and keeps it for the book that plays. */
export function chooseSkip(sizes: Partial<Pick<BookPreferences, 'skipBack' | 'skipForward'>>): void {
  const entry = entryNow();
  if (entry?.item.kind === 'audiobook') preferForBook(entry.item.id, sizes);
}

/** Minutes of the sleep timer; `track` and `chapter` end with what is heard now. */
export function sleepAfter(choice: number | 'track' | 'chapter' | undefined): void {
  const { plan } = listening.get();
  const { time, duration } = listenClock.get();
  let sleep: Sleep | undefined;
  if (typeof choice === 'number') sleep = { at: 'time', endsAt: Date.now() + choice * 60_000 };
  if (choice === 'track') sleep = { at: 'track' };
  if (choice === 'chapter') {
    const at = chapterAt(plan?.chapters ?? [], time)?.at ?? -1;
    sleep = { at: 'chapter', end: plan?.chapters[at + 1]?.start ?? duration };
  }
  change({ sleep });
}
