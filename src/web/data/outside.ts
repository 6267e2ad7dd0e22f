/** Steps at an identity provider: the browser leaves for it, and comes back to a page of the dashboard. */
import type { OutsideProtocolName } from '../../contract/identity/outside.ts';
import type { Reply } from './query.ts';
import { failedReply } from '../../contract/kernel/client.ts';
import { deviceName } from '../lib/device.ts';
import { MAX_TO } from '../lib/outside-result.ts';
import { shellWords } from '../messages/shell.ts';
import { address, loadReasons, routes } from './client.ts';
import { leaveTo } from '../lib/navigation/navigate.ts';
import { pendingUntil } from '../lib/pending-work.ts';

/** An identity provider of the server. */
type Provider = NonNullable<Reply<'outside', 'ways'>['oidc']>;
/** One that is offered, with the protocol by which it is reached and a name that no other has. */
export interface OfferedProvider extends Provider {
  protocol: OutsideProtocolName;
}

export const PROTOCOLS = ['oidc', 'saml'] as const satisfies readonly OutsideProtocolName[];
/** Returns the name of a protocol. */
export const protocolName = (protocol: OutsideProtocolName): string =>
  ({ oidc: shellWords.openIdConnect, saml: shellWords.saml })[protocol];

/** Returns the providers that are set up. Where one host has both protocols, their names say which is which. */
export function offeredProviders(
  providers: Readonly<Partial<Record<OutsideProtocolName, Provider | undefined>>>,
): OfferedProvider[] {
  const isOneHost = providers.oidc?.name === providers.saml?.name;
  return PROTOCOLS.flatMap((protocol) => {
    const provider = providers[protocol];
    if (!provider) return [];
    const name = isOneHost ? `${provider.name} (${protocolName(protocol)})` : provider.name;
    return [{ ...provider, name, protocol }];
  });
}

/** Whether the provider returns the browser to this address. A step that begins at another one could not end. */
export const isOwnOrigin = ({ origin }: Provider): boolean => origin === location.origin;

/**
 * Leaves for the provider to sign in, and returns to a page afterwards. The server is asked first without following its
 * redirect, so that a provider which is away is reported here and not by a page of text.
 */
export async function leaveToSignIn(protocol: OutsideProtocolName, to: string): Promise<void> {
  const path = address(routes[protocol].begin, {
    to: to.length > MAX_TO ? '/' : to,
    device: deviceName(navigator.userAgent),
  });
  const reply = await pendingUntil('call', fetch(path, { redirect: 'manual', credentials: 'same-origin' })).catch(
    () => undefined,
  );
  if (reply?.type !== 'opaqueredirect') {
    await loadReasons();
    throw failedReply(reply?.status ?? 0, await reply?.json().catch(() => ({})));
  }
  leaveTo(path);
}
