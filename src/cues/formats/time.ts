/** Reads and writes times as SRT, SAMI and TTML files have them, including malformed ones. */

/** Three digits of seconds count only before a decimal mark: those of `00:01:500` are milliseconds. */
const LOOSE = [
  /^([-+]?)(?:(\d{1,6}):)?(\d{1,3}):(\d{1,2})(?:[,.:;](\d{1,9}))?$/,
  /^([-+]?)(?:(\d{1,6}):)?(\d{1,3}):(\d{3})[,.](\d{1,9})$/,
];

/**
 * Reads a time as SRT files have it: `HH:MM:SS,mmm`, with a dot or a colon before the milliseconds, without hours, with
 * any number of hour digits, with three digits of seconds, with spaces inside, with a minus (taken as zero). Returns
 * undefined for other text. Examines at most 40 characters.
 */
export function looseTime(text: string): number | undefined {
  if (text.length > 40) return undefined;
  const value = text.replaceAll(/[\s\u200e\u200f\ufeff]/g, '');
  const parsed = LOOSE.map((form) => form.exec(value)).find((found) => found !== null);
  if (!parsed) return undefined;
  const [, sign, hours = '0', minutes = '0', seconds = '0', fraction = ''] = parsed;
  if (sign === '-') return 0;
  const ms = Math.floor(Number(`${fraction}000`.slice(0, 3)));
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + ms;
}

/** Returns `HH:MM:SS` and milliseconds with the given separator. */
export function clockTime(ms: number, separator: ',' | '.'): string {
  const whole = Math.max(0, Math.round(ms));
  const pad = (value: number, length: number): string => String(value).padStart(length, '0');
  const seconds = Math.floor(whole / 1000);
  return (
    `${pad(Math.floor(seconds / 3600), 2)}:${pad(Math.floor(seconds / 60) % 60, 2)}:${pad(seconds % 60, 2)}` +
    `${separator}${pad(whole % 1000, 3)}`
  );
}

/** Returns ASS's `H:MM:SS.cc`. */
export function assTime(ms: number): string {
  const hundredths = Math.max(0, Math.round(ms / 10));
  const seconds = Math.floor(hundredths / 100);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return (
    `${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}` +
    `.${pad(hundredths % 100)}`
  );
}

/** Returns how long a text without an end time is shown: 60 ms a character, from one to seven seconds. */
export function readingTime(characters: number): number {
  return Math.min(7000, Math.max(1000, characters * 60));
}
