/** The last sign-in method: no change of a Profile's own may leave it without one. */
import { OUTSIDE_PROTOCOLS } from '../../contract/identity/outside.ts';
import { Failure } from '../../lib/failure.ts';
import type { Core } from '../core.ts';
import { directoryIdentity } from '../directory/rules.ts';
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

/** Whether an identity opens a Profile: by a link, or by the external id that the directory gave it. */
export const isLinked = (
  core: Pick<Core, 'identities' | 'protocols'>,
  id: string,
  links: readonly LinkRow[] = [...core.identities.links.values()],
): boolean =>
  links.some((link) => link.profile === id && isUsableLink(core, link)) ||
  OUTSIDE_PROTOCOLS.some((protocol) => directoryIdentity(core, id, protocol) !== undefined);

type WithPassword = Pick<ProfileRow, 'id' | 'password'>;

/** Whether a Profile can sign in without another server: with a password, or a passkey of this host. */
export const hasLocalSignInMethod = (
  { identities, config }: Pick<Core, 'identities' | 'config'>,
  { id, password }: WithPassword,
  passkeys: readonly PasskeyRow[] = identities.passkeysOf(id),
): boolean => password !== undefined || passkeys.some(({ host }) => host === passkeyHostName(config));

export const ownerNeedsSignInMethod = (): Failure =>
  new Failure('conflict', 'an owner needs a password or a passkey', { reason: 'owner-needs-way-in' });

/**
 * Throws `Failure('conflict')` unless a Profile, as it would be, can sign in: with a password or a passkey of this
 * host, or through an identity provider. An Owner needs a way that does not depend on others.
 */
export function requireSignInMethod(
  core: Pick<Core, 'identities' | 'config' | 'protocols'>,
  row: WithPassword & Pick<ProfileRow, 'role'>,
  left: { passkeys?: readonly PasskeyRow[]; links?: readonly LinkRow[] },
): void {
  const isOutside = row.role !== 'owner' && isLinked(core, row.id, left.links);
  if (!hasLocalSignInMethod(core, row, left.passkeys) && !isOutside)
    throw new Failure('conflict', 'without it this profile could no longer sign in', { reason: 'last-way-in' });
}
