/** Notifications at the bottom of the page, with Undo where the change can be undone, or Show where there is more. */
import { useEffect, useState } from 'preact/hooks';
import { createStore, useStore } from '../../lib/store.ts';
import { cx } from '../../lib/cx.ts';
import { shellWords } from '../../messages/shell.ts';
import css from './toast.module.css';
import { later } from '../../lib/pending-work.ts';

export interface Toast {
  /** One sentence without a full stop. */
  message: string;
  undo?: () => void;
  /** Leads to what the notification is about. */
  show?: () => void;
  isError?: boolean;
}
interface Shown extends Toast {
  id: number;
}
/** How long a notification with an action or a failure is shown. */
const ACTION_MS = 7000;
const PLAIN_MS = 4000;
const toasts = createStore<readonly Shown[]>([]);
let count = 0;
/** Ids of the dialogs that are open, the one on top last. */
const dialogs = createStore<readonly string[]>([]);

/** Has a dialog show the notifications while it is open. Returns a function that ends that. */
export function showToastsIn(dialog: string): () => void {
  dialogs.change((all) => [...all, dialog]);
  return () => dialogs.change((all) => all.filter((one) => one !== dialog));
}
const drop = (id: number) => toasts.change((all) => all.filter((one) => one.id !== id));

export const toast = (what: Toast): void => toasts.change((all) => [...all.slice(-2), { ...what, id: ++count }]);

const One = ({ id, message, undo, show, isError = false }: Shown) => {
  const act = undo ?? show;
  // A notification with the pointer or the focus on it stays.
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    return later(act || isError ? ACTION_MS : PLAIN_MS, () => drop(id), { isBackground: true });
  }, [id, isHeld]);
  return (
    <div
      className={cx(css.toast, isError && css.bad)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusCapture={() => setHeld(true)}
      onBlurCapture={() => setHeld(false)}
    >
      <span>{message}</span>
      {act && (
        <button
          type="button"
          className={css.action}
          onClick={() => {
            drop(id);
            act();
          }}
        >
          {undo ? shellWords.undo : shellWords.show}
        </button>
      )}
      <button type="button" className={css.action} onClick={() => drop(id)}>
        {shellWords.dismiss}
      </button>
    </div>
  );
};

/**
 * Rendered at the root, and in each dialog with its id. The one on top shows the notifications: what is below a dialog
 * is dark or covered, and its buttons do nothing.
 */
export const Toasts = ({ dialog }: { dialog?: string }) => {
  const all = useStore(toasts);
  const open = useStore(dialogs);
  return (
    <div
      className={css.toasts}
      aria-live="polite"
      {...(dialog === undefined && { role: 'status', 'aria-label': shellWords.notifications })}
    >
      {open[open.length - 1] === dialog && all.map((one) => <One key={one.id} {...one} />)}
    </div>
  );
};
