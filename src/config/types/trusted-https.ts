/**
 * The trusted HTTPS object, kept as one secret JSON text in `tls.dns_a`: which DNS provider proves
 * the name, the name, its token, the private address it points at, and that the certificate
 * authority's terms were accepted. The older form had no provider; it is read as the first one.
 */
import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { refuse, type ValueType } from '../setting.ts';
import { parseJson } from './basic.ts';
import { isDnsLabel, isHostname } from './network.ts';

export interface TrustedHttps {
  readonly provider: 'dns_a' | 'dns_b';
  /** dns_a: a lowercase subdomain label. dns_b: a lowercase full host name. */
  readonly domain: string;
  readonly token: string;
  /** A private IPv4 address. */
  readonly address: string;
  readonly termsAccepted: true;
}

type Provider = TrustedHttps['provider'];

/** The zone of the first provider's labels. */
export const DNS_A_ZONE = 'duckdns.org';
const TOKEN_LENGTH = { dns_a: [32, 128], dns_b: [16, 512] } as const;

const DOMAIN_FORM = { dns_a: 'lowercase subdomain label', dns_b: 'lowercase full host name' } as const;

/** Whether a provider could have a name: the first one by its subdomain, the second one by its full name. */
export const isTrustedDomain = (provider: Provider, domain: string): boolean =>
  provider === 'dns_a'
    ? isDnsLabel(domain)
    : domain === domain.toLowerCase() && domain.includes('.') && isHostname(domain);

/** Whether a token has the length and the characters of those of a provider. */
export function isTrustedToken(provider: Provider, token: string): boolean {
  const [least, most] = TOKEN_LENGTH[provider];
  return token.length >= least && token.length <= most && /^[\x21-\x7e]*$/.test(token);
}

const Given = z.strictObject({
  provider: z.enum(['dns_a', 'dns_b']).default('dns_a'),
  domain: z.string(),
  token: z.string(),
  address: z.string(),
  termsAccepted: z.boolean(),
});

export const trustedHttps: ValueType<TrustedHttps> = {
  kind: 'secret',
  says: 'secret JSON object with provider (dns_a or dns_b), domain, token, address and termsAccepted',
  parse(given) {
    if (Buffer.byteLength(given) > 4096) refuse('must have at most 4096 bytes');
    const read = Given.safeParse(parseJson(given, 'a JSON object'));
    if (!read.success)
      refuse('must have domain, token, address and termsAccepted, may have provider, and no other member');
    const { provider, domain, token, address, termsAccepted } = read.data;
    if (!isTrustedDomain(provider, domain)) refuse(`domain must be a ${DOMAIN_FORM[provider]} for ${provider}`);
    const [least, most] = TOKEN_LENGTH[provider];
    if (!isTrustedToken(provider, token))
      refuse(`token must have ${least} to ${most} visible ASCII characters for ${provider}`);
    if (!termsAccepted) refuse('termsAccepted must be true');
    return {
      provider,
      domain,
      token,
      address: privateIPv4(address) ?? refuse('address must be a private IPv4 address'),
      termsAccepted,
    };
  },
  format: (value) => JSON.stringify(value),
};

/** The full name that the certificate is for. */
export const trustedHostname = ({ provider, domain }: TrustedHttps): string =>
  provider === 'dns_a' ? `${domain}.${DNS_A_ZONE}` : domain;

/**
 * A private IPv4 address (RFC 1918) in its usual form, or undefined. Blanks around it and the
 * IPv4-mapped IPv6 form are understood; leading zeros are not, because some read them as octal.
 */
export function privateIPv4(given: string): string | undefined {
  const plain = given.trim().replace(/^::ffff:/i, '');
  if (!isIPv4(plain)) return undefined;
  const [a = 0, b = 0] = plain.split('.').map(Number);
  return a === 10 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168) ? plain : undefined;
}
