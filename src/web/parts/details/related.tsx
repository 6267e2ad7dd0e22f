/** A row of other films or shows of the same genre. */
import { Poster } from '../catalog/cards.tsx';
import { Carousel } from '../catalog/carousel.tsx';
import { useAsk } from '../../data/query.ts';
import type { DetailedItem } from './types.ts';
import { catalogWords as m } from '../../messages/catalog.ts';

const MAX_CARDS = 18;

export const Related = ({ item: { id, kind, genres } }: { item: Pick<DetailedItem, 'id' | 'kind' | 'genres'> }) => {
  const genre = genres[0];
  const view = kind === 'show' ? 'shows' : 'movies';
  // The item's id is the seed: each item has its own selection, the same at every visit.
  const { data } = useAsk(
    'catalog',
    'library',
    { view, genre, sort: 'random', seed: Number.parseInt(id.slice(-7), 16), limit: MAX_CARDS },
    { enabled: genre !== undefined && (kind === 'movie' || kind === 'show') },
  );
  const others = data?.items.filter((card) => card.id !== id) ?? [];
  if (others.length === 0 || genre === undefined) return null;
  return (
    <Carousel title={m.moreIn({ genre })} all={{ page: 'library', query: { genre, view } }}>
      {others.map((card) => (
        <Poster key={card.id} card={card} />
      ))}
    </Carousel>
  );
};
