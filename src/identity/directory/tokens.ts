/**
 * Tokens of services: who calls with one, when it was last used, and that it is about to end.
 *
 * A service has one token, in the settings. It is compared in constant time, and a wrong one costs the network that
 * sends it, apart from the sign-ins there: a directory whose token has ended asks again and again, and must not keep
 * the household out.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Service } from '../../contract/kernel/endpoint.ts';
import type { Principal, ServiceCaller } from '../../contract/kernel/principal.ts';
import type { IdentityFinding } from '../../contract/identity/findings.ts';
import { iso } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { DAY, type Core } from '../core.ts';
import { networkBuckets } from '../proof/throttle.ts';
import { hashOf, newToken } from '../tokens.ts';
import type { CallerOrigin, ServiceTokenRow, Step, UncheckedCredentials } from '../types.ts';
import type { Uses } from '../uses.ts';

/** Days before the end of a token at which an Owner is notified. */
const ANNOUNCED_DAYS = [14, 7, 1] as const;

/** The token of a service as the settings have it. */
interface TokenInForce {
  hash: string;
  expiresAt: number;
}

export interface ServiceTokens {
  /** Returns the service that calls. Throws `Failure('unauthenticated')`, and `Failure('throttled')` after guesses. */
  identify(asked: UncheckedCredentials & { service: Service }): Promise<ServiceCaller>;
  /** Throws unless the token of a caller is still in force. Called under the lock of changes. */
  requireInForce(by: ServiceCaller): void;
  /** When the token ends and was last used; undefined without one. */
  state(service: Service): { expiresAt: number; isExpired: boolean; lastUsedAt: number | undefined } | undefined;
  /**
   * Takes note of the token in the settings, and announces that it is about to end. `change` is recorded with it: an
   * Owner has made or ended the token.
   */
  settle(change?: {
    kind: 'directory-token-created' | 'directory-token-revoked';
    by: Principal;
    from: CallerOrigin;
  }): Promise<void>;
  findings(): IdentityFinding[];
}

const wrong = (): Failure =>
  new Failure('unauthenticated', 'this token is not valid', { reason: 'credentials-invalid' });

/** The last of the announced days that has come; 0 once the token has ended. */
function dueDays({ expiresAt }: TokenInForce, now: number): number | undefined {
  if (now >= expiresAt) return 0;
  return ANNOUNCED_DAYS.findLast((days) => now >= expiresAt - days * DAY);
}

export function createServiceTokens(core: Core, uses: Uses): ServiceTokens {
  const { config, clock, identities, throttle } = core;
  /** Hash to compare with while there is no token, so that both cases do the same work. */
  const none = hashOf(newToken('ses'));

  const inForce = (_service: Service): TokenInForce | undefined => {
    const [token, expiresAt] = [
      config.get('integrations.scim.token'),
      config.get('integrations.scim.token_expires_at'),
    ];
    return token === undefined || expiresAt === undefined ? undefined : { hash: hashOf(token), expiresAt };
  };
  const rowOf = (service: Service, { hash, expiresAt }: TokenInForce): ServiceTokenRow | undefined => {
    const row = identities.serviceTokens.get(service);
    return row?.hash === hash && row.expiresAt === expiresAt ? row : undefined;
  };
  const requireUnexpired = ({ expiresAt }: TokenInForce): void => {
    if (clock.now() >= expiresAt)
      throw new Failure('unauthenticated', 'this token has expired', { reason: 'service-token-expired' });
  };

  return {
    identify: async ({ service, bearer, from }) => {
      if (bearer === undefined)
        throw new Failure('unauthenticated', 'the token of the service is needed', { reason: 'sign-in-required' });
      const attempt = throttle.take(
        networkBuckets(from.address).map((bucket) => ({ ...bucket, key: `${service} ${bucket.key}` })),
      );
      const token = inForce(service);
      const hash = hashOf(bearer);
      if (!timingSafeEqual(Buffer.from(hash), Buffer.from(token?.hash ?? none)) || !token) {
        await core.refused({ kind: 'directory-refused', from });
        throw wrong();
      }
      attempt.refund();
      requireUnexpired(token);
      uses.of('service', hash);
      return { service, credential: hash };
    },
    requireInForce: ({ service, credential }) => {
      const token = inForce(service);
      if (token?.hash !== credential) throw wrong();
      requireUnexpired(token);
    },
    state: (service) => {
      const token = inForce(service);
      if (!token) return undefined;
      const { expiresAt } = token;
      return { expiresAt, isExpired: clock.now() >= expiresAt, lastUsedAt: rowOf(service, token)?.lastUsedAt };
    },
    settle: (change) =>
      core.change(() => {
        const token = inForce('directory');
        const noted = token ? noteSteps(core, token, rowOf('directory', token)) : [];
        const said = change ? [core.audit({ ...change, outcome: 'done' })] : [];
        return { steps: [...noted, ...said], result: undefined };
      }),
    findings: () => findingsOf(inForce('directory'), clock.now()),
  };
}

/** The steps that note a token which is new, or announce that one is about to end. */
function noteSteps(core: Core, token: TokenInForce, row: ServiceTokenRow | undefined): Step[] {
  const due = dueDays(token, core.clock.now());
  // A new token announces no day that has come already: the Owner who made it knows.
  if (!row)
    return [
      { put: 'service-token', row: { service: 'directory', ...token, lastUsedAt: undefined, announcedDays: due } },
    ];
  if (due === undefined || due >= (row.announcedDays ?? Number.POSITIVE_INFINITY)) return [];
  const finding = due === 0 ? 'directory-token-expired' : 'directory-token-expiring';
  const details = { finding, days: due, until: iso(token.expiresAt) };
  return [
    { put: 'service-token', row: { ...row, announcedDays: due } },
    core.audit({ kind: 'expiring', outcome: 'done', via: 'server', details }),
  ];
}

function findingsOf(token: TokenInForce | undefined, now: number): IdentityFinding[] {
  const due = token && dueDays(token, now);
  if (!token || due === undefined) return [];
  const common = { subject: 'Directory (SCIM)', setting: 'integrations.scim.token_expires_at' };
  if (due === 0)
    return [
      {
        ...common,
        level: 'error',
        code: 'directory-token-expired',
        sentence: 'The directory token has expired, so the directory no longer manages Profiles here.',
        values: {},
      },
    ];
  const days = Math.max(1, Math.ceil((token.expiresAt - now) / DAY));
  return [
    {
      ...common,
      level: 'warning',
      code: 'directory-token-expiring',
      sentence: `The directory token expires in ${days === 1 ? 'a day' : `${days} days`}.`,
      values: { days },
    },
  ];
}
