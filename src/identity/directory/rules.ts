/** Rules about Profiles that the directory made. They hold wherever a Profile signs in or is changed. */
import type { OutsideProtocolName } from '../../contract/identity/outside.ts';
import type { Profile } from '../../contract/identity/profiles.ts';
import { iso } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { DAY, type Core } from '../core.ts';
import type { IdentityCache } from '../identity-cache.ts';
import type { DirectoryUserRow, ProfileRow } from '../types.ts';

/** How long a removed user can come back. */
export const KEPT_AFTER_REMOVAL_MS = 30 * DAY;

type Users = Pick<IdentityCache, 'directoryUsers'>;

/** Whether the directory has deactivated or removed a Profile: no sign-in method opens it. */
export function isBarred({ directoryUsers }: Users, profile: string): boolean {
  const user = directoryUsers.get(profile);
  return user !== undefined && (!user.isActive || user.removedAt !== undefined);
}

/** Returns the user of the directory that a Profile is. An Owner is none, whoever made it. */
export function directoryUserFor(
  { directoryUsers, profiles }: Pick<IdentityCache, 'directoryUsers' | 'profiles'>,
  profile: string,
): DirectoryUserRow | undefined {
  const user = directoryUsers.get(profile);
  return user && user.removedAt === undefined && profiles.get(profile)?.role === 'viewer' ? user : undefined;
}

/** Returns the user whose external id is the subject of an identity: that identity counts as linked to its Profile. */
export function directoryUserOfSubject(identities: IdentityCache, subject: string): DirectoryUserRow | undefined {
  const user = identities.directoryUserOf(subject);
  return user && directoryUserFor(identities, user.profile);
}

/**
 * Returns the identity that counts as linked to a Profile: its external id, as a subject of the provider of a protocol.
 * Undefined for a Profile that the directory did not make, and without a provider.
 */
export function directoryIdentity(
  { identities, protocols }: Pick<Core, 'identities' | 'protocols'>,
  profile: string,
  protocol: OutsideProtocolName,
): { issuer: string; subject: string; user: DirectoryUserRow } | undefined {
  const user = directoryUserFor(identities, profile);
  const issuer = protocols[protocol]?.identifiers()?.issuer;
  return user?.externalId === undefined || issuer === undefined
    ? undefined
    : { issuer, subject: user.externalId, user };
}

/** Returns what an Owner reads about the origin of a Profile in the directory; nothing for any other Profile. */
export function directoryMarkOf({ directoryUsers }: Users, profile: string): Pick<Profile, 'directory'> {
  const user = directoryUsers.get(profile);
  if (!user) return {};
  const { userName, isActive, removedAt } = user;
  if (removedAt === undefined) return { directory: { userName, state: isActive ? 'active' : 'inactive' } };
  return { directory: { userName, state: 'removed', deletedAt: iso(removedAt + KEPT_AFTER_REMOVAL_MS) } };
}

/** Throws `Failure('conflict')` where an Owner changes what the directory decides: the name, and who is barred. */
export function requireUnmanaged(
  identities: Users,
  before: Pick<ProfileRow, 'id' | 'name'>,
  after: Pick<ProfileRow, 'name' | 'role'>,
): void {
  const isRenamed = after.name !== before.name && identities.directoryUsers.has(before.id);
  const isManaged = isRenamed || (after.role === 'owner' && isBarred(identities, before.id));
  if (isManaged)
    throw new Failure('conflict', 'the directory manages this: change it there', { reason: 'directory-managed' });
}
