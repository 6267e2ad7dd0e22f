/**
 * Fetches subtitles for several items, one after the other: providers count what is asked of them, and a
 * server at home has other work. The batch lives outside the pages, so that leaving the list does not end it.
 */
import type { Store } from '../../../lib/store.ts';
import type { ItemLanguage } from '../../../parts/subtitles/words.ts';

export interface FetchWish {
  id: string;
  title: string;
  language?: string | undefined;
  role?: ItemLanguage['role'] | undefined;
}
export interface FetchOutcome extends FetchWish {
  isDone: boolean;
  says: string;
  /** Whether the providers have subtitles, from which a person may choose one. */
  isChoice?: boolean;
}
export interface FetchBatch {
  wishes: readonly FetchWish[];
  outcomes: readonly FetchOutcome[];
  isRunning: boolean;
  /** Why it ended before its end. */
  ended?: string;
}
export const NO_BATCH: FetchBatch = { wishes: [], outcomes: [], isRunning: false };

/** So many refusals of all providers in a row, and the next one would end alike. */
const MAX_FAILING = 3;

export interface FetchBatchNeeds {
  state: Store<FetchBatch>;
  /** Fetches one and says what came of it; rejects with what went wrong. */
  fetchOne: (wish: FetchWish, signal: AbortSignal) => Promise<string>;
  explain: (error: unknown) => string;
  isChoice: (error: unknown) => boolean;
  /**
   * `always`: every further item would fail too. `failing`: the server or the providers do not reply at the moment,
   * whatever the item. `own`: only this item fails.
   */
  outlook: (error: unknown) => 'always' | 'failing' | 'own';
}
export function createBatch({ state, fetchOne, explain, isChoice, outlook }: FetchBatchNeeds) {
  let ending: AbortController | undefined;
  const add = (outcome: FetchOutcome) => state.change((now) => ({ ...now, outcomes: [...now.outcomes, outcome] }));
  const end = (why?: string) =>
    state.change((now) => ({ ...now, isRunning: false, ...(why !== undefined && { ended: why }) }));
  const through = async (wishes: readonly FetchWish[], signal: AbortSignal): Promise<string | undefined> => {
    let failing = 0;
    for (const wish of wishes) {
      if (signal.aborted) return undefined;
      try {
        add({ ...wish, isDone: true, says: await fetchOne(wish, signal) });
        failing = 0;
      } catch (error) {
        if (signal.aborted) return undefined;
        const says = explain(error);
        add({ ...wish, isDone: false, says, isChoice: isChoice(error) });
        const what = outlook(error);
        failing = what === 'failing' ? failing + 1 : 0;
        if (what === 'always' || failing >= MAX_FAILING) return says;
      }
    }
    return undefined;
  };
  return {
    /** Starts one unless another runs. What it is for may have to be found out first; when that fails, that is said. */
    async start(asked: readonly FetchWish[] | ((signal: AbortSignal) => Promise<readonly FetchWish[]>)): Promise<void> {
      if (state.get().isRunning) return;
      const { signal } = (ending = new AbortController());
      state.set({ wishes: typeof asked === 'function' ? [] : asked, outcomes: [], isRunning: true });
      let wishes: readonly FetchWish[];
      try {
        wishes = typeof asked === 'function' ? await asked(signal) : asked;
      } catch (error) {
        return end(signal.aborted ? undefined : explain(error));
      }
      state.change((now) => ({ ...now, wishes }));
      end(await through(wishes, signal));
    },
    /** Ends it after the item that is under way; what was fetched stays. */
    cancel: (): void => ending?.abort(),
    dismiss: (): void => {
      if (!state.get().isRunning) state.set(NO_BATCH);
    },
  };
}
