/**
 * Splits a text by writing systems: how much of it is in each, and its letters in one of them. Pure and linear.
 *
 * Chinese characters belong to Japanese in a line with kana, and to Korean in a line with Hangul.
 */

/** A writing system of ISO 15924. Chinese characters are `Hani`, Japanese is `Jpan` and Korean is `Kore`. */
export interface Script {
  code: string;
  /** Languages that are written in it, the usual one first; left out if there are many. */
  languages?: readonly [string, ...string[]];
  /** Number of Latin letters that say as much as one of its characters. */
  weight: number;
}

export interface ScriptPart {
  script: Script;
  /** Share of the text, 0 to 1, by what its letters say. */
  share: number;
  /** Sum of the weights of its letters. */
  letters: number;
  /** The lines with letters of this script, without the letters of others. */
  lines: readonly string[];
}

interface Alphabet {
  script: Script;
  /** Name of the Unicode property. */
  property: string;
}

const one = (property: string, code: string, ...languages: readonly string[]): Alphabet => {
  const [first, ...more] = languages;
  return { property, script: { code, weight: 1, ...(first !== undefined && { languages: [first, ...more] }) } };
};

const HAN: Script = { code: 'Hani', languages: ['zh'], weight: 3 };
const KANA: Script = { code: 'Jpan', languages: ['ja'], weight: 2 };
const HANGUL: Script = { code: 'Kore', languages: ['ko'], weight: 2 };

const ALPHABETS: readonly Alphabet[] = [
  one('Latin', 'Latn'),
  one('Cyrillic', 'Cyrl'),
  one('Arabic', 'Arab'),
  one('Devanagari', 'Deva'),
  { property: 'Han', script: HAN },
  { property: 'Hiragana', script: KANA },
  { property: 'Katakana', script: KANA },
  { property: 'Hangul', script: HANGUL },
  one('Greek', 'Grek', 'el'),
  one('Hebrew', 'Hebr', 'he', 'yi'),
  one('Thai', 'Thai', 'th'),
  one('Lao', 'Laoo', 'lo'),
  one('Khmer', 'Khmr', 'km'),
  one('Myanmar', 'Mymr', 'my'),
  one('Armenian', 'Armn', 'hy'),
  one('Georgian', 'Geor', 'ka'),
  one('Bengali', 'Beng', 'bn', 'as'),
  one('Tamil', 'Taml', 'ta'),
  one('Telugu', 'Telu', 'te'),
  one('Kannada', 'Knda', 'kn'),
  one('Malayalam', 'Mlym', 'ml'),
  one('Gujarati', 'Gujr', 'gu'),
  one('Gurmukhi', 'Guru', 'pa'),
  one('Oriya', 'Orya', 'or'),
  one('Sinhala', 'Sinh', 'si'),
  one('Ethiopic', 'Ethi', 'am', 'ti'),
  one('Tibetan', 'Tibt', 'bo', 'dz'),
  one('Thaana', 'Thaa', 'dv'),
];

/** A run of letters and marks of one script; the group's number says which. */
const RUNS = new RegExp(ALPHABETS.map(({ property }) => `(\\p{Script=${property}}+)`).join('|'), 'gu');

/** A run of letters of one script, and its place in a line. */
interface Run {
  script: Script;
  text: string;
  at: number;
}

/** Returns the scripts of a text, the one with the largest share first. */
export function scriptsOf(text: string): ScriptPart[] {
  const found = new Map<Script, { letters: number; lines: string[] }>();
  let total = 0;
  for (const line of text.split('\n')) {
    const runs = runsOf(line);
    for (const script of new Set(runs.map((run) => run.script))) {
      const entry = found.get(script) ?? { letters: 0, lines: [] };
      found.set(script, entry);
      const letters = runs.reduce((sum, run) => sum + (run.script === script ? [...run.text].length : 0), 0);
      entry.letters += letters * script.weight;
      total += letters * script.weight;
      entry.lines.push(withoutOthers(line, runs, script));
    }
  }
  return [...found]
    .map(([script, { letters, lines }]) => ({ script, letters, lines, share: letters / total }))
    .sort((a, b) => b.share - a.share);
}

function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  for (const match of line.matchAll(RUNS)) {
    const alphabet = ALPHABETS[match.findIndex((group, n) => n > 0 && group !== undefined) - 1];
    if (alphabet) runs.push({ script: alphabet.script, text: match[0], at: match.index });
  }
  const owner = [KANA, HANGUL].find((script) => runs.some((run) => run.script === script));
  return owner ? runs.map((run) => (run.script === HAN ? { ...run, script: owner } : run)) : runs;
}

/** Returns a line with the letters of other scripts replaced by spaces. */
function withoutOthers(line: string, runs: readonly Run[], script: Script): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { script: other, text, at } of runs) {
    if (other === script) continue;
    pieces.push(line.slice(from, at));
    from = at + text.length;
  }
  return [...pieces, line.slice(from)].join(' ').trim();
}
