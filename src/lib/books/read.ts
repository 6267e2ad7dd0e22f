/** Answers questions about one open book. Pure except for reading: the helper process calls it with an open file. */
import { BadArchive, EncryptedArchive, isZip, openZip, type ReadArchiveAt, type Zip } from '../archive/zip.ts';
import { findElement, isElement, type MarkupElement, MarkupTooLarge, readMarkup } from '../xml/tree.ts';
import { compareNatural, comicPages, pictureTypeOf } from './comic.ts';
import { rewriteCss } from './css.ts';
import { type EpubPackage, isEpub, readEpub, resolveEntry } from './epub.ts';
import { rewritePart } from './part.ts';
import { openPacked, packedFormat } from './packed.ts';
import { BadPdf, drawPdfPage, isPdf, openPdf, readPdfText, searchPdf } from './pdf.ts';
import type {
  AddressForm,
  BookAnswer,
  BookBytes,
  DrawnPage,
  BookMatch,
  BookQuestion,
  ContentsLine,
  OpenedBook,
  PageText,
} from './questions.ts';

const MAX_PART_BYTES = 16 * 1024 * 1024;
const MAX_PICTURE_BYTES = 64 * 1024 * 1024;
const MAX_SEARCHED_BYTES = 128 * 1024 * 1024;
const AROUND = 60;

export type BookReply = OpenedBook | BookBytes | DrawnPage | BookMatch[] | PageText;

/** An archive with its package, if it is an EPUB. */
interface Open {
  zip: Zip;
  epub: EpubPackage | undefined;
}

/** Values that were read, by the version of their file: the parts of a book are asked for one after the other. */
export interface BookCache {
  packages: KeptValues<EpubPackage>;
  /** Opened RAR and 7z archives, which are in memory as a whole. */
  packed: KeptValues<Zip>;
}
interface KeptValues<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): unknown;
}

/** Answers a question about the book in a file. Never throws because of the content of the file. */
export async function answerAbout(
  question: BookQuestion,
  file: { size: number; readAt: ReadArchiveAt; key: string },
  cache: BookCache,
): Promise<BookAnswer<BookReply>> {
  try {
    const found = isPdf(file.size, file.readAt)
      ? await findInPdf(question, file)
      : await find(question, await open(file, cache));
    return found === undefined ? { refused: 'missing' } : { found };
  } catch (error) {
    if (error instanceof BadPdf) return { refused: error.isEncrypted ? 'encrypted' : 'broken' };
    if (error instanceof EncryptedArchive) return { refused: 'encrypted' };
    if (error instanceof BadArchive || error instanceof MarkupTooLarge || error instanceof RangeError)
      return { refused: 'broken' };
    throw error;
  }
}

async function findInPdf(
  question: BookQuestion,
  { size, readAt }: { size: number; readAt: ReadArchiveAt },
): Promise<BookReply | undefined> {
  switch (question.do) {
    case 'open':
      return openPdf(size, readAt);
    case 'entry':
      return drawPdfPage(size, readAt, { page: 0 });
    case 'page':
      return drawPdfPage(size, readAt, question);
    case 'text':
      return readPdfText(size, readAt, question.page);
    case 'search': {
      const wanted = wantedText(question.text);
      const find = (text: string, part: number) => (wanted === '' ? [] : matchesIn(text, { wanted, part }));
      return searchPdf(size, readAt, find, question.limit);
    }
    default:
      return undefined;
  }
}

async function open(
  { size, readAt, key }: { size: number; readAt: ReadArchiveAt; key: string },
  cache: BookCache,
): Promise<Open> {
  const head = Buffer.alloc(Math.min(16, size));
  readAt(head, 0);
  if (packedFormat(head) !== undefined) {
    const packed = cache.packed.get(key) ?? (await openPacked(size, readAt));
    cache.packed.set(key, packed);
    return { zip: packed, epub: undefined };
  }
  if (!isZip(head)) throw new BadArchive('the file is no archive');
  const zip = await openZip(size, readAt);
  if (!isEpub(zip)) return { zip, epub: undefined };
  const epub = cache.packages.get(key) ?? (await readEpub(zip));
  cache.packages.set(key, epub);
  return { zip, epub };
}

async function find(question: BookQuestion, { zip, epub }: Open): Promise<BookReply | undefined> {
  switch (question.do) {
    case 'open':
      return epub ? openedEpub(epub) : openedComic(zip);
    case 'entry':
      return pictureIn(zip, question.entry);
    case 'page':
      return epub ? undefined : pictureIn(zip, comicPages(zip)[question.page]?.name);
    case 'part':
      return epub && partOf({ zip, epub }, question);
    case 'asset':
      return epub && assetOf({ zip, epub }, question);
    case 'search':
      return epub ? search({ zip, epub }, question) : [];
    case 'text':
      return undefined;
  }
}

const openedEpub = ({ facts, contents, parts }: EpubPackage): OpenedBook => ({
  kind: 'epub',
  ...(facts.direction !== undefined && { direction: facts.direction }),
  contents: [...contents],
  parts: parts.length,
});

function openedComic(zip: Zip): OpenedBook {
  const pages = comicPages(zip);
  return { kind: 'comic', contents: foldersOf(pages.map(({ name }) => name)), parts: pages.length };
}

/** The folders of a comic are its chapters, if it has several. */
function foldersOf(names: readonly string[]): ContentsLine[] {
  const lines: ContentsLine[] = [];
  let before: string | undefined;
  for (const [part, name] of names.entries()) {
    const folder = name.slice(0, Math.max(0, name.lastIndexOf('/')));
    if (folder !== before) lines.push({ title: folder.slice(folder.lastIndexOf('/') + 1), part, depth: 0 });
    before = folder;
  }
  return lines.length > 1 ? lines.filter(({ title }) => title !== '') : [];
}

async function pictureIn(zip: Zip, name: string | undefined): Promise<BookBytes | undefined> {
  const entry = name === undefined ? undefined : zip.find(name);
  if (!entry) return undefined;
  const bytes = await zip.read(entry, MAX_PICTURE_BYTES);
  const type = pictureTypeOf(bytes);
  return type && { type, bytes };
}

/** Returns the number of each entry of a book, which is its address. Names are sorted, so that it stays the same. */
function assetNumbers({ entries }: Zip): Map<string, number> {
  return new Map(
    entries
      .map(({ name }) => name)
      .sort(compareNatural)
      .map((name, number) => [name, number]),
  );
}

const assetAddress = (zip: Zip, from: string, { base, query }: AddressForm) => {
  const numbers = assetNumbers(zip);
  return (address: string): string | undefined => {
    const number = numbers.get(resolveEntry(from, address)?.name ?? '');
    return number === undefined ? undefined : `${base}/asset/${number}${query}`;
  };
};

async function partOf(
  { zip, epub }: { zip: Zip; epub: EpubPackage },
  { part, base, query }: { part: number } & AddressForm,
): Promise<BookBytes | undefined> {
  const name = epub.parts[part];
  const entry = name === undefined ? undefined : zip.find(name);
  if (name === undefined || !entry) return undefined;
  const text = decode(await zip.read(entry, MAX_PART_BYTES));
  const numbers = new Map(epub.parts.map((one, number) => [one, number]));
  const html = rewritePart(text, {
    asset: assetAddress(zip, name, { base, query }),
    part: (address) => {
      const to = resolveEntry(name, address);
      const number = to && numbers.get(to.name);
      const fragment = to?.fragment === undefined ? '' : `#${encodeURIComponent(to.fragment)}`;
      return number === undefined ? undefined : `${base}/part/${number}${query}${fragment}`;
    },
  });
  return { type: 'application/xhtml+xml; charset=utf-8', bytes: Buffer.from(html) };
}

/** Books are UTF-8 or, rarely, UTF-16 with a byte order mark. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return Buffer.from(bytes).swap16().toString('utf16le');
  const stated = /^[^>]{0,100}encoding=["']([\w-]{1,20})["']/.exec(bytes.subarray(0, 200).toString('latin1'))?.[1];
  return /^(?:iso-8859-1|windows-1252|latin1)$/i.test(stated ?? '')
    ? new TextDecoder('windows-1252').decode(bytes)
    : bytes.toString('utf8');
}

const FONTS = [
  ['font/woff2', /^wOF2/],
  ['font/woff', /^wOFF/],
  ['font/otf', /^OTTO/],
  // eslint-disable-next-line no-control-regex -- the first bytes of a TrueType font
  ['font/ttf', /^(?:\0\x01\0\0|true)/],
] as const;
const SOUNDS: ReadonlySet<string> = new Set(['audio/mpeg', 'audio/mp4', 'audio/ogg', 'video/mp4', 'video/webm']);

/** Returns a file of the book as what it is. Only pictures, style sheets, fonts, sounds and videos are sent. */
async function assetOf(
  { zip, epub }: { zip: Zip; epub: EpubPackage },
  { asset, base, query }: { asset: number } & AddressForm,
): Promise<BookBytes | undefined> {
  const name = [...assetNumbers(zip)].find(([, number]) => number === asset)?.[0];
  const entry = name === undefined ? undefined : zip.find(name);
  if (name === undefined || !entry) return undefined;
  const bytes = await zip.read(entry, MAX_PICTURE_BYTES);
  const stated = epub.types.get(name) ?? '';
  if (stated === 'text/css' || /\.css$/i.test(name)) {
    const css = rewriteCss(decode(bytes), assetAddress(zip, name, { base, query }));
    return { type: 'text/css; charset=utf-8', bytes: Buffer.from(css) };
  }
  const head = bytes.subarray(0, 16).toString('latin1');
  const type =
    pictureTypeOf(bytes) ??
    FONTS.find(([, start]) => start.test(head))?.[0] ??
    (stated === 'image/svg+xml' ? stated : undefined) ??
    (SOUNDS.has(stated) ? stated : undefined);
  return type === undefined ? undefined : { type, bytes };
}

/** Elements whose text people do not read. */
const UNREAD: ReadonlySet<string> = new Set(['head', 'script', 'style', 'title', 'template']);

/** Elements inside a line. The text of any other one does not continue the line before it. */
const IN_LINE: ReadonlySet<string> = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd mark q rb rp rt rtc ruby s samp small ' +
    'span strike strong sub sup time tt u var wbr'
  ).split(' '),
);

/** Returns the text of a part as a reader sees it, with white space collapsed. */
function readableText(tree: MarkupElement): string {
  const parts: string[] = [];
  const walk = ({ children }: MarkupElement): void => {
    for (const child of children) {
      if (!isElement(child)) parts.push(child);
      else if (!UNREAD.has(child.local)) {
        const gap = IN_LINE.has(child.local) ? '' : ' ';
        parts.push(gap);
        walk(child);
        parts.push(gap);
      }
    }
  };
  walk(findElement(tree, ({ local }) => local === 'body') ?? tree);
  return parts.join('').replaceAll(/\s+/g, ' ');
}

const wantedText = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().toLowerCase();

async function search(
  { zip, epub }: { zip: Zip; epub: EpubPackage },
  { text, limit }: { text: string; limit: number },
): Promise<BookMatch[]> {
  const wanted = wantedText(text);
  const matches: BookMatch[] = [];
  let searched = 0;
  for (const [part, name] of epub.parts.entries()) {
    const entry = zip.find(name);
    if (!entry || wanted === '') continue;
    searched += entry.size;
    if (searched > MAX_SEARCHED_BYTES || matches.length >= limit) break;
    const tree = readMarkup(decode(await zip.read(entry, MAX_PART_BYTES)), {
      isHtml: true,
      limits: { characters: MAX_PART_BYTES, elements: 400_000 },
    });
    matches.push(...matchesIn(readableText(tree), { wanted, part }).slice(0, limit - matches.length));
  }
  return matches;
}

function matchesIn(text: string, { wanted, part }: { wanted: string; part: number }): BookMatch[] {
  const lower = text.toLowerCase();
  // A few characters change their length in lower case; then places cannot be compared.
  const searched = lower.length === text.length ? lower : text;
  const found: BookMatch[] = [];
  for (let at = searched.indexOf(wanted); at >= 0; at = searched.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length;
    found.push({
      part,
      number: found.length,
      offset: at / Math.max(1, text.length),
      before: text.slice(Math.max(0, at - AROUND), at),
      match: text.slice(at, end),
      after: text.slice(end, end + AROUND),
    });
  }
  return found;
}
