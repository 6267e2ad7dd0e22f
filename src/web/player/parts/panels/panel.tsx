/**
 * A sheet above the controls with choices, while the film continues. Escape and a click outside close it, and the focus
 * goes back.
 */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import x from 'lucide/dist/esm/icons/x.mjs';
import { IconButton } from '../../../kit/forms/button.tsx';
import css from './panel.module.css';
import { playerWords as m } from '../../../messages/player.ts';

export interface PanelProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}
export const PlayerPanel = ({ title, onClose, children }: PanelProps) => {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const first =
      panel.current?.querySelector<HTMLElement>('input:checked, [aria-current=true]') ??
      panel.current?.querySelector<HTMLElement>('button, input');
    first?.focus();
    first?.scrollIntoView({ block: 'nearest' });
    const outside = (event: PointerEvent) => {
      const target = event.target as Element;
      // The button that opened it closes it by itself.
      if (!panel.current?.contains(target) && !target.closest('[aria-expanded=true]')) onClose();
    };
    addEventListener('pointerdown', outside, true);
    return () => {
      removeEventListener('pointerdown', outside, true);
      if (panel.current?.contains(document.activeElement) || document.activeElement === document.body)
        before?.focus?.();
    };
  }, []);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && event.key !== 'GoBack' && event.keyCode !== 461 && event.keyCode !== 10009) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  return (
    <div ref={panel} className={css.panel} role="dialog" aria-labelledby={id} data-keys="own" onKeyDown={onKey}>
      <header className={css.head}>
        <h2 id={id}>{title}</h2>
        <IconButton icon={x} label={m.close} onClick={onClose} />
      </header>
      <div className={css.body} tabIndex={-1}>
        {children}
      </div>
    </div>
  );
};

export interface Option<T extends string> {
  value: T;
  label: string;
  note?: string | undefined;
  isDisabled?: boolean;
}
/** One of several, as radio buttons: arrow keys move within, Tab leaves. */
export const Options = <T extends string>({
  legend,
  value,
  options,
  onValue,
  isRow = false,
}: {
  legend: string;
  value: T;
  options: readonly Option<T>[];
  onValue: (value: T) => void;
  isRow?: boolean;
}) => {
  const name = useId();
  return (
    <fieldset className={isRow ? css.rows : css.options}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className={css.option}>
          <input
            type="radio"
            name={name}
            className="unseen"
            checked={option.value === value}
            disabled={option.isDisabled}
            onChange={() => onValue(option.value)}
          />
          <span className={css.face}>
            <span>{option.label}</span>
            {option.note && <span className={css.note}>{option.note}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
};
