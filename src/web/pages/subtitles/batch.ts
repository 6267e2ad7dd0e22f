/**
 * Fetches subtitles for several items, one after the other: providers count what is asked of them, and a
 * server at home has other work. The batch lives beside the pages, so that leaving the list does not end it.
 */
import type { Store } from '../../lib/store.ts';

export interface Wish {
  id: string;
  title: string;
  language?: string | undefined;
}
export interface Outcome extends Wish {
  isDone: boolean;
  says: string;
}
export interface Batch {
  wishes: readonly Wish[];
  outcomes: readonly Outcome[];
  isRunning: boolean;
}
export const NO_BATCH: Batch = { wishes: [], outcomes: [], isRunning: false };

export interface BatchNeeds {
  state: Store<Batch>;
  /** Fetches one and says what came of it; rejects with what went wrong. */
  fetchOne: (wish: Wish, signal: AbortSignal) => Promise<string>;
  explain: (error: unknown) => string;
  /** True for what would fail for every further one too. */
  isHopeless: (error: unknown) => boolean;
}
export function createBatch({ state, fetchOne, explain, isHopeless }: BatchNeeds) {
  let ending: AbortController | undefined;
  const add = (outcome: Outcome) => state.change((now) => ({ ...now, outcomes: [...now.outcomes, outcome] }));
  return {
    async start(wishes: readonly Wish[]): Promise<void> {
      if (state.get().isRunning) return;
      const { signal } = (ending = new AbortController());
      state.set({ wishes, outcomes: [], isRunning: true });
      for (const wish of wishes) {
        if (signal.aborted) break;
        try {
          add({ ...wish, isDone: true, says: await fetchOne(wish, signal) });
        } catch (error) {
          if (signal.aborted) break;
          add({ ...wish, isDone: false, says: explain(error) });
          if (isHopeless(error)) break;
        }
      }
      state.change((now) => ({ ...now, isRunning: false }));
    },
    /** Ends it after the item that is under way; what was fetched stays. */
    cancel: (): void => ending?.abort(),
    dismiss: (): void => {
      if (!state.get().isRunning) state.set(NO_BATCH);
    },
  };
}
