/**
 * What a provider delivered, down to one subtitle: a plain file as it is, or the one fitting member of a ZIP.
 *
 * An archive is refused whole for anything that an honest one does not have: members with a path out of it, links,
 * devices, repeated names, encryption, more members or more bytes than a season of subtitles needs, a compression
 * ratio of a bomb. Nothing is written to disk and only the chosen member is inflated, counted while it is read.
 */
import { createHash } from 'node:crypto';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { SUBTITLE_FORMATS } from '../../contract/subtitles/formats.ts';
import { languageFromName, parseLanguage } from '../../lib/languages.ts';
import { parseRelease, withoutEnding } from '../../lib/release-name.ts';
import { countedIn, isNotOfFilm, partIn, pieceIn, standsTo } from './episode.ts';
import { isWanted } from './languages.ts';
import { type Ask, type Candidate, type Downloaded, MOST_ARCHIVE, MOST_SUBTITLE, ProviderFault } from './provider.ts';
import { bareName, saysForced } from './wire.ts';

const MOST_MEMBERS = 400;
const MOST_TOTAL = 128 * 1024 * 1024;
const MOST_RATIO = 200;
/** Below this a high ratio is only a repetitive file. */
const RATIO_FROM = 1024 * 1024;
const LONGEST_NAME = 512;
const SUBTITLE = new RegExp(`\\.(?:${SUBTITLE_FORMATS.flatMap(({ extensions }) => extensions).join('|')})$`, 'i');

/**
 * The one subtitle in `bytes`. Throws `hostile`, or `not-found` when there is none for this ask; either names the
 * content.
 */
export async function oneSubtitle(
  bytes: Uint8Array,
  name: string,
  wanted: { candidate: Candidate; ask: Ask },
): Promise<Downloaded> {
  try {
    return await opened(bytes, name, wanted);
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    throw new ProviderFault(error.kind, error.message, { content: createHash('sha256').update(bytes).digest('hex') });
  }
}

async function opened(
  bytes: Uint8Array,
  name: string,
  { candidate, ask }: { candidate: Candidate; ask: Ask },
): Promise<Downloaded> {
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
    zip = await fromBufferPromise(buffer, {
      lazyEntries: true,
      strictFileNames: true,
      validateEntrySizes: true,
      autoClose: false,
    });
    const members = await membersOf(zip);
    const { entry, subtitles } = chosen(members, wanted);
    return {
      bytes: await inflated(zip, entry),
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
  if (
    name.length > LONGEST_NAME ||
    /[\0\\]/.test(name) ||
    name.startsWith('/') ||
    /^[a-z]:/i.test(name) ||
    name.split('/').includes('..')
  ) {
    throw new ProviderFault('hostile', 'the archive has a member with a path out of it');
  }
  // Made on Unix: the upper half holds the file mode. Only files and folders are honest; 0 is "not said".
  const type = entry.versionMadeBy >>> 8 === 3 ? (entry.externalFileAttributes >>> 16) & 0o170000 : 0;
  if (type !== 0 && type !== 0o100000 && type !== 0o040000)
    throw new ProviderFault('hostile', 'the archive has a link or a device in it');
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
function chosen(
  entries: readonly Entry[],
  { candidate, ask }: { candidate: Candidate; ask: Ask },
): { entry: Entry; subtitles: number } {
  const all: Member[] = entries
    .map((entry) => ({ entry, name: entry.fileName.split('/').at(-1) ?? '' }))
    .filter(
      ({ entry, name }) => SUBTITLE.test(name) && !name.startsWith('.') && !entry.fileName.startsWith('__MACOSX/'),
    );
  if (all.length === 0)
    throw new ProviderFault(entries.length === 0 ? 'hostile' : 'not-found', 'the archive has no subtitle in it');
  // Where no name says forced, the provider's word for the whole archive stands.
  const isForced = ask.forced === true && saysForced(all.map(({ name }) => name));
  const fits = ask.kind === 'movie' ? (name: string) => !isNotOfFilm(name, ask) : fitsEpisode(all, candidate, ask);
  const fitting = all
    .filter(({ name, entry }) => fits(name) && fitsLanguage(entry.fileName, ask) && saysForced([name]) === isForced)
    .sort((a, b) => rank(b, ask, candidate) - rank(a, ask, candidate) || (a.name < b.name ? -1 : 1));
  const best = fitting[0];
  if (!best && ask.kind === 'movie' && all.some(({ name }) => pieceIn(name) !== undefined)) throw IN_PARTS();
  if (!best) throw new ProviderFault('not-found', 'the archive has no subtitle for this video');
  // "Part 1" and "Part 2" of the same name; which of them is a film of its own, nobody can tell.
  if (
    ask.kind === 'movie' &&
    partIn(ask.fileName) === undefined &&
    new Set(fitting.map(({ name }) => partIn(name))).size > 1
  )
    throw IN_PARTS();
  if (best.entry.uncompressedSize > MOST_SUBTITLE) throw new ProviderFault('hostile', 'the subtitle is too large');
  if (best.entry.uncompressedSize === 0) throw new ProviderFault('hostile', 'the provider delivered an empty file');
  return { entry: best.entry, subtitles: all.length };
}

const IN_PARTS = (): ProviderFault => new ProviderFault('not-found', 'the archive has the subtitle in several parts');

/** A member that names its episode must name ours, and no more than ours; one that does not may only stand alone. */
function fitsEpisode(all: readonly Member[], candidate: Candidate, ask: Ask): (name: string) => boolean {
  // Numbers alone that begin at one are those of the season that the archive is of.
  const isWithinSeason =
    ask.season === 1 ||
    (candidate.season !== undefined &&
      candidate.season === ask.season &&
      all.some(({ name }) => countedIn(name) === 1));
  return (name) => {
    const standing = standsTo(name, ask, { isMember: all.length > 1 || candidate.pack, isWithinSeason });
    return standing === 'same' || (standing === 'unknown' && all.length === 1 && !candidate.pack);
  };
}

/**
 * `Name.fr.srt`, `Name (French).srt` or `French/Name.srt` in an archive for English is not it; a name without a
 * language says nothing.
 */
function fitsLanguage(path: string, ask: Ask): boolean {
  const folders = path.split('/');
  const name = withoutEnding(folders.pop() ?? '');
  const said = [
    ...folders.map((folder) => languageFromName(folder) ?? (folder.length <= 3 ? asLanguage(folder) : undefined)),
    languageAtEnd(name),
  ];
  return said.every((tag) => tag === undefined || isWanted(tag, ask.language) || tag === ask.language.split('-')[0]);
}

function languageAtEnd(name: string): string | undefined {
  const [, mark = '', word = ''] = /([ ._([-])([\p{L}-]{2,20})[)\]]?$/u.exec(name.slice(-24)) ?? [];
  return mark === '-'
    ? undefined
    : word.length <= 3 || /^[a-z]{2}-[a-z]{2}$/i.test(word)
      ? asLanguage(word)
      : languageFromName(word);
}
/** Marks of other things that are language codes as well. */
const asLanguage = (word: string): string | undefined =>
  /^(?:hi|cc|sdh|web|dvd|mp|nf|hd|bd|br|tv|cd|sub|srt|ass)$/i.test(word) ? undefined : parseLanguage(word);

function rank({ name }: Member, ask: Ask, candidate: Candidate): number {
  const impaired = /(?:^|[^a-z])(?:sdh|hi|cc)(?:[^a-z]|$)/i.test(name);
  const preference = impaired === (ask.hearingImpaired === 'prefer') ? 4 : 0;
  const format = /\.srt$/i.test(name) ? 2 : /\.(?:vtt|ass|ssa)$/i.test(name) ? 1 : 0;
  const own = new Set(words(ask.fileName));
  const theirs = new Set(candidate.releases.flatMap(words));
  const group = parseRelease(ask.fileName).group?.toLowerCase();
  // Whose release it is says more than what it was made from, and our own name more than those that were promised.
  const same = words(name).reduce(
    (sum, word) => sum + (word === group ? 12 : own.has(word) ? 2 : theirs.has(word) ? 1 : 0),
    0,
  );
  return preference * 100 + format * 50 + Math.min(99, same);
}

const words = (name: string): string[] =>
  name
    .slice(0, 256)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);

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
  if (kind !== 'text')
    throw new ProviderFault(
      'hostile',
      `the archive has ${kind === 'zip' ? 'an archive' : kind} where a subtitle belongs`,
    );
  return bytes;
}
