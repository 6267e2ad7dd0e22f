/**
 * The entries of a playlist or collection. A Profile that may change the list moves them by dragging the handle, or
 * with the keyboard: Enter lifts an entry, arrows move it, Enter drops it, and Escape puts it back.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import grip from 'lucide/dist/esm/icons/grip-vertical.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import { announce } from '../../lib/announce.ts';
import { sentence } from '../../data/client.ts';
import type { Reply } from '../../data/query.ts';
import { EntryRow, entryTarget, entryTitle } from '../catalog/entry-row.tsx';
import { type QueueKind, queueQuery } from '../playback/queue.ts';
import { IconButton } from '../../kit/forms/button.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { idAfter, rowUnder, withMoved } from './order.ts';
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
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 };

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

/** An entry that is being moved: its id, and the order as it would be. */
interface Lifted {
  id: string;
  order: readonly string[];
  isDragged: boolean;
}

function useOrder(id: string, entries: readonly ShownEntry[], changes: ListChanges | undefined) {
  const list = useRef<HTMLUListElement>(null);
  const [lifted, setLifted] = useState<Lifted>();
  const ids = entries.map(({ entry }) => entry);
  // The new order is shown until the list was read again.
  const [kept, setKept] = useState<{ order: readonly string[]; instead: string }>();
  const now = ids.join();
  const order = lifted?.order ?? (kept?.instead === now ? kept.order : ids);
  const titleOf = (id: string) => {
    const item = entries.find(({ entry }) => entry === id)?.item;
    return item ? entryTitle(item) : '';
  };
  const place = (id: string, from: readonly string[]) => ({
    title: titleOf(id),
    at: from.indexOf(id) + 1,
    of: from.length,
  });
  const drop = (state: Lifted) => {
    setLifted(undefined);
    if (state.order.join() === order.join() && ids.join() === state.order.join()) return;
    setKept({ order: state.order, instead: now });
    announce(m.dropped(place(state.id, state.order)));
    const moved = { id, entry: state.id, before: idAfter(state.order, state.id) };
    if (changes) void change(changes.again, () => changes.move(moved)).then((isDone) => isDone || setKept(undefined));
  };
  const cancel = () => {
    setLifted(undefined);
    announce(m.moveCancelled);
  };
  const onKey = (id: string) => (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const isLifted = lifted?.id === id;
    if (event.key === 'Enter' || event.key === ' ') {
      if (isLifted) drop(lifted);
      else {
        setLifted({ id, order, isDragged: false });
        announce(m.lifted(place(id, order)));
      }
    } else if (isLifted && event.key === 'Escape') cancel();
    else if (isLifted && step !== undefined) {
      const moved = withMoved(lifted.order, lifted.order.indexOf(id), lifted.order.indexOf(id) + step);
      setLifted({ ...lifted, order: moved });
      announce(m.movedTo(place(id, moved)));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onPointerDown = (id: string) => (event: PointerEvent) => {
    if (event.button !== 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    setLifted({ id, order, isDragged: true });
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!lifted?.isDragged) return;
    const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
    const to = rowUnder(
      rows.map(({ top, height }) => top + height / 2),
      event.clientY,
    );
    const from = lifted.order.indexOf(lifted.id);
    if (to !== from) setLifted({ ...lifted, order: withMoved(lifted.order, from, to) });
  };
  // Moving a row takes the focus from its handle in some browsers.
  useLayoutEffect(() => {
    if (!lifted || lifted.isDragged) return;
    list.current?.querySelector<HTMLElement>(`[data-entry="${lifted.id}"] button`)?.focus();
  }, [lifted]);
  const handle = (id: string) => ({
    onKeyDown: onKey(id),
    onPointerDown: onPointerDown(id),
    onPointerMove,
    onPointerUp: () => lifted?.isDragged && drop(lifted),
    onPointerCancel: () => lifted?.isDragged && cancel(),
    // No target means that the focus was lost because the row moved.
    onBlur: (event: FocusEvent) => lifted?.id === id && !lifted.isDragged && event.relatedTarget !== null && cancel(),
  });
  return { list, order, lifted: lifted?.id, handle };
}

export interface ListEntriesProps {
  kind: QueueKind;
  id: string;
  entries: readonly ShownEntry[];
  /** Left out for those who may not change it. */
  changes?: ListChanges | undefined;
}
export const ListEntries = ({ kind, id: listId, entries, changes }: ListEntriesProps) => {
  const { list, order, lifted, handle } = useOrder(listId, entries, changes);
  const byId = new Map(entries.map((one) => [one.entry, one]));
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
            <li key={id} data-entry={id}>
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
