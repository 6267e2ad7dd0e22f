/** Household devices as Owners manage them: approved at home, changed and removed. */
import type { Principal } from '../../contract/kernel/principal.ts';
import { iso } from '../../lib/clock.ts';
import { Failure, found } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import { createProfileChecks } from '../accounts/profile-checks.ts';
import type { Core } from '../core.ts';
import { hashOf, newToken } from '../tokens.ts';
import { viewerWith } from './rules.ts';
import type { CallerOrigin, HouseholdProfile, HouseholdRow, Step } from '../types.ts';

const MAX_HOUSEHOLD_DEVICES = 100;

export type AllowedGiven = readonly { id: string; opens: HouseholdProfile['opens'] }[];

export interface HouseholdDevices {
  list(): ShownHousehold[];
  /** Approves the browser that asks, and ends the session of the Owner in it. Returns the device and its token. */
  approve(given: {
    by: Principal;
    from: CallerOrigin;
    name: string;
    profiles: AllowedGiven;
  }): Promise<{ device: ShownHousehold; token: string }>;
  update(
    given: { id: string; name?: string | undefined; profiles?: AllowedGiven | undefined },
    by: Principal,
  ): Promise<ShownHousehold>;
  remove(id: string, by: Principal): Promise<void>;
}

export interface ShownHousehold {
  id: string;
  name: string;
  createdAt: string;
  lastSeenAt: string;
  profiles: { id: string; name: string; opens: HouseholdProfile['opens'] }[];
  sessions: number;
}

function showHousehold(
  { identities }: Core,
  { id, name, createdAt, lastSeenAt, allowed }: HouseholdRow,
): ShownHousehold {
  return {
    id,
    name,
    createdAt: iso(createdAt),
    lastSeenAt: iso(lastSeenAt),
    profiles: allowed.map(({ profile, opens }) => ({
      id: profile,
      name: identities.profiles.get(profile)?.name ?? '',
      opens,
    })),
    sessions: [...identities.sessions.values()].filter(({ household }) => household === id).length,
  };
}

export function createHouseholdDevices(core: Core): HouseholdDevices {
  const { identities, clock } = core;
  const show = (row: HouseholdRow): ShownHousehold => showHousehold(core, row);
  const { requireOwner } = createProfileChecks(core);
  const said = (
    kind: 'household-approved' | 'household-changed' | 'household-removed',
    by: Principal,
    target: string,
  ): Step => core.audit({ kind, outcome: 'done', by, target });
  const sessionsOf = (device: string) =>
    [...identities.sessions.values()].filter(({ household }) => household === device);

  const allowedOf = (given: AllowedGiven): HouseholdProfile[] => {
    const allowed = new Map<string, HouseholdProfile['opens']>();
    for (const { id, opens } of given) {
      const { password, pin } = viewerWith(identities, id);
      if ((opens === 'pin' && pin === undefined) || (opens === 'password' && password === undefined))
        throw new Failure('conflict', 'this profile has no such PIN or password', {
          reason: 'household-opening-missing',
        });
      allowed.set(id, opens);
    }
    return [...allowed].map(([profile, opens]) => ({ profile, opens }));
  };
  const close = (sessions: readonly { id: string }[]): Step[] =>
    sessions.map(({ id }): Step => ({ drop: 'session', id }));

  return {
    list: () => [...identities.households.values()].sort((a, b) => b.lastSeenAt - a.lastSeenAt).map(show),

    approve: ({ by, from, name, profiles }) =>
      core.change(() => {
        requireOwner(by);
        if (identities.households.size >= MAX_HOUSEHOLD_DEVICES)
          throw new Failure('conflict', 'the limit of household devices is reached: remove one first', {
            reason: 'too-many-household-devices',
          });
        const token = newToken('hhd');
        const at = clock.now();
        const row: HouseholdRow = {
          id: newId(),
          hash: hashOf(token),
          name,
          allowed: allowedOf(profiles),
          createdAt: at,
          lastSeenAt: at,
          remembered: { rotatedAt: at, retired: [] },
        };
        const before = from.household === undefined ? undefined : identities.householdOf(hashOf(from.household));
        const replaced: Step[] = before ? [...close(sessionsOf(before.id)), { drop: 'household', id: before.id }] : [];
        return {
          steps: [
            ...replaced,
            { put: 'household', row },
            ...(by.cookie ? close([{ id: by.credential }]) : []),
            said('household-approved', by, row.id),
          ],
          result: { device: show(row), token },
        };
      }),

    update: ({ id, name, profiles }, by) =>
      core.change(() => {
        requireOwner(by);
        const before = found(identities.households.get(id), 'no such device', 'no-such-device');
        const allowed = profiles ? allowedOf(profiles) : before.allowed;
        const row: HouseholdRow = { ...before, name: name ?? before.name, allowed };
        const opensAs = (device: HouseholdRow, profile: string) =>
          device.allowed.find((one) => one.profile === profile)?.opens;
        const ended = sessionsOf(id).filter(({ profile }) => opensAs(before, profile) !== opensAs(row, profile));
        return {
          steps: [{ put: 'household', row }, ...close(ended), said('household-changed', by, id)],
          result: show(row),
        };
      }),

    remove: (id, by) =>
      core.change(() => {
        requireOwner(by);
        found(identities.households.get(id), 'no such device', 'no-such-device');
        return {
          steps: [...close(sessionsOf(id)), { drop: 'household', id }, said('household-removed', by, id)],
          result: undefined,
        };
      }),
  };
}
