/**
 * Asks as a Viewer makes them and takes them back.
 *
 * A title is kept in the words of the Viewer. Nothing is looked up, so that neither a reply nor the time that it takes
 * depends on what a policy hides.
 */
import type { Principal } from '../contract/kernel/principal.ts';
import { MAX_OPEN_REQUESTS } from '../contract/requests/limits.ts';
import type { Request } from '../contract/requests/requests.ts';
import { Failure, found } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import type { RequestRow } from './store.ts';
import type { RequestParts } from './types.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** How long requests are kept. */
export const REQUESTS_KEPT_MS = 30 * DAY_MS;
/** How often a Profile may ask: this many times within this time. */
const PACES = [
  { times: 10, withinMs: 10 * MINUTE_MS },
  { times: 60, withinMs: DAY_MS },
] as const;
/** More than a Profile can have asked in the time for which requests are kept. */
const MAX_READ = 2_000;
const USUAL_MINUTES = 30;

export interface AskGiven {
  kind: 'item' | 'time';
  words?: string | undefined;
  minutes?: number | undefined;
}

export interface Asking {
  ask(given: AskGiven, by: Principal): Promise<Request>;
  /** Takes a request of the caller back. Fails as `missing` for that of another. */
  withdraw(id: string, by: Principal): Promise<void>;
}

/** Returns a request as it is compared with others. */
const keyOf = (asked: RequestRow['asked']): string =>
  asked.kind === 'time' ? 'time' : `item ${asked.words.normalize('NFKC').replaceAll(/\s+/g, ' ').toLowerCase()}`;

export function createAsking({ store, lock, clock, identity, changed, shown }: RequestParts): Asking {
  const askedOf = ({ kind, words, minutes = USUAL_MINUTES }: AskGiven, { profile }: Principal): RequestRow['asked'] => {
    if (kind === 'item') {
      if (words === undefined) throw new Failure('invalid', 'enter a title', { reason: 'request-incomplete' });
      return { kind, words: words.trim() };
    }
    if (!identity.isLimited(profile))
      throw new Failure('conflict', 'this profile has no limited time', { reason: 'time-not-limited' });
    return { kind, minutes };
  };
  /** Throws if a Profile has asked too often, for the same, or for too much. */
  const refuseMore = async (profile: string, asked: RequestRow['asked']): Promise<void> => {
    const now = clock.now();
    const recent = await store.since(now - REQUESTS_KEPT_MS, { profile, limit: MAX_READ });
    for (const { times, withinMs } of PACES) {
      // The newest comes first.
      const first = recent.filter(({ createdAt }) => createdAt > now - withinMs)[times - 1];
      if (first)
        throw new Failure('throttled', 'this profile has asked too often', {
          reason: 'asked-too-often',
          retryAfterSeconds: Math.ceil((first.createdAt + withinMs - now) / 1_000),
        });
    }
    const open = recent.filter(({ state }) => state === 'open');
    if (open.some((one) => keyOf(one.asked) === keyOf(asked)))
      throw new Failure('conflict', 'this has already been requested', { reason: 'already-asked' });
    if (open.length >= MAX_OPEN_REQUESTS)
      throw new Failure('conflict', 'too many requests are open', { reason: 'too-many-requests' });
  };

  return {
    ask: (given, by) =>
      lock.run(async () => {
        if (by.role !== 'viewer')
          throw new Failure('forbidden', 'owners do not make requests', { reason: 'requests-viewers-only' });
        const asked = askedOf(given, by);
        await refuseMore(by.profile, asked);
        const createdAt = clock.now();
        const row: RequestRow = { id: newId(), profile: by.profile, asked, createdAt, state: 'open', isSeen: false };
        await store.add(row, createdAt - REQUESTS_KEPT_MS);
        changed(by.profile);
        return found((await shown([row], by))[0], 'no such request', 'no-such-request');
      }),

    withdraw: (id, by) =>
      lock.run(async () => {
        const row = await store.read(id);
        if (row?.profile !== by.profile || row.state === 'withdrawn')
          throw new Failure('missing', 'no such request', { reason: 'no-such-request' });
        if (!(await store.close(id, { state: 'withdrawn' })))
          throw new Failure('conflict', 'this request is closed', { reason: 'request-closed' });
        changed(by.profile);
      }),
  };
}
