/**
 * A dialog on the browser's own <dialog>: it keeps the focus inside, closes with Escape, and gives the focus
 * back. On engines without it the same element is shown as a fixed layer.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import x from 'lucide/dist/esm/icons/x.mjs';
import { cx } from '../../lib/cx.ts';
import { IconButton } from '../forms/button.tsx';
import css from './dialog.module.css';

export interface DialogProps {
  title: string;
  /** Called for Escape, the close button and a click outside. */
  onClose: () => void;
  children: ComponentChildren;
  /** The buttons, the main one last. */
  actions?: ComponentChildren;
  isWide?: boolean;
  /** A click outside does not close it: what it holds would be lost. */
  isFirm?: boolean;
}

/** Show it by rendering it, hide it by not rendering it. */
export const Dialog = ({ title, onClose, children, actions, isWide = false, isFirm = false }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  // A selection that is drawn out of the dialog ends in a click on it; only one that also began there is meant.
  const pressed = useRef(false);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement as HTMLElement | null;
    if (shown && !shown.open) {
      if (typeof shown.showModal === 'function') shown.showModal();
      else shown.setAttribute('open', '');
      (
        shown.querySelector<HTMLElement>('[data-first], input:not([type=hidden]), select, textarea') ??
        shown.querySelector<HTMLElement>('footer button:last-child')
      )?.focus({ preventScroll: true });
    }
    return () => {
      if (typeof shown?.close === 'function' && shown.open) shown.close();
      before?.focus?.();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={cx(css.dialog, isWide && css.wide)}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        pressed.current = event.target === event.currentTarget;
      }}
      onClick={(event) => event.target === event.currentTarget && pressed.current && !isFirm && onClose()}
    >
      <div className={css.inside}>
        <header className={css.head}>
          <h2 id={id}>{title}</h2>
          <IconButton icon={x} label="Close" onClick={onClose} />
        </header>
        <div className={css.body}>{children}</div>
        {actions !== undefined && <footer className={css.foot}>{actions}</footer>}
      </div>
    </dialog>
  );
};
