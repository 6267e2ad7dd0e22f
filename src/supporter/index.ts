/**
 * Supporters. The service that recognises them is asked only when an Owner enters a key, and receives only the key.
 *
 * Protocol: POST of `{"key": …}` as JSON. 200 recognises it, and may say in `until` when that ends; 400, 403, 404, 409,
 * 410 and 422 do not. Every other reply is a failure of the service.
 */
import type { Activity } from '../activity/index.ts';
import type { Config } from '../config/index.ts';
import { isLoopbackHost } from '../config/index.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import type { Supporter } from '../contract/supporter/supporter.ts';
import { type Clock, iso } from '../lib/clock.ts';
import type { Database } from '../lib/db/index.ts';
import { Failure } from '../lib/failure.ts';
import { createLock } from '../lib/lock.ts';
import { type Net, NetFailure, type NetReply } from '../lib/net.ts';
import { type Support, supporterStore } from './store.ts';

export { supporterMigrations } from './store.ts';

const TIMEOUT_MS = 15_000;
const MAX_REPLY_BYTES = 16 * 1024;
const UNKNOWN_KEY: ReadonlySet<number> = new Set([400, 403, 404, 409, 410, 422]);
/** Longer than any subscription. */
const MAX_ACTIVE_MS = 20 * 366 * 86_400_000;

export interface Supporters {
  read(): Promise<Supporter>;
  /** Fails as `invalid` if the key is not recognised, as `unavailable` if nothing is known of it. */
  activate(given: { key: string; name?: string | undefined }, by: Principal): Promise<Supporter>;
}

const unreachable = (detail: string, cause?: unknown): Failure =>
  new Failure(
    'unavailable',
    `supporters cannot be recognised right now: ${detail}`,
    { reason: 'supporter-unreachable' },
    { cause },
  );

export function createSupporters({
  db,
  net,
  clock,
  config,
  activity,
}: {
  db: Database;
  net: Pick<Net, 'request'>;
  clock: Clock;
  config: Pick<Config, 'get'>;
  activity: Pick<Activity, 'recorded'>;
}): Supporters {
  const store = supporterStore(db);
  const lock = createLock();

  const shown = (support: Support | undefined): Supporter => {
    const url = config.get('supporter.url');
    if (!support || (support.until !== undefined && support.until <= clock.now())) return { active: false, url };
    return {
      active: true,
      since: iso(support.since),
      ...(support.name !== undefined && { name: support.name }),
      ...(support.until !== undefined && { until: iso(support.until) }),
      url,
    };
  };

  const ask = async (key: string): Promise<NetReply> => {
    const address = new URL(config.get('supporter.activation_url'));
    try {
      return await net.request({
        url: address,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ key }),
        allowLoopback: isLoopbackHost(address.hostname),
        maxBytes: MAX_REPLY_BYTES,
        timeoutMs: TIMEOUT_MS,
      });
    } catch (error) {
      if (error instanceof NetFailure) throw unreachable(error.message, error);
      throw error;
    }
  };

  return {
    read: async () => shown(await store.read()),
    activate: ({ key, name }, by) =>
      lock.run(async () => {
        const { status, bytes } = await ask(key);
        if (UNKNOWN_KEY.has(status))
          throw new Failure('invalid', 'the key is not recognised', { reason: 'supporter-key-unknown' });
        if (status !== 200) throw unreachable(`status ${status}`);
        const now = clock.now();
        const until = endIn(bytes, now);
        if (until !== undefined && until <= now)
          throw new Failure('invalid', 'the key is no longer valid', { reason: 'supporter-key-unknown' });
        const before = shown(await store.read());
        const support: Support = { since: before.since === undefined ? now : Date.parse(before.since), until, name };
        await store.replace(support, activity.recorded({ kind: 'supporter-activated', outcome: 'done', by }));
        return shown(support);
      }),
  };
}

/** Returns when support ends, from the reply of the service; undefined if it says nothing of it. */
function endIn(bytes: Buffer, now: number): number | undefined {
  if (bytes.length === 0) return undefined;
  let reply: unknown;
  try {
    reply = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw unreachable('the reply is not JSON', error);
  }
  const until = typeof reply === 'object' && reply !== null ? (reply as { until?: unknown }).until : undefined;
  if (until === undefined || until === null) return undefined;
  const at = typeof until === 'string' ? Date.parse(until) : Number.NaN;
  if (!(Math.abs(at - now) <= MAX_ACTIVE_MS)) throw unreachable('the reply has an end that is no time');
  return at;
}
