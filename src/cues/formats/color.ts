/** Converts colours between the formats: HTML names and hex, ASS's blue-green-red, WebVTT's eight classes. */
const NAMED: Readonly<Record<string, string>> = {
  white: '#ffffff',
  lime: '#00ff00',
  cyan: '#00ffff',
  red: '#ff0000',
  yellow: '#ffff00',
  magenta: '#ff00ff',
  blue: '#0000ff',
  black: '#000000',
  aqua: '#00ffff',
  fuchsia: '#ff00ff',
  green: '#008000',
  gray: '#808080',
  grey: '#808080',
  silver: '#c0c0c0',
  maroon: '#800000',
  navy: '#000080',
  olive: '#808000',
  purple: '#800080',
  teal: '#008080',
  orange: '#ffa500',
  pink: '#ffc0cb',
  brown: '#a52a2a',
  gold: '#ffd700',
  violet: '#ee82ee',
};

/** The eight classes that every WebVTT renderer knows, by their colour. */
export const VTT_CLASSES: ReadonlyMap<string, string> = new Map(
  ['white', 'lime', 'cyan', 'red', 'yellow', 'magenta', 'blue', 'black'].map((name) => [NAMED[name] ?? '', name]),
);

/**
 * Returns `#rrggbb` of a colour as HTML writes it (name, `#rgb`, `#rrggbb`, `#rrggbbaa`, with or without `#`), or
 * undefined.
 */
export function htmlColor(text: string): string | undefined {
  const value = text.trim().toLowerCase();
  if (Object.hasOwn(NAMED, value)) return NAMED[value];
  const hex = value.startsWith('#') ? value.slice(1) : value;
  if (!/^[0-9a-f]{3,8}$/.test(hex)) return undefined;
  if (hex.length === 3) return `#${[...hex].map((c) => c + c).join('')}`;
  return hex.length === 6 || hex.length === 8 ? `#${hex.slice(0, 6)}` : undefined;
}

/** Returns `#rrggbb` of ASS's `&HBBGGRR&` or `&HAABBGGRR`, or of a decimal number (SSA). */
export function assColor(text: string): string | undefined {
  const value = text.trim().toLowerCase();
  if (value.length > 16) return undefined;
  const hex = /^&?h([0-9a-f]{1,8})&?$/.exec(value)?.[1];
  const number = hex === undefined ? (/^\d{1,10}$/.test(value) ? Number(value) : undefined) : Number.parseInt(hex, 16);
  if (number === undefined) return undefined;
  const byte = (shift: number): string => (Math.floor(number / 2 ** shift) % 256).toString(16).padStart(2, '0');
  return `#${byte(0)}${byte(8)}${byte(16)}`;
}

/** Returns ASS's form of `#rrggbb`: `&HBBGGRR&`. */
export function toAssColor(color: string): string {
  return `&H${color.slice(5, 7)}${color.slice(3, 5)}${color.slice(1, 3)}&`.toUpperCase().replace('&h', '&H');
}

/** Returns the nearest of WebVTT's eight colours. */
export function nearestClass(color: string): string {
  const [r, g, b] = channels(color);
  let best = 'white';
  let least = Infinity;
  for (const [other, name] of VTT_CLASSES) {
    const [r2, g2, b2] = channels(other);
    const far = (r - r2) ** 2 + (g - g2) ** 2 + (b - b2) ** 2;
    if (far < least) [least, best] = [far, name];
  }
  return best;
}

function channels(color: string): [number, number, number] {
  const at = (from: number): number => Number.parseInt(color.slice(from, from + 2), 16) || 0;
  return [at(1), at(3), at(5)];
}
