/** An artist: own albums, and albums on which the artist appears. */
import { useAsk } from '../../data/query.ts';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import type { PageProps } from '../../lib/navigation/addresses.ts';
import { useTitle } from '../../lib/title.ts';
import { musicWords as m } from '../../messages/music.ts';
import type { Card } from '../../parts/catalog/cards.tsx';
import { orderOf, SelectableList } from '../../parts/catalog/select.tsx';
import { SmallGrid } from '../../parts/catalog/small-grid.tsx';
import css from './artist.module.css';

const Albums = ({ label, cards }: { label: string; cards: readonly Card[] }) =>
  cards.length === 0 ? null : (
    <section>
      <h2 className={css.heading}>{label}</h2>
      <SmallGrid cards={cards} label={label} />
    </section>
  );

export const Page = ({ params: { id } }: PageProps<'artist'>) => {
  const { data: artist, error, refetch } = useAsk('music', 'artist', { id });
  useTitle(artist?.name);
  if (!artist)
    return error ? (
      <ErrorState isAlone title={m.artistCouldNotBeLoaded} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const { name, albums, appearsOn } = artist;
  return (
    <div className={css.page}>
      <h1>{name}</h1>
      <p className="muted">{m.albumsCount({ count: albums.length })}</p>
      <SelectableList order={orderOf([...albums, ...appearsOn].map((card) => card.id))}>
        <Albums label={m.albums} cards={albums} />
        <Albums label={m.appearsOn} cards={appearsOn} />
      </SelectableList>
    </div>
  );
};
