/**
 * A dialog on the browser's own <dialog>: it keeps the focus inside, closes with Escape, and restores
 * the focus. Engines without it show the same element as a fixed layer.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import x from 'lucide/dist/esm/icons/x.mjs';
import { cx } from '../../lib/cx.ts';
import { shellWords } from '../../messages/shell.ts';
import { IconButton } from '../forms/button.tsx';
import { showToastsIn, Toasts } from './toast.tsx';
import css from './dialog.module.css';

export interface DialogProps {
  title: string;
  /** Called for Escape, the close button and a click outside. The dialog stays open while it is rendered. */
  onClose: () => void;
  children: ComponentChildren;
  /** The buttons, the main one last. */
  actions?: ComponentChildren;
  isWide?: boolean;
  /** Whether a click outside leaves the dialog open, because its content would be lost. */
  isFirm?: boolean;
}

/** A modal dialog, open while it is rendered. */
export const Dialog = ({ title, onClose, children, actions, isWide = false, isFirm = false }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  // Selecting text past the edge of the dialog ends in a click on the backdrop; only a press that began there counts.
  const pressed = useRef(false);
  const isGone = useRef(false);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement as HTMLElement | null;
    if (shown && !shown.open) {
      if (typeof shown.showModal === 'function') shown.showModal();
      else shown.setAttribute('open', '');
      (
        shown.querySelector<HTMLElement>(
          '[data-first], input:not([type=hidden]):not([tabindex="-1"]), select, textarea',
        ) ?? shown.querySelector<HTMLElement>('footer button:last-child')
      )?.focus({ preventScroll: true });
    }
    const release = showToastsIn(id);
    return () => {
      isGone.current = true;
      release();
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
      onClose={(event) => {
        if (isGone.current || event.target !== event.currentTarget) return;
        // A browser closes a dialog at the second Escape, whatever was said to the first.
        event.currentTarget.showModal();
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
          <IconButton icon={x} label={shellWords.close} onClick={onClose} />
        </header>
        <div className={css.body}>{children}</div>
        {actions !== undefined && <footer className={css.foot}>{actions}</footer>}
      </div>
      <Toasts dialog={id} />
    </dialog>
  );
};
