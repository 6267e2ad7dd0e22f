/** A pinned playlist on home: its first items. */
import { useAsk } from '../../data/query.ts';
import { Poster } from '../../parts/catalog/cards.tsx';
import { Carousel } from '../../parts/catalog/carousel.tsx';

const SHOWN_ENTRIES = 24;

interface PinnedProps {
  id: string;
  name: string;
}
export const PinnedPlaylist = ({ id, name }: PinnedProps) => {
  const { data } = useAsk('playlists', 'entries', { id, limit: SHOWN_ENTRIES });
  if (!data || data.items.length === 0) return null;
  return (
    <Carousel title={name} all={{ page: 'playlist', params: { id } }}>
      {data.items.map(({ entry, item }) => (
        <Poster key={entry} card={item} />
      ))}
    </Carousel>
  );
};
export const PinnedSmartPlaylist = ({ id, name }: PinnedProps) => {
  const { data } = useAsk('smartPlaylists', 'entries', { id, limit: SHOWN_ENTRIES });
  if (!data || data.items.length === 0) return null;
  return (
    <Carousel title={name} all={{ page: 'smartPlaylist', params: { id } }}>
      {data.items.map(({ entry, item }) => (
        <Poster key={entry} card={item} />
      ))}
    </Carousel>
  );
};
