/** What a recogniser read, as words and lines, and the light mending that is beyond doubt. Pure. */

export interface RecognisedWord {
  text: string;
  /** 0 to 1, as the recogniser has it. */
  confidence: number;
}
export type RecognisedLine = RecognisedWord[];

/**
 * Reads tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
 * Gives the lines of each page; a row that makes no sense is left out.
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

const LATIN_LOWER = /\p{Script=Latin}/u;

/**
 * A bar is no letter, and subtitles have none: at the beginning of a word it is a capital I, after a small letter
 * a small l. Left alone between letters of another script. An ellipsis has three dots.
 */
export function repairWord(given: string): string {
  // One of three dots is overlooked easily, and two are nothing that people write.
  const word = given.replace(/^([^\p{L}\p{N}.]{0,3})\.\.(?=\p{L})|(?<=\p{L})\.\.(?=[^\p{L}\p{N}.]{0,3}$)/u, '$1...');
  if (!word.includes('|')) return word;
  const letters = [...word];
  if (letters.some((letter) => /\p{L}/u.test(letter) && !LATIN_LOWER.test(letter))) return word;
  return letters
    .map((letter, at) =>
      letter !== '|' ? letter : /\p{Ll}/u.test(letters[at - 1] ?? '') || letters[at - 1] === '|' ? 'l' : 'I',
    )
    .join('');
}

/** Scripts that put no space between words. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}。、！？「」『』]/u;

/** The text of lines: one below the other, words apart where their script has spaces. */
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
