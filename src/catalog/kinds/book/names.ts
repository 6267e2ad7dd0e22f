/**
 * Reads the name of a book: title, series, volume and chapter. Facts of the file itself have precedence.
 *
 * Volume and chapter are read separately: `v02 c010`, `#001`, `Vol.1 Ch.1-8`. A number without a word is the chapter of
 * a comic, because comics are numbered that way and novels are not.
 */
import { PLACEMENT_CLUES } from '../../../contract/catalog/clues.ts';
import { type Numbering, numberingOf } from '../../../lib/books/types.ts';
import type { FileGuess, FileType, KindPlacement } from '../../core/scan/placement.ts';
import { articleInFront, endingOf, fold, stemOf } from '../../naming/text.ts';

export interface BookGuess extends FileGuess {
  title: string;
  folder: string;
  series?: string;
  volume?: Numbering;
  chapter?: Numbering;
  year?: number;
  author?: string;
}

const BOOKS: ReadonlySet<string> = new Set(['epub', 'cbz', 'cbr', 'cb7', 'pdf']);
const COMICS: ReadonlySet<string> = new Set(['cbz', 'cbr', 'cb7']);
const MAX_NAME_LENGTH = 512;

const NUMBER = String.raw`\d{1,4}(?:\.\d{1,3})?(?: ?- ?\d{1,4}(?:\.\d{1,3})?)?`;
const START = String.raw`(?<![\p{L}\p{N}])`;
const END = String.raw`(?![\p{L}\p{N}])`;
const VOLUME = new RegExp(`${START}(?:volume|vol|v|tome|band|bd)[ ._]{0,2}(${NUMBER})${END}`, 'iu');
const CHAPTER = new RegExp(`${START}(?:chapter|chap|ch|c|kapitel|kap)[ ._]{0,2}(${NUMBER})${END}`, 'iu');
const ISSUE = new RegExp(String.raw`#[ ]?(${NUMBER})${END}`, 'u');
const BARE = new RegExp(String.raw`(?:^|[ ._-])(\d{1,4}(?:\.\d{1,3})?)$`, 'u');
const YEAR = /[([]((?:18|19|20)\d\d)[^)\]]{0,12}[)\]]/;
const BRACKETS = /\([^()]{0,80}\)|\[[^[\]]{0,80}\]|\{[^{}]{0,80}\}/g;
const TRIM = /^[\s._,;:#-]+|[\s._,;:#-]+$/g;

const clean = (text: string): string =>
  articleInFront(
    text
      .replaceAll(/[_\s]+/g, ' ')
      .replaceAll(TRIM, '')
      .trim(),
  );

export const isBookName = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return !name.startsWith('.') && BOOKS.has(endingOf(name));
};

/** Returns what the path of a book says. */
export function guessBook(path: string): BookGuess {
  const parts = path.normalize('NFC').split('/');
  const name = (parts.pop() ?? '').slice(0, MAX_NAME_LENGTH);
  const isComic = COMICS.has(endingOf(name));
  const stem = stemOf(name);
  const year = YEAR.exec(stem)?.[1];
  const bare = stem.replaceAll(BRACKETS, ' ').trim();
  const text = bare === '' ? stem : bare;
  const { before, after, volume, chapter } = marksIn(text, isComic);
  const parent = clean((parts.at(-1) ?? '').replaceAll(BRACKETS, ' '));
  const isNumbered = volume !== undefined || chapter !== undefined;
  const series = isNumbered ? (before === '' ? parent : before) : '';
  const [author, title] = isNumbered ? ['', after] : byline(clean(text), parent);
  return {
    kind: 'book',
    title,
    folder: parts.join('/'),
    version: endingOf(name).toUpperCase(),
    evidence: [isNumbered ? PLACEMENT_CLUES.bookNumbered : PLACEMENT_CLUES.bookNamed],
    ...(series !== '' && { series }),
    ...(volume && { volume }),
    ...(chapter && { chapter }),
    ...(year !== undefined && { year: Number(year) }),
    ...(author !== '' && { author }),
  };
}

interface Marks {
  before: string;
  after: string;
  volume: Numbering | undefined;
  chapter: Numbering | undefined;
}

/** Finds the marks of a name, and the text before the first and after the last of them. */
function marksIn(text: string, isComic: boolean): Marks {
  const found = [VOLUME.exec(text), ISSUE.exec(text) ?? CHAPTER.exec(text)];
  const bare = isComic && !found[1] && !found[0] ? BARE.exec(text.trim()) : null;
  // A title that is a number or a year is not numbered.
  const isPart = bare !== null && bare.index > 0 && !/^(?:19|20)\d\d$/.test(bare[1] ?? '');
  const [volume, chapter] = [found[0], isPart ? bare : found[1]];
  const marks = [volume, chapter].filter((mark) => mark != null);
  const start = Math.min(...marks.map(({ index }) => index));
  const end = Math.max(...marks.map((mark) => mark.index + mark[0].length));
  return {
    before: marks.length === 0 ? '' : clean(text.slice(0, start)),
    after: marks.length === 0 ? '' : clean(text.slice(end)),
    volume: numberingOf(volume?.[1]),
    chapter: numberingOf(chapter?.[1]),
  };
}

/** Splits `Author - Title`, if the folder is not named after the title. */
function byline(text: string, folder: string): [author: string, title: string] {
  const at = text.indexOf(' - ');
  if (at <= 0) return ['', text];
  const [first, rest] = [text.slice(0, at).trim(), text.slice(at + 3).trim()];
  return fold(folder) === fold(rest) || rest === '' ? ['', text] : [first, rest];
}

export const bookFiles: FileType<KindPlacement<BookGuess>> = {
  isMedia: isBookName,
  guess: ({ path }) =>
    isBookName(path) ? guessBook(path) : { kind: 'unplaced', evidence: [], reason: PLACEMENT_CLUES.notNamedAsBook },
};
