/** What was begun and not finished. The menu of a card takes it off again. */
import { Wide, type Card } from '../../catalog/cards.tsx';
import { Shelf } from '../../catalog/shelf.tsx';

export const Continue = ({ cards }: { cards: readonly Card[] }) => (
  <Shelf title="Continue watching" isWide>
    {cards.map((card) => (
      <Wide key={card.id} card={card} />
    ))}
  </Shelf>
);
