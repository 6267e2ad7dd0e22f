/** A grid of a short list, all of it at once. */
import { Poster, type Card } from './cards.tsx';
import css from './grid.module.css';

export const Few = ({ cards, label }: { cards: readonly Card[]; label: string }) => (
  <ul className={css.few} aria-label={label}>
    {cards.map((card) => (
      <li key={card.id}>
        <Poster card={card} />
      </li>
    ))}
  </ul>
);
