/**
 * The frame around a card: its buttons for playing, selecting and its menu, which are shown while the pointer or the
 * focus is on the card, and its keys. A long press selects where a list has a selection, and opens the menu elsewhere.
 */
import type { ComponentChildren } from 'preact';
import more from 'lucide/dist/esm/icons/ellipsis-vertical.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import type { Card } from '../../../contract/catalog/cards.ts';
import { Icon } from '../../kit/art/icon.tsx';
import { cx } from '../../lib/cx.ts';
import { useLongPress } from '../../lib/long-press.ts';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { go } from '../../lib/navigation/navigate.ts';
import { catalogWords as m } from '../../messages/catalog.ts';
import { openMenu } from './open-menu.ts';
import { wayToPlay } from './play.ts';
import { SelectBox, useSelectable } from './select.tsx';
import css from './card-frame.module.css';

/** Keys of remote controls and keyboards that play; some televisions send only a code. */
const isPlayKey = ({ key, keyCode }: KeyboardEvent): boolean =>
  key === 'MediaPlay' || key === 'MediaPlayPause' || keyCode === 415 || keyCode === 10_252;

export interface CardFrameProps {
  card: Card;
  /** Shape of the picture that the buttons are placed on; a class of the page places them itself. */
  over: 'poster' | 'wide' | { className: string | undefined };
  /** Whether a button plays. False where the card itself does. */
  canPlay?: boolean;
  /** Whether the button of the menu is there on touch screens too. */
  isMenuAlways?: boolean;
  hasMenu?: boolean;
  className?: string | undefined;
  children: ComponentChildren;
}

export const CardFrame = ({
  card,
  over,
  canPlay = true,
  isMenuAlways = false,
  hasMenu = true,
  className,
  children,
}: CardFrameProps) => {
  const selectable = useSelectable(card);
  const isActive = selectable?.isActive === true;
  const way = wayToPlay(card);
  const { takesClick, ...press } = useLongPress(() => selectable?.toggle());
  const ask = (event: Event) => {
    const anchor = (event.currentTarget as HTMLElement).querySelector('a');
    if (!anchor) return;
    event.preventDefault();
    openMenu.set({ card, anchor, ...(selectable && { select: () => selectable.toggle() }) });
  };
  const onKey = (event: KeyboardEvent) => {
    const isOnLink = (event.target as HTMLElement).tagName === 'A';
    if (isPlayKey(event) && way) {
      event.preventDefault();
      go(hrefOf({ page: 'player', params: { id: way.id } }));
    } else if (event.key === ' ' && isOnLink && isActive) {
      event.preventDefault();
      selectable?.toggle(event.shiftKey);
    } else if (hasMenu && (event.key === 'm' || event.key === 'ContextMenu')) ask(event);
  };
  const onClick = (event: MouseEvent) => {
    const isLink = (event.target as HTMLElement).closest('button') === null;
    const isPressed = takesClick();
    if (!isPressed && !(isActive && isLink)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!isPressed) selectable?.toggle(event.shiftKey);
  };
  return (
    <div
      className={cx(css.frame, isActive && css.selecting, selectable?.isSelected && css.selected, className)}
      data-spot=""
      data-item={card.id}
      onKeyDown={onKey}
      onClickCapture={onClick as never}
      onContextMenu={(event) => {
        if ((event as unknown as PointerEvent).pointerType !== 'touch') return;
        if (selectable) event.preventDefault();
        else if (hasMenu) ask(event);
      }}
      {...((selectable ? press : {}) as object)}
    >
      {children}
      <span
        className={cx(
          css.over,
          over === 'poster' && css.poster,
          over === 'wide' && css.wide,
          typeof over === 'object' && cx(css.small, over.className),
        )}
      >
        {canPlay && way && (
          <Link
            to={{ page: 'player', params: { id: way.id } }}
            className={css.play}
            aria-label={way.name}
            title={way.label}
          >
            <Icon of={play} isFilled size={1.375} />
          </Link>
        )}
        {selectable && (
          <SelectBox
            title={card.title}
            selectable={selectable}
            className={cx(css.check, selectable.isSelected && css.checked)}
          />
        )}
        {hasMenu && (
          <button
            type="button"
            className={cx(css.more, isMenuAlways && css.always)}
            tabIndex={-1}
            aria-label={m.moreFor({ title: card.title })}
            title={m.more}
            aria-haspopup="menu"
            onClick={(event) =>
              openMenu.set({
                card,
                anchor: event.currentTarget,
                ...(selectable && { select: () => selectable.toggle() }),
              })
            }
          >
            <Icon of={more} size={1.125} />
          </button>
        )}
      </span>
    </div>
  );
};
