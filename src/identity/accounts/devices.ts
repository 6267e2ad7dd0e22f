/**
 * Devices: browsers and apps that have signed in before, known by a random token.
 *
 * A known device has its own bucket in the throttle, so strangers who guess at an account cannot shut its owner out.
 */
import type { Device } from '../../contract/identity/sessions.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { iso } from '../../lib/clock.ts';
import { found } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import type { z } from 'zod';
import type { Core } from '../core.ts';
import { hashOf, isToken, newToken } from '../tokens.ts';
import type { DeviceRow, CallerOrigin, Step } from '../types.ts';

/** How many devices of one Profile are remembered; the one longest unseen is forgotten first. */
export const MAX_DEVICES = 50;

export interface DeviceFor {
  row: DeviceRow;
  steps: Step[];
  /** Set when the browser must be given a new token. */
  token: string | undefined;
}

/** The device a sign-in came from, as that Profile knows it: met again, or new. */
export function deviceFor(
  { identities, clock }: Core,
  given: { profile: string; name: string | undefined; from: CallerOrigin },
): DeviceFor {
  const { profile, from } = given;
  const now = clock.now();
  // A token is taken over only if it is one of ours: any caller could plant one that they know.
  const came =
    from.device !== undefined && isToken(from.device, 'dev') && identities.deviceOf(hashOf(from.device))
      ? hashOf(from.device)
      : undefined;
  const met = came === undefined ? undefined : identities.deviceOf(came, profile);
  if (met) {
    const row = { ...met, name: given.name ?? met.name, lastSeenAt: now };
    return { row, steps: [{ put: 'device', row }], token: undefined };
  }
  const token = came === undefined ? newToken('dev') : undefined;
  const row: DeviceRow = {
    id: newId(),
    hash: came ?? hashOf(token ?? ''),
    profile,
    name: given.name ?? nameOf(from.userAgent),
    firstSeenAt: now,
    lastSeenAt: now,
  };
  const own = [...identities.devices.values()]
    .filter((one) => one.profile === profile)
    .sort((a, b) => a.lastSeenAt - b.lastSeenAt);
  const forgotten = own
    .slice(0, Math.max(0, own.length + 1 - MAX_DEVICES))
    .map(({ id }): Step => ({ drop: 'device', id }));
  return { row, steps: [...forgotten, { put: 'device', row }], token };
}

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** A name for a device that gave none. */
function nameOf(userAgent: string | undefined): string {
  const browser = BROWSERS.find(([mark]) => userAgent?.includes(mark))?.[1];
  const system = SYSTEMS.find(([mark]) => userAgent?.includes(mark))?.[1];
  if (browser === undefined) return system ?? 'Unnamed device';
  return system === undefined ? browser : `${browser} on ${system}`;
}

export interface Devices {
  list(): z.input<typeof Device>[];
  /** Forgets a device and ends its sessions. */
  forget(id: string, by: Principal): Promise<void>;
}

export function createDevices(core: Core): Devices {
  const { identities } = core;
  return {
    list: () =>
      [...identities.devices.values()]
        .sort((a, b) => b.lastSeenAt - a.lastSeenAt)
        .map(({ id, name, profile, firstSeenAt, lastSeenAt }) => ({
          id,
          name,
          profile: identities.profiles.get(profile)?.name ?? '',
          firstSeenAt: iso(firstSeenAt),
          lastSeenAt: iso(lastSeenAt),
          sessions: [...identities.sessions.values()].filter(({ device }) => device === id).length,
        })),
    forget: (id, by) =>
      core.change(() => {
        const device = found(identities.devices.get(id), 'no such device', 'no-such-device');
        const ended = [...identities.sessions.values()]
          .filter((one) => one.device === device.id)
          .map((one): Step => ({ drop: 'session', id: one.id }));
        return {
          steps: [
            ...ended,
            { drop: 'device', id },
            core.audit({ kind: 'device-forgotten', outcome: 'done', by, profile: device.profile, target: id }),
          ],
          result: undefined,
        };
      }),
  };
}
