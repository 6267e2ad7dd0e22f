/**
 * Detects the language of a text: a second opinion on the language that a file name or a provider claims. A
 * disagreement is evidence; nothing is renamed because of it.
 *
 * The shares of the writing systems decide first, then words: a credit in Latin letters says nothing about a film in
 * Hebrew. Most scripts have one language. For the others, Google's CLD3 (WebAssembly, 18 MiB when loaded) reads the
 * letters of that script only, because it reads no further than to the first letter of another one. If it is uncertain
 * about a short text, ELD is asked as well; its tables take 90 MiB, so they are loaded only then.
 */
import { baseLanguage, parseLanguage } from '../lib/languages.ts';
import { scriptsOf, type ScriptPart } from './scripts.ts';

export interface LanguageEvidence {
  /** ISO 639-1 (or 639-2 where there is none) of most of the text; left out if it could not be detected. */
  language?: string;
  /** Other languages with a large share of the text, as in bilingual files. */
  others?: readonly string[];
  /** 0 to 1. */
  confidence: number;
  reliable: boolean;
  by: 'script' | 'cld3' | 'eld' | 'none';
  /**
   * Only with `claimed`: whether the text, or a large share of it, has that language. Left out if it could not be
   * detected.
   */
  agrees?: boolean;
}

interface Detector {
  findLanguage(text: string): { language: string; probability: number; is_reliable: boolean };
}

/** Minimum number of letters for a detection. */
const FEWEST = 12;
/** Number of letters below which a second detector may help. */
const SHORT = 300;
const SAMPLE = 8_000;
/** Share of a text from which a script is one of its languages. Names and titles stay below it. */
const LARGE_SHARE = 0.25;
/** Share of the lines from which a language is one of two that are written in the same script. */
const LARGE_SHARE_OF_LINES = 0.3;
/** Share of the lines that must be in the languages found. */
const MAX_LINES = 0.7;
/** Number of lines that vote, and the letters that one needs. Detecting a line takes 0.5 ms. */
const VOTING_LINES = 40;
const FEWEST_VOTES = 6;
const VOTING_LETTERS = 20;
/** Distance between two voting lines as a share of the text. Even steps would only meet one of two languages. */
const STEP = 0.618_034;
/** Languages that these detectors confuse because they are written alike, or of which they know only one. */
const ALIKE: readonly (readonly string[])[] = [
  ['hr', 'sr', 'bs', 'sh'],
  ['no', 'nb', 'nn'],
  ['id', 'ms'],
  ['zh', 'yue', 'cmn'],
  ['tl', 'fil'],
  ['he', 'iw'],
  ['fa', 'per'],
  ['bn', 'as'],
  ['am', 'ti'],
  ['bo', 'dz'],
];

const NOTHING: LanguageEvidence = { confidence: 0, reliable: false, by: 'none' };

let cld3: Promise<Detector> | undefined;

/**
 * Detects the language of `text`, which is plain text without times and tags. Never fails on text. `claimed` is a BCP
 * 47 tag or ISO 639 code.
 */
export async function detectLanguage(text: string, claimed?: string): Promise<LanguageEvidence> {
  const parts = scriptsOf(sampleOf(text));
  const [first, ...rest] = parts.filter(({ share, letters }) => share >= LARGE_SHARE && letters >= FEWEST);
  if (!first) return NOTHING;
  const found: LanguageEvidence[] = [];
  for (const part of [first, ...rest]) found.push(await languageOf(part));
  const base = claimed === undefined ? undefined : baseLanguage(parseLanguage(claimed) ?? claimed.toLowerCase());
  if (base === undefined || base === '' || isIn(found, base)) return combined(found, base);
  // The detectors answer for two languages in one script with one of them or with a third, and lines do not.
  for (const [n, part] of [first, ...rest].entries()) {
    const byLines = await languagesOfLines(part);
    const isBetter = found[n]?.reliable !== true || byLines?.others !== undefined;
    if (byLines && isBetter) found[n] = byLines;
  }
  return combined(found, base);
}

const languagesIn = ({ language, others = [], reliable }: LanguageEvidence): string[] =>
  reliable && language !== undefined ? [language, ...others] : [];

const isIn = (found: readonly LanguageEvidence[], base: string): boolean =>
  found.some((one) => languagesIn(one).some((language) => isAlike(language, base)));

/** Returns one result for the parts of a text, the largest first. */
function combined(found: readonly LanguageEvidence[], base: string | undefined): LanguageEvidence {
  const [main = NOTHING] = found;
  const others = found.flatMap(languagesIn).filter((language) => language !== main.language);
  const best = { ...main, ...(others.length > 0 && { others: [...new Set(others)] }) };
  if (base === undefined || base === '' || main.language === undefined) return best;
  if (isIn(found, base)) return { ...best, agrees: true };
  // A part that could not be detected may be in the claimed language.
  return found.every(({ reliable }) => reliable) ? { ...best, agrees: false } : best;
}

/** Returns whether two base languages are the same, or written so alike that a detector cannot distinguish them. */
export function isAlike(a: string, b: string): boolean {
  return a === b || ALIKE.some((group) => group.includes(a) && group.includes(b));
}

/** Detects the language of the letters of one script. */
async function languageOf({ script, lines, letters, share }: ScriptPart): Promise<LanguageEvidence> {
  const { languages } = script;
  const ofScript = languages && { language: languages[0], confidence: share, reliable: true, by: 'script' as const };
  if (ofScript && languages.length === 1) return { ...ofScript, confidence: 1 };
  const sample = lines.join('\n');
  let best = await byCld3(sample);
  if (!best.reliable && letters < SHORT) {
    const other = await byEld(sample);
    if (other.reliable || best.language === undefined) best = other;
  }
  const isPossible = !languages || languages.some((one) => one === best.language);
  return isPossible || !ofScript ? best : { ...ofScript, confidence: 1 };
}

/** Returns the languages that many lines of a text are in; undefined if too few lines have a certain one. */
async function languagesOfLines({ script, lines }: ScriptPart): Promise<LanguageEvidence | undefined> {
  if (script.languages) return undefined;
  const long = lines.filter((line) => (line.match(/\p{L}/gu)?.length ?? 0) >= VOTING_LETTERS);
  const votes: string[] = [];
  for (let n = 0; n < Math.min(VOTING_LINES, long.length); n++) {
    const at = long.length <= VOTING_LINES ? n : Math.floor(((n * STEP) % 1) * long.length);
    const found = await byCld3(long[at] ?? '');
    if (found.reliable && found.language !== undefined) votes.push(found.language);
  }
  const large = [...Map.groupBy(votes, (language) => language)]
    .map(([language, all]) => ({ language, share: all.length / votes.length }))
    .filter(({ share }) => share >= LARGE_SHARE_OF_LINES)
    .sort((a, b) => b.share - a.share);
  const [first, ...rest] = large;
  if (!first || votes.length < FEWEST_VOTES) return undefined;
  const confidence = large.reduce((sum, { share }) => sum + share, 0);
  return {
    language: first.language,
    ...(rest.length > 0 && { others: rest.map(({ language }) => language) }),
    confidence,
    reliable: confidence >= MAX_LINES,
    by: 'cld3',
  };
}

async function byCld3(sample: string): Promise<LanguageEvidence> {
  cld3 ??= load();
  const result = (await cld3).findLanguage(sample);
  const language = normal(result.language);
  if (language === undefined) return NOTHING;
  return { language, confidence: result.probability, reliable: result.is_reliable, by: 'cld3' };
}

async function load(): Promise<Detector> {
  const { loadModule } = await import('cld3-asm');
  const factory = await loadModule();
  return factory.create(0, SAMPLE * 4 * 3);
}

async function byEld(sample: string): Promise<LanguageEvidence> {
  const { default: eld } = await import('eld/extrasmall');
  const result = eld.detect(sample);
  const language = normal(result.language);
  if (language === undefined) return NOTHING;
  return { language, confidence: result.getScores()[result.language] ?? 0, reliable: result.isReliable(), by: 'eld' };
}

/** CLD3 writes `iw` for Hebrew and `zh-Latn` for romanised Chinese; `und` is none. */
function normal(code: string): string | undefined {
  if (code === '' || code === 'und') return undefined;
  const base = baseLanguage(code.toLowerCase());
  return base === 'iw' ? 'he' : (parseLanguage(base) ?? base);
}

/** Returns three pieces from within: credits are at both ends and often in English. */
function sampleOf(text: string): string {
  if (text.length <= SAMPLE * 3) return text.toWellFormed();
  return [0.1, 0.45, 0.8]
    .map((part) => text.slice(Math.floor(text.length * part), Math.floor(text.length * part) + SAMPLE))
    .join('\n')
    .toWellFormed();
}
