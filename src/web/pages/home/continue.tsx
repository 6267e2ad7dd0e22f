/** What was begun and not finished. Each can be taken off, and put back. */
import check from 'lucide/dist/esm/icons/check.mjs';
import info from 'lucide/dist/esm/icons/info.mjs';
import more from 'lucide/dist/esm/icons/ellipsis-vertical.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import { hrefOf } from '../../app/addresses.ts';
import { go } from '../../app/navigate.ts';
import { forget, setWatched } from '../../catalog/actions.ts';
import { pageOf, Wide, type Card } from '../../catalog/cards.tsx';
import { Shelf } from '../../catalog/shelf.tsx';
import { Menu } from '../../kit/layers/menu.tsx';
import css from './home.module.css';

/** The menu key of a keyboard or remote, and the second button of a mouse, open the menu of the card. */
function openMenu(event: Event): void {
  event.preventDefault();
  (event.currentTarget as HTMLElement).querySelector<HTMLElement>('button')?.click();
}

const One = ({ card }: { card: Card }) => (
  <div className={css.going} onContextMenu={openMenu} onKeyDown={(event) => event.key === 'm' && openMenu(event)}>
    <Wide card={card} />
    <Menu
      label={`More for ${card.title}`}
      icon={more}
      isRound
      className={css.more ?? ''}
      items={[
        { label: 'Details', icon: info, onChoose: () => go(hrefOf(pageOf(card))) },
        { label: 'Mark as watched', icon: check, onChoose: () => void setWatched(card, true) },
        { label: 'Remove from continue watching', icon: x, onChoose: () => void forget(card) },
      ]}
    />
  </div>
);

export const Continue = ({ cards }: { cards: readonly Card[] }) => (
  <Shelf title="Continue watching" isWide>
    {cards.map((card) => (
      <One key={card.id} card={card} />
    ))}
  </Shelf>
);
