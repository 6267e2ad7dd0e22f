/**
 * Corrects letters that scanners confuse: lower-case l, capital I and the bar. A word is changed only on evidence: the
 * wrong form is impossible in any of the languages, or the right one occurs in the file.
 */
import { replacing, type Edit } from './text.ts';

/** English words that begin with l and are no words with I. */
const WITH_L = new Set(
  (
    'lack lad ladies lady lake land language large last late later laugh law lawyer lay lead leader learn least ' +
    'leave led left leg legs less let lets letter level liar lie lied lies life lift light like liked likely line ' +
    'list listen little live lived lives living load local lock locked lonely long longer look looked looking ' +
    'looks lord lose losing loss lost lot lots loud love loved lovely lover loves low luck lucky lunch lying'
  ).split(' '),
);
/** No word of these languages begins with a lower-case l and one of these letters. */
const NO_L_BEFORE = /^(?:en|fr|es|pt|it|nl|sv|da|no|nb)$/;
/** Units and abbreviations that begin with l. */
const WITH_SMALL_L = new Set(['lb', 'lbs', 'ltd', 'lsd', 'lcd', 'lp', 'ln', 'lm', 'lx']);

/** Collects the words of a file in lower case, as evidence. */
export function wordsKnown(texts: readonly string[]): Set<string> {
  const out = new Set<string>();
  for (const text of texts)
    for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu)) if (out.size < 50_000) out.add(word.toLowerCase());
  return out;
}

/** Returns one edit for each corrected word, and for bars and apostrophes next to them. */
export function letterEdits(
  text: string,
  { language, known }: { language: string; known: ReadonlySet<string> },
): Edit[] {
  if (!/[lI|]/.test(text)) return [];
  const isEnglish = language === 'en';
  return replacing(text, /[\p{L}\p{M}|]+(?:['’][\p{L}\p{M}|]+){0,2}/gu, (found) => {
    const [word] = found;
    if (word.length > 40 || !/[lI|]/.test(word)) return undefined;
    return mendedWord(word, {
      isEnglish,
      isSafeStart: NO_L_BEFORE.test(language),
      known,
      before: text.charAt(found.index - 1),
      after: text.charAt(found.index + word.length),
    });
  });
}

interface Around {
  isEnglish: boolean;
  isSafeStart: boolean;
  known: ReadonlySet<string>;
  before: string;
  after: string;
}

function mendedWord(given: string, { isEnglish, isSafeStart, known, before, after }: Around): string {
  let word = given;
  if (isEnglish) {
    // Between two letters a bar belongs to a formula.
    if (!/^\p{L}\|\p{L}$/u.test(word)) word = word.replaceAll('|', 'I');
    // A single l is no English word, but may be an initial or a number.
    if (word === 'l' && after !== '.' && after !== '-' && before !== '-' && !/[\p{N}'’]/u.test(before + after))
      return 'I';
    word = word.replace(/^[lI](?=['’](?:m|ll|ve|d|II|Il|lI)$)/u, 'I');
  }
  // Two capitals after lower-case letters are no numeral.
  word = word.replace(/(?<=\p{Ll}|['’])(?:II|Il|lI)(?=\p{Ll}|$)/gu, 'll');
  word = insideWord(word, known);
  if (isSafeStart && /^l[bcdfghjkmnpqrstvwxz]/.test(word) && !WITH_SMALL_L.has(word.toLowerCase()) && after !== '.')
    word = `I${word.slice(1)}`;
  if (isEnglish && /^I\p{Ll}{2,}$/u.test(word)) {
    const small = `l${word.slice(1)}`;
    if (WITH_L.has(small)) word = small;
  }
  return word;
}

/** A capital I between lower-case letters is an l, except in names (`McIntyre`). */
function insideWord(word: string, known: ReadonlySet<string>): string {
  if (!/\p{Ll}I\p{Ll}|\p{Ll}I$/u.test(word)) return word;
  const mended = word.replaceAll(/(?<=\p{Ll})I(?=\p{Ll}|$)/gu, 'l');
  // A word in lower case is no name; a capitalised one is corrected only if the file has the right form.
  return /^\p{Ll}{2}/u.test(word) || known.has(mended.toLowerCase()) ? mended : word;
}
