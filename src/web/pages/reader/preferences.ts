/** Reading preferences stored on this device: colours, type size, layout, and the direction of single comics. */
import { createStore } from '../../lib/store.ts';

export const THEMES = ['light', 'sepia', 'dark'] as const;
export type ReadingTheme = (typeof THEMES)[number];
/** Ways to fit a page into the window: the whole page, or only its width. */
export const PAGE_FITS = ['page', 'width'] as const;
export type PageFit = (typeof PAGE_FITS)[number];
export const TYPE_SIZES = [80, 90, 100, 115, 130, 150, 175, 200] as const;

export interface ReadingPreferences {
  theme: ReadingTheme;
  /** Percent of the usual size. */
  size: number;
  isScrolled: boolean;
  isDouble: boolean;
  fit: PageFit;
}
export const USUAL_READING: ReadingPreferences = {
  theme: 'light',
  size: 100,
  isScrolled: false,
  isDouble: false,
  fit: 'page',
};
const STORAGE_KEY = 'matinee.reader';

/** Returns preferences as they were stored; whatever is not valid has its usual value. */
export function parsePreferences(text: string | null): ReadingPreferences {
  let kept: Partial<Record<keyof ReadingPreferences, unknown>> = {};
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value === 'object' && value !== null) kept = value;
  } catch {
    // Damaged storage counts as empty.
  }
  return {
    theme: THEMES.find((theme) => theme === kept.theme) ?? USUAL_READING.theme,
    size: TYPE_SIZES.find((size) => size === kept.size) ?? USUAL_READING.size,
    isScrolled: kept.isScrolled === true,
    isDouble: kept.isDouble === true,
    fit: PAGE_FITS.find((fit) => fit === kept.fit) ?? USUAL_READING.fit,
  };
}

const read = (): ReadingPreferences => {
  // Unit tests run without a page, and Node prints a warning when its own storage is touched.
  if (typeof document === 'undefined') return USUAL_READING;
  try {
    return parsePreferences(localStorage.getItem(STORAGE_KEY));
  } catch {
    return USUAL_READING;
  }
};
export const preferences = createStore<ReadingPreferences>(read());

export function changePreferences(change: Partial<ReadingPreferences>): void {
  preferences.change((now) => ({ ...now, ...change }));
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences.get()));
  } catch {
    // They last as long as the page.
  }
}

const DIRECTIONS = 'matinee.reader.directions';
/** Works whose direction is remembered; the one that was changed first is forgotten. */
const MAX_DIRECTIONS = 500;
export type PageDirection = 'ltr' | 'rtl';

/** Returns chosen directions as they were stored, by the id of a series or book. */
export function parseDirections(text: string | null): Map<string, PageDirection> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return new Map(entries.filter((one): one is [string, PageDirection] => one[1] === 'ltr' || one[1] === 'rtl'));
  } catch {
    return new Map();
  }
}

const readDirections = (): Map<string, PageDirection> => {
  try {
    return parseDirections(localStorage.getItem(DIRECTIONS));
  } catch {
    return new Map();
  }
};
/** Returns the direction that was chosen for a series or book on this device. */
export const directionOf = (work: string): PageDirection | undefined => readDirections().get(work);

/** Remembers the direction of a series or book. */
export function keepDirection(work: string, direction: PageDirection): void {
  const all = readDirections();
  all.delete(work);
  const kept = [...all, [work, direction] as const].slice(-MAX_DIRECTIONS);
  try {
    localStorage.setItem(DIRECTIONS, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // It lasts as long as the page.
  }
}

/** Returns the next larger or smaller type size. */
export function stepSize(size: number, step: 1 | -1): number {
  const at = TYPE_SIZES.findIndex((one) => one >= size);
  return TYPE_SIZES[Math.min(TYPE_SIZES.length - 1, Math.max(0, at + step))] ?? USUAL_READING.size;
}
