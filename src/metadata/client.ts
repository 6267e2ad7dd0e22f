/**
 * Sends requests to TMDB, version 3 of its API.
 *
 * A request fails only with a `Failure` whose message holds nothing of the reply, of the address or of the credential.
 * After 429 no request is sent until the time that the service states. While the service is down the pause grows from
 * one minute to an hour, and after a refused credential it is 24 hours; `test` is sent in spite of a pause.
 */
import type { z } from 'zod';
import { isLoopbackHost } from '../config/index.ts';
import type { MetadataFault } from '../contract/metadata/reasons.ts';
import type { Clock } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import type { Log } from '../lib/log.ts';
import { type Net, NetFailure, type NetFault, type NetReply, retryAfterMs } from '../lib/net.ts';
import { createRequestPace } from './pace.ts';
import { Authentication } from './replies.ts';

const MINUTE_MS = 60_000;
const MAX_PAUSE_MS = 60 * MINUTE_MS;
const REFUSED_PAUSE_MS = 24 * MAX_PAUSE_MS;
const USUAL_LIMIT_PAUSE_MS = 10_000;
/** A season with 500 episodes and their guests has 3 MiB. */
const MAX_REPLY_BYTES = 8 * 1024 * 1024;
const MAX_PICTURE_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 15_000;

export interface ClientNeeds {
  net: Pick<Net, 'request'>;
  clock: Clock;
  log: Log;
  url: string | undefined;
  imageUrl: string | undefined;
  token: string | undefined;
  /** Time limit of one request in milliseconds; shortened by tests. */
  timeoutMs?: number;
}

export interface MetadataClient {
  readonly isConfigured: boolean;
  /** Returns a reply that has this shape; undefined if the service has no such page. */
  read<T>(request: ReadRequest<T>, signal: AbortSignal): Promise<T | undefined>;
  /** Returns the bytes of a picture; undefined if there is none at this path. */
  picture(size: string, path: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Returns the milliseconds until requests are sent again; 0 while none are held back. */
  pausedFor(): number;
  /** Checks the credential, and ends a pause if it is accepted. */
  test(signal: AbortSignal): Promise<void>;
}

export interface ReadRequest<T> {
  /** Path below the API's address: `/movie/603`. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  shape: z.ZodType<T>;
}

/** Reasons of requests that brought no reply; the provider is not reachable for all others. */
const NET_REASONS: Partial<Record<NetFault, MetadataFault>> = {
  address: 'metadata-address-refused',
  unresolved: 'metadata-unresolved',
  tls: 'metadata-certificate',
  timeout: 'metadata-late',
};

/** A provider that cannot be used now. */
export class MetadataUnavailable extends Failure {
  declare readonly reason: MetadataFault;
  constructor(reason: MetadataFault, message: string) {
    super('unavailable', message, { reason });
    this.name = 'MetadataUnavailable';
  }
}

/** Whether a credential is a version 3 key, which is sent in the address. All others are Bearer tokens. */
const isKey = (token: string): boolean => /^[0-9a-f]{32}$/i.test(token);

export function createMetadataClient(needs: ClientNeeds): MetadataClient {
  const { net, clock, log, url, imageUrl, token, timeoutMs = TIMEOUT_MS } = needs;
  const pace = createRequestPace(clock);
  let pause: { until: number; reason: MetadataFault; message: string } | undefined;
  let failures = 0;

  const pauseFor = (ms: number, reason: MetadataFault, message: string): Failure => {
    pause = { until: clock.now() + ms, reason, message };
    log.warn('metadata.paused', { seconds: Math.round(ms / 1000), because: message });
    return new MetadataUnavailable(reason, message);
  };
  const isDown = (reason: MetadataFault, message: string): Failure =>
    pauseFor(Math.min(MAX_PAUSE_MS, MINUTE_MS * 2 ** Math.min(failures++, 6)), reason, message);

  const send = async (
    address: URL,
    { isPicture = false, isPausedIgnored = false },
    signal: AbortSignal,
  ): Promise<NetReply> => {
    const refuseInPause = (): void => {
      if (!isPausedIgnored && pause && clock.now() < pause.until)
        throw new MetadataUnavailable(pause.reason, pause.message);
    };
    refuseInPause();
    const headers: Record<string, string> = { accept: isPicture ? 'image/*' : 'application/json' };
    if (!isPicture && token !== undefined)
      if (isKey(token)) address.searchParams.set('api_key', token);
      else headers['authorization'] = `Bearer ${token}`;
    return pace(async () => {
      // Another request may have been refused while this one waited.
      refuseInPause();
      try {
        return await net.request(
          {
            url: address,
            headers,
            allowLoopback: isLoopbackHost(address.hostname),
            maxBytes: isPicture ? MAX_PICTURE_BYTES : MAX_REPLY_BYTES,
            timeoutMs,
          },
          signal,
        );
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof NetFailure)) throw error;
        throw isDown(NET_REASONS[error.fault] ?? 'metadata-unreachable', error.message);
      }
    }, signal);
  };

  /** Fails if the reply says that the service cannot be used; returns whether it has the page. */
  const hasPage = ({ status, headers }: NetReply): boolean => {
    if (status === 429)
      throw pauseFor(
        Math.max(1000, retryAfterMs(headers['retry-after'], clock.now()) ?? USUAL_LIMIT_PAUSE_MS),
        'metadata-limited',
        'the metadata provider allows no more requests for now',
      );
    if (status === 401 || status === 403)
      throw pauseFor(
        REFUSED_PAUSE_MS,
        'metadata-token-refused',
        'the metadata provider does not accept the access token',
      );
    if (status === 404) return false;
    if (status === 400 || status === 422)
      throw new MetadataUnavailable(
        'metadata-request-refused',
        'the metadata provider does not understand the request',
      );
    if (status !== 200) throw isDown('metadata-down', 'the metadata provider is not available');
    return true;
  };

  const ask = async <T>({ path, query = {}, shape }: ReadRequest<T>, isTest: boolean, signal: AbortSignal) => {
    if (url === undefined || token === undefined)
      throw new Failure('unavailable', 'no metadata provider is configured', { reason: 'metadata-not-configured' });
    const address = new URL(`${url.replace(/\/$/, '')}${path}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, value);
    const reply = await send(address, { isPausedIgnored: isTest }, signal);
    if (!hasPage(reply)) return undefined;
    const read = shape.safeParse(parseJson(reply.bytes));
    if (!read.success) throw isDown('metadata-reply-invalid', 'the reply of the metadata provider is not valid');
    failures = 0;
    // A reply to a request from before a pause does not end it.
    if (isTest) pause = undefined;
    return read.data;
  };

  return {
    isConfigured: url !== undefined && token !== undefined,
    read: (request, signal) => ask(request, false, signal),
    picture: async (size, path, signal) => {
      if (imageUrl === undefined || !/^\/[\w-]{1,100}\.(jpg|png|webp)$/.test(path)) return undefined;
      const reply = await send(new URL(`${imageUrl.replace(/\/$/, '')}/${size}${path}`), { isPicture: true }, signal);
      return hasPage(reply) ? reply.bytes : undefined;
    },
    pausedFor: () => Math.max(0, (pause?.until ?? 0) - clock.now()),
    test: async (signal) => {
      await ask({ path: '/authentication', shape: Authentication }, true, signal);
    },
  };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
