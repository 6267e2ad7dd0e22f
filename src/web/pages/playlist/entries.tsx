/**
 * The entries of a playlist. Its Profile moves them by dragging the handle, or with the keyboard: Enter lifts an entry,
 * arrows move it, Enter drops it, and Escape puts it back.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import grip from 'lucide/dist/esm/icons/grip-vertical.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import { announce } from '../../lib/announce.ts';
import { call, sentence } from '../../data/client.ts';
import { readAgain, type Reply } from '../../data/query.ts';
import { EntryRow, entryTarget, entryTitle } from '../../parts/catalog/entry-row.tsx';
import { queueQuery } from '../../parts/playback/queue.ts';
import { IconButton } from '../../kit/forms/button.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { idAfter, rowUnder, withMoved } from './order.ts';
import frame from '../../parts/catalog/list-head.module.css';
import css from './playlist.module.css';
import { listWords as m } from '../../messages/lists.ts';

type ShownEntry = Reply<'playlists', 'entries'>['items'][number];
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 };

/** Runs a change of the playlist, has it read again, and says so if it failed. */
async function change(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    toast({ message: sentence(error), isError: true });
    return false;
  } finally {
    readAgain('playlists');
  }
}

/** An entry that is being moved: its id, and the order as it would be. */
interface Lifted {
  id: string;
  order: readonly string[];
  isDragged: boolean;
}

function useOrder(playlist: string, entries: readonly ShownEntry[]) {
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
    const moved = { id: playlist, entry: state.id, before: idAfter(state.order, state.id) };
    void change(() => call.playlists.order(moved)).then((isDone) => isDone || setKept(undefined));
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

export interface PlaylistEntriesProps {
  playlist: string;
  isOwn: boolean;
  entries: readonly ShownEntry[];
}
export const PlaylistEntries = ({ playlist, isOwn, entries }: PlaylistEntriesProps) => {
  const { list, order, lifted, handle } = useOrder(playlist, entries);
  const byId = new Map(entries.map((one) => [one.entry, one]));
  const remove = async ({ entry, item }: ShownEntry, button: HTMLElement) => {
    const row = button.closest('li');
    const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
    const title = entryTitle(item);
    const isDone = await change(() => call.playlists.removeEntry({ id: playlist, entry }));
    if (!isDone) return;
    [...(neighbour?.querySelectorAll('button') ?? [])].at(-1)?.focus();
    toast({
      message: m.removedFromPlaylist({ title }),
      undo: () => void change(() => call.playlists.restoreEntry({ id: playlist, entry })),
    });
  };
  return (
    <>
      {isOwn && (
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
                to={entryTarget(item, queueQuery('playlist', playlist, id))}
                label={m.playFromHere}
                isLifted={lifted === id}
                before={
                  isOwn && (
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
                  isOwn && (
                    <IconButton
                      icon={x}
                      label={m.removeFromPlaylist({ title })}
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
