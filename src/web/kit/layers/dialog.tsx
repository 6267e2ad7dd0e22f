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
}

/** Show it by rendering it, hide it by not rendering it. */
export const Dialog = ({ title, onClose, children, actions, isWide = false }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement as HTMLElement | null;
    if (shown && !shown.open) {
      if (typeof shown.showModal === 'function') shown.showModal();
      else shown.setAttribute('open', '');
      (shown.querySelector<HTMLElement>('[data-first], input:not([type=hidden]), select, textarea') ?? shown.querySelector<HTMLElement>('footer button:last-child'))?.focus();
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
      onClick={(event) => event.target === event.currentTarget && onClose()}
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
