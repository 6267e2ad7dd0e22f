/**
 * Reads fields of untrusted replies. Each function takes any JSON value and returns a bounded value of the right type,
 * or undefined. Nothing here throws.
 */
import { isJson, type Json } from './outbound.ts';

const MAX_TEXT_LENGTH = 256;
const MAX_ROWS = 500;
const MAX_RELEASES = 20;

/** Returns one line of text without control characters, at most 256 characters. */
export function readLine(value: unknown, longest = MAX_TEXT_LENGTH): string | undefined {
  if (typeof value !== 'string') return undefined;
  const line = value
    .slice(0, longest * 4)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, longest);
  return line === '' ? undefined : line;
}

/** Returns an integer in a range. A string of digits counts, as in some replies. */
export function readWhole(value: unknown, least: number, most: number): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= least && number <= most
    ? number
    : undefined;
}

/** Returns frames per second. Every provider writes 0 for unknown. */
export function readFrameRate(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,3}(?:\.\d{1,6})?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= 10 && number <= 150 ? number : undefined;
}

/** Returns a boolean, also from the numbers or digits 1 and 0. */
export function readFlag(value: unknown): boolean | undefined {
  if (value === true || value === 1 || value === '1') return true;
  return value === false || value === 0 || value === '0' ? false : undefined;
}

/** Returns an IMDb id (`tt` and at least seven digits) from a number, digits or the id itself; 0 means none. */
export function readImdbId(value: unknown): string | undefined {
  const digits = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.replace(/^tt/, '') : '';
  return /^\d{1,10}$/.test(digits) && Number(digits) > 0 ? `tt${String(Number(digits)).padStart(7, '0')}` : undefined;
}

export const readTmdbId = (value: unknown): number | undefined => readWhole(value, 1, 1e9);
export const readYear = (value: unknown): number | undefined => readWhole(value, 1870, 2200);

export const readRows = (value: unknown): Json[] =>
  Array.isArray(value) ? value.slice(0, MAX_ROWS).filter(isJson) : [];

/** Returns release names without duplicates, from any number of fields. */
export function readReleaseNames(...values: readonly unknown[]): string[] {
  const names = values
    .flatMap((value) => (Array.isArray(value) ? value.slice(0, MAX_RELEASES) : [value]))
    .map((value) => readLine(value));
  return [...new Set(names.filter((name) => name !== undefined))].slice(0, MAX_RELEASES);
}

/** Returns milliseconds since the epoch, from an ISO time or Unix seconds. */
export function readTime(value: unknown): number | undefined {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d{9,11}$/.test(value))) {
    const seconds = Number(value);
    return seconds > 1e9 && seconds < 1e11 ? Math.round(seconds * 1000) : undefined;
  }
  const ms = typeof value === 'string' && value.length <= 40 ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) && ms > 1e12 ? ms : undefined;
}

/** Returns Retry-After in seconds, from either form of RFC 9110 section 10.2.3; at most a day. */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined || value.length > 40) return undefined;
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - now) / 1000);
  return Number.isFinite(seconds) ? Math.min(86_400, Math.max(0, seconds)) : undefined;
}

/** Returns a file name without folders, control characters and leading dots, at most 200 characters. */
export function bareName(value: unknown, otherwise: string): string {
  const line = readLine(value, 1024)
    ?.split(/[/\\]/)
    .at(-1)
    ?.replaceAll(/[<>:"|?*]/g, '_')
    .replace(/^[.\s]+/, '');
  return line === undefined || line === '' ? otherwise : line.slice(-200);
}

/** Returns the properties that are not undefined. */
export function definedOnly<T extends Record<string, unknown>>(
  parts: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Returns the ids that are known; undefined if none is. */
export function idsOrNone(ids: {
  imdb: string | undefined;
  tmdb: number | undefined;
}): { imdb?: string; tmdb?: number } | undefined {
  return ids.imdb === undefined && ids.tmdb === undefined ? undefined : definedOnly(ids);
}

/** Whether names say that a file has only the lines of foreign speech. */
export const saysForced = (names: readonly string[]): boolean =>
  names.some((name) => /(?:^|[^a-z])(?:forced|foreign[ ._-](?:parts?|only|lines?))(?:[^a-z]|$)/i.test(name));

/** Whether names or comments say that a machine translated the text. */
export const saysMachine = (names: readonly string[]): boolean =>
  names.some((name) =>
    /(?:^|[^a-z])(?:(?:machine|auto(?:matic(?:ally)?)?|google|deepl|ai|gpt)[ ._-]?translat(?:ed|ion|e)|mtl)(?:[^a-z]|$)/i.test(
      name,
    ),
  );
