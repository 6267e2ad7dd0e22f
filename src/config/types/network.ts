/** Addresses to listen on, host names, DNS labels and URLs. */
import { isIP, isIPv4 } from 'node:net';
import { parseList } from './basic.ts';
import { refuse, type ValueType } from '../setting.ts';

export interface ListenAddress {
  /** A host name or IP address; blank listens on every address. */
  host: string;
  /** 0 to 65535, where 0 lets the system choose. */
  port: number;
}

/** `127.0.0.1:38128`, `[::1]:38128`, `name:38128` or `:8443`. */
export const listenAddress: ValueType<ListenAddress> = {
  kind: 'address',
  says: 'address and port such as 127.0.0.1:38128, or :8443 for every address',
  parse(given) {
    const colon = given.lastIndexOf(':');
    const port = given.slice(colon + 1);
    if (colon < 0 || !/^(?:0|[1-9]\d{0,4})$/.test(port) || Number(port) > 65535)
      refuse('must be an address with a port from 0 to 65535');
    return { host: listenHost(given.slice(0, colon)), port: Number(port) };
  },
};

function listenHost(given: string): string {
  if (given === '') return '';
  if (given.startsWith('[') && given.endsWith(']')) {
    const inside = given.slice(1, -1);
    return isIP(inside) === 6 ? inside : refuse('must have an IPv6 address between its brackets');
  }
  return isIPv4(given) || isHostname(given) ? given : refuse('must name a host or an address before its port');
}

/** One DNS label: letters, digits and hyphens, not at either end, at most 63. */
export const isDnsLabel = (given: string): boolean =>
  /^[a-z0-9-]{1,63}$/.test(given) && !given.startsWith('-') && !given.endsWith('-');

/** A host name of labels joined by dots, in either case; not something that reads as an address. */
export function isHostname(given: string): boolean {
  const labels = given.toLowerCase().split('.');
  return given.length <= 253 && labels.every(isDnsLabel) && !/^\d+$/.test(labels.at(-1) ?? '');
}

export const dnsLabel: ValueType<string> = {
  kind: 'dns-label',
  says: 'lowercase DNS label',
  parse: (given) =>
    isDnsLabel(given) ? given : refuse('must be a lowercase DNS label of at most 63 letters, digits and hyphens'),
};

/** A JSON list of at most `most` host names and addresses, in lower case and each once. */
export const hosts = (most: number): ValueType<readonly string[]> => ({
  kind: 'list',
  says: `JSON list of at most ${most} host names or addresses`,
  parse(given) {
    const found = parseList(given, most).map((entry) =>
      typeof entry === 'string' && (isIP(entry) || isHostname(entry))
        ? entry.toLowerCase()
        : refuse('must list host names and addresses only'),
    );
    if (new Set(found).size !== found.length) refuse('must not name the same host twice');
    return found;
  },
  format: (value) => JSON.stringify(value),
});

export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));

const SCHEMES = {
  /** https, and http to this machine only. */
  provider: {
    says: 'https URL, or http on loopback',
    accepts: (url: URL) => url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname)),
  },
  https: { says: 'https URL', accepts: (url: URL) => url.protocol === 'https:' },
  /** For devices at home that know no certificates. */
  home: { says: 'http or https URL', accepts: (url: URL) => url.protocol === 'https:' || url.protocol === 'http:' },
} as const;

/** An absolute URL, kept as it was written. `endsWith` asks for the last part of its path, `path` for all of it. */
export const url = (
  scheme: keyof typeof SCHEMES,
  { endsWith, path }: { endsWith?: string; path?: string } = {},
): ValueType<string> => {
  const { says, accepts } = SCHEMES[scheme];
  return {
    kind: 'url',
    says:
      path !== undefined
        ? `${says} with the path ${path}`
        : endsWith === undefined
          ? says
          : `${says} that ends in /${endsWith}`,
    parse(given) {
      if (given.length > 2048) refuse('must have at most 2048 characters');
      // The parser drops tabs and line breaks and turns a backslash round; what it reads must be what was written.
      if (!/^[\x21-\x7e]+$/.test(given) || given.includes('\\') || !/^https?:\/\/[^/?#]/i.test(given))
        refuse(`must be an absolute ${says}`);
      const read = URL.parse(given) ?? refuse(`must be an absolute ${says}`);
      if (!accepts(read)) refuse(`must be an absolute ${says}`);
      if (read.username !== '' || read.password !== '' || (given.slice(8).split(/[/?]/, 1)[0] ?? '').includes('@'))
        refuse('must not contain a user name or password');
      if (given.includes('#')) refuse('must not have a fragment');
      if (endsWith !== undefined && (!read.pathname.endsWith(`/${endsWith}`) || read.search !== ''))
        refuse(`must end in /${endsWith}`);
      if (path !== undefined && (read.pathname !== path || given.includes('?'))) refuse(`must have the path ${path}`);
      return given;
    },
  };
};

/** A PostgreSQL address with its credentials, so a secret. */
export const databaseUrl: ValueType<string> = {
  kind: 'secret',
  says: 'secret postgres:// or postgresql:// URL',
  parse(given) {
    if (given.length > 4096) refuse('must have at most 4096 characters');
    if (!/^postgres(?:ql)?:\/\/[\x21-\x7e]+$/.test(given) || !URL.canParse(given))
      refuse('must be a postgres:// or postgresql:// URL');
    return given;
  },
};
