/** Sends what a handler gave, in the shape its endpoint declares: JSON, nothing, events, a file, or bytes. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PAGES } from '../contract/dashboard/pages.ts';
import type { Endpoint, RedirectResult } from '../contract/kernel/endpoint.ts';
import { STATUS } from '../contract/kernel/failure.ts';
import { NOT_PAGES } from '../contract/dashboard/not-pages.ts';
import { Failure } from '../lib/failure.ts';
import type { Log } from '../lib/log.ts';
import { writtenIn } from '../lib/json/written.ts';
import { sendEvents } from './events.ts';
import { wordFailure } from './failures.ts';
import type { Body, Departure, RedirectTarget, RangedFile, Page, ServerSentEvent } from './handle.ts';
import { writeHead } from './headers.ts';
import { attachment, isRangeFresh, judge, type Range, readRanges, sendFile } from './ranges.ts';

export interface Answering {
  endpoint: Endpoint;
  request: FastifyRequest;
  reply: FastifyReply;
  log: Log;
  /** Aborts when the client left, its credential is revoked, or the server stops. */
  signal: AbortSignal;
  /** The other status of success, where the handler asked for it. */
  status: number | undefined;
}

/** Resolves when everything is sent or the reply was cut. Fails only while a status can still be given. */
export async function answer(result: unknown, to: Answering): Promise<FastifyReply> {
  const { endpoint, request, reply, signal } = to;
  if (endpoint.result instanceof z.ZodType) {
    const json = writtenIn(result);
    if (json) return sendWritten(json, to);
    // Parsing takes away nothing silently: the shapes are strict, so that a field too many is our error and stays here.
    const text = JSON.stringify(endpoint.result.parse(result));
    return sendText(reply.code(to.status ?? endpoint.status), endpoint.surface.json.returns, text);
  }
  if ('nothing' in endpoint.result) return reply.code(204).send();
  if ('redirect' in endpoint.result)
    return reply
      .code(endpoint.status)
      .header('location', addressOf(endpoint.result, result as RedirectTarget))
      .send();
  if ('departure' in endpoint.result)
    return reply
      .code(endpoint.status)
      .header('location', departureOf(result as Departure))
      .send();
  if ('events' in endpoint.result)
    return guarded(to, (raw, common) => sendEvents(raw, result as AsyncIterable<ServerSentEvent>, { common, signal }));
  if ('read' in (result as object))
    return guarded(to, (raw, common) =>
      sendFile(request.raw, raw, result as RangedFile, { common, signal, surface: endpoint.surface }),
    );
  return sendBody(result as Body, to);
}

/** Sends a text of a content type. The framework would add a charset to one of JSON that has none, but not to bytes. */
export const sendText = (reply: FastifyReply, type: string, text: string): FastifyReply =>
  reply.header('content-type', type).send(type.includes('charset=') ? text : Buffer.from(text));

/**
 * Bytes that go to the connection at once. More would hold up everything else while they are encrypted, and stay in
 * memory when the client does not read.
 */
const AT_ONCE = 64 * 1024;

/**
 * Characters of a text that go to the connection at once: those of a page of 200 cards. A longer text goes in pieces.
 */
const TEXT_AT_ONCE = 128 * 1024;

/**
 * A reply that is JSON already, and was checked where it was made. A text is handed on as it is: bytes made of it would
 * stay until the next collection, and a server that sends many pages would collect its whole heap for them.
 */
function sendWritten(json: Uint8Array | string, { endpoint, request, reply, status }: Answering): FastifyReply {
  const { returns } = endpoint.surface.json;
  reply.code(status ?? endpoint.status).header('content-type', returns);
  if (typeof json === 'string' && json.length <= TEXT_AT_ONCE) return sendText(reply, returns, json);
  return sendAll(typeof json === 'string' ? Buffer.from(json) : json, { request, reply });
}

/** Sends bytes that are at hand, the next ones when the client has read the last. */
function sendAll(bytes: Uint8Array, { request, reply }: Sending): FastifyReply {
  if (bytes.byteLength <= AT_ONCE) return reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  reply.header('content-length', bytes.byteLength);
  const pieces =
    request.method === 'HEAD'
      ? []
      : Array.from({ length: Math.ceil(bytes.byteLength / AT_ONCE) }, (_, n) =>
          bytes.subarray(n * AT_ONCE, (n + 1) * AT_ONCE),
        );
  return reply.send(Readable.from(pieces, { objectMode: false }));
}

/** Returns which limit a reply counts towards while it stays open; undefined if it is sent at once. */
export function stayOf(endpoint: Endpoint, result: unknown): 'events' | 'bytes' | 'sockets' | undefined {
  if (endpoint.result instanceof z.ZodType || 'nothing' in endpoint.result) return undefined;
  if ('redirect' in endpoint.result || 'departure' in endpoint.result) return undefined;
  if ('events' in endpoint.result) return 'events';
  if ('socket' in endpoint.result) return 'sockets';
  return 'read' in (result as object) || !((result as Body).bytes instanceof Uint8Array) ? 'bytes' : undefined;
}

/** Returns the address of a page. Throws for one that the endpoint does not declare, or without its parameters. */
function addressOf({ redirect }: RedirectResult, { page, params = {}, query = {} }: RedirectTarget): string {
  if (!redirect.includes(page)) throw new Error(`a redirect to ${page} is not declared`);
  const path = PAGES[page].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`a redirect to ${page} without ${name}`);
    return encodeURIComponent(value);
  });
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Returns the address of another server. Throws for one that a browser would not load as a page of that server. */
function departureOf({ address }: Departure): string {
  const isPlain = address.protocol === 'http:' && isLoopbackHost(address.hostname);
  if ((address.protocol !== 'https:' && !isPlain) || address.username !== '' || address.password !== '')
    throw new Error('a departure to an address that is not https');
  return address.href;
}
const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);

/** Releases the result of a handler that will not be sent. */
export async function dropResult(result: unknown): Promise<void> {
  // A socket that was never opened holds nothing.
  if (typeof result === 'function') return;
  if ('read' in (result as object)) return (result as RangedFile).close();
  const pieces =
    'bytes' in (result as object)
      ? (result as { bytes: AsyncIterable<unknown> }).bytes
      : (result as AsyncIterable<unknown>);
  await pieces[Symbol.asyncIterator]().return?.();
}

/** Headers of a representation, which a failure in its place does not have. */
const OF_CONTENT = new Set([
  'content-disposition',
  'content-range',
  'etag',
  'last-modified',
  'accept-ranges',
  'content-length',
]);

/**
 * Does work on the raw response, given the headers that were set so far, none of which is on it yet. A failure in it is
 * reported while it can be, and otherwise cuts the connection.
 */
async function guarded(
  { reply, request, endpoint, log }: Answering,
  work: (raw: ServerResponse, common: OutgoingHttpHeaders) => Promise<void>,
): Promise<FastifyReply> {
  const common = reply.getHeaders() as OutgoingHttpHeaders;
  const { raw } = reply.hijack();
  try {
    await work(raw, common);
  } catch (error) {
    if (!(error instanceof Failure))
      log.fault('reply.failed', error, { id: request.id, route: `${endpoint.method} ${endpoint.path}` });
    if (raw.headersSent) raw.destroy();
    else {
      const head = Object.fromEntries(Object.entries(common).filter(([name]) => !OF_CONTENT.has(name)));
      const failure =
        error instanceof Failure
          ? error
          : new Failure('unavailable', 'the file cannot be read', { reason: 'file-unavailable' });
      const { headers, body } = wordFailure(endpoint.surface, failure);
      writeHead(raw, STATUS.unavailable, { ...head, ...headers }).end(body);
    }
  }
  return reply;
}

/**
 * Which of the packed forms a client takes (RFC 9110, section 12.5.3). A refusal by `q=0` is heard; finer preferences
 * are not.
 */
export function packingFor(header: string | undefined, packed: Body['packed']): 'br' | 'gzip' | undefined {
  const taken = new Map(
    (header ?? '')
      .toLowerCase()
      .split(',')
      .slice(0, 32)
      .map((each) => {
        const [name = '', ...rest] = each.split(';').map((word) => word.trim());
        return [name, !rest.some((word) => /^q=0(?:\.0{0,3})?$/.test(word))];
      }),
  );
  return (['br', 'gzip'] as const).find((name) => packed?.[name] && (taken.get(name) ?? taken.get('*') ?? false));
}

/** Whether a person goes to an address, as opposed to a program that asks for something. */
export function isVisit({ method, url, headers }: IncomingMessage): boolean {
  const mode = headers['sec-fetch-mode'];
  const isAsked = method === 'GET' || method === 'HEAD';
  return (
    isAsked &&
    (mode === undefined || mode === 'navigate') &&
    /\btext\/html\b/i.test(headers.accept ?? '') &&
    !NOT_PAGES.test((url ?? '').split('?')[0] ?? '')
  );
}

/** The document of the dashboard for an address that leads nowhere: it says so itself, in words. Never kept. */
export const answerLost = ({ type, bytes, packed }: Page, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendWhole({ type, bytes, ...(packed && { packed }) }, { request, reply, status: 404 });

async function sendBody(body: Body, to: Answering): Promise<FastifyReply> {
  const { bytes, size } = body;
  const isWhole = bytes instanceof Uint8Array;
  const total = isWhole ? bytes.byteLength : size;
  const ranges = total === undefined ? undefined : rangesOf(body, total, to);
  if (isWhole && !ranges) return sendWhole({ ...body, bytes }, to);
  const { unchanged } = sendHead(body, to);
  if (unchanged) return unchanged;
  if (total === undefined) return sendPieces((bytes as AsyncIterable<Uint8Array>)[Symbol.asyncIterator](), to, 200);
  const [first, last] = ranges ? beginRange(ranges, total, to) : [0, total - 1];
  if (isWhole) return sendAll(bytes.subarray(first, last + 1), to);
  to.reply.header('content-length', last - first + 1);
  return sendPieces(cutOut(bytes, first, last), to, ranges ? 206 : 200);
}

/**
 * The ranges that a request asks for; undefined sends everything. Several ranges are answered with everything, which
 * RFC 9110 allows.
 */
function rangesOf(
  { etag = '', packed }: Body,
  size: number,
  { endpoint, request, reply }: Answering,
): Range[] | undefined {
  if (!('bytes' in endpoint.result) || !endpoint.result.ranged || packed) return undefined;
  reply.header('accept-ranges', 'bytes');
  const { headers, method } = request.raw;
  const ranges =
    method === 'GET' && isRangeFresh(headers['if-range']?.toString(), { etag })
      ? readRanges(headers.range, size)
      : undefined;
  return ranges && ranges.length < 2 ? ranges : undefined;
}

/** Sets the head of a reply with one range, and returns that. Fails as `range` where no byte is there. */
function beginRange([only]: Range[], size: number, { reply }: Answering): Range {
  reply.header('content-range', only ? `bytes ${only[0]}-${only[1]}/${size}` : `bytes */${size}`);
  if (!only) throw new Failure('range', 'no such range', { reason: 'no-such-range' });
  reply.code(206);
  return only;
}

/** The bytes from `first` to `last` of a stream. Fails when the stream ends before: its length was promised. */
async function* cutOut(
  pieces: AsyncIterable<Uint8Array>,
  first: number,
  last: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let at = 0;
  for await (const piece of pieces) {
    const from = Math.max(0, first - at);
    const to = Math.min(piece.byteLength, last + 1 - at);
    at += piece.byteLength;
    if (to > from) yield piece.subarray(from, to);
    if (at > last) return;
  }
  if (at <= last) throw new Failure('unavailable', 'the stream ended early', { reason: 'stream-ended-early' });
}

type Sending = Pick<Answering, 'request' | 'reply'> & { status?: number | undefined };

function sendWhole(body: Page, to: Sending): FastifyReply {
  const { packing, unchanged } = sendHead(body, to);
  if (unchanged) return unchanged;
  const bytes = (packing && body.packed?.[packing]) ?? body.bytes;
  to.reply.code(to.status ?? 200);
  return sendAll(bytes, to);
}

/** Sets the headers, and says how the bytes are packed; or that the client has them already, which is sent. */
function sendHead(
  body: Body,
  { request, reply }: Sending,
): { packing?: 'br' | 'gzip' | undefined; unchanged?: FastifyReply } {
  const packing = packingFor(request.headers['accept-encoding']?.toString(), body.packed);
  if (body.cache !== undefined) reply.header('cache-control', body.cache);
  if (body.packed) reply.header('vary', 'accept-encoding');
  if (body.etag !== undefined) {
    // Packed bytes are other bytes, and a strong validator is of bytes.
    const etag = packing ? `${body.etag}-${packing}` : body.etag;
    reply.header('etag', `"${etag}"`);
    const verdict = judge(request.raw, { etag });
    if (verdict === 'unchanged') return { unchanged: reply.code(304).send() };
    if (verdict === 'failed') throw new Failure('precondition', 'this has changed', { reason: 'precondition-failed' });
  }
  reply.header('content-type', body.type);
  if (body.filename !== undefined) reply.header('content-disposition', attachment(body.filename));
  if (packing) reply.header('content-encoding', packing);
  return { packing };
}

/**
 * Bytes as they come. The first are waited for before the head is sent, so that a failure until then has its status.
 */
async function sendPieces(pieces: AsyncIterator<Uint8Array>, to: Answering, status: number): Promise<FastifyReply> {
  const { request, signal } = to;
  if (request.method === 'HEAD') {
    await pieces.return?.();
    return guarded(to, async (raw, common) => void writeHead(raw, status, common).end());
  }
  const first = await pieces.next();
  return guarded(to, async (raw, common) => {
    const isOver = () => signal.aborted || raw.destroyed;
    // The length is not promised, so only a cut connection can say that the rest is missing.
    const cut = () => raw.destroy();
    signal.addEventListener('abort', cut);
    try {
      if (!isOver()) writeHead(raw, status, common);
      // The source may reuse the bytes of a piece once the next but one is asked for.
      let before = Promise.resolve();
      for (let piece = first; !piece.done && !isOver(); piece = await pieces.next()) {
        const now = written(raw, piece.value);
        await before;
        before = now;
      }
      await before;
      if (!isOver()) raw.end();
    } finally {
      signal.removeEventListener('abort', cut);
      if (signal.aborted) raw.destroy();
      await pieces.return?.();
    }
  });
}

/** Resolves when the bytes have left, or the connection is closed. */
async function written(raw: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (raw.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => resolve();
  raw.once('close', done);
  raw.write(bytes, done);
  await promise;
  raw.off('close', done);
}

/** Returns whether a client still sends a body that the server will not read: the connection cannot be used again. */
export const hasUnreadBody = (request: IncomingMessage): boolean =>
  !request.complete &&
  (request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0);
