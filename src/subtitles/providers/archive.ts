/**
 * Extracts one subtitle from a download: a plain file as it is, or the one fitting file of a ZIP archive.
 *
 * An archive is refused as a whole for anything that an ordinary one does not contain: paths out of it, links, devices,
 * repeated names, encryption, more files or bytes than a season of subtitles needs, or the compression ratio of a zip
 * bomb. Nothing is written to disk. Only the chosen file is inflated, and its size is counted while it is read.
 */
import { createHash } from 'node:crypto';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { SUBTITLE_FORMATS } from '../../contract/subtitles/formats.ts';
import { covers, languageFromName, parseLanguage } from '../../lib/languages.ts';
import { parseRelease, withoutEnding } from '../../lib/release-name.ts';
import { bareNumberIn, isNotOfFilm, partIn, statesPart, discIn, matchEpisode } from './episode.ts';
import {
  type ProviderQuery,
  type Candidate,
  type DownloadedFile,
  MAX_ARCHIVE_BYTES,
  MAX_SUBTITLE_BYTES,
  ProviderFault,
} from './provider.ts';
import { bareName, saysForced } from './fields.ts';

const MAX_ENTRIES = 400;
const MAX_TOTAL_BYTES = 128 * 1024 * 1024;
const MAX_RATIO = 200;
/** Size in bytes below which a high ratio is only a repetitive file. */
const RATIO_CHECKED_FROM_BYTES = 1024 * 1024;
const MAX_NAME_LENGTH = 512;
const SUBTITLE = new RegExp(`\\.(?:${SUBTITLE_FORMATS.flatMap(({ extensions }) => extensions).join('|')})$`, 'i');

/**
 * Returns the one subtitle in `bytes`. Throws `ProviderFault` of kind `hostile`, or `not-found` if the archive has none
 * for this query; both contain the hash of the bytes.
 */
export async function extractSubtitle(
  bytes: Uint8Array,
  name: string,
  wanted: { candidate: Candidate; ask: ProviderQuery },
): Promise<DownloadedFile> {
  try {
    return await extractFrom(bytes, name, wanted);
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    throw new ProviderFault(error.kind, error.message, { content: createHash('sha256').update(bytes).digest('hex') });
  }
}

async function extractFrom(
  bytes: Uint8Array,
  name: string,
  { candidate, ask }: { candidate: Candidate; ask: ProviderQuery },
): Promise<DownloadedFile> {
  if (bytes.byteLength === 0) throw new ProviderFault('hostile', 'the provider delivered an empty file');
  const kind = kindOf(bytes);
  if (kind === 'text') {
    if (bytes.byteLength > MAX_SUBTITLE_BYTES) throw new ProviderFault('hostile', 'the subtitle is too large');
    return { bytes, name };
  }
  if (kind !== 'zip') throw new ProviderFault('hostile', `the provider delivered ${kind} where a subtitle belongs`);
  if (bytes.byteLength > MAX_ARCHIVE_BYTES) throw new ProviderFault('hostile', 'the archive is too large');
  return extractFromZip(bytes, { candidate, ask });
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
  // SAMI and TTML are markup too, so only a document type or an html element means a web page.
  if (/^[\s\xef\xbb\xbf]{0,64}<(?:!doctype html|html[\s>])/i.test(head)) return 'a web page';
  return 'text';
}

async function extractFromZip(
  bytes: Uint8Array,
  wanted: { candidate: Candidate; ask: ProviderQuery },
): Promise<DownloadedFile> {
  let zip: ZipFile | undefined;
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    zip = await fromBufferPromise(buffer, {
      lazyEntries: true,
      strictFileNames: true,
      validateEntrySizes: true,
      autoClose: false,
    });
    const members = await membersOf(zip);
    const { entry, subtitles } = chooseEntry(members, wanted);
    return {
      bytes: await inflate(zip, entry),
      name: bareName(entry.fileName, 'subtitle.srt'),
      archive: { subtitles },
    };
  } catch (error) {
    if (error instanceof ProviderFault) throw error;
    throw new ProviderFault('hostile', 'the archive is broken');
  } finally {
    zip?.close();
  }
}

/** Returns all files of the archive. Throws if it must be refused. */
async function membersOf(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > MAX_ENTRIES) throw new ProviderFault('hostile', 'the archive has too many files');
  const members: Entry[] = [];
  const names = new Set<string>();
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    refuseEntry(entry);
    const folded = entry.fileName.normalize('NFC').toLowerCase();
    if (names.has(folded)) throw new ProviderFault('hostile', 'the archive repeats a name');
    names.add(folded);
    if (names.size > MAX_ENTRIES) throw new ProviderFault('hostile', 'the archive has too many files');
    total += entry.uncompressedSize;
    if (total > MAX_TOTAL_BYTES) throw new ProviderFault('hostile', 'the unpacked archive is too large');
    if (!entry.fileName.endsWith('/')) members.push(entry);
  }
  return members;
}

function refuseEntry(entry: Entry): void {
  const name = entry.fileName;
  if (
    name.length > MAX_NAME_LENGTH ||
    /[\0\\]/.test(name) ||
    name.startsWith('/') ||
    /^[a-z]:/i.test(name) ||
    name.split('/').includes('..')
  ) {
    throw new ProviderFault('hostile', 'the archive has a file with a path outside it');
  }
  // The upper half has the file mode if the archive was made on Unix. Only files and folders are allowed; 0 means that
  // the mode is not stated.
  const type = entry.versionMadeBy >>> 8 === 3 ? (entry.externalFileAttributes >>> 16) & 0o170000 : 0;
  if (type !== 0 && type !== 0o100000 && type !== 0o040000)
    throw new ProviderFault('hostile', 'the archive contains a link or a device');
  if (entry.isEncrypted()) throw new ProviderFault('hostile', 'the archive is encrypted');
  if (
    entry.uncompressedSize > RATIO_CHECKED_FROM_BYTES &&
    entry.uncompressedSize > MAX_RATIO * Math.max(1, entry.compressedSize)
  ) {
    throw new ProviderFault('hostile', 'the archive has an implausible compression ratio');
  }
}

interface Member {
  entry: Entry;
  name: string;
}

/** Returns the entry for the query. Several fitting ones are ranked by language, forced, format and name. */
function chooseEntry(
  entries: readonly Entry[],
  { candidate, ask }: { candidate: Candidate; ask: ProviderQuery },
): { entry: Entry; subtitles: number } {
  const all: Member[] = entries
    .map((entry) => ({ entry, name: entry.fileName.split('/').at(-1) ?? '' }))
    .filter(
      ({ entry, name }) => SUBTITLE.test(name) && !name.startsWith('.') && !entry.fileName.startsWith('__MACOSX/'),
    );
  if (all.length === 0)
    throw new ProviderFault(entries.length === 0 ? 'hostile' : 'not-found', 'the archive contains no subtitle');
  // If no name says "forced", what the provider says about the whole archive counts.
  const isForced = ask.forced === true && saysForced(all.map(({ name }) => name));
  const fits = ask.kind === 'movie' ? (name: string) => !isNotOfFilm(name, ask) : fitsEpisode(all, candidate, ask);
  const fitting = all
    .filter(({ name, entry }) => fits(name) && fitsLanguage(entry.fileName, ask) && saysForced([name]) === isForced)
    .sort((a, b) => rank(b, ask, candidate) - rank(a, ask, candidate) || (a.name < b.name ? -1 : 1));
  const best = fitting[0];
  if (!best && ask.kind === 'movie' && all.some(({ name }) => discIn(name) !== undefined)) throw partsFault();
  if (!best) throw new ProviderFault('not-found', 'the archive contains no subtitle for this video');
  // "Part 1" and "Part 2" with the same name may be two films or two halves, which cannot be decided.
  if (
    ask.kind === 'movie' &&
    partIn(ask.fileName) === undefined &&
    ask.part === undefined &&
    new Set(fitting.map(({ name }) => partIn(name))).size > 1
  )
    throw partsFault();
  if (best.entry.uncompressedSize > MAX_SUBTITLE_BYTES) throw new ProviderFault('hostile', 'the subtitle is too large');
  if (best.entry.uncompressedSize === 0) throw new ProviderFault('hostile', 'the provider delivered an empty file');
  return { entry: best.entry, subtitles: all.length };
}

const partsFault = (): ProviderFault =>
  new ProviderFault('not-found', 'the archive contains the subtitle in several parts');

/**
 * Returns a test of entry names. An entry that states its episode must state exactly the wanted ones. An entry that
 * states none is accepted only as the single entry.
 */
function fitsEpisode(all: readonly Member[], candidate: Candidate, ask: ProviderQuery): (name: string) => boolean {
  // Bare numbers that begin at one belong to the season of the archive.
  const isWithinSeason =
    ask.season === 1 ||
    (candidate.season !== undefined &&
      candidate.season === ask.season &&
      all.some(({ name }) => bareNumberIn(name) === 1));
  return (name) => {
    const match = matchEpisode(name, ask, { isMember: all.length > 1 || candidate.pack, isWithinSeason });
    return match === 'same' || (match === 'unknown' && all.length === 1 && !candidate.pack);
  };
}

/**
 * Whether an entry can be in the wanted language. `Name.fr.srt`, `Name (French).srt` or `French/Name.srt` cannot be
 * English; a name without a language can.
 */
function fitsLanguage(path: string, ask: ProviderQuery): boolean {
  const folders = path.split('/');
  const name = withoutEnding(folders.pop() ?? '');
  const said = [
    ...folders.map((folder) => languageFromName(folder) ?? (folder.length <= 3 ? asLanguage(folder) : undefined)),
    languageAtEnd(name),
  ];
  return said.every((tag) => tag === undefined || covers(tag, ask.language) || tag === ask.language.split('-')[0]);
}

function languageAtEnd(name: string): string | undefined {
  const [, mark = '', word = ''] = /([ ._([-])([\p{L}-]{2,20})[)\]]?$/u.exec(name.slice(-24)) ?? [];
  return mark === '-'
    ? undefined
    : word.length <= 3 || /^[a-z]{2}-[a-z]{2}$/i.test(word)
      ? asLanguage(word)
      : languageFromName(word);
}
/** Parses a language code, except words that are both a language code and something else in file names. */
const asLanguage = (word: string): string | undefined =>
  /^(?:hi|cc|sdh|web|dvd|mp|nf|hd|bd|br|tv|cd|sub|srt|ass)$/i.test(word) ? undefined : parseLanguage(word);

function rank({ name }: Member, ask: ProviderQuery, candidate: Candidate): number {
  const impaired = /(?:^|[^a-z])(?:sdh|hi|cc)(?:[^a-z]|$)/i.test(name);
  const preference = impaired === prefersImpaired(ask) ? 4 : 0;
  const format = /\.srt$/i.test(name) ? 2 : /\.(?:vtt|ass|ssa)$/i.test(name) ? 1 : 0;
  const own = new Set(words(ask.fileName));
  const theirs = new Set(candidate.releases.flatMap(words));
  const group = parseRelease(ask.fileName).group?.toLowerCase();
  // The group says more than the source, and our own file name more than the release names of the candidate.
  const same = words(name).reduce(
    (sum, word) => sum + (word === group ? 12 : own.has(word) ? 2 : theirs.has(word) ? 1 : 0),
    0,
  );
  // The text of this part before one that may be of the whole film.
  return (statesPart(name, ask) ? 1_000 : 0) + preference * 100 + format * 50 + Math.min(99, same);
}

const prefersImpaired = ({ hearingImpaired }: ProviderQuery): boolean =>
  hearingImpaired === 'prefer' || hearingImpaired === 'only';

const words = (name: string): string[] =>
  name
    .slice(0, 256)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);

async function inflate(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  const stream = await zip.openReadStreamPromise(entry);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    if (!Buffer.isBuffer(part)) continue;
    size += part.length;
    // The declared size was checked, but only the real size counts.
    if (size > MAX_SUBTITLE_BYTES) throw new ProviderFault('hostile', 'the subtitle is too large');
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  const kind = kindOf(bytes);
  if (kind !== 'text')
    throw new ProviderFault(
      'hostile',
      `the archive has ${kind === 'zip' ? 'an archive' : kind} where a subtitle belongs`,
    );
  return bytes;
}
