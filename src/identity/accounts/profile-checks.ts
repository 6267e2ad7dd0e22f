/** Checks before a Profile changes: its name is free, the caller may do it, and an Owner who can sign in remains. */
import type { Principal } from '../../contract/kernel/principal.ts';
import { Failure } from '../../lib/failure.ts';
import { nameKeyOf, type Core } from '../core.ts';
import type { ProfileRow } from '../types.ts';

/** Each check throws a `Failure` with its reason. */
export function createProfileChecks({ identities }: Core) {
  const checkName = (name: string, own?: string): void => {
    const taken = identities.profileNamed(nameKeyOf(name));
    if (taken && taken.id !== own)
      throw new Failure('conflict', 'another profile has this name', { reason: 'name-taken' });
  };
  const checkOwners = (without: string, instead?: ProfileRow): void => {
    const after = [...identities.profiles.values()].filter(({ id }) => id !== without);
    if (instead) after.push(instead);
    if (!after.some(({ role }) => role === 'owner'))
      throw new Failure('conflict', 'at least one owner must remain', { reason: 'last-owner' });
    const isFree = ({ role, password, policy }: ProfileRow): boolean =>
      role === 'owner' && password !== undefined && policy.windows.length === 0;
    if (!after.some(isFree))
      throw new Failure('conflict', 'at least one owner must be able to sign in at any time', {
        reason: 'last-owner-always',
      });
  };
  /** Throws if the caller's session or role ended while it waited for a hash or for its turn. */
  const requireOwner = (by: Principal): void => {
    if (by.via === 'session' && !identities.sessions.has(by.credential))
      throw new Failure('unauthenticated', 'this session has ended', { reason: 'session-ended' });
    if (identities.profiles.get(by.profile)?.role !== 'owner')
      throw new Failure('forbidden', 'only an owner may do this', { reason: 'owner-only' });
  };
  /** An API key may change what a Viewer is allowed, and nothing that could still open a door after it was revoked. */
  const requireScope = (before: ProfileRow, after: ProfileRow, by: Principal): void => {
    if (by.via === 'session') return;
    if (!identities.keys.has(by.credential))
      throw new Failure('unauthenticated', 'this key was revoked', { reason: 'key-revoked' });
    const isSame = after.name === before.name && after.preferences.language === before.preferences.language;
    if (before.role !== 'viewer' || after.role !== 'viewer' || !isSame)
      throw new Failure('forbidden', 'an API key may change the policy of a viewer only', {
        reason: 'key-viewer-policy-only',
      });
  };

  return { checkName, checkOwners, requireOwner, requireScope };
}
