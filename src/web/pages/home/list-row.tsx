/** A list on home, such as a pinned playlist: its first items. */
import type { To } from '../../lib/navigation/addresses.ts';
import { useAsk } from '../../data/query.ts';
import { type Card, Poster } from '../../parts/catalog/cards.tsx';
import { Carousel } from '../../parts/catalog/carousel.tsx';
import { CollectionTileLink } from '../../parts/lists/tile.tsx';

const SHOWN_ENTRIES = 24;

interface PinnedProps {
  id: string;
  name: string;
}
interface Entries {
  items: readonly { entry: string; item: Card }[];
}
const FirstItems = ({ name, all, entries }: { name: string; all: To; entries: Entries | undefined }) =>
  !entries || entries.items.length === 0 ? null : (
    <Carousel title={name} all={all}>
      {entries.items.map(({ entry, item }) => (
        <Poster key={entry} card={item} />
      ))}
    </Carousel>
  );

export const PinnedPlaylist = ({ id, name }: PinnedProps) => (
  <FirstItems
    name={name}
    all={{ page: 'playlist', params: { id } }}
    entries={useAsk('playlists', 'entries', { id, limit: SHOWN_ENTRIES }).data}
  />
);
export const PinnedSmartPlaylist = ({ id, name }: PinnedProps) => (
  <FirstItems
    name={name}
    all={{ page: 'smartPlaylist', params: { id } }}
    entries={useAsk('smartPlaylists', 'entries', { id, limit: SHOWN_ENTRIES }).data}
  />
);
export const PinnedCollection = ({ id, name }: PinnedProps) => (
  <FirstItems
    name={name}
    all={{ page: 'collection', params: { id } }}
    entries={useAsk('collections', 'entries', { id, limit: SHOWN_ENTRIES }).data}
  />
);

/** The first collections by name; nothing while there are none. */
export const CollectionsRow = ({ title }: { title: string }) => {
  const { data } = useAsk('collections', 'list', { limit: SHOWN_ENTRIES });
  if (!data || data.total === 0) return null;
  return (
    <Carousel title={title} all={{ page: 'collections' }}>
      {data.items.map((one) => (
        <CollectionTileLink key={one.id} collection={one} />
      ))}
    </Carousel>
  );
};
