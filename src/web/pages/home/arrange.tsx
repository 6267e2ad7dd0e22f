/**
 * The dialog that arranges home: rows are dragged, or moved by buttons, which work with a mouse, a keyboard and a
 * remote control alike. They are shown or hidden, and playlists are pinned; collections are pinned on their pages. Each
 * change is saved at once, for this Profile on every device.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import grip from 'lucide/dist/esm/icons/grip-vertical.mjs';
import down from 'lucide/dist/esm/icons/arrow-down.mjs';
import up from 'lucide/dist/esm/icons/arrow-up.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import type { Preferences } from '../../../contract/identity/accounts.ts';
import { sentence } from '../../data/client.ts';
import { savePreferences, useMe } from '../../data/session.ts';
import { Button, IconButton } from '../../kit/forms/button.tsx';
import { Switch } from '../../kit/forms/field.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { announce } from '../../lib/announce.ts';
import { cx } from '../../lib/cx.ts';
import { catalogWords as m } from '../../messages/catalog.ts';
import { listWords } from '../../messages/lists.ts';
import { useOrder } from '../../parts/lists/use-order.ts';
import handleCss from '../../parts/lists/entries.module.css';
import field from '../../kit/forms/field.module.css';
import css from './arrange.module.css';
import { type HomeRow, isPinnedRow, withRowMoved } from './rows.ts';

export interface ArrangeProps {
  rows: readonly HomeRow[];
  /** Playlists, as rows. */
  pinnable: readonly string[];
  nameOf: (row: string) => string;
  onClose: () => void;
}

/** Saves one change after the other, so that an earlier one never arrives last. */
function useSaving() {
  const queue = useRef(Promise.resolve());
  return (change: Pick<Preferences, 'home' | 'rewatch'>): void => {
    queue.current = queue.current
      .then(() => savePreferences(change))
      .catch((error: unknown) => toast({ message: sentence(error), isError: true }));
  };
}

/** Chooses a playlist to pin. */
const Pin = ({
  rows,
  nameOf,
  onPin,
}: {
  rows: readonly string[];
  nameOf: ArrangeProps['nameOf'];
  onPin: (row: string) => void;
}) => (
  <select
    className={cx(field.input, field.select, css.pin)}
    aria-label={m.pinPlaylist}
    value=""
    onChange={(event) => event.currentTarget.value && onPin(event.currentTarget.value)}
  >
    <option value="">{m.pinPlaylist}</option>
    {rows.map((row) => (
      <option key={row} value={row}>
        {nameOf(row)}
      </option>
    ))}
  </select>
);

interface ArrangedRowProps {
  id: string;
  name: string;
  isShown: boolean;
  isFirst: boolean;
  isLast: boolean;
  isLifted: boolean;
  handle: ReturnType<ReturnType<typeof useOrder>['handle']>;
  onShown: (isShown: boolean) => void;
  onMove: (way: 'up' | 'down') => void;
  onUnpin: () => void;
}
const ArrangedRow = (row: ArrangedRowProps) => {
  const { id, name } = row;
  return (
    <li className={cx(css.row, row.isLifted && css.isLifted)} data-row={id} data-moved={id}>
      <IconButton
        icon={grip}
        label={listWords.moveEntry({ title: name })}
        aria-describedby="row-help"
        aria-pressed={row.isLifted}
        className={handleCss.handle ?? ''}
        {...row.handle}
      />
      <Switch label={name} checked={row.isShown} onValue={row.onShown} />
      <IconButton
        icon={up}
        label={m.moveRowUp({ name })}
        disabled={row.isFirst}
        data-way="up"
        onClick={() => row.onMove('up')}
      />
      <IconButton
        icon={down}
        label={m.moveRowDown({ name })}
        disabled={row.isLast}
        data-way="down"
        onClick={() => row.onMove('down')}
      />
      <span className={css.last}>
        {isPinnedRow(id) && <IconButton icon={x} label={m.unpinRow({ name })} onClick={row.onUnpin} />}
      </span>
    </li>
  );
};

export const Arrange = ({ rows: given, pinnable, nameOf, onClose }: ArrangeProps) => {
  const [rows, setRows] = useState(given);
  const [focused, setFocused] = useState<{ row: string; way: 'up' | 'down' }>();
  const save = useSaving();
  const isRewatching = useMe()?.preferences.rewatch === true;
  const change = (next: readonly HomeRow[]) => {
    // The focus stays where this change was made, and does not go back to a button of an earlier one.
    setFocused(undefined);
    setRows(next);
    save({ home: next.map(({ row, hidden }) => (hidden ? { row, hidden } : { row })) });
  };
  const move = (row: string, way: 'up' | 'down') => {
    const next = withRowMoved(rows, row, way === 'up' ? -1 : 1);
    change(next);
    setFocused({ row, way });
    const at = next.findIndex((one) => one.row === row) + 1;
    announce(m.rowMoved({ name: nameOf(row), at, of: next.length }));
  };
  // The button moves with its row and keeps the focus; at the end of the list the other button takes it. This happens
  // before the next key: later, the focus could be taken from a control that received it meanwhile.
  useLayoutEffect(() => {
    if (!focused) return;
    const own = list.current?.querySelector(`[data-row="${focused.row}"]`);
    const button = own?.querySelector<HTMLButtonElement>(`[data-way=${focused.way}]`);
    const target = button?.disabled ? own?.querySelector<HTMLButtonElement>('[data-way]:not(:disabled)') : button;
    target?.focus();
    target?.scrollIntoView({ block: 'nearest' });
  }, [focused, rows]);
  const { list, order, lifted, handle } = useOrder<HTMLOListElement>({
    ids: rows.map(({ row }) => row),
    titleOf: nameOf,
    move: (row, before) => {
      const [moved] = rows.filter((one) => one.row === row);
      const rest = rows.filter((one) => one.row !== row);
      const to = before === null ? rest.length : rest.findIndex((one) => one.row === before);
      if (moved) change(rest.toSpliced(to, 0, moved));
      return Promise.resolve(true);
    },
  });
  const shown = order.flatMap((id) => rows.filter(({ row }) => row === id));
  const free = pinnable.filter((row) => !rows.some((one) => one.row === row));
  return (
    <Dialog
      title={m.arrangeHome}
      onClose={onClose}
      actions={
        <>
          <Button
            look="quiet"
            onClick={() => {
              save({ home: [], rewatch: false });
              onClose();
            }}
          >
            {m.resetHome}
          </Button>
          <Button look="primary" onClick={onClose}>
            {m.done}
          </Button>
        </>
      }
    >
      <p id="row-help" className="unseen">
        {listWords.moveHelp}
      </p>
      <ol ref={list} className={css.rows}>
        {shown.map(({ row, hidden }, at) => (
          <ArrangedRow
            key={row}
            id={row}
            name={nameOf(row)}
            isShown={!hidden}
            isFirst={at === 0}
            isLast={at === rows.length - 1}
            isLifted={lifted === row}
            handle={handle(row)}
            onShown={(isOn) => change(rows.map((one) => (one.row === row ? { row, hidden: !isOn } : one)))}
            onMove={(way) => move(row, way)}
            onUnpin={() => change(rows.filter((one) => one.row !== row))}
          />
        ))}
      </ol>
      <div className={css.rewatch}>
        <Switch
          label={m.rewatch}
          hint={m.rewatchHelp}
          checked={isRewatching}
          onValue={(rewatch) => save({ rewatch })}
        />
      </div>
      {free.length > 0 && (
        <Pin rows={free} nameOf={nameOf} onPin={(row) => change([{ row, hidden: false }, ...rows])} />
      )}
    </Dialog>
  );
};
