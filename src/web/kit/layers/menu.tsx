/**
 * A menu behind a button. It opens in the top layer where the browser has popovers, and as a positioned
 * layer elsewhere. Arrow keys move the focus, and Escape closes the menu and restores the focus.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import check from 'lucide/dist/esm/icons/check.mjs';
import { cx } from '../../lib/cx.ts';
import { forward } from '../../lib/direction.ts';
import { Icon, type IconNode } from '../art/icon.tsx';
import { Button, IconButton } from '../forms/button.tsx';
import css from './menu.module.css';

export interface MenuItem {
  label: string;
  icon?: IconNode;
  /** Given for a choice among several: whether it is the one taken. */
  isChosen?: boolean;
  isDanger?: boolean;
  onChoose: () => void;
}
export interface MenuProps {
  label: string;
  icon?: IconNode;
  items: readonly MenuItem[];
  /** Shows only the icon. */
  isRound?: boolean;
  isIconAfter?: boolean;
  isLarge?: boolean;
  className?: string;
}

const KEYS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Places the menu next to its button, inside the window, and focuses its first or chosen item. */
function usePlace(menu: { readonly current: HTMLDivElement | null }, anchor: HTMLElement): void {
  useLayoutEffect(() => {
    const shown = menu.current;
    if (!shown) return;
    if (typeof shown.showPopover === 'function') {
      shown.popover = 'manual';
      shown.showPopover();
    }
    const box = anchor.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = shown;
    const isBelow = box.bottom + height + 8 < innerHeight || box.top < height + 8;
    const start = forward() === 1 ? box.left : box.right - width;
    shown.style.left = `${Math.max(8, Math.min(start, innerWidth - width - 8))}px`;
    const below = Math.min(box.bottom + 6, Math.max(8, innerHeight - height - 8));
    shown.style.top = `${isBelow ? below : box.top - height - 6}px`;
    (shown.querySelector<HTMLElement>('[aria-checked=true]') ?? shown.querySelector<HTMLElement>('button'))?.focus();
  }, []);
}
/** Closes the menu when something else is pressed or the page moves under it. */
function useOutside(menu: { readonly current: HTMLDivElement | null }, anchor: HTMLElement, close: () => void): void {
  useEffect(() => {
    const outside = (event: Event) => {
      if (!menu.current?.contains(event.target as Node) && !anchor.contains(event.target as Node)) close();
    };
    addEventListener('pointerdown', outside, true);
    addEventListener('scroll', outside, true);
    addEventListener('resize', close);
    return () => {
      removeEventListener('pointerdown', outside, true);
      removeEventListener('scroll', outside, true);
      removeEventListener('resize', close);
    };
  }, []);
}

/** An open menu next to `anchor`. It takes the focus, and returns it to `anchor` when it closes. */
export const MenuItems = ({
  items,
  label,
  close,
  anchor,
}: {
  items: readonly MenuItem[];
  label: string;
  close: () => void;
  anchor: HTMLElement;
}) => {
  const menu = useRef<HTMLDivElement>(null);
  usePlace(menu, anchor);
  useOutside(menu, anchor, close);
  const onKey = (event: KeyboardEvent) => {
    const all = [...(menu.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const to = KEYS[event.key]?.(all.indexOf(document.activeElement as HTMLElement), all.length);
    if (to !== undefined) all[to]?.focus();
    else if (event.key !== 'Escape' && event.key !== 'Tab') return;
    event.stopPropagation();
    if (event.key !== 'Tab') event.preventDefault();
    if (event.key === 'Escape' || event.key === 'Tab') {
      anchor.focus();
      close();
    }
  };
  return (
    <div ref={menu} className={css.menu} role="menu" aria-label={label} data-arrows="own" onKeyDown={onKey}>
      {items.map(({ label: name, icon, isChosen, isDanger = false, onChoose }) => (
        <button
          key={name}
          type="button"
          role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
          aria-checked={isChosen}
          tabIndex={-1}
          className={cx(css.item, isDanger && css.bad)}
          onClick={() => {
            anchor.focus();
            close();
            onChoose();
          }}
        >
          {icon && <Icon of={icon} />}
          <span>{name}</span>
          {isChosen && <Icon of={check} size={1.125} className={css.check ?? ''} />}
        </button>
      ))}
    </div>
  );
};

export const Menu = ({
  label,
  icon,
  items,
  isRound = false,
  isIconAfter = false,
  isLarge = false,
  className,
}: MenuProps) => {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const toggle = (event: MouseEvent) => {
    const button = event.currentTarget as HTMLElement;
    setAnchor((open) => (open ? undefined : button));
  };
  const shared = {
    'aria-haspopup': 'menu' as const,
    'aria-expanded': anchor !== undefined,
    onClick: toggle as never,
    className,
  };
  return (
    <>
      {isRound && icon ? (
        <IconButton icon={icon} label={label} {...shared} />
      ) : (
        <Button look="plain" {...{ isIconAfter, isLarge }} {...(icon && { icon })} {...shared}>
          {label}
        </Button>
      )}
      {anchor && <MenuItems {...{ items, label, anchor }} close={() => setAnchor(undefined)} />}
    </>
  );
};
