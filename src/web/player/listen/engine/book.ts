/** How a Profile listens to a book: its speed, and how far the skip buttons go. */
import { createStore } from '../../../lib/store.ts';

export interface BookPreferences {
  speed: number;
  skipBack: number;
  skipForward: number;
}
export const USUAL_BOOK: BookPreferences = { speed: 1, skipBack: 15, skipForward: 30 };
/** Those of the book that plays. */
export const bookPreferences = createStore<BookPreferences>(USUAL_BOOK);
