/** Actions on items: mark as watched, list, remove from Continue watching or the history. Each can be undone. */
import type { Card, UserData } from '../../../contract/catalog/cards.ts';
import type { ItemKind } from '../../../contract/catalog/kinds.ts';
import { call, sentence } from '../../data/client.ts';
import { readAgain, type RequestOf } from '../../data/query.ts';
import { toast } from '../../kit/layers/toast.tsx';
import { doneWords, doneWordsOfMany } from './done-words.ts';
import { catalogWords as m } from '../../messages/catalog.ts';

type Of = Pick<Card, 'id' | 'title' | 'userData'>;
export type ListMark = RequestOf<'watching', 'change'>['mark'];
/** Maximum number of ids in one request. */
const IDS_AT_ONCE = 500;

const again = () => {
  readAgain('catalog');
  readAgain('music');
  readAgain('watching');
};
/** Runs something, has what it changed read again, and says so if it failed. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    toast({ message: sentence(error), isError: true });
    return false;
  } finally {
    again();
  }
}
const put = (id: string, { watched, position }: Pick<UserData, 'watched' | 'position'>) =>
  call.watching.progress({ id, position, watched });

/** Marks items. `message` says what was done, from the number of items that changed. */
async function mark(ids: readonly string[], how: ListMark, message: (changed: number) => string): Promise<void> {
  const made: string[] = [];
  let changed = 0;
  const isDone = await attempt(async () => {
    for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
      const reply = await call.watching.change({ ids: ids.slice(from, from + IDS_AT_ONCE), mark: how });
      changed += reply.changed;
      if (reply.id !== undefined) made.unshift(reply.id);
    }
  });
  const undo = () =>
    void attempt(async () => {
      for (const id of made) await call.watching.undoChange({ id });
    });
  // After a failure, what was changed before it can be undone, too.
  if (made.length > 0) toast({ message: message(changed), undo });
  else if (isDone) toast({ message: m.nothingChanged });
}

type Marked = Pick<Card, 'title' | 'kind'>;

export const setWatched = ({ id, ...item }: Marked & Pick<Card, 'id'>, watched: boolean): Promise<void> =>
  setAllWatched([id], watched, item);

/** Marks many, for a season, a show or a series. Only what differs is changed, and only that is undone. */
export const setAllWatched = (ids: readonly string[], watched: boolean, { title, kind }: Marked): Promise<void> =>
  mark(ids, watched ? 'watched' : 'unwatched', () => doneWords(kind)[watched ? 'marked' : 'unmarked']({ title }));

export const setListed = ({ id, title }: Pick<Of, 'id' | 'title'>, listed: boolean): Promise<void> =>
  mark([id], listed ? 'listed' : 'unlisted', () => (listed ? m.addedToMyList : m.removedFromMyList)({ title }));

/** Marks the selected items. `kinds` are those of the items that are known. */
export const markMany = (ids: readonly string[], how: ListMark, kinds: Iterable<ItemKind>): Promise<void> => {
  const words = doneWordsOfMany(kinds);
  const messages: Record<ListMark, (of: { count: number }) => string> = {
    watched: words.markedMany,
    unwatched: words.unmarkedMany,
    listed: m.addedManyToMyList,
    unlisted: m.removedManyFromMyList,
  };
  return mark(ids, how, (count) => messages[how]({ count }));
};

export async function forget({ id, title, userData }: Of): Promise<void> {
  const isDone = await attempt(() => call.watching.forget({ id }));
  if (isDone)
    toast({ message: m.removedFromContinueWatching({ title }), undo: () => void attempt(() => put(id, userData)) });
}

/** Removes an entry from the watch history. Returns whether that succeeded. */
export async function removeFromHistory(entry: string, title: string): Promise<boolean> {
  const isDone = await attempt(() => call.watching.removeHistory({ id: entry }));
  if (isDone)
    toast({
      message: m.removedFromHistory({ title }),
      undo: () => void attempt(() => call.watching.restoreHistory({ id: entry })),
    });
  return isDone;
}

/** Removes every entry of an item from the watch history. */
export async function removeItemFromHistory({ id, title }: Pick<Of, 'id' | 'title'>): Promise<void> {
  const isDone = await attempt(() => call.watching.removeItemHistory({ id }));
  if (isDone)
    toast({
      message: m.removedFromHistory({ title }),
      undo: () => void attempt(() => call.watching.restoreItemHistory({ id })),
    });
}

/** Hides a show from next up until one of its episodes is played. */
export async function hideNextUp({ id, title }: Pick<Of, 'id' | 'title'>): Promise<void> {
  const isDone = await attempt(() => call.watching.hideNextUp({ id }));
  if (isDone)
    toast({ message: m.hiddenFromNextUp({ title }), undo: () => void attempt(() => call.watching.showNextUp({ id })) });
}
