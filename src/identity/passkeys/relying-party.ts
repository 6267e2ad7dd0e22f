/**
 * The host that passkeys are made for. It is that of the public address in the settings, or localhost as long as there
 * is none; browsers make no passkey for an address of numbers.
 */
import { isIP } from 'node:net';
import type { PasskeyHost } from '../../contract/identity/passkeys.ts';
import { Failure } from '../../lib/failure.ts';
import type { Settings } from '../core.ts';
import type { CallerOrigin } from '../types.ts';

const LOCAL = 'localhost';

/** Returns a public address; undefined if its host is an address of numbers. */
function addressWithName(url: string): URL | undefined {
  const parsed = new URL(url);
  return isIP(parsed.hostname.replace(/^\[|\]$/g, '')) === 0 ? parsed : undefined;
}

/** Returns the host of new passkeys; undefined where none can be made. */
export function passkeyHostName(config: Settings): string | undefined {
  const url = config.get('auth.url');
  return url === undefined ? LOCAL : addressWithName(url)?.hostname;
}

/** Returns where passkeys work, for a caller; undefined if its address has no name that one could be for. */
export function passkeyHost(config: Settings, { host, isSecure }: CallerOrigin): PasskeyHost | undefined {
  const url = config.get('auth.url');
  if (url !== undefined) {
    const parsed = addressWithName(url);
    return parsed && { host: parsed.hostname, origin: parsed.origin };
  }
  if (host.toLowerCase().replace(/:\d{1,5}$/, '') !== LOCAL) return undefined;
  return { host: LOCAL, origin: new URL(`${isSecure ? 'https' : 'http'}://${host}`).origin };
}

/** The same, and fails as `conflict` where there is none. */
export function requirePasskeyHost(config: Settings, from: CallerOrigin): PasskeyHost {
  const at = passkeyHost(config, from);
  if (!at)
    throw new Failure('conflict', 'passkeys need a name: set the public address of this server', {
      reason: 'passkey-without-name',
    });
  return at;
}
