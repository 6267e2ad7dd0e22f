/** Faults that a stand-in can play, and the bytes of such replies. */
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { type Member, makeZip } from './zip.ts';

/**
 * Which requests a fault is for; `list` is the second half of a search, `file` the subtitle's own bytes, `grant` the
 * request for its link.
 */
export const STEPS = ['search', 'list', 'grant', 'file', 'login', 'account', 'other'] as const;
export type Step = (typeof STEPS)[number];

export const FAULTS = [
  // Said in the provider's own words.
  'rate-limited',
  'rate-limited-date',
  'quota',
  'quota-200',
  'quota-500',
  'invalid-file',
  'payment',
  'unauthorized',
  'forbidden',
  'forbidden-page',
  'not-acceptable',
  'expired-link',
  'error-200',
  'bad-request',
  'token-expires',
  'other-host',
  'foreign-link',
  // Any server.
  '500',
  '502',
  '503',
  'html',
  'truncated',
  'empty-body',
  'slow',
  'hang',
  'reset',
  'redirect-off-host',
  'redirect-loop',
  'gzip-bomb',
  'too-large',
  // The delivered file.
  'zip-nested',
  'zip-slip',
  'zip-absolute',
  'zip-backslash',
  'zip-link',
  'zip-bomb',
  'zip-lies',
  'zip-many',
  'zip-repeats',
  'zip-encrypted',
  'zip-truncated',
  'zip-utf16',
  'zip-empty',
  'zip-none',
  'zip-several',
  'zip-wrong-episode',
  'zip-parts',
  'rar',
  'seven-zip',
  'program',
  'empty-file',
] as const;
export type FaultName = (typeof FAULTS)[number];

export const Fault = z.strictObject({
  fault: z.enum(FAULTS),
  /** Left out: the first request that the fault can be for. */
  on: z.enum(STEPS).optional(),
  /** How many requests; default 1. */
  times: z.int().min(1).default(1),
  /** Seconds, for rate-limited. */
  retryAfter: z.int().min(0).default(7),
  /** Seconds from now, for quota. */
  resetIn: z.int().min(0).default(1680),
});
export type Fault = z.input<typeof Fault>;
export type SetFault = z.output<typeof Fault>;

/** Faults of the file itself, for providers that send it without a grant. */
const OF_FILES = ['rar', 'seven-zip', 'program', 'empty-file', 'payment', 'expired-link', 'invalid-file'];
export const stepOfFileFault = ({ fault }: SetFault): Step | undefined =>
  fault.startsWith('zip') || OF_FILES.includes(fault) ? 'file' : undefined;

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Sent a byte at a time, without end. */
  isSlow?: boolean;
  /** Nothing is sent: the connection stays open, or is cut. */
  silence?: 'hang' | 'reset';
}

const SRT = Buffer.from('1\r\n00:00:01,000 --> 00:00:02,500\r\nThis line came from a broken archive.\r\n');

const packed = new Map<FaultName, Buffer>();
/** Packs large bytes once, because that takes up to a third of a second. */
function packOnce(fault: FaultName, pack: () => Buffer): Buffer {
  const bytes = packed.get(fault) ?? pack();
  packed.set(fault, bytes);
  return bytes;
}

/** The same on any server; undefined when the provider has its own words for it. */
export function plainFault(fault: FaultName, elsewhere: string): Reply | undefined {
  const json = { 'content-type': 'application/json' };
  switch (fault) {
    case '500':
    case '502':
    case '503':
      return {
        status: Number(fault),
        headers: { 'content-type': 'text/html' },
        body: '<html><body>Bad gateway</body></html>',
      };
    case 'not-acceptable':
      return { status: 406, headers: json, body: '{"message":"not in that form"}' };
    case 'html':
      return {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<!DOCTYPE html><html><head><title>Just a moment</title></head><body></body></html>',
      };
    case 'truncated':
      return {
        status: 200,
        headers: json,
        body: '{"status":true,"total_count":3,"data":[{"id":"1","attributes":{"langu',
      };
    case 'empty-body':
      return { status: 200, headers: json, body: '' };
    case 'slow':
      return { status: 200, headers: json, isSlow: true };
    case 'hang':
    case 'reset':
      return { status: 200, silence: fault };
    case 'redirect-off-host':
      return { status: 302, headers: { location: `${elsewhere}/stolen` } };
    case 'gzip-bomb':
      return {
        status: 200,
        headers: { ...json, 'content-encoding': 'gzip' },
        body: packOnce(fault, () => gzipSync(Buffer.alloc(64 * 1024 * 1024, 32))),
      };
    case 'too-large':
      return { status: 200, headers: json, body: Buffer.alloc(12 * 1024 * 1024, 32) };
    default:
      return fileFault(fault);
  }
}

function fileFault(fault: FaultName): Reply | undefined {
  const body = fileBytes(fault);
  return (
    body && {
      status: 200,
      headers: { 'content-type': fault.startsWith('zip') ? 'application/zip' : 'application/octet-stream' },
      body,
    }
  );
}

const one = (name: string, more: Partial<Member> = {}): Member => ({ name, data: SRT, ...more });

function fileBytes(fault: FaultName): Buffer | undefined {
  switch (fault) {
    case 'zip-nested':
      return makeZip([one('inner.zip', { data: makeZip([one('a.srt')]) })]);
    case 'zip-slip':
      return makeZip([one('../../etc/cron.d/a.srt')]);
    case 'zip-absolute':
      return makeZip([one('/etc/a.srt')]);
    case 'zip-backslash':
      return makeZip([one('..\\..\\a.srt')]);
    case 'zip-link':
      return makeZip([one('a.srt', { mode: 0o120777, data: Buffer.from('/etc/passwd') })]);
    case 'zip-bomb':
      return packOnce(fault, () => makeZip([one('a.srt', { data: Buffer.alloc(40 * 1024 * 1024, 65) })]));
    case 'zip-lies':
      return packOnce(fault, () =>
        makeZip([one('a.srt', { data: Buffer.alloc(20 * 1024 * 1024, 65), saysSize: 100 })]),
      );
    case 'zip-many':
      return makeZip(Array.from({ length: 2_000 }, (_, n) => one(`${n}.srt`)));
    case 'zip-repeats':
      return makeZip([one('a.srt'), one('A.srt')]);
    case 'zip-encrypted':
      return makeZip([one('a.srt', { isEncrypted: true })]);
    case 'zip-truncated':
      return makeZip([
        one('a.srt', { data: Buffer.from(Array.from({ length: 4000 }, (_, n) => String(n * n)).join(' ')) }),
      ]).subarray(0, 400);
    case 'zip-utf16':
      return makeZip([
        one('a.srt', { data: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(SRT.toString(), 'utf16le')]) }),
      ]);
    case 'zip-empty':
      return makeZip([]);
    case 'zip-none':
      return makeZip([one('readme.nfo'), one('poster.jpg')]);
    case 'zip-several':
      return makeZip([
        one('readme.txt'),
        one('Film.sdh.srt'),
        one('Film.srt'),
        one('Film.forced.srt'),
        one('__MACOSX/._Film.srt'),
        one('Film.fr.srt'),
      ]);
    case 'zip-wrong-episode':
      return makeZip([one('Show.S07E09.srt')]);
    case 'zip-parts':
      return makeZip([one('Film.CD1.srt'), one('Film.CD2.srt')]);
    case 'rar':
      return Buffer.concat([Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'), Buffer.alloc(200, 1)]);
    case 'seven-zip':
      return Buffer.concat([Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]), Buffer.alloc(200, 1)]);
    case 'program':
      return Buffer.concat([Buffer.from('\x7fELF', 'latin1'), Buffer.alloc(200, 1)]);
    case 'empty-file':
      return Buffer.alloc(0);
    default:
      return undefined;
  }
}
