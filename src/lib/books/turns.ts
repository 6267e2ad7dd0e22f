/**
 * Turns of questions about books: one reader cannot stop the others.
 *
 * Few questions run at a time, and at most two of one Profile. A place goes to the Profile with the fewest running
 * questions, pages before searches, and one place is never taken by a search.
 */
import { Failure } from '../failure.ts';

/** Questions that run at a time, one in each child of the helper. */
export const PLACES = 2;
const MAX_RUNNING = 2;
/** Questions of one Profile that may wait: a long page of drawings asks for many pictures at once. */
export const MAX_WAITING = { page: 60, search: 2 } as const;
const RETRY_AFTER_SECONDS = 5;

export type BookTurnKind = keyof typeof MAX_WAITING;

interface Turn {
  /** Undefined for work of the server itself, which is not bounded. */
  profile: string | undefined;
  kind: BookTurnKind;
}

export interface BookTurns {
  /**
   * Resolves with the function that frees the place; calling it again does nothing. Rejects as `throttled` when
   * too much of this Profile waits, and with the reason of an abort.
   */
  take(turn: Turn, signal?: AbortSignal): Promise<() => void>;
}

export function createBookTurns(): BookTurns {
  const running = new Set<Turn>();
  const waiting = new Set<Turn & { start(): void }>();

  const runningOf = (profile: string | undefined): number =>
    [...running].filter((turn) => turn.profile === profile).length;
  const isSearching = (): boolean => [...running].some(({ kind }) => kind === 'search');
  const next = (): (Turn & { start(): void }) | undefined => {
    if (running.size >= PLACES) return undefined;
    const free = [...waiting]
      .filter(({ profile }) => profile === undefined || runningOf(profile) < MAX_RUNNING)
      .filter(({ kind }) => kind === 'page' || !isSearching())
      .map((turn) => ({ turn, rank: (turn.kind === 'search' ? PLACES : 0) + runningOf(turn.profile) }));
    return free.sort((a, b) => a.rank - b.rank)[0]?.turn;
  };
  const give = (): void => {
    for (let turn = next(); turn; turn = next()) {
      waiting.delete(turn);
      running.add(turn);
      turn.start();
    }
  };

  return {
    take: async ({ profile, kind }, signal) => {
      signal?.throwIfAborted();
      const own = [...waiting].filter((turn) => turn.profile === profile && turn.kind === kind);
      if (profile !== undefined && own.length >= MAX_WAITING[kind])
        throw new Failure('throttled', 'this profile asks too much about books at once', {
          reason: 'too-many-book-questions',
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      const started = Promise.withResolvers<() => void>();
      const turn = {
        profile,
        kind,
        start: () => {
          signal?.removeEventListener('abort', leave);
          started.resolve(() => {
            if (running.delete(turn)) give();
          });
        },
      };
      const leave = (): void => {
        waiting.delete(turn);
        started.reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.add(turn);
      give();
      return started.promise;
    },
  };
}
