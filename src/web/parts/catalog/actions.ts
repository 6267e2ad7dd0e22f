/** Actions on items: mark as watched, list, remove from Continue watching or the history. Each can be undone. */
import type { Card, UserData } from '../../../contract/catalog/cards.ts';
import { call, sentence } from '../../data/client.ts';
import { readAgain } from '../../data/query.ts';
import { toast } from '../../kit/layers/toast.tsx';
import { catalogWords as m } from '../../messages/catalog.ts';

type Of = Pick<Card, 'id' | 'title' | 'userData'>;
/** Calls under way at once when many items are changed. */
const AT_ONCE = 4;

const again = () => {
  readAgain('catalog');
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
async function each<T>(all: readonly T[], one: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...all];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await one(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const put = (id: string, { watched, position }: Pick<UserData, 'watched' | 'position'>) =>
  call.watching.progress({ id, position, watched });

export async function setWatched({ id, title, userData }: Of, watched: boolean): Promise<void> {
  const isDone = await attempt(() => put(id, { watched, position: 0 }));
  if (isDone)
    toast({
      message: watched ? m.markedAsWatched({ title }) : m.markedAsNotWatched({ title }),
      undo: () => void attempt(() => put(id, userData)),
    });
}

/** Marks many, for a season or a show. Only what differs is changed, and only that is undone. */
export async function setAllWatched(items: readonly Of[], watched: boolean, name: string): Promise<void> {
  const changing = items.filter(({ userData }) => userData.watched !== watched);
  if (changing.length === 0) return;
  const isDone = await attempt(() => each(changing, ({ id }) => put(id, { watched, position: 0 })));
  if (isDone)
    toast({
      message: (watched ? m.markedAsWatched : m.markedAsNotWatched)({ title: name }),
      undo: () => void attempt(() => each(changing, ({ id, userData }) => put(id, userData))),
    });
}

export async function setListed({ id, title }: Pick<Of, 'id' | 'title'>, listed: boolean): Promise<void> {
  const isDone = await attempt(() => call.watching.list({ id, listed }));
  if (isDone)
    toast({
      message: listed ? m.addedToMyList({ title }) : m.removedFromMyList({ title }),
      undo: () => void attempt(() => call.watching.list({ id, listed: !listed })),
    });
}

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
