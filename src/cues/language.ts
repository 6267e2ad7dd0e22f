/**
 * Detects the language of a text: a second opinion on the language that a file name or a provider claims. A
 * disagreement is evidence; nothing is renamed because of it.
 *
 * Google's CLD3 (WebAssembly, 18 MiB when loaded) reads whole files. If it is uncertain about a short text, ELD is
 * asked as well; its tables take 90 MiB, so they are loaded only then.
 */
import { baseLanguage, parseLanguage } from '../lib/languages.ts';

export interface LanguageEvidence {
  /** ISO 639-1 (or 639-2 where there is none) of the text; left out if it could not be detected. */
  language?: string;
  /** 0 to 1. */
  confidence: number;
  reliable: boolean;
  by: 'cld3' | 'eld' | 'none';
  /** Only with `claimed`: whether the text has that language. Left out if it could not be detected. */
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
/** Languages that these detectors confuse because they are written alike. */
const ALIKE: readonly (readonly string[])[] = [
  ['hr', 'sr', 'bs', 'sh'],
  ['no', 'nb', 'nn'],
  ['id', 'ms'],
  ['zh', 'yue', 'cmn'],
  ['tl', 'fil'],
  ['he', 'iw'],
  ['fa', 'per'],
];

let cld3: Promise<Detector> | undefined;

/**
 * Detects the language of `text`, which is plain text without times and tags. Never fails on text. `claimed` is a BCP
 * 47 tag or ISO 639 code.
 */
export async function detectLanguage(text: string, claimed?: string): Promise<LanguageEvidence> {
  const sample = sampleOf(text);
  const letters = lettersOf(sample);
  if (letters < FEWEST) return { confidence: 0, reliable: false, by: 'none' };
  let best = await byCld3(sample);
  if (!best.reliable && letters < SHORT) {
    const other = await byEld(sample);
    if (other.reliable || best.language === undefined) best = other;
  }
  const base = claimed === undefined ? undefined : baseLanguage(parseLanguage(claimed) ?? claimed.toLowerCase());
  if (base === undefined || base === '' || best.language === undefined || !best.reliable) return best;
  return { ...best, agrees: isAlike(best.language, base) };
}

/** Returns whether two base languages are the same, or written so alike that a detector cannot distinguish them. */
export function isAlike(a: string, b: string): boolean {
  return a === b || ALIKE.some((group) => group.includes(a) && group.includes(b));
}

async function byCld3(sample: string): Promise<LanguageEvidence> {
  cld3 ??= load();
  const result = (await cld3).findLanguage(sample);
  const language = normal(result.language);
  if (language === undefined) return { confidence: 0, reliable: false, by: 'none' };
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
  if (language === undefined) return { confidence: 0, reliable: false, by: 'none' };
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

/** Counts letters, with a Chinese or Japanese character counted as four. */
function lettersOf(text: string): number {
  let count = 0;
  for (const char of text) {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(char)) count += 4;
    else if (/\p{L}/u.test(char)) count++;
    if (count >= SHORT) break;
  }
  return count;
}
