/**
 * Grants as Owners give them, and the time of a day that is changed for good.
 *
 * Each grant has the id of the request that it answers. One with the same id replaces it, so an answer that is repeated
 * after a crash counts once. What is over is cleared away within a minute.
 */
import { MAX_DAILY_MINUTES, type Policy } from '../../contract/identity/profiles.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { Failure, found } from '../../lib/failure.ts';
import { createProfileChecks } from '../accounts/profile-checks.ts';
import { MINUTE, type Core } from '../core.ts';
import type { Grant, ProfileRow, Step } from '../types.ts';
import { profileDayAt } from './days.ts';
import { withoutGrants } from './grants.ts';

/** Grants that a Profile can have at a time. */
export const MAX_GRANTS = 100;

export interface Granting {
  /** Shows an item to a Viewer until a moment, whatever its rating. */
  grantItem(given: { profile: string; id: string; item: string; until: number }, by: Principal): Promise<void>;
  /**
   * Grants a Viewer more minutes: its viewing hours are open for so long from now on, and they are added to its present
   * day. Returns until when the hours are open.
   */
  grantTime(given: { profile: string; id: string; minutes: number }, by: Principal): Promise<{ until: number }>;
  /** Ends a grant before its time. Without such a grant nothing changes. */
  revokeGrant(given: { profile: string; id: string }, by: Principal): Promise<void>;
  /** Sets the minutes of every day of a Viewer that has a limited time. Fails as `conflict` for one that has none. */
  setDailyMinutes(given: { profile: string; minutes: number }, by: Principal): Promise<void>;
  /** Whether a Profile has viewing hours or a limited time, so that it can be given more. */
  isLimited(profile: string): boolean;
}

/** The steps that clear grants away that are over. */
export function overGrants({ identities, clock }: Pick<Core, 'identities' | 'clock'>): Step[] {
  const now = clock.now();
  return [...identities.profiles.values()].flatMap((row): Step[] => {
    const kept = withoutGrants(row, ({ until }) => now >= until);
    return kept === row ? [] : [{ put: 'profile', row: kept }];
  });
}

export function createGranting(core: Core): Granting {
  const { identities, clock } = core;
  const { requireOwner, requireScope } = createProfileChecks(core);

  const viewerOf = (id: string): ProfileRow => {
    const row = found(identities.profiles.get(id), 'no such profile', 'no-such-profile');
    if (row.role === 'viewer') return row;
    throw new Failure('conflict', 'an owner needs no permission', { reason: 'grant-viewers-only' });
  };
  const change = <R>(
    {
      profile,
      kind,
      target,
    }: { profile: string; kind: 'item-granted' | 'time-granted' | 'profile-changed'; target?: string },
    by: Principal,
    next: (row: ProfileRow) => { row: ProfileRow; result: R },
  ): Promise<R> =>
    core.change(() => {
      requireOwner(by);
      const before = viewerOf(profile);
      const { row, result } = next(before);
      requireScope(before, row, by);
      return {
        steps: [{ put: 'profile', row }, core.audit({ kind, outcome: 'done', by, profile, target })],
        result,
      };
    });
  const withGrant = (row: ProfileRow, grant: Grant): ProfileRow => {
    const others = (row.grants ?? []).filter(({ id, until }) => id !== grant.id && clock.now() < until);
    if (others.length >= MAX_GRANTS)
      throw new Failure('conflict', 'this profile has as many permissions as it can have', {
        reason: 'too-many-grants',
      });
    return { ...row, grants: [...others, grant] };
  };

  return {
    grantItem: ({ profile, ...grant }, by) =>
      change({ profile, kind: 'item-granted', target: grant.item }, by, (row) => ({
        row: withGrant(row, { kind: 'item', ...grant }),
        result: undefined,
      })),

    grantTime: ({ profile, id, minutes }, by) =>
      change({ profile, kind: 'time-granted' }, by, (row) => {
        const now = clock.now();
        const opensUntil = now + minutes * MINUTE;
        const { daily } = row.policy;
        const today = daily && profileDayAt(daily, now);
        const grant: Grant = {
          kind: 'time',
          id,
          ms: minutes * MINUTE,
          ...(today && { day: today.day }),
          opensUntil,
          until: Math.max(opensUntil, today?.endsAt ?? 0),
        };
        return { row: withGrant(row, grant), result: { until: opensUntil } };
      }),

    revokeGrant: ({ profile, id }, by) =>
      core.change(() => {
        requireOwner(by);
        const before = viewerOf(profile);
        const row = withoutGrants(before, (one) => one.id === id);
        if (row === before) return { steps: [], result: undefined };
        return {
          steps: [{ put: 'profile', row }, core.audit({ kind: 'grant-revoked', outcome: 'done', by, profile })],
          result: undefined,
        };
      }),

    setDailyMinutes: ({ profile, minutes }, by) =>
      change({ profile, kind: 'profile-changed' }, by, (row) => {
        const { daily } = row.policy;
        if (!daily) throw new Failure('conflict', 'this profile has no daily time limit', { reason: 'no-daily-time' });
        const policy: Policy = {
          ...row.policy,
          daily: { ...daily, minutes: Math.min(minutes, MAX_DAILY_MINUTES) },
        };
        return { row: { ...row, policy }, result: undefined };
      }),

    isLimited: (profile) => {
      const { daily, windows } = viewerOf(profile).policy;
      return daily !== undefined || windows.length > 0;
    },
  };
}
