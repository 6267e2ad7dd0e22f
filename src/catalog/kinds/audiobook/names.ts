/**
 * Reads the folders and files of an audiobook: `Author/Series/NN - Title`, `Author/Title (Year) {Narrator}`, and names
 * that say which of several books in one folder a file belongs to. Pure.
 */
import { countedNumber, type CountedNumbers, countNumbers } from '../../naming/counting.ts';
import { fold, stemOf } from '../../naming/text.ts';
import { discOf } from '../music/names.ts';
import { isSoundName } from '../sound/files.ts';
import { type BookTitle, readTitle } from './title.ts';

export interface BookNames extends Omit<BookTitle, 'position'> {
  series?: { name: string; position?: string };
}

/** A file of one of these types holds a whole book, unless its name says which part it is. */
const WHOLE_BOOK = /\.m4b$/i;
/** `Part 2`, `Teil 2`, `(2 of 5)`, `CD 2`, and numbers at the start or the end of a name. */
const PART_WORDS =
  /[\s._,([-]{0,3}(?<!\p{L})(?:part|teil|pt|cd|disc|disk|chapter|kapitel|track|side|tape)[\s._#-]{0,2}\d{1,3}(?:[\s._]?(?:of|von|\/)[\s._]?\d{1,3})?(?!\d)[)\]]?/giu;
const OF_PARTS = /[\s._-]{0,3}[([]?\d{1,3} ?(?:of|von|\/) ?\d{1,3}[)\]]?/gi;
const PART_IN_WORDS =
  /[\s._,([-]{0,3}(?<!\p{L})(?:part|teil|disc|disk)[\s._-]{1,2}(?:one|two|three|four|five|six|eins|zwei|drei|vier|i{1,3}|iv|v|vi)(?!\p{L})[)\]]?/giu;
/** `Book 2` at the end is a volume. */
const NUMBER_AROUND = /^\d{1,3}(?=[\s._-]|$)|(?<!(?:vol|volume|book|band|buch|tome|bd)\.?)[\s._-]{1,3}\d{1,3}$/gi;
const MAX_NAME = 255;

/** Returns a title without the words that count its parts or discs. */
export const withoutParts = (title: string): string =>
  title.slice(0, MAX_NAME).replaceAll(PART_WORDS, '').replaceAll(PART_IN_WORDS, '').replaceAll(OF_PARTS, '');

/** Returns the folder of a book without those of its discs, by its parts. */
const bookFolders = (folders: readonly string[]): readonly string[] =>
  folders.length > 1 && discOf(folders.at(-1) ?? '') !== undefined ? folders.slice(0, -1) : folders;

/** Whether a file is a whole book. Otherwise its folder is the book, and the file a part of it. */
function isAlone(folders: readonly string[], name: string): boolean {
  if (folders.length === 0) return true;
  return WHOLE_BOOK.test(name) && bareStem(name) !== '';
}
/** Returns a name without its extension and without what says which part of a book it is. */
const bareStem = (name: string): string =>
  withoutParts(name.slice(0, MAX_NAME).replace(/\.[^.]+$/, ''))
    .replaceAll(NUMBER_AROUND, '')
    .replaceAll(/[\s._-]+/g, ' ')
    .trim();

/** Returns what the files of one book have in common. */
export function bookPlace(folders: readonly string[], name: string, siblings: readonly string[] = []): string {
  const own = bookFolders(folders);
  const folder = own.join('/');
  if (isAlone(folders, name)) return `${folder}/${bareStem(name).toLowerCase()}`;
  const book = own === folders ? booksOf(siblings).get(name.normalize('NFC')) : undefined;
  return book === undefined ? folder : `${folder}/${fold(book)}`;
}

export function readBookNames(folders: readonly string[], name: string, siblings: readonly string[] = []): BookNames {
  const own = bookFolders(folders);
  const book = own === folders ? booksOf(siblings).get(name.normalize('NFC')) : undefined;
  const isFile = book !== undefined || isAlone(folders, name);
  const title = book ?? (isFile ? bareStem(name) || name : (own.at(-1) ?? name));
  const above = isFile ? own : own.slice(0, -1);
  // `Author/Title/Title.m4b`: the folder is that of the book.
  const isRepeated = isFile && above.at(-1)?.toLowerCase().startsWith(title.toLowerCase()) === true;
  const parents = isRepeated ? above.slice(0, -1) : above;
  // The number in front of a file is that of a volume, unless it was taken off as that of a part.
  const stem = WHOLE_BOOK.test(name) && !isRepeated && book === undefined ? withoutParts(stemOf(name)) : title;
  const { position, author: ownAuthor, ...read } = readTitle(isRepeated ? (above.at(-1) ?? title) : stem, parents);
  const [outer, series] = parents.length > 1 ? parents.slice(-2) : [parents[0], undefined];
  const author = outer ?? ownAuthor;
  return {
    ...read,
    ...(author !== undefined && { author }),
    ...(series !== undefined && { series: { name: series, ...(position !== undefined && { position }) } }),
  };
}

const known = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

/**
 * Returns the book of each file of a folder that holds several, as the text before the numbers names it; nothing for a
 * folder of one book. The names of several books count the same numbers: `One 01`, `One 02`, `Two 01`.
 */
function booksOf(siblings: readonly string[]): ReadonlyMap<string, string> {
  let books = known.get(siblings);
  if (!books) {
    books = severalBooks(siblings.filter(isSoundName).map((name) => name.normalize('NFC')));
    known.set(siblings, books);
  }
  return books;
}

function severalBooks(names: readonly string[]): ReadonlyMap<string, string> {
  const stems = new Map(names.map((name) => [name, stemOf(name).slice(0, MAX_NAME).replaceAll('_', ' ')]));
  const counted = countNumbers([...stems.values()]);
  const books = new Map<string, string>();
  const numbers = new Map<string, Set<number>>();
  for (const [name, stem] of stems) {
    const found = bookInName(stem, counted);
    // A name that states no book may belong to any of them.
    if (!found) return new Map();
    books.set(name, found.book);
    const key = fold(found.book);
    numbers.set(key, (numbers.get(key) ?? new Set()).add(found.number));
  }
  const all = [...numbers.values()];
  const areSeveral = all.some((one, at) => all.slice(at + 1).some((other) => !one.isDisjointFrom(other)));
  return areSeveral ? books : new Map();
}

/** Returns the text before the number of a file, and the number; undefined if there is no such text. */
function bookInName(stem: string, counted: CountedNumbers): { book: string; number: number } | undefined {
  PART_WORDS.lastIndex = 0;
  const part = PART_WORDS.exec(stem);
  const found = part
    ? { start: part.index, number: Number(/\d+/.exec(part[0])?.[0]) }
    : countedNumber(stem, { counted, title: undefined });
  const book = stem
    .slice(0, found?.start ?? 0)
    .replace(/[\s._([-]{1,6}$/, '')
    .trim();
  return found && /\p{L}/u.test(book) ? { book, number: found.number } : undefined;
}
