/**
 * Reading answers that nobody can trust: each function takes whatever stood in the JSON and gives a bounded value of
 * the right type or undefined. Nothing here throws.
 */
import { isJson, type Json } from './outbound.ts';

const LONGEST_TEXT = 256;
const MOST_ROWS = 500;
const MOST_RELEASES = 20;

/** One line of text without control characters, at most 256 characters. */
export function text(value: unknown, longest = LONGEST_TEXT): string | undefined {
  if (typeof value !== 'string') return undefined;
  const line = value
    .slice(0, longest * 4)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, longest);
  return line === '' ? undefined : line;
}

/** A whole number in a range; a string of digits counts, as some answers have them. */
export function whole(value: unknown, least: number, most: number): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= least && number <= most
    ? number
    : undefined;
}

/** Frames a second; 0 means unknown at every provider. */
export function frameRate(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,3}(?:\.\d{1,6})?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= 10 && number <= 150 ? number : undefined;
}

/** A boolean, also as the numbers or digits 1 and 0. */
export function flag(value: unknown): boolean | undefined {
  if (value === true || value === 1 || value === '1') return true;
  return value === false || value === 0 || value === '0' ? false : undefined;
}

/** `tt` and at least seven digits, from a number, digits or the id itself; 0 is none. */
export function imdb(value: unknown): string | undefined {
  const digits = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.replace(/^tt/, '') : '';
  return /^\d{1,10}$/.test(digits) && Number(digits) > 0 ? `tt${String(Number(digits)).padStart(7, '0')}` : undefined;
}

export const tmdb = (value: unknown): number | undefined => whole(value, 1, 1e9);
export const year = (value: unknown): number | undefined => whole(value, 1870, 2200);

export const rows = (value: unknown): Json[] => (Array.isArray(value) ? value.slice(0, MOST_ROWS).filter(isJson) : []);

/** Release names without repeats, from any number of answers' fields. */
export function releaseNames(...values: readonly unknown[]): string[] {
  const names = values
    .flatMap((value) => (Array.isArray(value) ? value.slice(0, MOST_RELEASES) : [value]))
    .map((value) => text(value));
  return [...new Set(names.filter((name) => name !== undefined))].slice(0, MOST_RELEASES);
}

/** Milliseconds since the epoch from an ISO time or Unix seconds. */
export function time(value: unknown): number | undefined {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d{9,11}$/.test(value))) {
    const seconds = Number(value);
    return seconds > 1e9 && seconds < 1e11 ? Math.round(seconds * 1000) : undefined;
  }
  const ms = typeof value === 'string' && value.length <= 40 ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) && ms > 1e12 ? ms : undefined;
}

/** Retry-After in seconds, from either form of RFC 9110 section 10.2.3; at most a day. */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined || value.length > 40) return undefined;
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - now) / 1000);
  return Number.isFinite(seconds) ? Math.min(86_400, Math.max(0, seconds)) : undefined;
}

/** The bare name of a file: no folder, no control characters, no leading dot, at most 200 characters. */
export function bareName(value: unknown, otherwise: string): string {
  const line = text(value, 1024)
    ?.split(/[/\\]/)
    .at(-1)
    ?.replaceAll(/[<>:"|?*]/g, '_')
    .replace(/^[.\s]+/, '');
  return line === undefined || line === '' ? otherwise : line.slice(-200);
}

/** The parts with a value; keeps optional members absent rather than undefined. */
export function known<T extends Record<string, unknown>>(parts: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** As `known`, or undefined when nothing is. */
export function someIds(ids: {
  imdb: string | undefined;
  tmdb: number | undefined;
}): { imdb?: string; tmdb?: number } | undefined {
  return ids.imdb === undefined && ids.tmdb === undefined ? undefined : known(ids);
}

/** Words by which names say that only foreign speech is in a file. */
export const saysForced = (names: readonly string[]): boolean =>
  names.some((name) => /(?:^|[^a-z])(?:forced|foreign[ ._-](?:parts?|only|lines?))(?:[^a-z]|$)/i.test(name));

/** Words by which names and comments say that a machine translated the text. */
export const saysMachine = (names: readonly string[]): boolean =>
  names.some((name) =>
    /(?:^|[^a-z])(?:(?:machine|auto(?:matic(?:ally)?)?|google|deepl|ai|gpt)[ ._-]?translat(?:ed|ion|e)|mtl)(?:[^a-z]|$)/i.test(
      name,
    ),
  );
