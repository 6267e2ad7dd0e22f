/**
 * The host that passkeys are made for: that of the public address in the settings, else the name of trusted HTTPS at
 * home, else localhost. Browsers make no passkey for an address of numbers.
 */
import { isIP } from 'node:net';
import { trustedHostname } from '../../config/index.ts';
import type { PasskeyHost } from '../../contract/identity/passkeys.ts';
import { Failure } from '../../lib/failure.ts';
import type { Settings } from '../core.ts';
import type { CallerOrigin } from '../types.ts';

const LOCAL = 'localhost';

/** Returns the address by which the settings name this server; undefined if they have none. */
function namedAddress(config: Settings): string | undefined {
  const [url, trusted] = [config.get('auth.url'), config.get('tls.dns_a')];
  if (url !== undefined || trusted === undefined) return url;
  return `https://${trustedHostname(trusted)}:${config.get('listen').port}`;
}

/** Returns an address; undefined if its host is an address of numbers. */
function addressWithName(url: string): URL | undefined {
  const parsed = new URL(url);
  return isIP(parsed.hostname.replace(/^\[|\]$/g, '')) === 0 ? parsed : undefined;
}

/** Returns the host of new passkeys; undefined where none can be made. */
export function passkeyHostName(config: Settings): string | undefined {
  const url = namedAddress(config);
  return url === undefined ? LOCAL : addressWithName(url)?.hostname;
}

/** Returns where passkeys work, for a caller; undefined if its address has no name that one could be for. */
export function passkeyHost(config: Settings, { host, isSecure }: CallerOrigin): PasskeyHost | undefined {
  const url = namedAddress(config);
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
