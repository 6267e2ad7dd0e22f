/** What was begun and not finished. The menu of a card takes it off again. */
import { Wide, type Card } from '../../parts/catalog/cards.tsx';
import { Carousel } from '../../parts/catalog/carousel.tsx';
import { catalogWords as m } from '../../messages/catalog.ts';

export const Continue = ({ cards }: { cards: readonly Card[] }) => (
  <Carousel title={m.continueWatching} isWide>
    {cards.map((card) => (
      <Wide key={card.id} card={card} />
    ))}
  </Carousel>
);
