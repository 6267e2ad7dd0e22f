/** A short word at the foot of the page about what was done, with a way to undo it. */
import { useEffect, useState } from 'preact/hooks';
import { createStore, useStore } from '../../lib/store.ts';
import { cx } from '../../lib/cx.ts';
import css from './toast.module.css';

export interface Toast {
  /** What was done or what went wrong, as one sentence without a full stop. */
  message: string;
  undo?: () => void;
  isError?: boolean;
}
interface Shown extends Toast {
  id: number;
}
/** A plain word is read at once; what can be undone or went wrong stays longer. */
const STAY_MS = 7000;
const PLAIN_MS = 4000;
const toasts = createStore<readonly Shown[]>([]);
let count = 0;
const drop = (id: number) => toasts.change((all) => all.filter((one) => one.id !== id));

export const toast = (what: Toast): void => toasts.change((all) => [...all.slice(-2), { ...what, id: ++count }]);

const One = ({ id, message, undo, isError = false }: Shown) => {
  // What is being read or reached for stays.
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => drop(id), undo || isError ? STAY_MS : PLAIN_MS);
    return () => clearTimeout(timer);
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
      {undo && (
        <button
          type="button"
          className={css.action}
          onClick={() => {
            drop(id);
            undo();
          }}
        >
          Undo
        </button>
      )}
      <button type="button" className={css.action} onClick={() => drop(id)}>
        Dismiss
      </button>
    </div>
  );
};

/** Stands once at the root. */
export const Toasts = () => {
  const all = useStore(toasts);
  return (
    <div className={css.toasts} role="status" aria-live="polite" aria-label="Messages">
      {all.map((one) => (
        <One key={one.id} {...one} />
      ))}
    </div>
  );
};
