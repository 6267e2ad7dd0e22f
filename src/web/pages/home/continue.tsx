/** What was begun and not finished. The menu of a card takes it off again. */
import { Wide, type Card } from '../../parts/catalog/cards.tsx';
import { Shelf } from '../../parts/catalog/shelf.tsx';

export const Continue = ({ cards }: { cards: readonly Card[] }) => (
  <Shelf title="Continue watching" isWide>
    {cards.map((card) => (
      <Wide key={card.id} card={card} />
    ))}
  </Shelf>
);
