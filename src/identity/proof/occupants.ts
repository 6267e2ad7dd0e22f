/**
 * Room for what callers begin before it is known who they are: sign-ins with a passkey or at an identity provider, and
 * codes of devices. All of it is kept in memory, so each kind has a limit.
 *
 * The home, the outside and those who are signed in have separate room: however much strangers begin, no one at home
 * is refused. Where the room of an area is full, the oldest gives way, so that a flood ends what others of its area
 * have begun at worst, and never keeps them from beginning again.
 */
import type { CallerOrigin } from '../types.ts';
import { networkBuckets } from './throttle.ts';

/** Caller who began something, as far as it is counted. */
export interface Occupant {
  readonly area: 'home' | 'outside' | 'signed-in';
  /** Networks of the address: /24 of IPv4, /64 and /48 of IPv6. */
  readonly networks: readonly string[];
}

export interface OccupantLimits {
  /** Entries of an area. */
  readonly area: number;
  /** Entries of a network; a /48 of IPv6 may have four times as many. */
  readonly network: number;
}

export const occupantOf = (
  { address, network }: Pick<CallerOrigin, 'address' | 'network'>,
  isSignedIn = false,
): Occupant => ({
  area: isSignedIn ? 'signed-in' : network === 'local' ? 'home' : 'outside',
  networks: networkBuckets(address).map(({ key }) => key),
});

/** Entries that are too many once one more is there, the oldest first. */
export interface ExcessOccupants<E> {
  readonly ofNetwork: readonly E[];
  readonly ofArea: readonly E[];
}

/** Returns who has to give way for one more. `entries` are in the order in which they began. */
export function excessOccupants<E extends Occupant>(
  { area, networks }: Occupant,
  entries: Iterable<E>,
  limits: OccupantLimits,
): ExcessOccupants<E> {
  const own = [...entries].filter((one) => one.area === area);
  const over = (some: readonly E[], most: number): readonly E[] => some.slice(0, Math.max(0, some.length + 1 - most));
  return {
    ofNetwork: networks.flatMap((network, n) =>
      over(
        own.filter((one) => one.networks.includes(network)),
        limits.network * 4 ** n,
      ),
    ),
    ofArea: over(own, limits.area),
  };
}
