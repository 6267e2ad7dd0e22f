/**
 * Questions to the authoritative name servers of a name, without a resolver in between: resolvers keep an answer, and
 * also keep that there was none.
 */
import { Resolver } from 'node:dns/promises';
import { isPublic } from './address.ts';

export interface NameQuestions {
  /**
   * Returns the TXT texts of a name as each authoritative server that answers has them now: an empty list of a server
   * that knows none. Returns no list at all if no server answers.
   */
  txt(name: string): Promise<readonly (readonly string[])[]>;
}

const TIMEOUT_MS = 3_000;
/** A zone has at most 13 servers as a rule; more addresses than this are not asked. */
const MAX_SERVERS = 16;
const NO_RECORD = new Set(['ENODATA', 'ENOTFOUND']);

const resolverAt = (servers?: readonly string[]): Resolver => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
  return resolver;
};

/** `resolver` is an address with or without port, which is asked in place of the authoritative servers. */
export function createNameQuestions({ resolver }: { resolver?: string | undefined } = {}): NameQuestions {
  return {
    txt: async (name) => {
      const servers = resolver === undefined ? await authoritiesOf(name) : [resolver];
      const asked = await Promise.all(servers.map((server) => textsAt(server, name)));
      return asked.filter((texts) => texts !== undefined);
    },
  };
}

async function textsAt(server: string, name: string): Promise<readonly string[] | undefined> {
  try {
    return (await resolverAt([server]).resolveTxt(name)).map((parts) => parts.join(''));
  } catch (error) {
    return NO_RECORD.has((error as NodeJS.ErrnoException).code ?? '') ? [] : undefined;
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
