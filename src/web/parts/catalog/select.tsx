/**
 * Selecting items in a list: the list around its cards, its keys, and the bar with what can be done with the selected
 * items. The selection is kept by id, so it survives scrolling and reading the list again.
 */
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useId, useMemo, useRef } from 'preact/hooks';
import bookmark from 'lucide/dist/esm/icons/bookmark.mjs';
import bookmarkOff from 'lucide/dist/esm/icons/bookmark-minus.mjs';
import layers from 'lucide/dist/esm/icons/layers-plus.mjs';
import listPlus from 'lucide/dist/esm/icons/list-plus.mjs';
import pencil from 'lucide/dist/esm/icons/pencil.mjs';
import check from 'lucide/dist/esm/icons/check.mjs';
import undo from 'lucide/dist/esm/icons/rotate-ccw.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import type { Card } from '../../../contract/catalog/cards.ts';
import type { ItemKind } from '../../../contract/catalog/kinds.ts';
import { useIsOwner } from '../../data/session.ts';
import { createLateLayer } from '../../kit/layers/late.ts';
import { sentence } from '../../data/client.ts';
import { IconButton, Button } from '../../kit/forms/button.tsx';
import { Icon, type IconNode } from '../../kit/art/icon.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { isInLayer, isTyping } from '../../lib/keyboard.ts';
import { createStore, useStore } from '../../lib/store.ts';
import { catalogWords as m } from '../../messages/catalog.ts';
import { addToCollection, addToPlaylist } from './add-to-list.tsx';
import { markMany, type ListMark } from './actions.ts';
import { doneWordsOfMany } from './done-words.ts';
import { withRange, MAX_SELECTED, positionsBetween, type ItemSelection, withToggled } from './selection.ts';
import css from './select.module.css';

const selection = createStore<ItemSelection | undefined>(undefined);

/** The order of a list whose items can be selected. */
export interface ListOrder {
  /** Position of an item; undefined if it is not known. */
  indexOf(id: string): number | undefined;
  /** Returns the ids at these positions. They may have to be loaded. */
  idsAt(positions: readonly number[]): Promise<readonly string[]>;
  /** Positions of the items that "select all" means: those that are loaded. */
  loaded(): readonly number[];
}
interface List {
  key: string;
  order: { current: ListOrder };
  /** Kinds of the items that were drawn, by id. */
  kinds: Map<string, ItemKind>;
}
const ListContext = createContext<List | undefined>(undefined);

/** Adds items, and says so if not all of them could be selected. */
function add(list: string, ids: readonly string[]): void {
  selection.change((now) => withRange(now, list, ids));
  const now = selection.get();
  if (ids.some((id) => !now?.ids.has(id))) toast({ message: m.atMostSelected({ count: MAX_SELECTED }) });
}

/** Ids from pages that may have to be loaded. None if that fails, which is said. */
const loadedIds = (ids: Promise<readonly string[]>): Promise<readonly string[]> =>
  ids.catch((error: unknown) => {
    toast({ message: sentence(error), isError: true });
    return [];
  });

/** Selects from the item that was chosen last to this one. */
async function selectTo({ key, order }: List, id: string): Promise<void> {
  const now = selection.get();
  const from = now?.list === key && now.anchor !== undefined ? order.current.indexOf(now.anchor) : undefined;
  const to = order.current.indexOf(id);
  if (from === undefined || to === undefined) return void selection.change((one) => withToggled(one, key, id));
  const ids = await loadedIds(order.current.idsAt(positionsBetween(from, to)));
  // The selection may have ended while the list was loaded.
  if (selection.get()?.list === key) add(key, ids);
}
async function selectAll({ key, order }: List): Promise<void> {
  const ids = await loadedIds(order.current.idsAt(order.current.loaded().slice(0, MAX_SELECTED + 1)));
  if (ids.length > 0) add(key, ids);
}

/** How an item can be selected; undefined outside of lists with a selection. */
export interface Selectable {
  isSelected: boolean;
  /** Whether something in this list is selected, so that a click selects and does not open. */
  isActive: boolean;
  toggle(isRange?: boolean): void;
}
export function useSelectable({ id, kind }: Pick<Card, 'id' | 'kind'>): Selectable | undefined {
  const list = useContext(ListContext);
  const now = useStore(selection);
  if (!list) return undefined;
  list.kinds.set(id, kind);
  const isActive = now?.list === list.key;
  return {
    isActive,
    isSelected: isActive && now.ids.has(id),
    toggle: (isRange = false) => {
      if (isRange && selection.get()?.list === list.key) return void selectTo(list, id);
      const before = selection.get();
      selection.change((one) => withToggled(one, list.key, id));
      if (selection.get() === before) toast({ message: m.atMostSelected({ count: MAX_SELECTED }) });
    },
  };
}

/** The button that selects an item of a list, or takes it out of the selection. */
export const SelectBox = ({
  title,
  selectable,
  className,
}: {
  title: string;
  selectable: Selectable;
  className: string;
}) => (
  <button
    type="button"
    role="checkbox"
    aria-checked={selectable.isSelected}
    aria-label={m.selectItem({ title })}
    title={m.select}
    className={className}
    onClick={(event) => selectable.toggle(event.shiftKey)}
  >
    <Icon of={check} size={1.125} />
  </button>
);

/** Escape ends the selection; Ctrl or Cmd with A selects what is loaded. */
function useKeys(list: List, box: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.defaultPrevented || isTyping(target) || isInLayer(target)) return;
      // As it is now: a key may come before the selection is drawn.
      const isActive = selection.get()?.list === list.key;
      if (event.key === 'Escape' && isActive) {
        event.preventDefault();
        end(box.current);
      }
      if (event.key.toLowerCase() !== 'a' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      if (!isActive && !box.current?.contains(target)) return;
      event.preventDefault();
      void selectAll(list);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [list]);
}

/** Ends the selection. If the bar had the focus, the list has it afterwards. */
function end(box: HTMLElement | null): void {
  const isInBar = document.activeElement?.closest('[data-selection-bar]') !== null;
  const anchor = selection.get()?.anchor;
  selection.set(undefined);
  if (!isInBar || !box) return;
  const spot = anchor === undefined ? null : box.querySelector(`[data-item="${anchor}"]`);
  (spot ?? box).querySelector<HTMLElement>('a[href], button')?.focus({ preventScroll: true });
}

function actionsFor(
  kinds: readonly ItemKind[],
  isMyList: boolean,
): { mark: ListMark; label: string; icon: IconNode }[] {
  const words = doneWordsOfMany(kinds);
  return [
    { mark: 'watched', label: words.mark, icon: check },
    { mark: 'unwatched', label: words.unmark, icon: undo },
    isMyList
      ? { mark: 'unlisted', label: m.removeFromMyList, icon: bookmarkOff }
      : { mark: 'listed', label: m.addToMyList, icon: bookmark },
  ];
}

/** The ids that are being edited; the dialog outlives the selection. */
const edited = createStore<readonly string[] | undefined>(undefined);
/** Maximum number of items of one bulk edit. */
const MAX_EDITED = 100;
function editMany(ids: readonly string[]): void {
  if (ids.length > MAX_EDITED) toast({ message: m.atMostEdited({ count: MAX_EDITED }), isError: true });
  else edited.set(ids);
}
const useBulkDialog = createLateLayer(() => import('../editing/bulk-dialog.tsx').then((file) => file.BulkDialog));
const BulkEdit = () => {
  const ids = useStore(edited);
  const close = () => edited.set(undefined);
  const BulkDialog = useBulkDialog(ids !== undefined, close);
  return ids && BulkDialog ? <BulkDialog ids={ids} onClose={close} /> : null;
};

interface BarProps {
  now: ItemSelection;
  kinds: readonly ItemKind[];
  isMyList: boolean;
  onEnd: () => void;
}

const Bar = ({ now, kinds, isMyList, onEnd }: BarProps) => (
  <div className={css.bar} role="toolbar" aria-label={m.selection} data-selection-bar="">
    <span className={css.count} role="status">
      {m.selectedCount({ count: now.ids.size })}
    </span>
    {actionsFor(kinds, isMyList).map(({ mark, label, icon }) => (
      <Button
        key={mark}
        look="quiet"
        icon={icon}
        aria-label={label}
        title={label}
        className={css.action ?? ''}
        onClick={() => {
          onEnd();
          void markMany([...now.ids], mark, kinds);
        }}
      >
        {label}
      </Button>
    ))}
    <Button
      look="quiet"
      icon={listPlus}
      aria-label={m.addToPlaylist}
      title={m.addToPlaylist}
      className={css.action ?? ''}
      onClick={() => {
        onEnd();
        addToPlaylist([...now.ids]);
      }}
    >
      {m.addToPlaylist}
    </Button>
    {useIsOwner() && (
      <Button
        look="quiet"
        icon={layers}
        aria-label={m.addToCollection}
        title={m.addToCollection}
        className={css.action ?? ''}
        onClick={() => {
          onEnd();
          addToCollection([...now.ids]);
        }}
      >
        {m.addToCollection}
      </Button>
    )}
    {useIsOwner() && (
      <Button
        look="quiet"
        icon={pencil}
        aria-label={m.editMetadata}
        title={m.editMetadata}
        className={css.action ?? ''}
        onClick={() => {
          if (now.ids.size <= MAX_EDITED) onEnd();
          editMany([...now.ids]);
        }}
      >
        {m.editMetadata}
      </Button>
    )}
    <IconButton icon={x} label={m.endSelection} onClick={onEnd} />
  </div>
);

/** A list whose items can be selected. */
export const SelectableList = ({
  order,
  isMyList = false,
  children,
}: {
  order: ListOrder;
  /** Whether this is My List, from which items are removed. */
  isMyList?: boolean;
  children: ComponentChildren;
}) => {
  const key = useId();
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(order);
  latest.current = order;
  const list = useMemo<List>(() => ({ key, order: latest, kinds: new Map() }), [key]);
  const now = useStore(selection);
  const isActive = now?.list === key;
  useKeys(list, box);
  useEffect(() => () => selection.change((one) => (one?.list === key ? undefined : one)), [key]);
  return (
    <ListContext.Provider value={list}>
      <div ref={box} className={css.list} data-selecting={isActive ? '' : undefined}>
        {children}
        <BulkEdit />
        {isActive && (
          <Bar
            now={now}
            kinds={[...now.ids].flatMap((id) => list.kinds.get(id) ?? [])}
            isMyList={isMyList}
            onEnd={() => end(box.current)}
          />
        )}
      </div>
    </ListContext.Provider>
  );
};

/** The order of a list that is loaded as a whole. */
export const orderOf = (ids: readonly string[]): ListOrder => ({
  indexOf: (id) => {
    const at = ids.indexOf(id);
    return at < 0 ? undefined : at;
  },
  idsAt: async (positions) => positions.flatMap((at) => ids[at] ?? []),
  loaded: () => [...ids.keys()],
});
