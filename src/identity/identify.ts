/**
 * Finds the Profile that a credential belongs to, on every request: a hash, two map reads and the Profile's windows.
 *
 * A wrong Bearer or link is refused; a stale cookie counts as none, because browsers send it along whatever they ask
 * for.
 * Whether an open reply may continue is judged the same way, from the same rows.
 */
import type { Access, Purpose, Scope } from '../contract/kernel/endpoint.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import { isAhead } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import { isSessionOpen, isRecent, mustEnrol, type Core } from './core.ts';
import { readTicket, TICKET_MS, writeTicket } from './tickets.ts';
import { hashOf, isToken } from './tokens.ts';
import type { UncheckedCredentials, KeyRow, Network, ProfileRow, SessionRow } from './types.ts';
import type { Uses } from './uses.ts';
import { isWithinWindows } from './windows.ts';

/** The scope a key needs to make a link, or to go on using one. */
const SCOPE_OF: { [P in Purpose]: Scope } = {
  media: 'stream',
  subtitle: 'stream',
  download: 'download',
  art: 'library',
};

type Credential = { session: SessionRow } | { key: KeyRow };

/**
 * Facts that a later check needs and a principal does not have: where the request came from, and when its link ends.
 */
interface Behind {
  network: Network;
  until: number;
}

export interface Identifier {
  identify(asked: UncheckedCredentials): Promise<Principal | undefined>;
  /**
   * The caller of an open reply as they are now: with the role and policy of this moment. Undefined once it has to end.
   */
  current(by: Principal, access: Access): Principal | undefined;
  makeTicket(given: { by: Principal; purpose: Purpose; item: string }): { ticket: string; expiresAt: number };
}

const refuse = (): never => {
  throw new Failure('unauthenticated', 'these credentials are not valid', { reason: 'credentials-invalid' });
};

export function createIdentifier(core: Core, uses: Uses): Identifier {
  const { identities, clock, config } = core;
  const behind = new WeakMap<Principal, Behind>();

  /** The session or key with this id, while it is good. */
  const credentialOf = (id: string): Credential | undefined => {
    const session = identities.sessions.get(id);
    if (session) return isSessionOpen(session, clock.now()) ? { session } : undefined;
    const key = identities.keys.get(id);
    return key && isGood(key) ? { key } : undefined;
  };
  // A key acts as the Owner who made it, so it is good for nothing once that one is not an Owner.
  const isGood = (key: KeyRow): boolean =>
    clock.now() < key.expiresAt && identities.profiles.get(key.profile)?.role === 'owner';

  const deny = (profile: ProfileRow, network: Network): Principal['denied'] => {
    if (network === 'public' && !profile.policy.remote)
      return { reason: 'away-from-home', message: 'this profile may not be used away from home' };
    return isWithinWindows(profile.policy.windows, clock.now())
      ? undefined
      : { reason: 'outside-viewing-window', message: 'this profile may not be used at this time' };
  };

  const principal = (
    from: Credential,
    network: Network,
    link?: { purpose: Purpose; item: string; until: number },
  ): Principal | undefined => {
    const row = 'session' in from ? from.session : from.key;
    const profile = identities.profiles.get(row.profile);
    if (!profile) return undefined;
    const session = 'session' in from && !link ? from.session : undefined;
    const by: Principal = {
      profile: profile.id,
      name: profile.name,
      role: profile.role,
      via: link ? { purpose: link.purpose, item: link.item } : 'key' in from ? new Set(from.key.scopes) : 'session',
      credential: row.id,
      recent: session !== undefined && isRecent(session.provedAt, clock.now()),
      enrolling: mustEnrol(config, profile),
      cookie: session?.kind === 'cookie',
      denied: deny(profile, network),
      policy: profile.policy,
    };
    behind.set(by, { network, until: link?.until ?? Number.POSITIVE_INFINITY });
    return by;
  };

  const byBearer = (token: string, network: Network): Principal => {
    const hash = hashOf(token);
    const session = isToken(token, 'ses') ? identities.sessionOf(hash) : undefined;
    // A browser's session travels in its cookie and in nothing else.
    if (session?.kind === 'token' && isSessionOpen(session, clock.now()))
      return (uses.of('session', session.id), principal({ session }, network) ?? refuse());
    const key = isToken(token, 'key') ? identities.keyOf(hash) : undefined;
    if (key && isGood(key)) return (uses.of('key', key.id), principal({ key }, network) ?? refuse());
    return refuse();
  };

  const byTicket = (text: string, network: Network): Principal => {
    const said =
      identities.mark('install-key') === undefined ? undefined : readTicket(core.keyFor('ticket'), text, clock.now());
    const credential = said && credentialOf(said.credential);
    if (!said || !credential) return refuse();
    uses.of('session' in credential ? 'session' : 'key', said.credential);
    return (
      principal(credential, network, { purpose: said.purpose, item: said.item, until: said.expiresAt }) ?? refuse()
    );
  };

  const byCookie = (token: string, network: Network): Principal | undefined => {
    const session = isToken(token, 'ses') ? identities.sessionOf(hashOf(token)) : undefined;
    if (session?.kind !== 'cookie' || !isSessionOpen(session, clock.now())) return undefined;
    uses.of('session', session.id);
    return principal({ session }, network);
  };

  return {
    async identify({ bearer, ticket, cookie, from }) {
      if (bearer !== undefined) return byBearer(bearer, from.network);
      if (ticket !== undefined) return byTicket(ticket, from.network);
      return cookie === undefined ? undefined : byCookie(cookie, from.network);
    },

    current(by, access) {
      const { network = 'public', until = Number.POSITIVE_INFINITY } = behind.get(by) ?? {};
      const credential = credentialOf(by.credential);
      if (
        !credential ||
        clock.now() >= until ||
        (until !== Number.POSITIVE_INFINITY && isAhead(until, clock.now() + TICKET_MS))
      )
        return undefined;
      const link = typeof by.via === 'object' && 'purpose' in by.via ? { ...by.via, until } : undefined;
      const now = principal(credential, network, link);
      if (!now || access === 'public') return now;
      if (access.role === 'owner' && now.role !== 'owner') return undefined;
      return access.enrolling === true || (!now.enrolling && now.denied === undefined) ? now : undefined;
    },

    makeTicket({ by, purpose, item }) {
      const isAllowed = by.via === 'session' || (by.via instanceof Set && by.via.has(SCOPE_OF[purpose]));
      if (!isAllowed)
        throw new Failure('forbidden', `this key lacks the ${SCOPE_OF[purpose]} scope`, { reason: 'scope-missing' });
      const expiresAt = clock.now() + TICKET_MS;
      return {
        ticket: writeTicket(core.keyFor('ticket'), { credential: by.credential, purpose, item, expiresAt }),
        expiresAt,
      };
    },
  };
}
