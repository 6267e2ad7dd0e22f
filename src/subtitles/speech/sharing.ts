/** One piece of work for everybody who asks for the same: it ends when the last of them has gone. */
import { Failure } from '../../lib/failure.ts';

export interface Share {
  progress(part: number): void;
  /** Whether a person waits for it, and not only the server. */
  isAwaited(): boolean;
  signal: AbortSignal;
}
export interface Sharing<T> {
  /** Begins the work under `key`, or joins it. An abort lets go of it at once and throws the signal's reason. */
  join(key: string, asked: { work(share: Share): Promise<T>; progress(part: number): void; isBackground?: boolean; signal: AbortSignal }): Promise<T>;
  /** Ends all of it. */
  close(): void;
}

interface Work<T> {
  result: Promise<T>;
  stop: AbortController;
  /** With whether it is the server by itself. */
  askers: Map<(part: number) => void, boolean>;
  part: number;
}

export function createSharing<T>(): Sharing<T> {
  const all = new Map<string, Work<T>>();
  let isClosed = false;

  const begin = (key: string, work: (share: Share) => Promise<T>): Work<T> => {
    const stop = new AbortController();
    const askers = new Map<(part: number) => void, boolean>();
    const isAwaited = (): boolean => [...askers.values()].includes(false);
    const begun: Work<T> = { stop, askers, part: 0, result: Promise.resolve().then(() => work({ signal: stop.signal, progress, isAwaited })) };
    const progress = (part: number): void => {
      begun.part = part;
      for (const tell of askers.keys()) tell(part);
    };
    const forget = (): void => {
      if (all.get(key) === begun) all.delete(key);
    };
    begun.result.then(forget, forget);
    all.set(key, begun);
    return begun;
  };

  return {
    async join(key, { work, progress, isBackground = false, signal }) {
      if (isClosed) throw new Failure('unavailable', 'the server is stopping');
      signal.throwIfAborted();
      const joined = all.get(key) ?? begin(key, work);
      // Two askers may bring the same function.
      const tell = (part: number): void => progress(part);
      joined.askers.set(tell, isBackground);
      let onAbort: (() => void) | undefined;
      const aborted = new Promise<never>((_, reject) => {
        onAbort = () => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
        signal.addEventListener('abort', onAbort, { once: true });
      });
      try {
        tell(joined.part);
        return await Promise.race([joined.result, aborted]);
      } finally {
        if (onAbort) signal.removeEventListener('abort', onAbort);
        joined.askers.delete(tell);
        if (joined.askers.size === 0) {
          // Whoever comes now begins anew, and does not join what is ending.
          if (all.get(key) === joined) all.delete(key);
          joined.stop.abort(new Error('nobody waits for it any more'));
        }
      }
    },
    close() {
      isClosed = true;
      for (const { stop } of all.values()) stop.abort(new Failure('unavailable', 'the server is stopping'));
    },
  };
}
