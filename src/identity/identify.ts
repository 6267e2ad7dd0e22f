/**
 * Finds the Profile that a credential belongs to, on every request: a hash, two map reads and the Profile's windows.
 *
 * A wrong Bearer or link is refused; a stale cookie counts as none, because browsers send it along whatever they ask
 * for. A session and its links hold on the network that the session was opened on, and an API key holds at home.
 * Whether an open reply may continue is judged the same way, from the same rows.
 */
import { WATCHING } from '../contract/kernel/access.ts';
import { type Access, isForProfiles, type Purpose, type Scope } from '../contract/kernel/endpoint.ts';
import { denialFor, type Principal, type ServiceCaller } from '../contract/kernel/principal.ts';
import { isAhead } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import { isSessionOpen, isRecent, mustEnrol, type Core } from './core.ts';
import { isBarred } from './directory/rules.ts';
import type { ServiceTokens } from './directory/tokens.ts';
import { isOnItsDevice, mayOpen } from './household/rules.ts';
import { readTicket, TICKET_MS, writeTicket } from './tickets.ts';
import { hashOf, isToken } from './tokens.ts';
import type { RememberedBrowsers } from './devices/remembered.ts';
import type { CallerOrigin, UncheckedCredentials, KeyRow, Network, ProfileRow, SessionRow } from './types.ts';
import type { Uses } from './uses.ts';
import { hoursOpenUntil } from './viewing/grants.ts';
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
  identify(asked: UncheckedCredentials): Promise<Principal | ServiceCaller | undefined>;
  /**
   * The caller of an open reply as they are now: with the role and policy of this moment. Undefined once it has to end.
   */
  current(by: Principal, access: Access): Principal | undefined;
  makeTicket(given: { by: Principal; purpose: Purpose; item: string }): { ticket: string; expiresAt: number };
}

const refusal = (): Failure =>
  new Failure('unauthenticated', 'these credentials are not valid', { reason: 'credentials-invalid' });

/** A link that an API key made holds where the key does. */
const networkOf = (from: Credential): Network => ('key' in from ? 'local' : from.session.network);

const scopesOf = (from: Credential): 'session' | ReadonlySet<Scope> => {
  if ('key' in from) return new Set(from.key.scopes);
  return from.session.household === undefined ? 'session' : WATCHING;
};

function deny(profile: ProfileRow, network: Network, now: number): Principal['denied'] {
  const { policy } = profile;
  if (network === 'public' && !policy.remote)
    return { reason: 'away-from-home', message: 'this profile may not be used away from home' };
  return isWithinWindows(policy.windows, now) || hoursOpenUntil(profile, now) > now
    ? undefined
    : { reason: 'outside-viewing-window', message: 'this profile may not be used at this time' };
}

/** Whether a key is good. It acts as the Owner who made it, so it opens nothing once that one is not an Owner. */
const isGoodKey = ({ identities, clock }: Core, { profile, expiresAt }: KeyRow): boolean =>
  clock.now() < expiresAt && identities.profiles.get(profile)?.role === 'owner';

/** Returns the session or key with this id, while it is good. */
function credentialWith(core: Core, id: string): Credential | undefined {
  const session = core.identities.sessions.get(id);
  if (session) return isSessionOpen(session, core.clock.now(), core.config) ? { session } : undefined;
  const key = core.identities.keys.get(id);
  return key && isGoodKey(core, key) ? { key } : undefined;
}

export function createIdentifier(
  core: Core,
  { uses, remembered, tokens }: { uses: Uses; remembered: RememberedBrowsers; tokens: Pick<ServiceTokens, 'identify'> },
): Identifier {
  const { identities, clock, config } = core;
  const behind = new WeakMap<Principal, Behind>();

  const principal = (
    from: Credential,
    network: Network,
    link?: { purpose: Purpose; item: string; until: number },
  ): Principal | undefined => {
    const row = 'session' in from ? from.session : from.key;
    const profile = identities.profiles.get(row.profile);
    const household = 'session' in from ? from.session.household : undefined;
    if (!profile || isBarred(identities, profile.id) || networkOf(from) !== network) return undefined;
    if (household !== undefined && !mayOpen(identities, household, profile, network)) return undefined;
    const session = 'session' in from && !link ? from.session : undefined;
    const by: Principal = {
      profile: profile.id,
      name: profile.name,
      // From outside nothing is administered: an Owner is a Viewer who sees everything.
      role: network === 'public' ? 'viewer' : profile.role,
      via: link ? { purpose: link.purpose, item: link.item } : scopesOf(from),
      credential: row.id,
      recent: session !== undefined && household === undefined && isRecent(session.provedAt, clock.now()),
      enrolling: household === undefined && mustEnrol(core, profile, network),
      ...(household !== undefined && { household: true }),
      cookie: session?.kind === 'cookie',
      denied: deny(profile, network, clock.now()),
      policy: core.policyAt(profile),
    };
    behind.set(by, { network, until: link?.until ?? Number.POSITIVE_INFINITY });
    return by;
  };

  /** Returns the caller of a token or link, and notes the use. */
  const used = (from: Credential | undefined, network: Network, link?: Parameters<typeof principal>[2]): Principal => {
    const by = from && principal(from, network, link);
    if (!by) throw refusal();
    uses.of('session' in from ? 'session' : 'key', by.credential);
    return by;
  };

  const byBearer = (token: string, network: Network): Principal => {
    const hash = hashOf(token);
    const session = isToken(token, 'ses') ? identities.sessionOf(hash) : undefined;
    // A browser's session travels in its cookie and in nothing else.
    if (session?.kind === 'token' && isSessionOpen(session, clock.now(), config)) return used({ session }, network);
    const key = isToken(token, 'key') ? identities.keyOf(hash) : undefined;
    if (!key || !isGoodKey(core, key)) throw refusal();
    if (network === 'public')
      throw new Failure('forbidden', 'an API key is accepted on the home network only', { reason: 'key-at-home-only' });
    return used({ key }, network);
  };

  const byTicket = (text: string, network: Network): Principal => {
    const said =
      identities.mark('install-key') === undefined ? undefined : readTicket(core.keyFor('ticket'), text, clock.now());
    if (!said) throw refusal();
    return used(credentialWith(core, said.credential), network, { ...said, until: said.expiresAt });
  };

  const byCookie = async (token: string, from: CallerOrigin): Promise<Principal | undefined> => {
    const hash = hashOf(token);
    const known = isToken(token, 'ses') ? identities.sessionOf(hash) : undefined;
    if (known?.kind !== 'cookie' || known.network !== from.network) return undefined;
    if (!isSessionOpen(known, clock.now(), config)) return undefined;
    const session = known.remembered ? await remembered.meet(known.id, hash, from) : known;
    if (!session || !isOnItsDevice(identities, session, from)) return undefined;
    uses.of('session', session.id);
    const by = principal({ session }, from.network);
    if (by && session.remembered) remembered.note(by, hash);
    return by;
  };

  return {
    async identify({ bearer, ticket, cookie, service, from }) {
      if (service !== undefined) return tokens.identify({ bearer, ticket, cookie, service, from });
      if (bearer !== undefined) return byBearer(bearer, from.network);
      if (ticket !== undefined) return byTicket(ticket, from.network);
      return cookie === undefined ? undefined : byCookie(cookie, from);
    },

    current(by, access) {
      const { network = 'public', until = Number.POSITIVE_INFINITY } = behind.get(by) ?? {};
      const credential = credentialWith(core, by.credential);
      if (
        !credential ||
        clock.now() >= until ||
        (until !== Number.POSITIVE_INFINITY && isAhead(until, clock.now() + TICKET_MS))
      )
        return undefined;
      const link = typeof by.via === 'object' && 'purpose' in by.via ? { ...by.via, until } : undefined;
      const now = principal(credential, network, link);
      if (!now || !isForProfiles(access)) return now;
      if (access.role === 'owner' && now.role !== 'owner') return undefined;
      return (access.enrolling || !now.enrolling) && denialFor(now, access) === undefined ? now : undefined;
    },

    makeTicket: (given) => makeTicketFor(core, given),
  };
}

/** Signs a link for what a caller may do. */
function makeTicketFor(
  core: Core,
  { by, purpose, item }: Parameters<Identifier['makeTicket']>[0],
): ReturnType<Identifier['makeTicket']> {
  const isAllowed = by.via === 'session' || (by.via instanceof Set && by.via.has(SCOPE_OF[purpose]));
  if (!isAllowed)
    throw new Failure('forbidden', `this key lacks the ${SCOPE_OF[purpose]} scope`, { reason: 'scope-missing' });
  const expiresAt = core.clock.now() + TICKET_MS;
  return {
    ticket: writeTicket(core.keyFor('ticket'), { credential: by.credential, purpose, item, expiresAt }),
    expiresAt,
  };
}
