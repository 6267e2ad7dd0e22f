/** Words for an item that a Profile is done with: a film is watched, a book is read, an audiobook is finished. */
import { type ItemKind, itemFacts } from '../../../contract/catalog/kinds.ts';
import { catalogWords as m } from '../../messages/catalog.ts';

export interface DoneWords {
  /** The state, as screen readers say it. */
  done: string;
  mark: string;
  unmark: string;
  marked(of: { title: string }): string;
  unmarked(of: { title: string }): string;
}

/** Returns the words for a kind of item, in the language of the page. */
export function doneWords(kind: ItemKind): DoneWords {
  const { medium } = itemFacts(kind);
  if (medium === 'text' || kind === 'series')
    return {
      done: m.readWord,
      mark: m.markAsRead,
      unmark: m.markAsNotRead,
      marked: m.markedAsRead,
      unmarked: m.markedAsNotRead,
    };
  if (medium === 'audio' || kind === 'album')
    return {
      done: m.finishedWord,
      mark: m.markAsFinished,
      unmark: m.markAsNotFinished,
      marked: m.markedAsFinished,
      unmarked: m.markedAsNotFinished,
    };
  return {
    done: m.watchedWord,
    mark: m.markAsWatched,
    unmark: m.markAsNotWatched,
    marked: m.markedAsWatched,
    unmarked: m.markedAsNotWatched,
  };
}
