/** Steps at the identity provider: the browser leaves for it, and comes back to a page of the dashboard. */
import type { Reply } from './query.ts';
import { failedReply } from '../../contract/kernel/client.ts';
import { deviceName } from '../lib/device.ts';
import { MAX_TO } from '../lib/outside-result.ts';
import { address, loadReasons, routes } from './client.ts';

/** The identity provider of the server. */
export type Provider = NonNullable<Reply<'outside', 'ways'>['oidc']>;

/** Whether the provider returns the browser to this address. A step that begins at another one could not end. */
export const isOwnOrigin = ({ origin }: Provider): boolean => origin === location.origin;

/**
 * Leaves for the provider to sign in, and returns to a page afterwards. The server is asked first without following its
 * redirect, so that a provider which is away is reported here and not by a page of text.
 */
export async function leaveToSignIn(to: string): Promise<void> {
  const path = address(routes.oidc.begin, {
    to: to.length > MAX_TO ? '/' : to,
    device: deviceName(navigator.userAgent),
  });
  const reply = await fetch(path, { redirect: 'manual', credentials: 'same-origin' }).catch(() => undefined);
  if (reply?.type !== 'opaqueredirect') {
    await loadReasons();
    throw failedReply(reply?.status ?? 0, await reply?.json().catch(() => ({})));
  }
  location.assign(path);
}
