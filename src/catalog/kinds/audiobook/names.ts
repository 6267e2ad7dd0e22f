/** Reads the folders of an audiobook: `Author/Series/NN - Title` and `Author/Title (Year) {Narrator}`. Pure. */
import { discOf } from '../music/names.ts';

export interface BookNames {
  title: string;
  author?: string;
  series?: { name: string; position?: string };
  year?: number;
  narrator?: string;
}

/** A file of one of these types holds a whole book, unless its name says which part it is. */
const WHOLE_BOOK = /\.m4b$/i;
/** `Part 2`, `Teil 2`, `(2 of 5)`, `CD 2`, and numbers at the start or the end of a name. */
const PART_WORDS = /[\s._([-]{0,3}(?:part|teil|pt|cd|disc|disk|chapter|kapitel|track)[\s._#-]{0,2}\d{1,3}[)\]]?/gi;
const OF_PARTS = /[\s._-]{0,3}[([]?\d{1,3} ?(?:of|von|\/) ?\d{1,3}[)\]]?/gi;
const NUMBER_AROUND = /^\d{1,3}(?=[\s._-]|$)|[\s._-]{1,3}\d{1,3}$/g;
const NUMBERED = /^(?:vol(?:ume)?\.? ?|book ?|band ?)?(\d{1,3}(?:\.\d{1,2})?)(?:\s*[-–.]\s+|\s*[-–]\s*)(\S.*)$/i;
const YEAR_BEHIND = /\s*[([]((?:1[5-9]|20)\d\d)[)\]]\s*$/;
const NARRATOR_BEHIND = /\s*\{([^{}]{1,120})\}\s*$/;
const MAX_NAME = 255;

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
  name
    .slice(0, MAX_NAME)
    .replace(/\.[^.]+$/, '')
    .replaceAll(PART_WORDS, '')
    .replaceAll(OF_PARTS, '')
    .replaceAll(NUMBER_AROUND, '')
    .replaceAll(/[\s._-]+/g, ' ')
    .trim();

/** Returns what the files of one book have in common. */
export function bookPlace(folders: readonly string[], name: string): string {
  const folder = bookFolders(folders).join('/');
  return isAlone(folders, name) ? `${folder}/${bareStem(name).toLowerCase()}` : folder;
}

export function readBookNames(folders: readonly string[], name: string): BookNames {
  const own = bookFolders(folders);
  const isFile = isAlone(folders, name);
  const title = isFile ? bareStem(name) || name : (own.at(-1) ?? name);
  const above = isFile ? own : own.slice(0, -1);
  // `Author/Title/Title.m4b`: the folder is that of the book.
  const isRepeated = isFile && above.at(-1)?.toLowerCase().startsWith(title.toLowerCase()) === true;
  const parents = isRepeated ? above.slice(0, -1) : above;
  const read = readTitle(isRepeated ? (above.at(-1) ?? title) : title);
  const [author, series] = parents.length > 1 ? parents.slice(-2) : [parents[0], undefined];
  return {
    title: read.title,
    ...(author !== undefined && { author }),
    ...(series !== undefined && {
      series: { name: series, ...(read.position !== undefined && { position: read.position }) },
    }),
    ...(read.year !== undefined && { year: read.year }),
    ...(read.narrator !== undefined && { narrator: read.narrator }),
  };
}

function readTitle(name: string): { title: string; position?: string; year?: number; narrator?: string } {
  let text = name.slice(0, MAX_NAME).replaceAll('_', ' ').trim();
  const narrator = NARRATOR_BEHIND.exec(text)?.[1]?.trim();
  text = text.replace(NARRATOR_BEHIND, '');
  const year = YEAR_BEHIND.exec(text)?.[1];
  text = text.replace(YEAR_BEHIND, '');
  const [, position, rest] = NUMBERED.exec(text) ?? [];
  const title = (rest ?? text).trim();
  return {
    title: title === '' ? name : title,
    ...(position !== undefined && { position: String(Number(position)) }),
    ...(year !== undefined && { year: Number(year) }),
    ...(narrator !== undefined && { narrator }),
  };
}
