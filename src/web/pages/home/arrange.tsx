/**
 * The dialog that arranges home: rows are moved by buttons, which work with a mouse, a keyboard and a remote control
 * alike, shown or hidden, and playlists are pinned. Each change is saved at once, for this Profile on every device.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import down from 'lucide/dist/esm/icons/arrow-down.mjs';
import up from 'lucide/dist/esm/icons/arrow-up.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import { sentence } from '../../data/client.ts';
import { savePreferences } from '../../data/session.ts';
import { Button, IconButton } from '../../kit/forms/button.tsx';
import { Switch } from '../../kit/forms/field.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { announce } from '../../lib/announce.ts';
import { cx } from '../../lib/cx.ts';
import { catalogWords as m } from '../../messages/catalog.ts';
import field from '../../kit/forms/field.module.css';
import css from './arrange.module.css';
import { type HomeRow, withRowMoved } from './rows.ts';

export interface ArrangeProps {
  rows: readonly HomeRow[];
  /** Playlists that are not pinned yet, as rows. */
  pinnable: readonly string[];
  nameOf: (row: string) => string;
  onClose: () => void;
}

const isPinned = (row: string): boolean => /^(playlist|smart):/.test(row);

/** Saves one change after the other, so that an earlier one never arrives last. */
function useSaving() {
  const queue = useRef(Promise.resolve());
  return (rows: readonly HomeRow[]): void => {
    const home = rows.map(({ row, hidden }) => (hidden ? { row, hidden } : { row }));
    queue.current = queue.current
      .then(() => savePreferences({ home }))
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

export const Arrange = ({ rows: given, pinnable, nameOf, onClose }: ArrangeProps) => {
  const [rows, setRows] = useState(given);
  const list = useRef<HTMLOListElement>(null);
  const [focused, setFocused] = useState<{ row: string; way: 'up' | 'down' }>();
  const save = useSaving();
  const change = (next: readonly HomeRow[]) => {
    setRows(next);
    save(next);
  };
  const move = (row: string, way: 'up' | 'down') => {
    const next = withRowMoved(rows, row, way === 'up' ? -1 : 1);
    change(next);
    setFocused({ row, way });
    const at = next.findIndex((one) => one.row === row) + 1;
    announce(m.rowMoved({ name: nameOf(row), at, of: next.length }));
  };
  // The button moves with its row and keeps the focus; at the end of the list the other button takes it.
  useEffect(() => {
    if (!focused) return;
    const own = list.current?.querySelector(`[data-row="${focused.row}"]`);
    const button = own?.querySelector<HTMLButtonElement>(`[data-way=${focused.way}]`);
    const target = button?.disabled ? own?.querySelector<HTMLButtonElement>('[data-way]:not(:disabled)') : button;
    target?.focus();
    target?.scrollIntoView({ block: 'nearest' });
  }, [focused, rows]);
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
              save([]);
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
      <ol ref={list} className={css.rows}>
        {rows.map(({ row, hidden }, at) => (
          <li key={row} className={css.row} data-row={row}>
            <Switch
              label={nameOf(row)}
              checked={!hidden}
              onValue={(isOn) => change(rows.map((one) => (one.row === row ? { row, hidden: !isOn } : one)))}
            />
            <IconButton
              icon={up}
              label={m.moveRowUp({ name: nameOf(row) })}
              disabled={at === 0}
              data-way="up"
              onClick={() => move(row, 'up')}
            />
            <IconButton
              icon={down}
              label={m.moveRowDown({ name: nameOf(row) })}
              disabled={at === rows.length - 1}
              data-way="down"
              onClick={() => move(row, 'down')}
            />
            <span className={css.last}>
              {isPinned(row) && (
                <IconButton
                  icon={x}
                  label={m.unpinRow({ name: nameOf(row) })}
                  onClick={() => change(rows.filter((one) => one.row !== row))}
                />
              )}
            </span>
          </li>
        ))}
      </ol>
      {free.length > 0 && (
        <Pin rows={free} nameOf={nameOf} onPin={(row) => change([{ row, hidden: false }, ...rows])} />
      )}
    </Dialog>
  );
};
