/** How a person listens to books on this device: the speed of each book, and how far the skip buttons go. */
import { createStore } from '../../../lib/store.ts';

export interface BookPreferences {
  skipBack: number;
  skipForward: number;
  /** Speed of each book by its id, the latest last. A book that is not here has the usual speed. */
  speeds: Readonly<Record<string, number>>;
}
export const SKIP_SIZES = [5, 10, 15, 30, 45, 60] as const;
export const BOOK_SPEEDS = { min: 0.5, max: 3 } as const;
const USUAL: BookPreferences = { skipBack: 15, skipForward: 30, speeds: {} };
const KEPT = 'matinee.books';
/** Books whose speed is kept. The oldest is forgotten first. */
const MAX_BOOKS = 200;

const skipFrom = (value: unknown, usual: number): number => SKIP_SIZES.find((size) => size === value) ?? usual;
const isSpeed = (value: unknown): value is number =>
  typeof value === 'number' && value >= BOOK_SPEEDS.min && value <= BOOK_SPEEDS.max;

/** Reads what was kept. Anything that does not fit becomes the default. */
export function bookPreferencesFrom(text: string | null): BookPreferences {
  let kept: Partial<Record<keyof BookPreferences, unknown>> = {};
  try {
    const read: unknown = JSON.parse(text ?? '{}');
    if (typeof read === 'object' && read !== null) kept = read;
  } catch {
    // Not written by this dashboard, or cut off.
  }
  const speeds = typeof kept.speeds === 'object' && kept.speeds !== null ? Object.entries(kept.speeds) : [];
  return {
    skipBack: skipFrom(kept.skipBack, USUAL.skipBack),
    skipForward: skipFrom(kept.skipForward, USUAL.skipForward),
    speeds: Object.fromEntries(speeds.filter((pair): pair is [string, number] => isSpeed(pair[1])).slice(-MAX_BOOKS)),
  };
}
const read = (): string | null => {
  if (typeof document === 'undefined') return null;
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
};
export const bookPreferences = createStore<BookPreferences>(bookPreferencesFrom(read()));
export function preferBooks(part: Partial<BookPreferences>): void {
  bookPreferences.change((now) => ({ ...now, ...part }));
  try {
    localStorage.setItem(KEPT, JSON.stringify(bookPreferences.get()));
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

export const speedOfBook = (id: string): number => bookPreferences.get().speeds[id] ?? 1;
export function keepSpeed(id: string, speed: number): void {
  const others = Object.entries(bookPreferences.get().speeds).filter(([other]) => other !== id);
  preferBooks({ speeds: Object.fromEntries([...others.slice(1 - MAX_BOOKS), [id, speed]]) });
}
