/**
 * Reads the name of a book: title, series, volume and chapter. Facts of the file itself have precedence.
 *
 * Volume and chapter are read separately: `v02 c010`, `#001`, `Vol.1 Ch.1-8`. A number without a word is the chapter of
 * a comic, because comics are numbered that way and novels are not.
 */
import { PLACEMENT_CLUES } from '../../../contract/catalog/clues.ts';
import { type Numbering, numberingOf } from '../../../lib/books/types.ts';
import { narrow } from '../../../lib/release/width.ts';
import type { FileGuess, FileType, KindPlacement } from '../../core/scan/placement.ts';
import { articleInFront, endingOf, fold, stemOf } from '../../naming/text.ts';
import { beginsWithYear } from '../../naming/year-titles.ts';

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
/** Formats of books that are listed with the reason, because they are not read. */
const UNREAD: ReadonlySet<string> = new Set(['mobi', 'azw', 'azw3', 'kfx', 'prc', 'fb2', 'cbt', 'djvu', 'lit']);
const COMICS: ReadonlySet<string> = new Set(['cbz', 'cbr', 'cb7']);
const MAX_NAME_LENGTH = 512;

const NUMBER = String.raw`\d{1,4}(?:\.\d{1,3})?(?: ?- ?\d{1,4}(?:\.\d{1,3})?)?`;
const START = String.raw`(?<![\p{L}\p{N}])`;
const END = String.raw`(?![\p{L}\p{N}])`;
const VOLUME = new RegExp(
  `${START}(?:volumes?|volumen|vols?|v|tome|tomo|tom|том|band|bände|bd|deel|cilt)[ ._]{0,2}#?(${NUMBER})${END}`,
  'iu',
);
/** `T03`, as French and Spanish comics are counted. `T2` at the very front is a title. */
const TOME = new RegExp(`(?:(?<=[ ._(-])T[ ._]?|^T(?=\\d\\d))(\\d{1,3}(?:\\.\\d)?)${END}`, 'u');
/** `Book 3` is a volume of a comic. */
const COMIC_BOOK = new RegExp(`${START}(?:book|buch|livre|omnibus)[ ._]{1,2}(${NUMBER})${END}`, 'iu');
/** `第3巻`, `3권`, `第十二卷`: the word is behind the number. */
const VOLUME_BEHIND = /第? ?(\d{1,4}(?:\.\d)?|[一二三四五六七八九十]{1,3}) ?[巻卷권]/u;
const CHAPTER_WORD = 'chapters?|chapitre|chap|ch|c|kapitel|kap|capítulo|capitulo|cap|глава|bölüm|rozdział';
const CHAPTER = new RegExp(`${START}(?:${CHAPTER_WORD})[ ._]{0,2}#?(${NUMBER})${END}`, 'iu');
const CHAPTER_BEHIND = /第? ?(\d{1,4}(?:\.\d)?|[一二三四五六七八九十]{1,3}) ?[話话回화]/u;
const ISSUE = new RegExp(
  String.raw`(?:#[ ]?|№ ?|${START}(?:issue|heft|nr|no|numéro|número)[ ._]{1,2}#?)(${NUMBER})(?: ?of ?\d{1,3})?${END}`,
  'iu',
);
/** `1 of 3`, `01 (of 06)`. */
const ONE_OF = new RegExp(`${START}(\\d{1,3}) ?[([]?of[ ._]?\\d{1,3}[)\\]]?${END}`, 'iu');
/** A mark in brackets that have nothing else: `(v01)`, `[Vol. 2]`. They are read, and all other brackets are not. */
const MARK_IN_BRACKETS = new RegExp(
  `[([]((?:(?:volume|vol|v|tome|t|том|band|bd|ch|c|chapter|#)[ ._]{0,2}${NUMBER})|(?:\\d{1,3} ?of ?\\d{1,3}))[)\\]]`,
  'giu',
);
/** A number at the end, or between a title and a dash. */
const BARE = new RegExp(String.raw`(?:^|[ ._-])(\d{1,4}(?:\.\d{1,3})?)(?:$|(?= - \S))`, 'u');
const YEAR_ALONE = /^(?:18|19|20)\d\d$/;
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

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const hasEnding = (path: string, endings: ReadonlySet<string>): boolean =>
  !nameIn(path).startsWith('.') && endings.has(endingOf(nameIn(path)));
export const isBookName = (path: string): boolean => hasEnding(path, BOOKS);
const isUnreadName = (path: string): boolean => hasEnding(path, UNREAD);

/** Returns what the path of a book says. */
export function guessBook(path: string): BookGuess {
  const parts = path.normalize('NFC').split('/');
  const name = narrow((parts.pop() ?? '').slice(0, MAX_NAME_LENGTH));
  const isComic = COMICS.has(endingOf(name));
  const stem = stemOf(name);
  const year = YEAR.exec(stem)?.[1] ?? yearInFront(stem);
  const bare = stem
    .replaceAll(MARK_IN_BRACKETS, ' $1 ')
    .replaceAll(/(\d) \((of[ ._]?\d{1,3})\)/gi, '$1 $2')
    .replaceAll(BRACKETS, ' ')
    .trim();
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
  const found = [
    VOLUME.exec(text) ?? (isComic ? (TOME.exec(text) ?? COMIC_BOOK.exec(text)) : null) ?? VOLUME_BEHIND.exec(text),
    ISSUE.exec(text) ?? CHAPTER.exec(text) ?? CHAPTER_BEHIND.exec(text) ?? (isComic ? ONE_OF.exec(text) : null),
  ];
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
    volume: numberingOf(inDigits(volume?.[1])),
    chapter: numberingOf(inDigits(chapter?.[1])),
  };
}

const KANJI = '一二三四五六七八九十';
/** Returns `12` for `十二`, and any other number as it is. */
function inDigits(number: string | undefined): string | undefined {
  if (number === undefined || !KANJI.includes(number[0] ?? ' ')) return number;
  const [tens = '', ones = ''] = number.includes('十') ? number.split('十') : ['', number];
  const value = (text: string, missing: number) => (text === '' ? missing : KANJI.indexOf(text) + 1);
  return String((number.includes('十') ? value(tens, 1) * 10 : 0) + value(ones, 0));
}

/** Returns the year of `1987 - Title`. */
function yearInFront(stem: string): string | undefined {
  const year = stem.slice(0, stem.indexOf(' - '));
  return YEAR_ALONE.test(year) && !beginsWithYear(stem) ? year : undefined;
}

/** Splits `Author - Title`, if the folder is not named after the title. */
function byline(text: string, folder: string): [author: string, title: string] {
  const at = text.indexOf(' - ');
  if (at <= 0) return ['', text];
  const [first, rest] = [text.slice(0, at).trim(), text.slice(at + 3).trim()];
  // No author is a number: `2001 - A Space Odyssey`.
  if (/^\d+$/.test(first)) return ['', YEAR_ALONE.test(first) && !beginsWithYear(text) ? rest : text];
  return fold(folder) === fold(rest) || rest === '' ? ['', text] : [first, rest];
}

export const bookFiles: FileType<KindPlacement<BookGuess>> = {
  isMedia: (path) => isBookName(path) || isUnreadName(path),
  guess: ({ path, siblings }) => {
    if (isBookName(path)) return guessBook(path);
    if (!isUnreadName(path)) return { kind: 'unplaced', evidence: [], reason: PLACEMENT_CLUES.notNamedAsBook };
    const stem = stemOf(nameIn(path)).normalize('NFC');
    // Programs keep a book in several formats, and one that is read is enough.
    const isListed = !siblings.some((one) => isBookName(one) && stemOf(one).normalize('NFC') === stem);
    return { kind: 'unplaced', evidence: [], reason: PLACEMENT_CLUES.formatNotRead, isListed };
  },
};
