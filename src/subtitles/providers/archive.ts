/**
 * What a provider delivered, down to one subtitle: a plain file as it is, or the one fitting member of a ZIP.
 *
 * An archive is refused whole for anything that an honest one does not have: members with a path out of it, links,
 * devices, repeated names, encryption, more members or more bytes than a season of subtitles needs, a compression
 * ratio of a bomb. Nothing is written to disk and only the chosen member is inflated, counted while it is read.
 */
import { createHash } from 'node:crypto';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { parseLanguage } from '../../lib/languages.ts';
import { statedEpisode } from './episode.ts';
import { isWanted } from './languages.ts';
import { type Ask, type Candidate, type Downloaded, MOST_ARCHIVE, MOST_SUBTITLE, ProviderFault } from './provider.ts';
import { bareName, saysForced } from './wire.ts';

const MOST_MEMBERS = 400;
const MOST_TOTAL = 128 * 1024 * 1024;
const MOST_RATIO = 200;
/** Below this a high ratio is only a repetitive file. */
const RATIO_FROM = 1024 * 1024;
const LONGEST_NAME = 512;
const SUBTITLE = /\.(?:srt|vtt|ass|ssa|sub|smi|sami|ttml|dfxp)$/i;

/** The one subtitle in `bytes`. Throws `hostile`, or `not-found` when there is none for this ask; either names the content. */
export async function oneSubtitle(bytes: Uint8Array, name: string, wanted: { candidate: Candidate; ask: Ask }): Promise<Downloaded> {
  try {
    return await opened(bytes, name, wanted);
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    throw new ProviderFault(error.kind, error.message, { content: createHash('sha256').update(bytes).digest('hex') });
  }
}

async function opened(bytes: Uint8Array, name: string, { candidate, ask }: { candidate: Candidate; ask: Ask }): Promise<Downloaded> {
  if (bytes.byteLength === 0) throw new ProviderFault('hostile', 'the provider delivered an empty file');
  const kind = kindOf(bytes);
  if (kind === 'text') {
    if (bytes.byteLength > MOST_SUBTITLE) throw new ProviderFault('hostile', 'the subtitle is too large');
    return { bytes, name };
  }
  if (kind !== 'zip') throw new ProviderFault('hostile', `the provider delivered ${kind} where a subtitle belongs`);
  if (bytes.byteLength > MOST_ARCHIVE) throw new ProviderFault('hostile', 'the archive is too large');
  return fromZip(bytes, { candidate, ask });
}

type Kind = 'zip' | 'text' | 'a RAR archive' | 'a 7z archive' | 'compressed data' | 'a web page' | 'a program';

const MAGIC: readonly (readonly [Kind, readonly string[]])[] = [
  ['zip', ['PK\x03\x04', 'PK\x05\x06']],
  ['a RAR archive', ['Rar!\x1a\x07']],
  ['a 7z archive', ["7z\xbc\xaf'\x1c"]],
  ['compressed data', ['\x1f\x8b', 'BZh', '\xfd7zXZ', '\x28\xb5\x2f\xfd']],
  ['a program', ['\x7fELF', 'MZ', '#!']],
];

function kindOf(bytes: Uint8Array): Kind {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 512)).toString('latin1');
  for (const [kind, starts] of MAGIC) if (starts.some((start) => head.startsWith(start))) return kind;
  // SAMI and TTML are markup too, so only what says that it is a page is one.
  if (/^[\s\xef\xbb\xbf]{0,64}<(?:!doctype html|html[\s>])/i.test(head)) return 'a web page';
  return 'text';
}

async function fromZip(bytes: Uint8Array, wanted: { candidate: Candidate; ask: Ask }): Promise<Downloaded> {
  let zip: ZipFile | undefined;
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    zip = await fromBufferPromise(buffer, { lazyEntries: true, strictFileNames: true, validateEntrySizes: true, autoClose: false });
    const members = await membersOf(zip);
    const { entry, subtitles } = chosen(members, wanted);
    return { bytes: await inflated(zip, entry), name: bareName(entry.fileName, 'subtitle.srt'), archive: { subtitles } };
  } catch (error) {
    if (error instanceof ProviderFault) throw error;
    throw new ProviderFault('hostile', 'the archive is broken');
  } finally {
    zip?.close();
  }
}

/** All files of the archive, or a refusal of the whole. */
async function membersOf(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > MOST_MEMBERS) throw new ProviderFault('hostile', 'the archive has too many members');
  const members: Entry[] = [];
  const names = new Set<string>();
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    refuseEntry(entry);
    const folded = entry.fileName.normalize('NFC').toLowerCase();
    if (names.has(folded)) throw new ProviderFault('hostile', 'the archive repeats a name');
    names.add(folded);
    if (names.size > MOST_MEMBERS) throw new ProviderFault('hostile', 'the archive has too many members');
    total += entry.uncompressedSize;
    if (total > MOST_TOTAL) throw new ProviderFault('hostile', 'the archive unpacks to too much');
    if (!entry.fileName.endsWith('/')) members.push(entry);
  }
  return members;
}

function refuseEntry(entry: Entry): void {
  const name = entry.fileName;
  if (name.length > LONGEST_NAME || /[\0\\]/.test(name) || name.startsWith('/') || /^[a-z]:/i.test(name) || name.split('/').includes('..')) {
    throw new ProviderFault('hostile', 'the archive has a member with a path out of it');
  }
  // Made on Unix: the upper half holds the file mode. Only files and folders are honest; 0 is "not said".
  const type = entry.versionMadeBy >>> 8 === 3 ? (entry.externalFileAttributes >>> 16) & 0o170000 : 0;
  if (type !== 0 && type !== 0o100000 && type !== 0o040000) throw new ProviderFault('hostile', 'the archive has a link or a device in it');
  if (entry.isEncrypted()) throw new ProviderFault('hostile', 'the archive is encrypted');
  if (entry.uncompressedSize > RATIO_FROM && entry.uncompressedSize > MOST_RATIO * Math.max(1, entry.compressedSize)) {
    throw new ProviderFault('hostile', 'the archive unpacks to far more than it is');
  }
}

interface Member {
  entry: Entry;
  name: string;
}

/** The one that was meant. Several that fit the same are told apart by language, forced, format and name. */
function chosen(entries: readonly Entry[], { candidate, ask }: { candidate: Candidate; ask: Ask }): { entry: Entry; subtitles: number } {
  const all: Member[] = entries
    .map((entry) => ({ entry, name: entry.fileName.split('/').at(-1) ?? '' }))
    .filter(({ entry, name }) => SUBTITLE.test(name) && !name.startsWith('.') && !entry.fileName.startsWith('__MACOSX/'));
  if (all.length === 0) throw new ProviderFault(entries.length === 0 ? 'hostile' : 'not-found', 'the archive has no subtitle in it');
  // Where no name says forced, the provider's word for the whole archive stands.
  const isForced = ask.forced === true && saysForced(all.map(({ name }) => name));
  const fitting = all
    .filter(({ name }) => fitsEpisode(name, { candidate, ask }, all.length) && fitsLanguage(name, ask) && saysForced([name]) === isForced)
    .sort((a, b) => rank(b, ask, candidate) - rank(a, ask, candidate) || (a.name < b.name ? -1 : 1));
  const best = fitting[0];
  if (!best) throw new ProviderFault('not-found', 'the archive has no subtitle for this video');
  if (fitting.filter(({ name }) => /(?:^|[^a-z])(?:cd|disc)[ ._-]?[12](?:[^0-9]|$)/i.test(name)).length > 1) {
    throw new ProviderFault('not-found', 'the archive has the subtitle in several parts');
  }
  if (best.entry.uncompressedSize > MOST_SUBTITLE) throw new ProviderFault('hostile', 'the subtitle is too large');
  if (best.entry.uncompressedSize === 0) throw new ProviderFault('hostile', 'the provider delivered an empty file');
  return { entry: best.entry, subtitles: all.length };
}

/** A member that names its episode must name ours; one that does not may only stand alone. */
function fitsEpisode(name: string, { candidate, ask }: { candidate: Candidate; ask: Ask }, count: number): boolean {
  const stated = statedEpisode(name);
  if (ask.kind === 'movie') return stated === undefined;
  if (!stated) return count === 1 && !candidate.pack;
  if (ask.season !== undefined && stated.season !== ask.season) return false;
  return ask.episode === undefined || (ask.episode >= stated.episode && ask.episode <= stated.episodeEnd);
}

/** `Name.fr.srt` in an archive for English is not it; a name without a language says nothing. */
function fitsLanguage(name: string, ask: Ask): boolean {
  const part = /[._]([a-z]{2,3}(?:-[a-z]{2})?)\.[a-z]{3,4}$/i.exec(name)?.[1];
  const tag = part === undefined ? undefined : parseLanguage(part);
  return tag === undefined || isWanted(tag, ask.language) || tag === ask.language.split('-')[0] || /^(?:hi|cc|sdh|web|dvd|mp|nf|hd)$/i.test(part ?? '');
}

function rank({ name }: Member, ask: Ask, candidate: Candidate): number {
  const impaired = /(?:^|[^a-z])(?:sdh|hi|cc)(?:[^a-z]|$)/i.test(name);
  const preference = impaired === (ask.hearingImpaired === 'prefer') ? 4 : 0;
  const format = /\.srt$/i.test(name) ? 2 : /\.(?:vtt|ass|ssa)$/i.test(name) ? 1 : 0;
  const wanted = new Set([ask.fileName, ...candidate.releases].flatMap(words));
  const same = words(name).filter((word) => wanted.has(word)).length;
  return preference * 100 + format * 50 + same;
}

const words = (name: string): string[] => name.slice(0, 256).toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);

async function inflated(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  const stream = await zip.openReadStreamPromise(entry);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    if (!Buffer.isBuffer(part)) continue;
    size += part.length;
    // The declared size was checked, but the stream is what counts.
    if (size > MOST_SUBTITLE) throw new ProviderFault('hostile', 'the subtitle is too large');
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  const kind = kindOf(bytes);
  if (kind !== 'text') throw new ProviderFault('hostile', `the archive has ${kind === 'zip' ? 'an archive' : kind} where a subtitle belongs`);
  return bytes;
}
