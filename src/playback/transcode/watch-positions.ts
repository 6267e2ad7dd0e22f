/**
 * Positions that sessions requested last. The segment cache keeps the surroundings of each, and the newest position of
 * a session shows which quality it is watching.
 */

/** Time after its last request for which a session counts as watching. */
export const WATCHED_MS = 90_000;
/** Seconds around a requested position whose segments count as watched. */
const WATCHED_SECONDS = 60;

export interface WatchPositions {
  /** Records a request. `seconds` is the position in the stream. */
  note(session: string, stream: string, seconds: number): void;
  /** Returns whether a session recently requested a position near this one. */
  isWatched(stream: string, seconds: number): boolean;
  /** Returns the streams that a session requested recently, newest last. */
  streamsOf(session: string): string[];
  /** Forgets the positions of a session. */
  leave(session: string): void;
}

export function createWatchPositions(now: () => number): WatchPositions {
  const positions = new Map<string, { session: string; stream: string; seconds: number; at: number }>();
  return {
    note: (session, stream, seconds) => {
      const key = `${session} ${stream}`;
      positions.delete(key);
      positions.set(key, { session, stream, seconds, at: now() });
      for (const [other, { at }] of positions) if (now() - at > WATCHED_MS) positions.delete(other);
    },
    isWatched: (stream, seconds) =>
      [...positions.values()].some(
        (one) =>
          one.stream === stream && now() - one.at < WATCHED_MS && Math.abs(one.seconds - seconds) <= WATCHED_SECONDS,
      ),
    streamsOf: (session) =>
      [...positions.values()]
        .filter((one) => one.session === session && now() - one.at < WATCHED_MS)
        .map(({ stream }) => stream),
    leave: (session) => {
      for (const [key, one] of positions) if (one.session === session) positions.delete(key);
    },
  };
}
