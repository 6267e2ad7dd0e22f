/**
 * The entries of a playlist or collection. A Profile that may change the list moves them by dragging the handle, or
 * with the keyboard: Enter lifts an entry, arrows move it, Enter drops it, and Escape puts it back.
 */
import grip from 'lucide/dist/esm/icons/grip-vertical.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import { sentence } from '../../data/client.ts';
import type { Reply } from '../../data/query.ts';
import { EntryRow, entryTarget, entryTitle } from '../catalog/entry-row.tsx';
import { type QueueKind, queueQuery } from '../playback/queue.ts';
import { IconButton } from '../../kit/forms/button.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { useOrder } from './use-order.ts';
import frame from '../catalog/list-head.module.css';
import css from './entries.module.css';
import { listWords as m } from '../../messages/lists.ts';

type ShownEntry = Pick<Reply<'playlists', 'entries'>['items'][number], 'entry' | 'item'>;

/** The requests that change a list, and the words for them. */
export interface ListChanges {
  move(how: { id: string; entry: string; before: string | null }): Promise<unknown>;
  remove(entry: string): Promise<unknown>;
  restore(entry: string): Promise<unknown>;
  /** Has the list read again. */
  again(): void;
  removeLabel(named: { title: string }): string;
  removed(named: { title: string }): string;
}
/** Runs a change of the list, has it read again, and says so if it failed. */
async function change(again: () => void, work: () => Promise<unknown>): Promise<boolean> {
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

export interface ListEntriesProps {
  kind: QueueKind;
  id: string;
  entries: readonly ShownEntry[];
  /** Left out for those who may not change it. */
  changes?: ListChanges | undefined;
}
export const ListEntries = ({ kind, id: listId, entries, changes }: ListEntriesProps) => {
  const byId = new Map(entries.map((one) => [one.entry, one]));
  const { list, order, lifted, handle } = useOrder<HTMLUListElement>({
    ids: entries.map(({ entry }) => entry),
    titleOf: (id) => {
      const item = byId.get(id)?.item;
      return item ? entryTitle(item) : '';
    },
    move: async (entry, before) =>
      changes === undefined || change(changes.again, () => changes.move({ id: listId, entry, before })),
  });
  const remove = async ({ entry, item }: ShownEntry, button: HTMLElement) => {
    const row = button.closest('li');
    const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
    const title = entryTitle(item);
    if (!changes || !(await change(changes.again, () => changes.remove(entry)))) return;
    [...(neighbour?.querySelectorAll('button') ?? [])].at(-1)?.focus();
    toast({
      message: changes.removed({ title }),
      undo: () => void change(changes.again, () => changes.restore(entry)),
    });
  };
  return (
    <>
      {changes && (
        <p id="move-help" className="unseen">
          {m.moveHelp}
        </p>
      )}
      <ul ref={list} className={frame.entries} aria-label={m.entries}>
        {order.flatMap((id) => {
          const one = byId.get(id);
          if (!one) return [];
          const { item } = one;
          const title = entryTitle(item);
          return [
            <li key={id} data-entry={id} data-moved={id}>
              <EntryRow
                item={item}
                to={entryTarget(item, queueQuery(kind, listId, id))}
                label={m.playFromHere}
                isLifted={lifted === id}
                before={
                  changes && (
                    <IconButton
                      icon={grip}
                      label={m.moveEntry({ title })}
                      aria-describedby="move-help"
                      aria-pressed={lifted === id}
                      className={css.handle ?? ''}
                      {...handle(id)}
                    />
                  )
                }
                after={
                  changes && (
                    <IconButton
                      icon={x}
                      label={changes.removeLabel({ title })}
                      onClick={({ currentTarget }) => void remove(one, currentTarget)}
                    />
                  )
                }
              />
            </li>,
          ];
        })}
      </ul>
    </>
  );
};
