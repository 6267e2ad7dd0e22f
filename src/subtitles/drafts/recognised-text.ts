/** Recognised text as words and lines, and safe corrections of single letters. Pure. */

export interface RecognisedWord {
  text: string;
  /** 0 to 1, as reported by the recogniser. */
  confidence: number;
}
export type RecognisedLine = RecognisedWord[];

/**
 * Parses tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
 * Returns the lines of each page. Rows that cannot be parsed are left out.
 */
export function parseTesseractTable(table: string, pages: number): RecognisedLine[][] {
  const out: RecognisedLine[][] = Array.from({ length: pages }, () => []);
  let last = '';
  for (const row of table.split('\n')) {
    const [level, page, block, paragraph, number, , , , , , confidence, ...rest] = row.split('\t');
    const text = rest.join(' ').trim();
    const lines = out[Number(page) - 1];
    if (level !== '5' || !lines || text === '') continue;
    const line = [page, block, paragraph, number].join(' ');
    if (line !== last) lines.push([]);
    last = line;
    lines.at(-1)?.push({ text: repairWord(text), confidence: Math.max(0, Math.min(1, Number(confidence) / 100)) || 0 });
  }
  return out;
}

const LATIN = /\p{Script=Latin}/u;

/**
 * Replaces vertical bars, which subtitles do not contain: at the beginning of a word by a capital I, after a small
 * letter by a small l. Words in other scripts are left alone. Two dots at the end or the beginning of a word become an
 * ellipsis.
 */
export function repairWord(given: string): string {
  // One of three dots is easily overlooked, and two dots have no meaning.
  const word = given.replace(/^([^\p{L}\p{N}.]{0,3})\.\.(?=\p{L})|(?<=\p{L})\.\.(?=[^\p{L}\p{N}.]{0,3}$)/u, '$1...');
  if (!word.includes('|')) return word;
  const letters = [...word];
  if (letters.some((letter) => /\p{L}/u.test(letter) && !LATIN.test(letter))) return word;
  return letters
    .map((letter, at) =>
      letter !== '|' ? letter : /\p{Ll}/u.test(letters[at - 1] ?? '') || letters[at - 1] === '|' ? 'l' : 'I',
    )
    .join('');
}

/** Characters of scripts without spaces between words. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}。、！？「」『』]/u;

/** Returns the text of lines, with spaces between words if their script has them. */
export function joinLines(lines: readonly RecognisedLine[]): string {
  return lines
    .map((line) =>
      line.reduce((text, { text: word }) => {
        const isJoined = text === '' || (SPACELESS.test([...text].at(-1) ?? '') && SPACELESS.test([...word][0] ?? ''));
        return `${text}${isJoined ? '' : ' '}${word}`;
      }, ''),
    )
    .join('\n');
}

/** Confidence below which a letter speaks against a reading. Letters of a wrong reading are mostly below 0.4. */
const DOUBTFUL = 0.5;

/** Returns the reading of a picture that has the most letters of high confidence; the first of equal ones. */
export function clearestReading(readings: readonly RecognisedLine[][]): RecognisedLine[] {
  const clarity = (lines: readonly RecognisedLine[]): number =>
    lines.flat().reduce((sum, { text, confidence }) => sum + (confidence - DOUBTFUL) * [...text].length, 0);
  return readings.toSorted((a, b) => clarity(b) - clarity(a))[0] ?? [];
}
