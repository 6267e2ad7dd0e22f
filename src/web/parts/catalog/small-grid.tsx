/** A grid for short lists, rendered whole. Long lists use the windowed grid. */
import { Poster, type Card } from './cards.tsx';
import css from './grid.module.css';

export const SmallGrid = ({ cards, label }: { cards: readonly Card[]; label: string }) => (
  <ul className={css.few} aria-label={label}>
    {cards.map((card) => (
      <li key={card.id}>
        <Poster card={card} />
      </li>
    ))}
  </ul>
);
