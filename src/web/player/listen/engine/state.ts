/** State of the audio player: its queue, the entry that plays, the time, and the preferences of this device. */
import { createStore } from '../../../lib/store.ts';
import type { PlanReply } from '../../../parts/playback/plan.ts';
import { EMPTY_QUEUE, type ListenQueue, type QueueEntry } from '../queue/queue.ts';
import { LEVELLING, type Levelling } from '../sound/level.ts';
import type { Sleep } from './sleep.ts';

export interface ListenState {
  queue: ListenQueue;
  /** Whether it is meant to play; it may wait for data meanwhile. */
  isPlaying: boolean;
  isWaiting: boolean;
  /** Why it does not play, as a sentence. */
  fault: string | undefined;
  /** Plan of the current entry, once it is there. */
  plan: PlanReply | undefined;
  /** Seconds at which a book was restored. It continues there, or further on if it was heard elsewhere meanwhile. */
  restoredAt: number | undefined;
  speed: number;
  sleep: Sleep | undefined;
  /** Address that follows the last entry: in a playlist, a film may come after tracks. */
  after: string | undefined;
}
export const NOTHING_PLAYS: ListenState = {
  queue: EMPTY_QUEUE,
  isPlaying: false,
  isWaiting: false,
  fault: undefined,
  plan: undefined,
  restoredAt: undefined,
  speed: 1,
  sleep: undefined,
  after: undefined,
};
export const listening = createStore<ListenState>(NOTHING_PLAYS);
export const change = (part: Partial<ListenState>): void => listening.change((now) => ({ ...now, ...part }));
export const entryNow = (): QueueEntry | undefined => {
  const { queue } = listening.get();
  return queue.entries[queue.at];
};

/** Seconds of the item that is heard, and its length. */
export const listenClock = createStore<{ time: number; duration: number }>({ time: 0, duration: 0 });

export interface ListenPreferences {
  levelling: Levelling;
  volume: number;
  isMuted: boolean;
}
const STORAGE_KEY = 'matinee.listening';
const DEFAULTS: ListenPreferences = { levelling: 'album', volume: 1, isMuted: false };

/** Reads the stored preferences. Values of another form become the default. */
export function listenPreferencesFrom(text: string | null): ListenPreferences {
  let kept: Partial<Record<keyof ListenPreferences, unknown>> = {};
  try {
    const read: unknown = JSON.parse(text ?? '{}');
    if (typeof read === 'object' && read !== null) kept = read;
  } catch {
    // Not written by this dashboard, or cut off.
  }
  const { volume } = kept;
  return {
    levelling: LEVELLING.find((mode) => mode === kept.levelling) ?? DEFAULTS.levelling,
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : DEFAULTS.volume,
    isMuted: kept.isMuted === true,
  };
}
const read = (): string | null => {
  if (typeof document === 'undefined') return null;
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
};
export const listenPreferences = createStore<ListenPreferences>(listenPreferencesFrom(read()));
export function preferListening(part: Partial<ListenPreferences>): void {
  listenPreferences.change((now) => ({ ...now, ...part }));
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(listenPreferences.get()));
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}
