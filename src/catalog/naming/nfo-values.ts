/** Values of NFO files: texts, numbers, lengths and days as programs and people write them. */

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Replaces the entities of XML once; other text after an ampersand stays. */
export const decodeEntities = (text: string): string =>
  text.replaceAll(
    /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos|nbsp));/g,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : '\ufffd';
    },
  );

/** Removes control characters, and marks that change the direction of text. */
export const nfoText = (text: string): string =>
  text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '');

/** Reads a whole number between two others. */
export function wholeOf(text: string | undefined, least: number, most: number): number | undefined {
  const value = text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined;
  return value !== undefined && value >= least && value <= most ? value : undefined;
}

/** Reads a number that is not negative, also with a decimal comma. */
export const nfoNumber = (text: string | undefined): number | undefined => {
  const tidy = text?.trim().replace(',', '.');
  return tidy !== undefined && /^\d{1,9}(?:\.\d{1,9})?$/.test(tidy) ? Number(tidy) : undefined;
};

/** Reads minutes, also as `136 min` and `2h 16m`. */
export function runtimeOf(text: string | undefined): number | undefined {
  const match = /^\s{0,5}(?:(\d{1,2})\s?h\w{0,5}\s{0,3})?(?:(\d{1,4})\s?(?:m\w{0,6})?)?\.?\s{0,5}$/i.exec(text ?? '');
  const minutes = Number(match?.[1] ?? 0) * 60 + Number(match?.[2] ?? 0);
  return minutes > 0 ? minutes : undefined;
}

/** Returns an existing day as `yyyy-mm-dd`. */
export function nfoDay(text: string | undefined): string | undefined {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].{0,30})?$/.exec(text?.trim() ?? '');
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = year >= 1800 && year <= 2200 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 10) : undefined;
}
