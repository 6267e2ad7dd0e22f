/**
 * Questions to the authoritative name servers of a name, without a resolver in between: resolvers keep an answer, and
 * also keep that there was none. Also what this network and this machine say about a name.
 */
import { lookup, Resolver } from 'node:dns/promises';
import { isPublic } from './address.ts';

export interface NameQuestions {
  /**
   * Returns the TXT texts of a name as each authoritative server that answers has them now: an empty list of a server
   * that knows none. Returns no list at all if no server answers.
   */
  txt(name: string): Promise<readonly (readonly string[])[]>;
  /** Returns the IPv4 addresses of a name, in the same form. */
  addresses(name: string): Promise<readonly (readonly string[])[]>;
  /**
   * Returns the IPv4 addresses of a name by the name server that this machine uses, which is the router in most homes.
   * Returns undefined if that does not answer.
   */
  addressesHere(name: string): Promise<readonly string[] | undefined>;
  /** Returns the IPv4 addresses of a host by all means of this machine; none if it is unknown. */
  hostAddresses(host: string): Promise<readonly string[]>;
}

const TIMEOUT_MS = 3_000;
/** A zone has at most 13 servers as a rule; more addresses than this are not asked. */
const MAX_SERVERS = 16;
const NO_RECORD = new Set(['ENODATA', 'ENOTFOUND']);
/** Some routers refuse a name that leads to a private address, in place of dropping the address. */
const NO_RECORD_HERE = new Set([...NO_RECORD, 'EREFUSED']);

const resolverAt = (servers?: readonly string[]): Resolver => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
  return resolver;
};

export interface NameServers {
  /** Name server with or without port that is asked in place of the authoritative ones. */
  resolver?: string | undefined;
  /** The same in place of the one that this machine uses. */
  system?: string | undefined;
}

export function createNameQuestions({ resolver, system }: NameServers = {}): NameQuestions {
  /** Asks every authoritative server; a record that it does not have is an empty list. */
  const askAll = async (
    name: string,
    ask: (server: Resolver) => Promise<readonly string[]>,
  ): Promise<readonly (readonly string[])[]> => {
    const servers = resolver === undefined ? await authoritiesOf(name) : [resolver];
    const asked = await Promise.all(servers.map((server) => known(ask(resolverAt([server])), NO_RECORD)));
    return asked.filter((found) => found !== undefined);
  };
  return {
    txt: (name) => askAll(name, async (server) => (await server.resolveTxt(name)).map((parts) => parts.join(''))),
    addresses: (name) => askAll(name, (server) => server.resolve4(name)),
    addressesHere: (name) =>
      known(resolverAt(system === undefined ? undefined : [system]).resolve4(name), NO_RECORD_HERE),
    hostAddresses: async (host) => {
      const found = await lookup(host, { family: 4, all: true }).catch(() => []);
      return [...new Set(found.map(({ address }) => address))];
    },
  };
}

/** Returns the records of a reply, an empty list if there are none by it, and undefined if there is no reply. */
async function known(
  reply: Promise<readonly string[]>,
  none: ReadonlySet<string>,
): Promise<readonly string[] | undefined> {
  try {
    return await reply;
  } catch (error) {
    return none.has((error as NodeJS.ErrnoException).code ?? '') ? [] : undefined;
  }
}

/** The addresses of the servers of the zone that a name is in. Addresses at home are not asked. */
async function authoritiesOf(name: string): Promise<string[]> {
  const system = resolverAt();
  const labels = name.split('.');
  for (let at = 0; at < labels.length - 1; at += 1) {
    const found = await system.resolveNs(labels.slice(at).join('.')).catch(() => []);
    if (found.length === 0) continue;
    const addresses = await Promise.all(found.map((server) => system.resolve4(server).catch(() => [])));
    return [...new Set(addresses.flat())].filter(isPublic).slice(0, MAX_SERVERS);
  }
  return [];
}
