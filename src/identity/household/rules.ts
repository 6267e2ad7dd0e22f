/** Rules of household devices that hold on every request. */
import { Failure, found } from '../../lib/failure.ts';
import { isBarred } from '../directory/rules.ts';
import type { IdentityCache } from '../identity-cache.ts';
import { hashOf } from '../tokens.ts';
import type { CallerOrigin, HouseholdProfile, Network, ProfileRow, SessionRow } from '../types.ts';

/** How a Profile opens on a household device; undefined if it does not. Only Viewers do, and only at home. */
export function openingOf(
  { households, directoryUsers }: Pick<IdentityCache, 'households' | 'directoryUsers'>,
  device: string,
  { id, role }: ProfileRow,
  network: Network,
): HouseholdProfile['opens'] | undefined {
  if (network !== 'local' || role !== 'viewer' || isBarred({ directoryUsers }, id)) return undefined;
  return households.get(device)?.allowed.find(({ profile }) => profile === id)?.opens;
}

/** Whether a Profile opens there. No second factor is asked for: the Owner who approved the device vouches for it. */
export const mayOpen = (...asked: Parameters<typeof openingOf>): boolean => openingOf(...asked) !== undefined;

/** Returns how a Viewer opens on each household device whose picker shows it. */
export const openingsOf = (
  { households }: Pick<IdentityCache, 'households'>,
  { id, role }: Pick<ProfileRow, 'id' | 'role'>,
): HouseholdProfile['opens'][] =>
  role === 'viewer'
    ? [...households.values()].flatMap(({ allowed }) => allowed.find(({ profile }) => profile === id)?.opens ?? [])
    : [];

/** Whether the session of a household device came with the cookie of that device: alone it opens nothing. */
export const isOnItsDevice = (identities: IdentityCache, session: SessionRow, from: CallerOrigin): boolean =>
  session.household === undefined ||
  (from.household !== undefined && identities.householdOf(hashOf(from.household))?.id === session.household);

/** Returns the Viewer with an id. Fails as `missing`, and as `conflict` for an Owner, who never opens there. */
export function viewerWith({ profiles }: IdentityCache, id: string): ProfileRow {
  const row = found(profiles.get(id), 'no such profile', 'no-such-profile');
  if (row.role === 'viewer') return row;
  throw new Failure('conflict', 'only viewers can be opened on a household device', {
    reason: 'household-viewers-only',
  });
}
