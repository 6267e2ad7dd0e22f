/**
 * Reads comic books in archives: which entries are pages, in which order, and what ComicInfo.xml says.
 *
 * Pages are ordered by their paths with numbers compared as numbers. The type of a page is decided by its first bytes
 * when it is read; here only names count.
 */
import { BadArchive, type Zip, type ZipEntry } from '../archive/zip.ts';
import { findElement, isElement, MarkupTooLarge, readMarkup, elementText } from '../xml/tree.ts';
import { type BookMetadata, type BookFormat, cleanText, numberingOf } from './types.ts';

const PAGE = /\.(?:jpe?g|png|gif|webp|avif|jfif)$/i;
const MAX_COMIC_INFO_BYTES = 1024 * 1024;
const MAX_PEOPLE = 40;
const MAX_DESCRIPTION_LENGTH = 5_000;

/** Compares names as people sort them: `page 2` before `page 10`. */
export function compareNatural(a: string, b: string): number {
  const [one, other] = [runsOf(a), runsOf(b)];
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    const [x, y] = [one[at] ?? '', other[at] ?? ''];
    if (x === y) continue;
    const [m, n] = [Number(x), Number(y)];
    if (!Number.isNaN(m) && !Number.isNaN(n) && m !== n) return m - n;
    return x < y ? -1 : 1;
  }
  return one.length - other.length || (a < b ? -1 : a > b ? 1 : 0);
}

const runsOf = (text: string): readonly string[] => text.toLowerCase().match(/\d+|\D+/g) ?? [];

/** Returns the pages of a comic in reading order. Files of the system and hidden ones are left out. */
export const comicPages = ({ entries }: Pick<Zip, 'entries'>): ZipEntry[] =>
  entries
    .filter(({ name }) => PAGE.test(name) && !/(?:^|\/)(?:\.|__MACOSX\/)/.test(name))
    .toSorted((a, b) => compareNatural(a.name, b.name));

const PICTURES = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['image/avif', /^[^]{4}ftypavi[fs]/],
] as const;
export type PictureType = (typeof PICTURES)[number][0];

/** Returns the type of a picture by its first bytes; undefined for anything that is no picture. */
export function pictureTypeOf(bytes: Uint8Array): PictureType | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return PICTURES.find(([, start]) => start.test(head))?.[0];
}

/** Reads the facts of a comic. Throws `BadArchive` if it has no pages. */
export async function readComic(zip: Zip, format: BookFormat): Promise<BookMetadata> {
  const pages = comicPages(zip);
  if (pages.length === 0) throw new BadArchive('the archive has no pages');
  const entry = zip.entries.find(({ name }) => /(?:^|\/)comicinfo\.xml$/i.test(name));
  const info = entry ? await infoOf(zip, entry) : new Map<string, string>();
  const cover = pages[Number(info.get('#cover') ?? 0)] ?? pages[0];
  return { ...comicFacts(info), format, pages: pages.length, ...(cover && { cover: cover.name }) };
}

/** Returns the fields of ComicInfo.xml, and as `#cover` the number of the page that is the front cover. */
async function infoOf(zip: Zip, entry: ZipEntry): Promise<Map<string, string>> {
  const fields = new Map<string, string>();
  try {
    const tree = readMarkup((await zip.read(entry, MAX_COMIC_INFO_BYTES)).toString('utf8'));
    const root = findElement(tree, ({ local }) => local === 'comicinfo');
    for (const child of root?.children.filter(isElement) ?? []) {
      const value = elementText(child, MAX_DESCRIPTION_LENGTH);
      if (value !== '' && !fields.has(child.local)) fields.set(child.local, value);
    }
    const front =
      root && findElement(root, ({ local, attributes }) => local === 'page' && attributes.get('Type') === 'FrontCover');
    const image = front?.attributes.get('Image');
    if (image !== undefined && /^\d{1,5}$/.test(image)) fields.set('#cover', image);
  } catch (error) {
    // Pages can be read without it.
    if (!(error instanceof MarkupTooLarge) && !(error instanceof BadArchive)) throw error;
  }
  return fields;
}

const AGES: Readonly<Record<string, number>> = {
  'early childhood': 0,
  everyone: 0,
  'kids to adults': 0,
  g: 0,
  'everyone 10+': 10,
  pg: 8,
  teen: 13,
  m: 15,
  'ma15+': 15,
  'mature 17+': 17,
  'adults only 18+': 18,
  'r18+': 18,
  'x18+': 18,
};
const WRITERS = ['writer'];
const ARTISTS = ['penciller', 'inker', 'colorist', 'letterer', 'coverartist', 'editor', 'translator'];

/** Returns what the fields of ComicInfo.xml say, by their names in lower case. */
export function comicFacts(info: ReadonlyMap<string, string>): Omit<BookMetadata, 'format'> {
  const people = (names: readonly string[]): string[] => [
    ...new Set(
      names
        .flatMap((name) => (info.get(name) ?? '').split(','))
        .flatMap((name) => cleanText(name, 200) ?? [])
        .slice(0, MAX_PEOPLE),
    ),
  ];
  const writers = people(WRITERS);
  const artists = people(ARTISTS).filter((name) => !writers.includes(name));
  const series = cleanText(info.get('series'));
  // Collectors of American comics write the year of a series into its volume.
  const volume = info.get('volume');
  const isYear = volume !== undefined && /^(?:19|20)\d\d$/.test(volume);
  const isUnset = (text: string | undefined) => text === undefined || text === '-1';
  const manga = info.get('manga')?.toLowerCase();
  const optional = {
    title: cleanText(info.get('title')),
    publisher: cleanText(info.get('publisher')),
    published: publishedOf(info),
    language: cleanText(info.get('languageiso'), 20),
    description: cleanText(info.get('summary'), MAX_DESCRIPTION_LENGTH),
    series: series !== undefined && isYear ? `${series} (${volume})` : series,
    volume: isYear || isUnset(volume) ? undefined : numberingOf(volume),
    chapter: isUnset(info.get('number')) ? undefined : numberingOf(info.get('number')),
    age: AGES[info.get('agerating')?.toLowerCase() ?? ''],
    direction: manga === 'yesandrighttoleft' ? ('rtl' as const) : undefined,
    isbn: /^[\dX-]{10,17}$/.exec(info.get('gtin') ?? '')?.[0].replaceAll('-', ''),
  };
  return {
    authors: writers.length > 0 ? writers : artists.slice(0, 1),
    contributors: writers.length > 0 ? artists : artists.slice(1),
    subjects: (info.get('genre') ?? '')
      .split(',')
      .flatMap((genre) => cleanText(genre, 80) ?? [])
      .slice(0, MAX_PEOPLE),
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== undefined),
    ) as Partial<BookMetadata>),
  };
}

function publishedOf(info: ReadonlyMap<string, string>): string | undefined {
  const [year, month, day] = ['year', 'month', 'day'].map((name) => Number(info.get(name)));
  if (year === undefined || !(year >= 1000 && year <= 2200)) return undefined;
  const parts = [String(year)];
  if (month !== undefined && month >= 1 && month <= 12) {
    parts.push(String(month).padStart(2, '0'));
    if (day !== undefined && day >= 1 && day <= 31) parts.push(String(day).padStart(2, '0'));
  }
  return parts.join('-');
}
