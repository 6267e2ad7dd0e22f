/**
 * The throttle on guessing: how many failures a network, an account, a device or a session may make.
 *
 * An attempt is counted before the work and given back when it succeeds, so that attempts made side by side cannot
 * slip past. A network (and a known device) may fail 10 times and gets one attempt back a minute. An account, as
 * unknown devices see it, may fail 10 times too; after that it waits 30 seconds, twice as long after each further
 * failure, 15 minutes at most, and starts afresh once it was left alone for half an hour. It is never locked: a known
 * device has a separate bucket and does not touch these. Time is monotonic, and at most `most` keys are kept.
 */
import { isIPv6 } from 'node:net';
import { ipv6Groups, plainAddress } from '../../lib/address-prefix.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';

const MINUTE = 60_000;
const FIRST_WAIT = 30_000;
const LONGEST_WAIT = 15 * MINUTE;
const QUIET = 30 * MINUTE;

export interface Bucket {
  key: string;
  /** How many failures it holds. One leaks away each `leakMs`. */
  size: number;
  leakMs: number;
  /** Whether waits grow once it is full, as for an account. */
  grows: boolean;
}

interface State {
  bucket: Bucket;
  level: number;
  /** Failures of an account since it was full, the one that filled it included. */
  strikes: number;
  at: number;
  /** No attempt before this moment. */
  until: number;
}

export interface Attempt {
  /** Refunds the attempt: it succeeded, or was not made after all. */
  refund(): void;
}

export interface Throttle {
  /** Counts an attempt in every bucket, or fails as `throttled` and counts none. */
  take(buckets: readonly Bucket[]): Attempt;
  /** How many keys are refused now. */
  refused(): number;
  readonly size: number;
}

export const accountBucket = (account: string): Bucket => ({
  key: `account ${account}`,
  size: 10,
  leakMs: MINUTE,
  grows: true,
});
export const deviceBucket = (device: string): Bucket => ({
  key: `device ${device}`,
  size: 10,
  leakMs: MINUTE,
  grows: false,
});
/** For codes and passwords asked of a session that is open: only that session pays for its guesses. */
export const sessionBucket = (session: string): Bucket => ({
  key: `session ${session}`,
  size: 10,
  leakMs: MINUTE,
  grows: true,
});

/** The buckets of an address: /24 of IPv4; /64 of IPv6 and, four times as large, the /48 around it. */
export function networkBuckets(address: string): Bucket[] {
  const plain = plainAddress(address);
  if (!isIPv6(plain))
    return [{ key: `net ${plain.split('.').slice(0, 3).join('.')}`, size: 10, leakMs: MINUTE, grows: false }];
  const groups = ipv6Groups(plain);
  return [
    { key: `net ${groups.slice(0, 4).join(':')}`, size: 10, leakMs: MINUTE, grows: false },
    { key: `site ${groups.slice(0, 3).join(':')}`, size: 40, leakMs: MINUTE / 4, grows: false },
  ];
}

export function createThrottle({ clock, most = 50_000 }: { clock: Clock; most?: number }): Throttle {
  const states = new Map<string, State>();

  /** Lets failures leak away up to now, and returns how long the next attempt must wait. */
  const waitOf = (state: State): number => {
    const { bucket } = state;
    const at = clock.monotonic();
    const passed = at - state.at;
    if (state.strikes > 0 && passed >= QUIET) [state.level, state.strikes, state.at] = [0, 0, at];
    // An account that is full leaks nothing: only half an hour of quiet since its last failure counts.
    if (state.strikes > 0) return state.until - at;
    state.level = Math.max(0, state.level - passed / bucket.leakMs);
    state.at = at;
    // Whole milliseconds: what leaked away in several parts must not miss by a hair.
    return Math.round((state.level + 1 - bucket.size) * bucket.leakMs);
  };
  const get = (bucket: Bucket): State => {
    const state = states.get(bucket.key) ?? { bucket, level: 0, strikes: 0, at: clock.monotonic(), until: 0 };
    states.delete(bucket.key);
    states.set(bucket.key, state);
    return state;
  };
  const makeRoom = (): void => {
    while (states.size > most) {
      let oldest: string | undefined;
      let looked = 0;
      for (const [key, state] of states) {
        oldest ??= key;
        if (waitOf(state) <= 0) {
          oldest = key;
          break;
        }
        // Those that are refused now are kept, as far as looking for another stays cheap.
        if (++looked >= 64) break;
      }
      if (oldest === undefined) return;
      states.delete(oldest);
    }
  };

  const count = (state: State): void => {
    const { bucket } = state;
    state.level = Math.min(state.level + 1, bucket.size);
    if (!bucket.grows || state.level < bucket.size) return;
    state.strikes += 1;
    state.at = clock.monotonic();
    state.until = state.at + Math.min(FIRST_WAIT * 2 ** Math.min(state.strikes - 1, 8), LONGEST_WAIT);
  };

  const giveBack = (state: State, was: State): void => {
    if (state.strikes === 0) state.level = Math.max(0, state.level - 1);
    // Only what this attempt itself brought about is taken back, not what others did in the meantime.
    else if (state.strikes === was.strikes + 1)
      [state.level, state.strikes, state.until] = [was.level, was.strikes, was.until];
  };

  return {
    take(buckets) {
      const held = buckets.map(get);
      const wait = Math.max(0, ...held.map(waitOf));
      if (wait > 0) {
        makeRoom();
        throw new Failure('throttled', 'too many attempts; wait before the next one', {
          reason: 'too-many-attempts',
          retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)),
        });
      }
      const before = held.map((state) => ({ ...state }));
      for (const state of held) count(state);
      makeRoom();
      let isBack = false;
      return {
        refund: () => {
          if (isBack) return;
          isBack = true;
          for (const [index, state] of held.entries()) giveBack(state, before[index] ?? state);
        },
      };
    },
    refused: () => [...states.values()].filter((state) => waitOf(state) > 0).length,
    get size() {
      return states.size;
    },
  };
}
