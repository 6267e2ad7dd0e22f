/**
 * Reads the metadata of a PDF: XMP, which is XML inside the file, and the older document information.
 *
 * Word processors write the name of their file as the title, and the date on which the file was made; neither is a fact
 * about the book.
 */
import type { Document } from 'mupdf';
import { elementText, findElement, isElement, type MarkupElement, MarkupTooLarge, readMarkup } from '../xml/tree.ts';
import { isIsbn } from './epub.ts';
import { type BookMetadata, cleanText, numberingOf } from './types.ts';

const MAX_XMP_BYTES = 1024 * 1024;
const MAX_DESCRIPTION_LENGTH = 5_000;
const MAX_NAMES = 40;
/** Titles that programs invent. */
const INVENTED =
  /^(?:microsoft (?:word|powerpoint)|untitled|unbenannt|title|document\s*\d*$|slide 1$|.*\.(?:docx?|odt|tex|dvi|indd|qxd|pdf|rtf|pptx?|xlsx?|txt|html?)$)/i;

export function factsOfPdf(doc: Document): BookMetadata {
  const xmp = xmpOf(doc);
  const info = (key: string): string | undefined => cleanText(doc.getMetaData(`info:${key}`), MAX_DESCRIPTION_LENGTH);
  const title = cleanText(xmp.one('title') ?? info('Title'));
  const authors = xmp.all('creator');
  const subjects = xmp.all('subject');
  const optional = {
    title: title !== undefined && INVENTED.test(title) ? undefined : title,
    publisher: xmp.one('publisher'),
    published: xmp.published,
    language: xmp.one('language'),
    description: cleanText(xmp.one('description', MAX_DESCRIPTION_LENGTH) ?? info('Subject'), MAX_DESCRIPTION_LENGTH),
    series: xmp.series,
    volume: numberingOf(xmp.volume),
    isbn: xmp.isbn,
  };
  return {
    format: 'pdf',
    authors: authors.length > 0 ? authors : namesIn(info('Author')),
    contributors: [],
    subjects: subjects.length > 0 ? subjects : wordsIn(info('Keywords')),
    cover: 'page 1',
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== undefined),
    ) as Partial<BookMetadata>),
  };
}

/** Returns whether an error is a trap of WebAssembly, after which the memory of the library is not usable. */
export const isCrashOfLibrary = (error: unknown): boolean => error instanceof Error && error.name === 'RuntimeError';

/** Splits `Ada Writer; Bo Artist` and `Ada Writer & Bo Artist`. A comma may be part of a name: `Writer, Ada`. */
const namesIn = (text: string | undefined): string[] =>
  (text ?? '')
    .split(/;|&|\band\b/)
    .flatMap((name) => cleanText(name, 200) ?? [])
    .slice(0, MAX_NAMES);
const wordsIn = (text: string | undefined): string[] =>
  (text ?? '')
    .split(/[,;]/)
    .flatMap((word) => cleanText(word, 80) ?? [])
    .slice(0, MAX_NAMES);

interface Xmp {
  one(name: string, maxLength?: number): string | undefined;
  all(name: string): string[];
  published: string | undefined;
  series: string | undefined;
  volume: string | undefined;
  isbn: string | undefined;
}

/** Returns what the XMP of a document says. A document without it, or with damaged XMP, says nothing. */
function xmpOf(doc: Document): Xmp {
  const root = markupOf(doc);
  const find = (name: string): MarkupElement | undefined =>
    root && findElement(root, ({ local, name: full }) => local === name && !/^rdf:/i.test(full));
  const texts = (name: string): string[] => {
    const element = find(name);
    if (!element) return [];
    const items: MarkupElement[] = [];
    const gather = ({ children }: MarkupElement): void => {
      for (const child of children.filter(isElement))
        if (child.local === 'li') items.push(child);
        else gather(child);
    };
    gather(element);
    return (items.length > 0 ? items : [element]).map((one) => elementText(one, MAX_DESCRIPTION_LENGTH));
  };
  const all = (name: string): string[] =>
    texts(name)
      .flatMap((text) => cleanText(text, 200) ?? [])
      .slice(0, MAX_NAMES);
  const one = (name: string, maxLength = 300): string | undefined =>
    texts(name).flatMap((text) => cleanText(text, maxLength) ?? [])[0];
  const published = one('publicationdate') ?? one('date');
  const series = find('series');
  const named = series && findElement(series, ({ local }) => local === 'value');
  return {
    one,
    all,
    published: /^(?:1[5-9]|20)\d\d(?:-\d\d(?:-\d\d)?)?/.exec(published ?? '')?.[0],
    series: cleanText(named && elementText(named, MAX_DESCRIPTION_LENGTH)),
    volume: one('series_index')?.replace(/\.0+$/, ''),
    isbn: [...all('isbn'), ...all('identifier')]
      .map((text) => text.replaceAll(/[^\dXx]/g, '').toUpperCase())
      .find(isIsbn),
  };
}

function markupOf(doc: Document): MarkupElement | undefined {
  try {
    const metadata = doc.asPDF()?.getTrailer().get('Root').get('Metadata');
    if (!metadata?.isStream()) return undefined;
    const bytes = metadata.readStream().asUint8Array();
    return bytes.length > MAX_XMP_BYTES ? undefined : readMarkup(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    if (isCrashOfLibrary(error)) throw error;
    // The pages can be read without it.
    if (error instanceof MarkupTooLarge || error instanceof Error) return undefined;
    throw error;
  }
}
