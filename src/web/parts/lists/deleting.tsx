/**
 * Deletes playlists, smart playlists and collections without a question, because each can be brought back: by Undo at
 * once, and on the page of all lists later.
 */
import { call } from '../../data/client.ts';
import { queries, readAgain, useAsk } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { toast } from '../../kit/layers/toast.tsx';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { listWords as m } from '../../messages/lists.ts';
import css from './lists.module.css';

type ListGroup = 'playlists' | 'smartPlaylists' | 'collections';
interface DeletedList {
  id: string;
  name: string;
}

async function restoreList(group: ListGroup, { id, name }: DeletedList): Promise<void> {
  await runWithToast(() => call[group].restore({ id }), m.broughtBack({ name }));
  readAgain(group);
}

/** Deletes a list, and goes to the page of all lists of its kind. */
export async function deleteList(group: ListGroup, list: DeletedList): Promise<void> {
  if (!(await runWithToast(() => call[group].remove({ id: list.id })))) return;
  go(hrefOf({ page: group === 'collections' ? 'collections' : 'playlists' }), { replace: true });
  // The page of the list is on show until the next one is loaded, and would ask for a list that is gone.
  const isOwn = ({ queryKey: [, , asked] }: { queryKey: readonly unknown[] }) =>
    (asked as { id?: string } | undefined)?.id === list.id;
  void queries.invalidateQueries({ queryKey: [group], predicate: isOwn, refetchType: 'none' });
  void queries.invalidateQueries({ queryKey: [group], predicate: (one) => !isOwn(one) });
  toast({ message: m.removed({ name: list.name }), undo: () => void restoreList(group, list) });
}

/** The deleted lists of a kind, each with a button that brings it back; nothing if there are none. */
export const BringBack = ({ group, title }: { group: ListGroup; title: string }) => {
  const { data } = useAsk(group, 'removed', {});
  if (!data || data.total === 0) return null;
  return (
    <section className={css.section}>
      <h2>{title}</h2>
      <div className={css.actions}>
        {data.items.map((one) => (
          <Button key={one.id} onClick={() => void restoreList(group, one)}>
            {m.bringBack({ name: one.name })}
          </Button>
        ))}
      </div>
    </section>
  );
};
