/** Other films or shows of the same genre, so that a page is not a dead end. */
import { Poster } from '../../parts/catalog/cards.tsx';
import { Shelf } from '../../parts/catalog/shelf.tsx';
import { useAsk } from '../../data/query.ts';
import type { Item } from './types.ts';

const MOST = 18;

export const Alike = ({ item: { id, kind, genres } }: { item: Pick<Item, 'id' | 'kind' | 'genres'> }) => {
  const genre = genres[0];
  const view = kind === 'show' ? 'shows' : 'movies';
  // Shuffled by the item itself: another selection for each, the same one at every visit.
  const { data } = useAsk(
    'catalog',
    'library',
    { view, genre, sort: 'random', seed: Number.parseInt(id.slice(-7), 16), limit: MOST },
    { enabled: genre !== undefined && (kind === 'movie' || kind === 'show') },
  );
  const others = data?.items.filter((card) => card.id !== id) ?? [];
  if (others.length === 0 || genre === undefined) return null;
  return (
    <Shelf title={`More in ${genre}`} all={{ page: 'library', query: { genre, view } }}>
      {others.map((card) => (
        <Poster key={card.id} card={card} />
      ))}
    </Shelf>
  );
};
