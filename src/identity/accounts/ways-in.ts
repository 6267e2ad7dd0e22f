/** The last way in: no change of a Profile's own may leave it without one. */
import { Failure } from '../../lib/failure.ts';
import type { Core } from '../core.ts';
import { passkeyHostName } from '../passkeys/relying-party.ts';
import type { LinkRow, PasskeyRow, ProfileRow } from '../types.ts';

/** Whether a link opens its Profile with the settings of now. */
export function isUsableLink(
  { protocols }: Pick<Core, 'protocols'>,
  { protocol, issuer, claim }: Pick<LinkRow, 'protocol' | 'issuer' | 'claim'>,
): boolean {
  const now = protocols[protocol]?.identifiers();
  return now?.issuer === issuer && now.claim === claim;
}

/**
 * Throws `Failure('conflict')` unless a Profile, as it would be, can sign in: with a password or a passkey of this
 * host, or through an identity provider. An Owner needs a way that does not depend on others.
 */
export function requireWayIn(
  core: Pick<Core, 'identities' | 'config' | 'protocols'>,
  { id, role, password }: Pick<ProfileRow, 'id' | 'role' | 'password'>,
  left: { passkeys?: readonly PasskeyRow[]; links?: readonly LinkRow[] },
): void {
  const { identities, config } = core;
  const { passkeys = identities.passkeysOf(id), links = [...identities.links.values()] } = left;
  const host = passkeyHostName(config);
  const isLocal = password !== undefined || passkeys.some((one) => one.host === host);
  const isOutside = role !== 'owner' && links.some((link) => link.profile === id && isUsableLink(core, link));
  if (!isLocal && !isOutside)
    throw new Failure('conflict', 'without it this profile could no longer sign in', { reason: 'last-way-in' });
}
