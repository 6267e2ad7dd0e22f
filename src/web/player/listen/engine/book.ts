/**
 * How a person listens to the book that plays: its speed, and how far the skip buttons go. The server keeps it, so that
 * it holds on every device.
 */
import { call, sentence } from '../../../data/client.ts';
import { toast } from '../../../kit/layers/toast.tsx';
import { createStore } from '../../../lib/store.ts';

export interface BookPreferences {
  speed: number;
  skipBack: number;
  skipForward: number;
}
export const SKIP_SIZES = [5, 10, 15, 30, 45, 60] as const;
export const bookPreferences = createStore<BookPreferences>({ speed: 1, skipBack: 15, skipForward: 30 });

/** The change that is being saved. A book is loaded with it. */
let saving: Promise<unknown> = Promise.resolve();

/** Reads the preferences of a book. Without a reply, those of the book before are used. */
export async function loadBookPreferences(id: string): Promise<void> {
  await saving;
  const read = await call.audiobooks.preferences({ id }).catch(() => undefined);
  if (read) bookPreferences.set(read);
}
/** Changes preferences at once, and saves them for a book. */
export function preferForBook(id: string, part: Partial<BookPreferences>): void {
  bookPreferences.change((now) => ({ ...now, ...part }));
  saving = call.audiobooks
    .prefer({ id, ...part })
    .catch((error: unknown) => toast({ message: sentence(error), isError: true }));
}
