/** Requests: a Viewer asks for a title in words, or for more time, and an Owner answers. */
import type { Principal } from '../contract/kernel/principal.ts';
import { MAX_LISTED_REQUESTS } from '../contract/requests/limits.ts';
import type { Request } from '../contract/requests/requests.ts';
import type { Bus } from '../lib/bus.ts';
import type { CommitCursor, Database } from '../lib/db/index.ts';
import { createLock } from '../lib/lock.ts';
import { type RequestAnswers, createAnswering } from './answering.ts';
import { type Asking, createAsking, REQUESTS_KEPT_MS } from './asking.ts';
import { createShown } from './shown.ts';
import { requestStore } from './store.ts';
import type { RequestParts } from './types.ts';

export { requestMigrations } from './store.ts';

export interface Requests extends Asking, RequestAnswers {
  /** Returns the requests of the caller, or of everybody for an Owner. */
  list(by: Principal): Promise<{ items: Request[]; total: number; open: number; unseen: number }>;
  /** Marks the answers to the caller as seen. */
  seen(by: Principal): Promise<void>;
  /** Grows with every change of the requests of a Profile. */
  versionOf(profile: string): number;
  forgetProfile(profile: string, commitCursor: CommitCursor): Promise<void>;
}

export function createRequests({
  db,
  bus,
  ...needs
}: Pick<RequestParts, 'clock' | 'catalog' | 'identity'> & { db: Database; bus: Bus }): Requests {
  const store = requestStore(db);
  const versions = new Map<string, number>();
  const changed = (profile: string): void => {
    versions.set(profile, (versions.get(profile) ?? 0) + 1);
    bus.announce('requests.changed');
  };
  const shown = createShown(needs);
  const parts: RequestParts = { ...needs, store, lock: createLock(), changed, shown };
  return {
    ...createAsking(parts),
    ...createAnswering(parts),
    list: async (by) => {
      const isOwner = by.role === 'owner';
      const rows = await store.since(needs.clock.now() - REQUESTS_KEPT_MS, {
        profile: isOwner ? undefined : by.profile,
        limit: MAX_LISTED_REQUESTS,
      });
      const items = await shown(rows, by);
      return {
        items,
        total: items.length,
        open: items.filter(({ state }) => state === 'open').length,
        unseen: isOwner ? 0 : items.filter(({ state, seen }) => state !== 'open' && !seen).length,
      };
    },
    seen: async ({ profile }) => {
      if (await store.see(profile)) changed(profile);
    },
    versionOf: (profile) => versions.get(profile) ?? 0,
    forgetProfile: async (profile, commitCursor) => {
      await store.forgetProfile(profile, commitCursor);
      versions.delete(profile);
    },
  };
}
