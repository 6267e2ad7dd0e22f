/** The last places of this Profile in an audiobook, as menus and lists show them. */
import { useAsk } from '../../data/query.ts';
import { type PlaceChapter, type ShownPlace, shownPlaces } from './place-words.ts';

/** Returns the last places in a book; none until they are known. */
export function useLastPlaces(id: string, chapters: readonly PlaceChapter[]): ShownPlace[] {
  const { data } = useAsk('audiobooks', 'positions', { id });
  return data ? shownPlaces(data.items, chapters) : [];
}
