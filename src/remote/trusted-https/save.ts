/** Sets up trusted HTTPS at home, and ends it. Everything is checked before the setting is written. */
import {
  type Config,
  isTrustedDomain,
  isTrustedToken,
  privateIPv4,
  type RecordSetting,
  type TrustedHttps,
} from '../../config/index.ts';
import { Failure } from '../../lib/failure.ts';
import type { NameQuestions } from '../../lib/net.ts';

const KEY = 'tls.dns_a';
/** Characters of a host name; more is checked by looking it up. */
const HOST = /^[a-z0-9.-]{1,253}$/i;

/** Values that an Owner enters. `address` may be a host name at home. Without a token the saved one is kept. */
export interface TrustedHttpsGiven extends Pick<TrustedHttps, 'domain' | 'address'> {
  provider?: TrustedHttps['provider'] | undefined;
  token?: string | undefined;
  termsAccepted: boolean;
}

/** Whether the environment or the YAML file has the setting, so that no Owner can change it. */
export const isTrustedManaged = (config: Pick<Config, 'all'>): boolean =>
  config.all().find(({ key }) => key === KEY)?.managed === true;

function requireOwn(config: Config): void {
  if (isTrustedManaged(config))
    throw new Failure('conflict', 'trusted HTTPS is set by the environment or the YAML file and is read-only here', {
      reason: 'setting-managed',
    });
}

/**
 * Saves the setting and lets it take effect at once. Throws `Failure('invalid')` if the address is not private, a token
 * is missing or another value is not allowed, and `Failure('conflict')` if it is managed or remote access is on.
 */
export async function saveTrustedHttps(
  { config, questions }: { config: Config; questions: Pick<NameQuestions, 'hostAddresses'> },
  given: TrustedHttpsGiven,
  recorded: RecordSetting,
): Promise<void> {
  requireOwn(config);
  requireRoom(config);
  if (!given.termsAccepted)
    throw new Failure('invalid', 'accept the terms of the certificate authority first', {
      reason: 'terms-not-accepted',
    });
  const { provider = 'dns_a', domain, termsAccepted } = given;
  if (!isTrustedDomain(provider, domain))
    throw new Failure('invalid', 'this name does not have the form of this DNS provider', {
      reason: 'name-not-allowed',
    });
  if (given.token !== undefined && !isTrustedToken(provider, given.token))
    throw new Failure('invalid', 'this is not a token of this DNS provider', { reason: 'token-not-allowed' });
  const address = await privateAddressOf(given.address, questions);
  // The rules between settings are checked again under the lock of the configuration.
  await config.change(
    KEY,
    (saved) => {
      const token = given.token ?? keptToken(saved, provider);
      return JSON.stringify({ provider, domain, token, address, termsAccepted });
    },
    { isInForce: true, recorded, refusal: 'conflict' },
  );
}

/** Returns the saved token. It is for its provider alone, and is sent to no other one. */
function keptToken(saved: TrustedHttps | undefined, provider: TrustedHttps['provider']): string {
  if (saved?.provider === provider) return saved.token;
  throw new Failure('invalid', 'no token is saved for this DNS provider', { reason: 'token-missing' });
}

/** Forgets the setting at once. Throws `Failure('conflict')` if it is managed, or another setting needs it. */
export async function removeTrustedHttps(config: Config, recorded: RecordSetting): Promise<void> {
  requireOwn(config);
  if (config.all().find(({ key }) => key === KEY)?.configured !== true) return;
  await config.saveAll({ [KEY]: '' }, { isInForce: true, recorded, refusal: 'conflict' });
}

/** Refuses it next to remote access, whether that is in force or saved for the next start, and without HTTPS. */
function requireRoom(config: Config): void {
  const isSaved = (key: string, value: string): boolean => config.all().find((one) => one.key === key)?.value === value;
  if (config.get('remote.mode') === 'https' || isSaved('remote.mode', 'https'))
    throw new Failure('conflict', 'remote access is on, which has its own certificate', {
      reason: 'remote-access-on',
    });
  if (!config.get('tls.enabled') || isSaved('tls.enabled', 'false'))
    throw new Failure('conflict', 'the server does not answer over HTTPS', { reason: 'https-off' });
}

async function privateAddressOf(given: string, questions: Pick<NameQuestions, 'hostAddresses'>): Promise<string> {
  const plain = privateIPv4(given);
  if (plain !== undefined) return plain;
  const host = given.trim();
  const found = HOST.test(host) ? await questions.hostAddresses(host) : [];
  const address = found.length === 1 ? privateIPv4(found[0] ?? '') : undefined;
  if (address === undefined)
    throw new Failure('invalid', 'the address is not private, and not the name of exactly one private address', {
      reason: 'address-not-private',
    });
  return address;
}
