/**
 * Rows that a person puts into another order: by dragging a handle, with a mouse or a finger, or with the keyboard.
 * Enter lifts a row, arrows move it, Enter drops it, and Escape puts it back.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../../lib/announce.ts';
import { listWords as m } from '../../messages/lists.ts';
import { idAfter, indexUnder, withMoved } from './order.ts';

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 };

/** A row that is being moved: its id, and the order as it would be. */
interface Lifted {
  id: string;
  order: readonly string[];
  isDragged: boolean;
}

export interface OrderNeeds {
  ids: readonly string[];
  titleOf: (id: string) => string;
  /** Moves a row in front of another, or to the end, and returns whether that was done. */
  move: (id: string, before: string | null) => Promise<boolean>;
}

/**
 * Returns the order to show, the id of the lifted row, and the properties of the handle of each row. Rows are the
 * children of the element of `list`, each with its id as `data-moved`.
 */
export function useOrder<L extends HTMLElement>({ ids, titleOf, move }: OrderNeeds) {
  const list = useRef<L>(null);
  const [lifted, setLifted] = useState<Lifted>();
  // The new order is shown until the list was read again.
  const [kept, setKept] = useState<{ order: readonly string[]; instead: string }>();
  const now = ids.join();
  const order = lifted?.order ?? (kept?.instead === now ? kept.order : ids);
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
    void move(state.id, idAfter(state.order, state.id)).then((isDone) => isDone || setKept(undefined));
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
    const from = lifted.order.indexOf(lifted.id);
    const middles = rows.map(({ top, height }) => top + height / 2);
    const to = indexUnder(middles, from, event.clientY);
    if (to !== from) setLifted({ ...lifted, order: withMoved(lifted.order, from, to) });
  };
  // Moving a row takes the focus from its handle in some browsers.
  useLayoutEffect(() => {
    if (!lifted || lifted.isDragged) return;
    list.current?.querySelector<HTMLElement>(`[data-moved="${lifted.id}"] button`)?.focus();
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
