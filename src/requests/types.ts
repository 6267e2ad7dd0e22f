/** Parts that the files of requests share. */
import type { Catalog } from '../catalog/index.ts';
import type { Profile } from '../contract/identity/profiles.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import type { Request } from '../contract/requests/requests.ts';
import type { Clock } from '../lib/clock.ts';
import type { Lock } from '../lib/lock.ts';
import type { RequestRow, RequestStore } from './store.ts';

/** Operations of identity that read Profiles and allow them more. */
export interface RequestIdentity {
  /** Returns a Profile; undefined once it is removed. */
  find(id: string): Profile | undefined;
  isLimited(profile: string): boolean;
  grantItem(given: { profile: string; id: string; item: string; until: number }, by: Principal): Promise<void>;
  grantTime(given: { profile: string; id: string; minutes: number }, by: Principal): Promise<{ until: number }>;
  revokeGrant(given: { profile: string; id: string }, by: Principal): Promise<void>;
  setDailyMinutes(given: { profile: string; minutes: number }, by: Principal): Promise<void>;
  ruleItem(given: { id: string; item: string; access: 'allowed' }, by: Principal): Promise<Profile>;
}

export interface RequestParts {
  store: RequestStore;
  /** Requests are made and closed in turns: a count must not change before its row is written. */
  lock: Lock;
  clock: Clock;
  catalog: Pick<Catalog, 'seenBy'>;
  identity: RequestIdentity;
  /** Called after a request of a Profile was written. */
  changed(profile: string): void;
  /** Returns requests as replies carry them, with the items that the caller may see. */
  shown(rows: readonly RequestRow[], by: Principal): Promise<Request[]>;
}
