/**
 * The ACME client (RFC 8555): signed requests, nonces, and replies as our own faults.
 *
 * Every address comes from the directory or from a reply of it, and must have the directory's origin. A refused nonce
 * is replaced and the request repeated. Problem documents become codes; their texts stay here.
 */
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { z } from 'zod';
import { isLoopbackHost } from '../../config/index.ts';
import { isAhead, type Clock } from '../../lib/clock.ts';
import { retryAfterMs, type Net, type NetReply, type NetRequest } from '../../lib/net.ts';
import { jsonOf, RemoteFault } from '../fault.ts';

const Address = z.url().max(2_048);
const DirectoryReply = z.object({
  newNonce: Address,
  newAccount: Address,
  newOrder: Address,
  renewalInfo: Address.optional(),
  meta: z.object({ termsOfService: Address.optional() }).optional(),
});
export type AcmeDirectory = z.output<typeof DirectoryReply>;
const Problem = z.object({ type: z.string().max(200) });

export interface AcmeReply {
  status: number;
  location: string | undefined;
  /** Milliseconds after which to ask again, if the reply says so. */
  retryAfterMs: number | undefined;
  text: string;
  json: unknown;
}

/** Problem of the authority that a caller acts on; anything else is thrown as a fault. */
export class AcmeProblem extends Error {
  readonly type: string;
  constructor(type: string) {
    super('the certificate authority replied with a problem');
    this.type = type;
  }
}

export interface AcmeNeeds {
  net: Net;
  clock: Clock;
  /** Address of the directory. */
  directory: string;
  /** Private key of the account in PEM. */
  accountKey: string;
}

export interface Acme {
  directory(signal?: AbortSignal): Promise<AcmeDirectory>;
  /** Reads a resource that needs no signature. */
  read(url: string, signal?: AbortSignal): Promise<AcmeReply>;
  /** Registers the account key, or finds its account again. */
  register(signal?: AbortSignal): Promise<void>;
  /** Sends a signed request; without a payload it reads the resource. */
  post(url: string, payload?: unknown, signal?: AbortSignal): Promise<AcmeReply>;
  /** Text by which a challenge proves that it belongs to this account. */
  keyAuthorization(token: string): string;
}

const MAX_NONCES = 20;
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;
/** Half of the shortest life of a certificate. */
const MAX_CLOCK_ERROR_MS = 3 * 24 * 3_600_000;
const PROBLEM = 'urn:ietf:params:acme:error:';
const LIMITED = new Set(['rateLimited']);
const NAME = new Set(['rejectedIdentifier', 'unsupportedIdentifier', 'caa']);
const PROOF = new Set(['dns', 'unauthorized', 'incorrectResponse', 'connection', 'tls']);
/** Problems after which a caller begins again with less. */
const FOR_CALLER = new Set(['accountDoesNotExist', 'alreadyReplaced', 'malformed', 'orderNotReady']);

export const base64url = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Throws the fault of a problem document. */
export function refuseProblem(body: unknown, reply: Pick<AcmeReply, 'status' | 'retryAfterMs'>): never {
  const problem = Problem.safeParse(body);
  const type = problem.success ? problem.data.type.replace(PROBLEM, '') : '';
  if (FOR_CALLER.has(type)) throw new AcmeProblem(type);
  if (LIMITED.has(type) || reply.status === 429) throw new RemoteFault('ca-limited', reply.retryAfterMs);
  if (NAME.has(type)) throw new RemoteFault('name-refused');
  if (PROOF.has(type)) throw new RemoteFault('proof-refused', reply.retryAfterMs);
  if (reply.status >= 500) throw new RemoteFault('ca-unreachable', reply.retryAfterMs);
  throw new RemoteFault('ca-refused', reply.retryAfterMs);
}

export function createAcme({ net, clock, directory: address, accountKey }: AcmeNeeds): Acme {
  const { origin, hostname } = new URL(address);
  const allowLoopback = isLoopbackHost(hostname);
  const key = createPrivateKey(accountKey);
  const jwk = publicJwk(accountKey);
  const thumbprint = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url');
  let kept: AcmeDirectory | undefined;
  let nonce: string | undefined;
  let account: string | undefined;

  const send = async (request: NetRequest, signal?: AbortSignal): Promise<AcmeReply> => {
    if (new URL(request.url).origin !== origin) throw new RemoteFault('ca-broken');
    let reply: NetReply;
    try {
      reply = await net.request({ ...request, allowLoopback, maxBytes: 256 * 1024, timeoutMs: 30_000 }, signal);
    } catch {
      signal?.throwIfAborted();
      throw new RemoteFault('ca-unreachable');
    }
    const { status, headers } = reply;
    checkClock(headers['date'], clock);
    nonce = headers['replay-nonce'] ?? nonce;
    const text = reply.bytes.toString('utf8');
    return {
      status,
      text,
      json: jsonOf(text),
      location: headers['location'],
      retryAfterMs: retryAfterMs(headers['retry-after'], clock.now(), MAX_RETRY_AFTER_MS) ?? undefined,
    };
  };
  const read: Acme['read'] = async (url, signal) => {
    const reply = await send({ url }, signal);
    if (reply.status !== 200) refuseProblem(reply.json, reply);
    return reply;
  };
  const directory: Acme['directory'] = async (signal) => {
    if (kept) return kept;
    const found = DirectoryReply.safeParse((await read(address, signal)).json);
    if (!found.success) throw new RemoteFault('ca-broken');
    return (kept = found.data);
  };
  const takeNonce = async (signal?: AbortSignal): Promise<string> => {
    if (nonce === undefined) await send({ url: (await directory(signal)).newNonce, method: 'HEAD' }, signal);
    const taken = nonce;
    nonce = undefined;
    if (taken === undefined || !/^[\w-]{1,512}$/.test(taken)) throw new RemoteFault('ca-broken');
    return taken;
  };
  const post: Acme['post'] = async (url, payload, signal) => {
    for (let tries = 0; tries < MAX_NONCES; tries += 1) {
      const who = account === undefined ? { jwk } : { kid: account };
      const head = base64url({ alg: 'ES256', nonce: await takeNonce(signal), url, ...who });
      const body = payload === undefined ? '' : base64url(payload);
      const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' });
      const reply = await send(
        {
          url,
          method: 'POST',
          headers: { 'content-type': 'application/jose+json' },
          body: JSON.stringify({ protected: head, payload: body, signature: signature.toString('base64url') }),
        },
        signal,
      );
      if (reply.status < 400) return reply;
      const problem = Problem.safeParse(reply.json);
      if (!problem.success || problem.data.type !== `${PROBLEM}badNonce`) refuseProblem(reply.json, reply);
    }
    throw new RemoteFault('ca-refused');
  };
  return {
    directory,
    read,
    post,
    register: async (signal) => {
      account = undefined;
      const { location } = await post((await directory(signal)).newAccount, { termsOfServiceAgreed: true }, signal);
      if (location === undefined || !URL.canParse(location) || new URL(location).origin !== origin)
        throw new RemoteFault('ca-broken');
      account = location;
    },
    keyAuthorization: (token) => `${token}.${thumbprint}`,
  };
}

/** A clock that is days off makes certificates look expired or not yet valid, so none is ordered by it. */
function checkClock(date: string | undefined, clock: Clock): void {
  const at = Date.parse(date ?? '');
  const now = clock.now();
  if (isAhead(at, now + MAX_CLOCK_ERROR_MS) || isAhead(now, at + MAX_CLOCK_ERROR_MS))
    throw new RemoteFault('clock-wrong');
}

/** Members in the order of RFC 7638, of which the thumbprint is made. */
function publicJwk(pem: string) {
  const { crv, kty, x, y } = createPublicKey(pem).export({ format: 'jwk' });
  return { crv, kty, x, y };
}
