/**
 * How pages play music and audiobooks. The player is loaded with the first request; it shows what it plays in
 * `nowListening`, so that lists can mark it.
 */
import { createStore } from '../../lib/store.ts';
import type { ListenItem } from './items.ts';

export type ListeningRequest =
  /** Replaces the queue, and plays the item at `at` from `from` seconds (default: where the Profile stopped). */
  | {
      do: 'play';
      items: readonly ListenItem[];
      at?: number;
      from?: number;
      isShuffled?: boolean;
      /** Address that follows the last item. */
      after?: string | undefined;
    }
  /** Adds items behind the current one, or at the end of the queue. */
  | { do: 'next' | 'last'; items: readonly ListenItem[] };

/** The latest request, until the player takes it. */
export const listenRequest = createStore<ListeningRequest | undefined>(undefined);

export const listenTo = (
  items: readonly ListenItem[],
  options: { at?: number; from?: number; isShuffled?: boolean; after?: string | undefined } = {},
): void => listenRequest.set({ do: 'play', items, ...options });
export const addToQueue = (items: readonly ListenItem[], where: 'next' | 'last'): void =>
  listenRequest.set({ do: where, items });

/** The item in the player, and whether it plays now. */
export const nowListening = createStore<{ id: string; groupId?: string | undefined; isPlaying: boolean } | undefined>(
  undefined,
);
