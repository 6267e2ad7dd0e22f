/** Items that the viewer began and did not finish. The menu of a card removes the item from the row. */
import { Wide, type Card } from '../../parts/catalog/cards.tsx';
import { Carousel } from '../../parts/catalog/carousel.tsx';
import { orderOf, SelectableList } from '../../parts/catalog/select.tsx';
import { catalogWords as m } from '../../messages/catalog.ts';

export const Continue = ({ cards }: { cards: readonly Card[] }) => (
  <SelectableList order={orderOf(cards.map(({ id }) => id))}>
    <Carousel title={m.continueWatching} isWide>
      {cards.map((card) => (
        <Wide key={card.id} card={card} />
      ))}
    </Carousel>
  </SelectableList>
);
