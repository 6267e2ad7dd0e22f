/** Reads the title of an audiobook with what surrounds it: a volume, a year, a narrator, an ASIN, an author. Pure. */
import { fold } from '../../naming/text.ts';
import { beginsWithYear } from '../../naming/year-titles.ts';

export interface BookTitle {
  title: string;
  author?: string;
  /** Volume of its series, with decimals. */
  position?: string;
  year?: number;
  narrator?: string;
}

const MAX_NAME = 255;
const YEAR = '(?:1[5-9]\\d\\d|20[0-3]\\d)';
const YEAR_BEHIND = new RegExp(`\\s*[([](${YEAR})[)\\]]\\s*$`);
/** `1994 - Title`, `(1994) Title`. */
const YEAR_IN_FRONT = new RegExp(`^(?:[([](${YEAR})[)\\]][\\s._-]{0,3}|(${YEAR})\\s*[-–]\\s+)(?=\\S)`);
const NARRATOR_BEHIND = /\s*\{([^{}]{1,120})\}\s*$/;
/** The id of Amazon: `[B002V0QK4C]`, `{ASIN.B002V0QK4C}`. */
const ASIN = /[\s._-]{0,3}[[({](?:asin[\s.:=-]{0,2})?(?:B0[0-9A-Z]{8}|(?=[\dX]{10}[\])}])\d{9}[\dX])[\])}]/gi;
/** Words in brackets that are no part of a title. */
const EDITIONS =
  /\s*[([](?:un|ungekürzt|gekürzt|(?:un)?abridged|audiobook|hörbuch|m4b|mp3|\d{2,3} ?k(?:bps)?|retail)[)\]]\s*$/iu;
const VOLUME_WORD = '(?:vol(?:ume)?|book|band|buch|tome|bd)\\.? ?#?';
const POSITION = '(\\d{1,3}(?:\\.\\d{1,2})?)';
const NUMBERED = new RegExp(
  `^(?:[([]${VOLUME_WORD}${POSITION}[)\\]]\\s*|` +
    `(?:${VOLUME_WORD}|#)?${POSITION}(?:\\s*[-–.:]\\s+|\\s*[-–]\\s*))(?=.*\\p{L})(\\S.*)$`,
  'iu',
);
/** `02 Title`, which is a number only with a zero, or in the folder of a series. */
const NUMBER_ALONE = /^(0\d{1,2}|\d{1,2}) (?=.*\p{L})(\S.*)$/u;
/** `Title, Book 2`, `Title (Vol. 2)`. */
const NUMBER_BEHIND = new RegExp(`^(\\S.*?)[\\s,(-]{1,4}${VOLUME_WORD}${POSITION}\\)?$`, 'i');
const DASHED = /^(\S.{0,200}?) [-–] (.{1,200})$/;

/** Reads a name. `parents` are the folders above it, the outermost first. */
export function readTitle(name: string, parents: readonly string[] = []): BookTitle {
  let text = name.slice(0, MAX_NAME).replaceAll('_', ' ').replaceAll(ASIN, '').trim();
  let narrator: string | undefined;
  let year: string | undefined;
  let position: string | undefined;
  // They follow each other in any order: `Vol 1 - 1994 - Title {Narrator} (Unabridged)`.
  for (let taken = ''; taken !== text;) {
    taken = text;
    narrator ??= NARRATOR_BEHIND.exec(text)?.[1]?.trim();
    text = text.replace(NARRATOR_BEHIND, '').replace(EDITIONS, '');
    year ??= YEAR_BEHIND.exec(text)?.[1];
    text = text.replace(YEAR_BEHIND, '');
    const front = YEAR_IN_FRONT.exec(text);
    if (front && year === undefined && !beginsWithYear(text)) {
      year = front[1] ?? front[2];
      text = text.slice(front[0].length);
    }
    const numbered = position === undefined ? NUMBERED.exec(text) : null;
    const alone = position === undefined && !numbered ? NUMBER_ALONE.exec(text) : null;
    if (numbered) [position, text] = [numbered[1] ?? numbered[2], numbered[3] ?? text];
    else if (alone && (parents.length > 1 || text.startsWith('0'))) [position, text] = [alone[1], alone[2] ?? text];
  }
  const behind = position === undefined && parents.length > 0 ? NUMBER_BEHIND.exec(text) : null;
  if (behind) [text, position] = [behind[1] ?? text, behind[2]];
  const { title, author } = withoutAuthor(text.trim(), parents);
  return {
    title: title === '' ? name : title,
    ...(author !== undefined && { author }),
    ...(position !== undefined && { position: String(Number(position)) }),
    ...(year !== undefined && { year: Number(year) }),
    ...(narrator !== undefined && { narrator }),
  };
}

/** Takes the author off the front or the end of a title: the one of a folder above, or the name of a person. */
function withoutAuthor(text: string, parents: readonly string[]): { title: string; author?: string } {
  const [, front = '', end = ''] = DASHED.exec(text) ?? [];
  if (front === '') return { title: text };
  const known = parents.map(fold);
  const back = text.slice(text.search(/ [-–] (?!.* [-–] )/) + 3);
  if (known.includes(fold(front))) return { title: end };
  if (known.includes(fold(back))) return { title: text.slice(0, -back.length - 3).trim() };
  if (parents.length > 0 || isPerson(front) === isPerson(back)) return { title: text };
  return isPerson(front)
    ? { title: end, author: front }
    : { title: text.slice(0, -back.length - 3).trim(), author: back };
}

/** Words that names of people do not have, and titles do. */
const TITLE_WORDS = new Set(
  'the a an of and in on to for with from at der die das und im am le la les des du et el los las y il book part'.split(
    ' ',
  ),
);

/** Whether a text looks like the name of a person: two to four words in capitals, or initials. */
export function isPerson(text: string): boolean {
  const words = text.split(/[\s.]+/).filter((word) => word !== '');
  const isName = (word: string) => /^(?:\p{Lu}[\p{L}'’-]*|(?:von|van|de|der|du|le|la|di))$/u.test(word);
  return (
    words.length >= 2 &&
    words.length <= 4 &&
    words.every(isName) &&
    /^\p{Lu}/u.test(words[0] ?? '') &&
    !TITLE_WORDS.has(words[0]?.toLowerCase() ?? '') &&
    !words.slice(1, -1).some((word) => /^\p{Lu}/u.test(word) && TITLE_WORDS.has(word.toLowerCase()))
  );
}
