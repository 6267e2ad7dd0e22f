/**
 * The login of `subtitles_c`: made once, stored for twelve hours across restarts, and renewed only after it was
 * refused.
 *
 * The provider allows ten wrong logins. So after the first refusal the same credentials are not sent again for a day.
 * Changed credentials are sent. Callers that need a login at the same time share one.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { untilAborted } from '../../lib/coalesce.ts';
import { fault } from './faults.ts';
import { type ProviderReply, isLoopbackName, type Outbound } from './outbound.ts';
import type { ProviderMemory } from './provider.ts';
import { readLine } from './fields.ts';

export interface Login {
  token: string;
  /** Base address for calls with this login. Some accounts have a separate host. */
  base: URL;
}

export interface LoginNeeds {
  outbound: Outbound;
  base: URL;
  credentials: { apiKey: string; username: string; password: string };
  memory: ProviderMemory;
  clock: Clock;
  /** Sends the user name and password to the configured host, and returns the reply unchecked. */
  post(json: { username: string; password: string }, signal: AbortSignal): Promise<ProviderReply>;
  /** Returns the fault that a refused reply means. */
  faultOf(answer: ProviderReply): Error;
}

export interface Logins {
  get(signal: AbortSignal): Promise<Login>;
  /** Returns a login after `stale` was refused: one that was made in the meantime, or a new one. */
  renew(stale: Login, signal: AbortSignal): Promise<Login>;
  /** Returns the stored login, without making one. */
  current(): Promise<Login | undefined>;
}

const HOUR_MS = 3_600_000;
const LOGIN_LIFETIME_MS = 12 * HOUR_MS;
const REFUSAL_LIFETIME_MS = 24 * HOUR_MS;
const name = 'subtitles_c' as const;

const Kept = z.strictObject({
  mark: z.string(),
  token: z.string().optional(),
  host: z.string().optional(),
  until: z.number(),
});
type Kept = z.infer<typeof Kept>;

export function createLogins(needs: LoginNeeds): Logins {
  const { base, clock, credentials, memory } = needs;
  // Stored with the token, so that a token never outlives a change of the credentials or the address.
  const mark = createHash('sha256')
    .update(JSON.stringify([base.href, credentials.apiKey, credentials.username, credentials.password]))
    .digest('hex');
  let kept: Kept | undefined;
  let isLoaded = false;
  let making: Promise<Login> | undefined;

  const load = async (): Promise<Kept | undefined> => {
    if (!isLoaded) {
      const read = parse(await memory.read(name));
      kept ??= read?.mark === mark ? read : undefined;
      isLoaded = true;
    }
    if (kept !== undefined && (kept.until <= clock.now() || kept.until > clock.now() + REFUSAL_LIFETIME_MS))
      kept = undefined;
    return kept;
  };
  const keep = async (value: Kept) => {
    kept = value;
    await memory.write(name, JSON.stringify(value));
  };
  const asLogin = (value: Kept): Login | undefined =>
    value.token === undefined ? undefined : { token: value.token, base: hostOf(value.host, needs) };

  const make = async (): Promise<Login> => {
    const made = await ask(needs);
    await keep({ mark, ...made });
    if (made.token === undefined) throw fault('bad-credentials');
    return { token: made.token, base: hostOf(made.host, needs) };
  };
  const shared = (signal: AbortSignal): Promise<Login> => {
    making ??= make().finally(() => (making = undefined));
    return untilAborted(making, signal);
  };

  return {
    get: async (signal) => {
      const value = await load();
      if (!value) return shared(signal);
      const login = asLogin(value);
      if (!login) throw fault('bad-credentials', { resetAt: value.until });
      return login;
    },
    renew: async (stale, signal) => {
      const value = await load();
      const login = value && asLogin(value);
      if (login && login.token !== stale.token) return login;
      if (value && !login) throw fault('bad-credentials', { resetAt: value.until });
      if (!making) {
        kept = undefined;
        await memory.forget(name);
      }
      return shared(signal);
    },
    current: async () => {
      const value = await load();
      return value && asLogin(value);
    },
  };
}

/** Logs in once. A refusal is returned, because it has to be stored too; any other failure is thrown. */
async function ask({ clock, credentials, faultOf, post }: LoginNeeds): Promise<Omit<Kept, 'mark'>> {
  // Waiting callers share this call, so it has its own time limit and none of them ends it.
  const answer = await post(
    { username: credentials.username, password: credentials.password },
    AbortSignal.timeout(20_000),
  );
  const json = answer.json ?? {};
  const token = answer.status === 200 ? json['token'] : undefined;
  if (typeof token === 'string' && /^[\x21-\x7e]{8,4096}$/.test(token)) {
    const host = readLine(json['base_url'], 255);
    return { token, until: clock.now() + LOGIN_LIFETIME_MS, ...(host === undefined ? {} : { host }) };
  }
  const status = answer.status === 200 && typeof json['status'] === 'number' ? json['status'] : answer.status;
  if (status === 401) return { until: clock.now() + REFUSAL_LIFETIME_MS };
  throw faultOf(answer);
}

/** Returns the account's host if it belongs to the provider. Any other host is ignored and gets no token. */
function hostOf(host: string | undefined, { base, outbound }: LoginNeeds): URL {
  if (host === undefined || !/^[a-z0-9.-]{1,253}(?::\d{1,5})?$/i.test(host)) return base;
  const port = /:\d+$/.test(host) || base.port === '' || isLoopbackName(base.hostname) ? '' : `:${base.port}`;
  const url = outbound.own(`${base.protocol}//${host}${port}${base.pathname}`);
  if (!url || (isLoopbackName(base.hostname) && url.port === '')) return base;
  return url;
}

function parse(value: string | undefined): Kept | undefined {
  try {
    return value === undefined ? undefined : Kept.parse(JSON.parse(value));
  } catch {
    // The value is damaged or of another version. That only costs a login.
    return undefined;
  }
}
