/** An artist: all tracks to play, own albums, and albums on which the artist appears. */
import more from 'lucide/dist/esm/icons/ellipsis-vertical.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import shuffle from 'lucide/dist/esm/icons/shuffle.mjs';
import { useAsk } from '../../data/query.ts';
import { Portrait } from '../../kit/art/portrait.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { Menu } from '../../kit/layers/menu.tsx';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import type { PageProps } from '../../lib/navigation/addresses.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { useTitle } from '../../lib/title.ts';
import { musicWords as m } from '../../messages/music.ts';
import { Banner, LastActions } from '../../parts/catalog/banner.tsx';
import type { Card } from '../../parts/catalog/cards.tsx';
import { orderOf, SelectableList } from '../../parts/catalog/select.tsx';
import { SmallGrid } from '../../parts/catalog/small-grid.tsx';
import { artistTracks, playTracks, queueEntries } from '../../parts/listening/tracks.ts';
import { Biography } from '../../parts/people/biography.tsx';
import css from './artist.module.css';

const Albums = ({ label, cards }: { label: string; cards: readonly Card[] }) =>
  cards.length === 0 ? null : (
    <section>
      <h2 className={css.heading}>{label}</h2>
      <SmallGrid cards={cards} label={label} />
    </section>
  );

const Actions = ({ id }: { id: string }) => (
  <>
    <Button look="primary" isLarge icon={play} isFilled onClick={() => playTracks(artistTracks(id))}>
      {m.play}
    </Button>
    <LastActions>
      <Button isLarge icon={shuffle} onClick={() => playTracks(artistTracks(id), { isShuffled: true })}>
        {m.shuffle}
      </Button>
      <Menu label={m.more} icon={more} isRound items={queueEntries(artistTracks(id))} />
    </LastActions>
  </>
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
  const { name, albums, appearsOn, images, biography, person } = artist;
  const cover = albums[0] ?? appearsOn[0];
  return (
    <>
      <Banner
        card={{ id: cover?.id ?? id, kind: 'album', title: name, images: cover?.images ?? {} }}
        artist={{ id, images }}
        title={name}
        facts={[
          albums.length > 0 ? m.albumsCount({ count: albums.length }) : m.appearsOnAlbums({ count: appearsOn.length }),
        ]}
        actions={<Actions id={id} />}
      />
      <div className={css.page}>
        {biography !== undefined && <Biography key={id} text={biography} />}
        {person && (
          <p className={css.person}>
            <Link to={{ page: 'person', params: { id: person.id } }} className={css.link}>
              <Portrait id={person.id} name={name} version={person.image} />
              <span>
                <strong>{m.alsoAPerson({ name })}</strong>
                <span className="muted small">{m.worksCount({ count: person.works })}</span>
              </span>
            </Link>
          </p>
        )}
        <SelectableList order={orderOf([...albums, ...appearsOn].map((card) => card.id))}>
          <Albums label={m.albums} cards={albums} />
          <Albums label={m.appearsOn} cards={appearsOn} />
        </SelectableList>
      </div>
    </>
  );
};
