/**
 * Grants: what an Owner allows a Viewer for a while. An item is shown although the policy hides it; time opens the
 * viewing hours, and adds to the minutes of one day. A grant that is over has no effect from that moment on.
 */
import type { Policy } from '../../contract/identity/profiles.ts';
import type { Grant, ProfileRow } from '../types.ts';

/** Policies with the items that are granted, by the rows that they were made from. */
const made = new WeakMap<ProfileRow, { items: string; policy: Policy }>();

/** Returns the policy of a Profile at a moment: the same object as before unless it is another one. */
export function policyWithGrants(row: ProfileRow, now: number): Policy {
  const items = (row.grants ?? []).flatMap((one) => (one.kind === 'item' && now < one.until ? one.item : []));
  if (items.length === 0) return row.policy;
  const key = items.join();
  const before = made.get(row);
  if (before?.items === key) return before.policy;
  const { allowed, hidden } = row.policy.items;
  const policy: Policy = {
    ...row.policy,
    items: {
      allowed: [...new Set([...allowed, ...items])],
      hidden: hidden.filter((id) => !items.includes(id)),
    },
  };
  made.set(row, { items: key, policy });
  return policy;
}

/** Returns until when a grant opens the viewing hours of a Profile; 0 without one. */
export const hoursOpenUntil = ({ grants = [] }: Pick<ProfileRow, 'grants'>, now: number): number =>
  grants.reduce((end, one) => (one.kind === 'time' && now < one.opensUntil ? Math.max(end, one.opensUntil) : end), 0);

/** Returns the milliseconds that were added to a day of a Profile. */
export const grantedOn = ({ grants = [] }: Pick<ProfileRow, 'grants'>, day: string): number =>
  grants.reduce((sum, one) => sum + (one.kind === 'time' && one.day === day ? one.ms : 0), 0);

/** Returns a row without some of its grants: the same one if it has none of them. */
export function withoutGrants(row: ProfileRow, isOver: (grant: Grant) => boolean): ProfileRow {
  const { grants = [], ...rest } = row;
  const kept = grants.filter((one) => !isOver(one));
  if (kept.length === grants.length) return row;
  return kept.length > 0 ? { ...rest, grants: kept } : rest;
}
