/** Words for items that a Profile is done with: a film is watched, a book is read, an audiobook is finished. */
import { type ItemKind, itemFacts } from '../../../contract/catalog/kinds.ts';
import { catalogWords as m } from '../../messages/catalog.ts';

interface ManyDoneWords {
  mark: string;
  unmark: string;
  markedMany(of: { count: number }): string;
  unmarkedMany(of: { count: number }): string;
}
export interface DoneWords extends ManyDoneWords {
  /** The state, as screen readers say it. */
  done: string;
  marked(of: { title: string }): string;
  unmarked(of: { title: string }): string;
}

type Done = 'watched' | 'read' | 'finished';
function doneOf(kind: ItemKind): Done {
  const { medium } = itemFacts(kind);
  if (medium === 'text' || kind === 'series') return 'read';
  return medium === 'audio' || kind === 'album' ? 'finished' : 'watched';
}
/** As functions, because the language of the page may change. */
const WORDS: Readonly<Record<Done, () => DoneWords>> = {
  read: () => ({
    done: m.readWord,
    mark: m.markAsRead,
    unmark: m.markAsNotRead,
    marked: m.markedAsRead,
    unmarked: m.markedAsNotRead,
    markedMany: m.markedManyAsRead,
    unmarkedMany: m.markedManyAsNotRead,
  }),
  finished: () => ({
    done: m.finishedWord,
    mark: m.markAsFinished,
    unmark: m.markAsNotFinished,
    marked: m.markedAsFinished,
    unmarked: m.markedAsNotFinished,
    markedMany: m.markedManyAsFinished,
    unmarkedMany: m.markedManyAsNotFinished,
  }),
  watched: () => ({
    done: m.watchedWord,
    mark: m.markAsWatched,
    unmark: m.markAsNotWatched,
    marked: m.markedAsWatched,
    unmarked: m.markedAsNotWatched,
    markedMany: m.markedManyAsWatched,
    unmarkedMany: m.markedManyAsNotWatched,
  }),
};

/** Returns the words for a kind of item, in the language of the page. */
export const doneWords = (kind: ItemKind): DoneWords => WORDS[doneOf(kind)]();

/** Returns the words for several items: those of their kinds, or words that suit each kind. */
export function doneWordsOfMany(kinds: Iterable<ItemKind>): ManyDoneWords {
  const [done, ...others] = new Set([...kinds].map(doneOf));
  if (done !== undefined && others.length === 0) return WORDS[done]();
  return {
    mark: m.markAsDone,
    unmark: m.markAsNotDone,
    markedMany: m.markedManyAsDone,
    unmarkedMany: m.markedManyAsNotDone,
  };
}
