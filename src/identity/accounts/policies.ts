/** Policies as they are stored: complete, and with ages in place of the words that were limits before. */
import {
  FORMER_RATINGS,
  type ItemRules,
  MAX_RULED_ITEMS,
  NEW_VIEWER,
  OWNER_POLICY,
  type Policy,
  type PolicyInput,
} from '../../contract/identity/profiles.ts';
import { Failure } from '../../lib/failure.ts';
import type { Role } from '../../contract/kernel/endpoint.ts';
import { checkTimeZone } from '../windows.ts';

export const freshPolicy = (role: Role): Policy => (role === 'owner' ? OWNER_POLICY : NEW_VIEWER);

/**
 * Returns the policy that a Profile of this role gets. Members that are left out take their defaults. Items that were
 * allowed or hidden before stay as they are: a client that does not know them must not show what an Owner hid.
 */
export function completePolicy(given: PolicyInput, role: Role, before?: Policy): Policy {
  const fresh = freshPolicy(role);
  const rating = ageLimitOf(given.rating) ?? fresh.rating;
  return {
    libraries: given.libraries ?? fresh.libraries,
    rating,
    unrated: given.unrated ?? rating === 'all',
    items: consistent(given.items ?? before?.items ?? fresh.items),
    windows: given.windows ?? fresh.windows,
    ...dailyOf(given, role, before),
    remote: given.remote ?? fresh.remote,
    transcode: given.transcode ?? fresh.transcode,
    download: given.download ?? fresh.download,
  };
}

/** Returns the time for each day. Left out it stays: a client that does not know it must not lift it. */
function dailyOf({ daily }: PolicyInput, role: Role, before: Policy | undefined): Pick<Policy, 'daily'> {
  const kept = daily === undefined ? before?.daily : (daily ?? undefined);
  if (kept === undefined) return {};
  if (role === 'owner')
    throw new Failure('conflict', 'only a viewer can have a daily time limit', {
      reason: 'daily-viewers-only',
    });
  checkTimeZone(kept.timeZone);
  return { daily: kept };
}

const ageLimitOf = (rating: PolicyInput['rating']): Policy['rating'] | undefined =>
  rating === 'family' || rating === 'teen' ? FORMER_RATINGS[rating] : rating;

/** Names each item once. One that is both allowed and hidden is hidden. */
function consistent({ allowed, hidden }: ItemRules): ItemRules {
  const without = new Set(hidden);
  return { allowed: [...new Set(allowed)].filter((id) => !without.has(id)), hidden: [...without] };
}

/** How an item is treated whatever its rating; `default` is as its rating says. */
export type ItemAccess = 'allowed' | 'hidden' | 'default';

/** Returns a policy with a decision about an item. Fails as `too-many-items` if it holds as many as it can. */
export function withItem(policy: Policy, item: string, access: ItemAccess): Policy {
  const listWith = (ids: readonly string[], list: ItemAccess): string[] => {
    const others = ids.filter((id) => id !== item);
    return access === list ? [...others, item] : others;
  };
  const allowed = listWith(policy.items.allowed, 'allowed');
  const hidden = listWith(policy.items.hidden, 'hidden');
  if (Math.max(allowed.length, hidden.length) > MAX_RULED_ITEMS)
    throw new Failure('conflict', 'the limit of allowed and hidden items is reached: remove one first', {
      reason: 'too-many-items',
    });
  return { ...policy, items: { allowed, hidden } };
}

/** Returns a policy that was stored before ages replaced words and items could be allowed or hidden. */
export function migratedPolicy(stored: Record<string, unknown>): Policy {
  const { rating } = stored;
  const limit = rating === 'all' ? 'all' : rating === 'teen' ? FORMER_RATINGS.teen : FORMER_RATINGS.family;
  return {
    ...(stored as unknown as Policy),
    rating: limit,
    // Only "all" showed unrated items.
    unrated: limit === 'all',
    items: { allowed: [], hidden: [] },
  };
}
