/**
 * Reads the package of an EPUB 2 or 3: metadata, manifest, spine and contents.
 *
 * The package names files by addresses relative to itself. They are resolved to names of archive entries; an address
 * that leads out of the archive or has a scheme names nothing.
 */
import { BadArchive, type Zip } from '../archive/zip.ts';
import {
  childrenNamed,
  findElement,
  isElement,
  type MarkupElement,
  readMarkup,
  elementText,
  MarkupTooLarge,
} from '../xml/tree.ts';
import { type BookMetadata, cleanText, numberingOf, type ReadingDirection } from './types.ts';

const MAX_PACKAGE_BYTES = 4 * 1024 * 1024;
const MAX_PARTS = 5_000;
const MAX_CONTENTS = 5_000;
const MAX_CONTENTS_DEPTH = 8;
const MAX_PEOPLE = 40;
const MAX_DESCRIPTION_LENGTH = 5_000;

export interface EpubContent {
  title: string;
  part: number;
  /** Id of the element in the part at which it begins. */
  fragment?: string;
  depth: number;
}
export interface EpubPackage {
  facts: BookMetadata;
  /** Archive entries of the parts, in reading order. */
  parts: readonly string[];
  contents: readonly EpubContent[];
  /** Content types by archive entry, as the manifest states them. */
  types: ReadonlyMap<string, string>;
}

/** Resolves an address in a document of the archive. Undefined for one that leads out of it, or has a scheme. */
export function resolveEntry(from: string, address: string): { name: string; fragment?: string } | undefined {
  const [path, fragment] = address.trim().split('#', 2) as [string, string | undefined];
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|\\/i.test(path)) return undefined;
  const of = fragment === undefined || fragment === '' ? {} : { fragment };
  if (path === '') return { name: from, ...of };
  let decoded: string;
  try {
    decoded = decodeURIComponent(path.split('?', 1)[0] ?? '');
  } catch {
    return undefined;
  }
  const parts = decoded.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of decoded.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return { name: parts.join('/'), ...of };
}

/** Returns whether an archive says that it is an EPUB. */
export const isEpub = (zip: Zip): boolean => zip.find('META-INF/container.xml') !== undefined;

/** Reads the package. Throws `BadArchive` if there is none, and `MarkupTooLarge`. */
export async function readEpub(zip: Zip): Promise<EpubPackage> {
  const container = await documentOf(zip, 'META-INF/container.xml');
  const rootfile = container && findElement(container, ({ local }) => local === 'rootfile');
  const path = resolveEntry('', rootfile?.attributes.get('full-path') ?? '')?.name ?? '';
  const opf = await documentOf(zip, path);
  const manifest = opf && findElement(opf, ({ local }) => local === 'manifest');
  const spine = opf && findElement(opf, ({ local }) => local === 'spine');
  const metadata = opf && findElement(opf, ({ local }) => local === 'metadata');
  if (!manifest || !spine) throw new BadArchive('the book has no package');
  const items = manifestOf(manifest, path);
  const parts = partsOf(spine, items, zip);
  if (parts.length === 0) throw new BadArchive('the book has no parts');
  const direction = spine.attributes.get('page-progression-direction');
  const facts: BookMetadata = {
    ...factsOf(metadata),
    ...coverOf(items, metadata, zip),
    ...((direction === 'rtl' || direction === 'ltr') && { direction: direction satisfies ReadingDirection }),
    pages: parts.length,
  };
  const types = new Map([...items.values()].map(({ name, type }) => [name, type]));
  return { facts, parts, types, contents: await contentsOf(zip, { items, spine, parts }) };
}

/** Maximum length of a package next to a book. */
const MAX_LOOSE_PACKAGE = 512 * 1024;

/**
 * Reads a package that is next to a book and in no archive, as library programs write it. Narrators are people of the
 * role `nrt`. Returns undefined for a text without metadata, and for one that is too large.
 */
export function readLoosePackage(text: string): { facts: BookMetadata; narrators: string[] } | undefined {
  if (text.length > MAX_LOOSE_PACKAGE) return undefined;
  try {
    const opf = readMarkup(text, { limits: { characters: MAX_LOOSE_PACKAGE, elements: 20_000 } });
    const metadata = opf && findElement(opf, ({ local }) => local === 'metadata');
    if (!metadata) return undefined;
    const named = [...elementsOf(metadata, 'creator'), ...elementsOf(metadata, 'contributor')];
    const narrators = named
      .filter(
        (one) => (attributeNamed(one, 'role') ?? refinement(metadata, one.attributes.get('id'), 'role')) === 'nrt',
      )
      .flatMap((one) => cleanText(elementText(one), 200) ?? []);
    return { facts: factsOf(metadata), narrators: [...new Set(narrators)].slice(0, MAX_PEOPLE) };
  } catch (error) {
    if (error instanceof MarkupTooLarge) return undefined;
    throw error;
  }
}

async function documentOf(zip: Zip, name: string): Promise<MarkupElement | undefined> {
  const entry = zip.find(name);
  return entry && readMarkup((await zip.read(entry, MAX_PACKAGE_BYTES)).toString('utf8'));
}

interface ManifestItem {
  name: string;
  type: string;
  properties: readonly string[];
}
type Manifest = ReadonlyMap<string, ManifestItem>;

function manifestOf(manifest: MarkupElement, path: string): Map<string, ManifestItem> {
  const items = new Map<string, ManifestItem>();
  for (const { attributes } of childrenNamed(manifest, 'item')) {
    const name = resolveEntry(path, attributes.get('href') ?? '')?.name;
    const id = attributes.get('id');
    if (name === undefined || name === '' || id === undefined) continue;
    const properties = (attributes.get('properties') ?? '').split(/\s+/);
    items.set(id, { name, type: attributes.get('media-type')?.toLowerCase() ?? '', properties });
  }
  return items;
}

const PART_TYPES: ReadonlySet<string> = new Set(['application/xhtml+xml', 'text/html', 'image/svg+xml', '']);

function partsOf(spine: MarkupElement, items: Manifest, zip: Zip): string[] {
  const refs = childrenNamed(spine, 'itemref');
  const named = (isLinear: boolean) =>
    refs
      .filter(({ attributes }) => (attributes.get('linear') !== 'no') === isLinear)
      .flatMap(({ attributes }) => items.get(attributes.get('idref') ?? '') ?? [])
      .filter(({ name, type }) => PART_TYPES.has(type) && zip.find(name) !== undefined)
      .map(({ name }) => name);
  // Parts outside the reading order are reached by links, so they come last.
  return [...new Set([...named(true), ...named(false)])].slice(0, MAX_PARTS);
}

type Metadata = MarkupElement | undefined;
const elementsOf = (metadata: Metadata, local: string): MarkupElement[] =>
  metadata ? childrenNamed(metadata, local) : [];

/** Returns the value of a `meta` element: EPUB 2 has it in `content`, EPUB 3 as text. */
function metaOf(metadata: Metadata, name: string): string | undefined {
  for (const meta of elementsOf(metadata, 'meta')) {
    if (meta.attributes.get('name') === name) return cleanText(meta.attributes.get('content'));
    if (meta.attributes.get('property') === name) return cleanText(elementText(meta));
  }
  return undefined;
}

/** Returns what refines an element by id in EPUB 3: `role`, `file-as`, `group-position`. */
function refinement(metadata: Metadata, id: string | undefined, property: string): string | undefined {
  if (id === undefined) return undefined;
  const found = elementsOf(metadata, 'meta').find(
    ({ attributes }) => attributes.get('refines') === `#${id}` && attributes.get('property') === property,
  );
  return found && cleanText(elementText(found));
}

const attributeNamed = ({ attributes }: MarkupElement, local: string): string | undefined =>
  [...attributes].find(([name]) => name.slice(name.indexOf(':') + 1) === local)?.[1];

function factsOf(metadata: Metadata): BookMetadata {
  const first = (local: string) =>
    elementsOf(metadata, local)
      .map((one) => cleanText(elementText(one)))
      .find((text) => text !== undefined);
  const title = first('title');
  const [description] = elementsOf(metadata, 'description');
  const published = elementsOf(metadata, 'date')
    .toSorted((a, b) => rankOfDate(a) - rankOfDate(b))
    .flatMap((date) => /^\d{4}(?:-\d\d){0,2}/.exec(elementText(date, 40)) ?? [])[0];
  const people = peopleOf(metadata);
  const optional = {
    title,
    sortTitle: metaOf(metadata, 'calibre:title_sort'),
    publisher: first('publisher'),
    published,
    language: first('language'),
    description: cleanText(
      description && withoutTags(elementText(description, MAX_DESCRIPTION_LENGTH)),
      MAX_DESCRIPTION_LENGTH,
    ),
    isbn: isbnOf(metadata),
    ...seriesOf(metadata),
  };
  return {
    format: 'epub',
    ...people,
    subjects: elementsOf(metadata, 'subject')
      .flatMap((subject) => cleanText(elementText(subject), 80) ?? [])
      .slice(0, MAX_PEOPLE),
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== undefined),
    ) as Partial<BookMetadata>),
  };
}

/** Descriptions often hold escaped HTML. */
const withoutTags = (text: string): string => text.replaceAll(/<[^<>]{0,200}>/g, ' ');

/** The day of publication counts; days of conversion and change do not. */
function rankOfDate(date: MarkupElement): number {
  const event = attributeNamed(date, 'event');
  return event === 'publication' || event === 'original-publication' ? 0 : event === undefined ? 1 : 2;
}

function peopleOf(metadata: Metadata): Pick<BookMetadata, 'authors' | 'contributors'> {
  const authors: string[] = [];
  const contributors: string[] = [];
  for (const local of ['creator', 'contributor'])
    for (const person of elementsOf(metadata, local)) {
      const name = cleanText(elementText(person), 200);
      if (name === undefined) continue;
      const role = attributeNamed(person, 'role') ?? refinement(metadata, person.attributes.get('id'), 'role');
      // Programs that made the file are contributors of the role `bkp`.
      if (role === 'bkp' || role === 'prd') continue;
      const isAuthor = role === 'aut' || (role === undefined && local === 'creator');
      const list = isAuthor ? authors : contributors;
      if (!list.includes(name) && list.length < MAX_PEOPLE) list.push(name);
    }
  return { authors, contributors };
}

function isbnOf(metadata: Metadata): string | undefined {
  for (const identifier of elementsOf(metadata, 'identifier')) {
    const digits = elementText(identifier, 80)
      .replace(/^urn:isbn:|^isbn:?/i, '')
      .replaceAll(/[\s-]/g, '')
      .toUpperCase();
    if (isIsbn(digits)) return digits;
  }
  return undefined;
}

/** Returns whether the check digit of an ISBN fits. */
export function isIsbn(text: string): boolean {
  if (/^97[89]\d{10}$/.test(text))
    return [...text].reduce((sum, digit, at) => sum + Number(digit) * (at % 2 === 0 ? 1 : 3), 0) % 10 === 0;
  if (!/^\d{9}[\dX]$/.test(text)) return false;
  return [...text].reduce((sum, digit, at) => sum + (digit === 'X' ? 10 : Number(digit)) * (10 - at), 0) % 11 === 0;
}

/** Returns series and place: a collection of EPUB 3 of the type `series`, else the fields of calibre. */
function seriesOf(metadata: Metadata): { series?: string | undefined; volume?: BookMetadata['volume'] | undefined } {
  for (const meta of elementsOf(metadata, 'meta')) {
    if (meta.attributes.get('property') !== 'belongs-to-collection') continue;
    const id = meta.attributes.get('id');
    const type = refinement(metadata, id, 'collection-type');
    if (type !== undefined && type !== 'series') continue;
    const series = cleanText(elementText(meta));
    if (series !== undefined) return { series, volume: numberingOf(refinement(metadata, id, 'group-position')) };
  }
  const series = metaOf(metadata, 'calibre:series');
  return series === undefined
    ? {}
    : { series, volume: numberingOf(metaOf(metadata, 'calibre:series_index')?.replace(/\.0+$/, '')) };
}

function coverOf(items: Manifest, metadata: Metadata, zip: Zip): { cover?: string } {
  const all = [...items];
  const isPicture = (item: ManifestItem | undefined): item is ManifestItem =>
    item !== undefined && /^image\/(?:jpeg|png|gif|webp)$/.test(item.type) && zip.find(item.name) !== undefined;
  const named = items.get(metaOf(metadata, 'cover') ?? '');
  const found = [
    all.find(([, item]) => item.properties.includes('cover-image'))?.[1],
    named,
    all.find(([id, item]) => /cover/i.test(`${id} ${item.name}`) && isPicture(item))?.[1],
  ].find(isPicture);
  return found ? { cover: found.name } : {};
}

interface ContentsNeeds {
  items: Manifest;
  spine: MarkupElement;
  parts: readonly string[];
}

/** Returns the contents of the navigation document, else of the NCX; without both, none. */
async function contentsOf(zip: Zip, { items, spine, parts }: ContentsNeeds): Promise<EpubContent[]> {
  const all = [...items.values()];
  const partNumbers = new Map(parts.map((name, number) => [name, number]));
  const nav = all.find(({ properties }) => properties.includes('nav'));
  const ncx =
    items.get(spine.attributes.get('toc') ?? '') ?? all.find(({ type }) => type === 'application/x-dtbncx+xml');
  for (const [document, read] of [
    [nav, navContents],
    [ncx, ncxContents],
  ] as const) {
    const tree = document && (await documentOf(zip, document.name));
    const found = tree ? read(tree) : [];
    const contents = found.slice(0, MAX_CONTENTS).flatMap(({ title, address, depth }): EpubContent[] => {
      const to = resolveEntry(document?.name ?? '', address);
      const part = to && partNumbers.get(to.name);
      return part === undefined || to === undefined
        ? []
        : [{ title, part, depth, ...(to.fragment !== undefined && { fragment: to.fragment }) }];
    });
    if (contents.length > 0) return contents;
  }
  return [];
}

interface ContentLine {
  title: string;
  address: string;
  depth: number;
}

function navContents(tree: MarkupElement): ContentLine[] {
  const isNav = ({ local }: MarkupElement) => local === 'nav';
  const toc =
    findElement(tree, (one) => isNav(one) && attributeNamed(one, 'type') === 'toc') ?? findElement(tree, isNav);
  const lines: ContentLine[] = [];
  const walk = (list: MarkupElement, depth: number): void => {
    for (const item of childrenNamed(list, 'li')) {
      const link = item.children.filter(isElement).find(({ local }) => local === 'a' || local === 'span');
      const title = link && cleanText(elementText(link));
      const address = link?.attributes.get('href');
      if (title !== undefined && address !== undefined) lines.push({ title, address, depth });
      if (depth < MAX_CONTENTS_DEPTH) for (const inner of childrenNamed(item, 'ol')) walk(inner, depth + 1);
    }
  };
  for (const list of toc ? childrenNamed(toc, 'ol') : []) walk(list, 0);
  return lines;
}

function ncxContents(tree: MarkupElement): ContentLine[] {
  const lines: ContentLine[] = [];
  const walk = (from: MarkupElement, depth: number): void => {
    for (const point of childrenNamed(from, 'navpoint')) {
      const [label] = childrenNamed(point, 'navlabel');
      const [content] = childrenNamed(point, 'content');
      const title = label && cleanText(elementText(label));
      const address = content?.attributes.get('src');
      if (title !== undefined && address !== undefined) lines.push({ title, address, depth });
      if (depth < MAX_CONTENTS_DEPTH) walk(point, depth + 1);
    }
  };
  const map = findElement(tree, ({ local }) => local === 'navmap');
  if (map) walk(map, 0);
  return lines;
}
