/** Whether two files of one place belong to the same audiobook, by their tags. */
import type { PlacedFile } from '../../core/scan/placement.ts';
import { fold } from '../../naming/text.ts';
import type { SoundGuess } from '../sound/files.ts';
import { withoutParts } from './names.ts';

type BookFile = PlacedFile<SoundGuess>;

/** Returns the title of the book that the tags of a file name; undefined if they repeat the title of the file. */
function bookOf({ info }: BookFile): string | undefined {
  const { album, title, track } = info?.audio ?? {};
  // Some programs write the title of each chapter in both places.
  if (album === undefined || (track?.number !== undefined && title !== undefined && fold(album) === fold(title)))
    return undefined;
  return fold(withoutParts(album)) || undefined;
}

/**
 * Returns false for files whose tags name different books. `Title (Disc 1)` and `Title (Disc 2)` are one, and so are
 * files in the folders of the discs of one book.
 */
export function isSameBook(a: BookFile, b: BookFile): boolean {
  if (a.row.folder !== b.row.folder) return true;
  const [one, other] = [bookOf(a), bookOf(b)];
  return one === undefined || other === undefined || one === other;
}
