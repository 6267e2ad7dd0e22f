/**
 * Serving bytes as RFC 9110 has it: validators (section 13), ranges (section 14), If-Range, HEAD.
 *
 * A file is read in a loop over two recycled buffers straight into the socket. On a two-core
 * machine that reaches two and a half times the throughput of a default stream for a third of its CPU.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Surface } from '../contract/kernel/surface.ts';
import { Failure } from '../lib/failure.ts';
import { withoutInvisible } from '../lib/language/visible.ts';
import { type WordedReply, wordFailure } from './failures.ts';
import type { RangedFile } from './handle.ts';
import { writeHead } from './headers.ts';

/** First and last byte, both included. */
export type Range = [first: number, last: number];
const MAX_RANGES = 32;

/**
 * Reads a Range header. `undefined` means to send it whole: no header, another unit, nonsense, or so many
 * pieces that it is an attack (section 14.2). An empty list means that nothing can be satisfied: 416.
 */
export function readRanges(header: string | undefined, size: number): Range[] | undefined {
  const set = /^bytes=([\d\s,-]+)$/i.exec(header?.trim() ?? '')?.[1];
  if (set === undefined) return undefined;
  const specs = set
    .split(',')
    .map((s) => s.trim())
    .filter(Boolean);
  if (specs.length === 0 || specs.length > MAX_RANGES) return undefined;
  const ranges: Range[] = [];
  for (const spec of specs) {
    const [, from, to] = /^(\d*)-(\d*)$/.exec(spec) ?? [];
    if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
    if (from === '') {
      // A suffix of more digits than a number can hold is infinite, and so the whole file.
      const suffix = Number(to);
      if (suffix > 0 && size > 0) ranges.push([Math.max(0, size - suffix), size - 1]);
    } else {
      if (to !== '' && whole(to) < whole(from)) return undefined;
      if (Number(from) < size) ranges.push([Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)]);
    }
  }
  return merged(ranges);
}

/** Returns the first byte of a Range header without checking the header; 0 if it names none. */
export const firstByteOf = (header: string | undefined): number =>
  Number(/^bytes=(\d{1,15})-/.exec(header ?? '')?.[1] ?? 0);

/** Reads digits exactly, however many there are. */
const whole = (digits: string): number | bigint => (digits.length > 15 ? BigInt(digits) : Number(digits));

/**
 * Overlapping and touching ranges become one (section 14.2 allows it), so that nothing is sent twice; the order stays.
 */
function merged(ranges: Range[]): Range[] {
  const out: Range[] = [];
  for (const range of ranges) {
    const near = out.find(([first, last]) => range[0] <= last + 1 && range[1] >= first - 1);
    if (!near) out.push([...range]);
    else {
      near[0] = Math.min(near[0], range[0]);
      near[1] = Math.max(near[1], range[1]);
    }
  }
  return out.length === ranges.length ? out : merged(out);
}

export interface Validators {
  etag: string;
  /** Milliseconds; left out if unknown, and then conditions on dates are ignored. */
  modified?: number;
}

const tags = (header: string) => header.split(',').map((t) => t.trim());
const second = (ms: number) => Math.floor(ms / 1000) * 1000;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const FIXED = /^[a-z]{3}, (\d\d) ([a-z]{3}) (\d{4}) (\d\d):(\d\d):(\d\d) gmt$/;
const RFC_850 = /^[a-z]{6,9}, (\d\d)-([a-z]{3})-(\d\d) (\d\d):(\d\d):(\d\d) gmt$/;
const ASCTIME = /^[a-z]{3} ([a-z]{3}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/;

/** An HTTP date in any of its three forms (section 5.6.7), in milliseconds; undefined when it is none. */
export function readDate(header: string | undefined): number | undefined {
  const text = header?.trim().toLowerCase() ?? '';
  const late = ASCTIME.exec(text);
  const [, day, month, year, ...time] = late
    ? [late[0], late[2], late[1], late[6], late[3], late[4], late[5]]
    : (FIXED.exec(text) ?? RFC_850.exec(text) ?? []);
  if (day === undefined || year === undefined || !MONTHS.includes(month ?? '')) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = time.map(Number);
  // Two digits of a year are those of the nearest century that is not half of one ahead.
  const whole =
    year.length === 4
      ? Number(year)
      : Number(year) + (Number(year) > (new Date().getUTCFullYear() % 100) + 50 ? 1900 : 2000);
  return hours > 23 || minutes > 59 || seconds > 60
    ? undefined
    : Date.UTC(whole, MONTHS.indexOf(month ?? ''), Number(day), hours, minutes, seconds);
}

/** Returns the result of a request's conditions, in the order of section 13.2.2. */
export function judge(
  request: Pick<IncomingMessage, 'headers'>,
  { etag, modified }: Validators,
): 'send' | 'unchanged' | 'failed' {
  const h = request.headers;
  const own = `"${etag}"`;
  const match = h['if-match'];
  if (match !== undefined) {
    if (match.trim() !== '*' && !tags(match).includes(own)) return 'failed';
  } else {
    const since = readDate(h['if-unmodified-since']);
    if (since !== undefined && modified !== undefined && second(modified) > since) return 'failed';
  }
  const none = h['if-none-match'];
  if (none !== undefined)
    return none.trim() === '*' || tags(none).some((t) => t.replace(/^W\//, '') === own) ? 'unchanged' : 'send';
  const since = readDate(h['if-modified-since']);
  return since !== undefined && modified !== undefined && second(modified) <= since ? 'unchanged' : 'send';
}

/** Whether the condition of an If-Range holds: a strong validator that is ours, or our very date (section 13.1.5). */
export function isRangeFresh(header: string | undefined, { etag, modified }: Validators): boolean {
  if (header === undefined) return true;
  const given = header.trim();
  if (given.startsWith('"')) return given === `"${etag}"`;
  return modified !== undefined && readDate(given) === second(modified);
}

/**
 * Answers a request for a file, whole or in part, below the headers in `common`. Closes the file whatever happens; a
 * client that left is not an error. No header is set on the response unless its head is written.
 */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: RangedFile,
  { common, signal, surface }: { common: OutgoingHttpHeaders; signal: AbortSignal; surface: Surface },
): Promise<void> {
  try {
    const verdict = judge(request, file);
    const head: OutgoingHttpHeaders = {
      ...common,
      'accept-ranges': 'bytes',
      etag: `"${file.etag}"`,
      'last-modified': new Date(file.modified).toUTCString(),
    };
    if (verdict === 'failed')
      return refuse(
        response,
        wordFailure(surface, new Failure('precondition', 'the file has changed', { reason: 'precondition-failed' })),
        head,
      );
    if (file.filename !== undefined) head['content-disposition'] = attachment(file.filename);
    if (verdict === 'unchanged') return void writeHead(response, 304, head).end();
    const isGet = request.method === 'GET';
    const ranges =
      isGet && isRangeFresh(request.headers['if-range']?.toString(), file)
        ? readRanges(request.headers.range, file.size)
        : undefined;
    if (ranges?.length === 0)
      return refuse(
        response,
        wordFailure(surface, new Failure('range', 'no such range', { reason: 'no-such-range' })),
        {
          ...head,
          'content-range': `bytes */${file.size}`,
        },
      );
    const only = ranges?.length === 1 ? ranges[0] : undefined;
    if (ranges && !only) return await sendParts(response, file, ranges, { head, signal });
    const [first, last] = only ?? [0, file.size - 1];
    if (only) head['content-range'] = `bytes ${first}-${last}/${file.size}`;
    head['content-type'] = file.type;
    head['content-length'] = last - first + 1;
    const begin = () => void writeHead(response, only ? 206 : 200, head);
    if (isGet && last >= first) await pour(response, file, [first, last], signal, begin);
    else begin();
    response.end();
  } finally {
    await file.close();
  }
}

function refuse(response: ServerResponse, { status, headers, body }: WordedReply, head: OutgoingHttpHeaders): void {
  const { 'content-disposition': _, ...rest } = head;
  writeHead(response, status, { ...rest, ...headers });
  response.end(body);
}

/** multipart/byteranges (section 14.6): each part with its own type and place. */
async function sendParts(
  response: ServerResponse,
  file: RangedFile,
  ranges: Range[],
  { head, signal }: { head: OutgoingHttpHeaders; signal: AbortSignal },
): Promise<void> {
  const boundary = randomBytes(12).toString('hex');
  const heads = ranges.map(
    ([first, last]) =>
      `\r\n--${boundary}\r\ncontent-type: ${file.type}\r\ncontent-range: bytes ${first}-${last}/${file.size}\r\n\r\n`,
  );
  const tail = `\r\n--${boundary}--\r\n`;
  const length = ranges.reduce(
    (sum, [first, last], i) => sum + (heads[i]?.length ?? 0) + last - first + 1,
    tail.length,
  );
  for (const [i, range] of ranges.entries()) {
    await pour(response, file, range, signal, () => {
      if (i === 0)
        writeHead(response, 206, {
          ...head,
          'content-type': `multipart/byteranges; boundary=${boundary}`,
          'content-length': length,
        });
      response.write(heads[i]);
    });
  }
  response.end(tail);
}

/**
 * Bytes of a read, and buffers of a reply. A read costs the main thread 0.06 ms whatever its size: with half of it, a
 * seek of 1 MiB took a tenth more.
 */
const CHUNK = 1024 * 1024;
const AHEAD = 2;
/** Bytes of the first read of a reply: few, so that the client gets them while the rest is read. */
const FIRST_CHUNK = 128 * 1024;
/**
 * Bytes that are encrypted in one turn at the beginning of a reply, and how long that beginning is: a client decrypts
 * the last ones meanwhile, so that a seek is answered sooner. Written whole, a seek of 1 MiB took a fifth more
 * processor time. After the beginning whole buffers take a tenth less.
 */
const TLS_SLICE = 64 * 1024;
const TLS_SLICED = 1024 * 1024;
/** Buffers that wait for the next stream; more than this many are let go. */
const spare: Buffer[] = [];
const MAX_SPARE = 6;

interface Piece {
  buffer: Buffer;
  wanted: number;
  got: number;
}

/**
 * Reads a range into the socket; the next bytes are read while the last ones are written. A short first read and a
 * whole one begin together, so that the reply starts early and continues without a pause. `begin` sends the head once
 * the first bytes are there: a disk that does not answer can still be reported as a failure until then. A read of
 * nothing means that the file shrank: the connection is cut, for the length was promised.
 */
async function pour(
  response: ServerResponse,
  file: RangedFile,
  [first, last]: Range,
  signal: AbortSignal,
  begin: () => void,
): Promise<void> {
  const pieces = 1 + Math.ceil(Math.max(0, last - first + 1 - FIRST_CHUNK) / CHUNK);
  const buffers = Array.from({ length: Math.min(AHEAD, pieces) }, () => spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK));
  const free = [...buffers];
  const isTls = response.socket !== null && 'encrypted' in response.socket;
  const waiting: (() => void)[] = [];
  let sent = 0;
  const isOver = () => signal.aborted || response.destroyed;
  const wake = () => {
    for (const go of waiting.splice(0)) go();
  };
  // A revoked credential ends the reply now, whatever a slow disk or a client that does not read is doing.
  const cut = () => {
    response.destroy();
    wake();
  };
  /** Waits for something, or for the end of the reply. */
  const until = async (isSo: () => boolean) => {
    while (!isSo() && !isOver()) await new Promise<void>((resolve) => void waiting.push(resolve));
  };
  const read = async (at: number, most: number): Promise<Piece | undefined> => {
    await until(() => free.length > 0);
    const buffer = isOver() ? undefined : free.pop();
    if (!buffer) return undefined;
    const wanted = Math.min(most, last - at + 1);
    return { buffer, wanted, got: await file.read(wanted === CHUNK ? buffer : buffer.subarray(0, wanted), at) };
  };
  /** Reads under way, in the order of their bytes. */
  const coming: Promise<Piece | undefined>[] = [];
  const ask = (at: number, most: number) => {
    if (at > last) return;
    const piece = read(at, most);
    // Its failure is met where it is awaited; until then nothing waits for it.
    piece.catch(() => {});
    coming.push(piece);
  };
  /** Waits for the reads under way and frees their buffers. */
  const giveBack = async () => {
    for (const ahead of coming.splice(0)) {
      const piece = await ahead;
      if (piece) free.push(piece.buffer);
    }
  };
  const write = async (buffer: Buffer, got: number): Promise<void> => {
    const slice = isTls && sent < TLS_SLICED ? TLS_SLICE : got;
    sent += got;
    for (let from = 0; from < got && !isOver(); from += slice) {
      let isWritten = false;
      const isLast = from + slice >= got;
      response.write(buffer.subarray(from, Math.min(got, from + slice)), () => {
        isWritten = true;
        if (isLast) free.push(buffer);
        wake();
      });
      if (!isLast) await until(() => isWritten);
    }
  };
  signal.addEventListener('abort', cut);
  response.once('close', wake);
  ask(first, FIRST_CHUNK);
  ask(first + FIRST_CHUNK, CHUNK);
  try {
    for (let at = first; at <= last;) {
      const piece = await coming.shift();
      if (!piece || isOver()) return;
      if (piece.got <= 0) return void response.destroy();
      if (at === first) begin();
      at += piece.got;
      // The bytes after a read that returned fewer than it asked for are not those that are needed next.
      if (piece.got < piece.wanted) await giveBack();
      if (coming.length === 0) ask(at, CHUNK);
      await write(piece.buffer, piece.got);
    }
    await until(() => free.length === buffers.length);
  } finally {
    signal.removeEventListener('abort', cut);
    response.off('close', wake);
    if (signal.aborted) response.destroy();
    await Promise.allSettled(coming);
    // A buffer whose write has not ended still belongs to the socket.
    if (free.length === buffers.length) for (const buffer of free) if (spare.length < MAX_SPARE) spare.push(buffer);
  }
}

/**
 * Returns a Content-Disposition with a name that any client can read (RFC 6266, 8187). Invisible formatting characters
 * are left out of it: they can make a name look like another one.
 */
export function attachment(name: string): string {
  const visible = withoutInvisible(name);
  // eslint-disable-next-line no-control-regex -- what a quoted name may not hold
  const plain = visible.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return (
    `attachment; filename="${plain}"; ` +
    `filename*=UTF-8''${encodeURIComponent(visible).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`
  );
}
