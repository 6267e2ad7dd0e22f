/** All artists with an album, by name. */
import music from 'lucide/dist/esm/icons/list-music.mjs';
import { useState } from 'preact/hooks';
import { useAsk } from '../../data/query.ts';
import { Artwork } from '../../kit/art/artwork.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import { Link } from '../../lib/navigation/link.tsx';
import { useTitle } from '../../lib/title.ts';
import { FoldersLink } from '../../parts/libraries/folders-link.tsx';
import { musicWords as m } from '../../messages/music.ts';
import css from './artists.module.css';

const PAGE_SIZE = 200;

/** One page of the artists; each page is a separate query, so that more can be shown below. */
const Artists = ({ offset }: { offset: number }) => {
  const [hasMore, setMore] = useState(false);
  const { data, error, refetch } = useAsk('music', 'artists', { offset, limit: PAGE_SIZE });
  if (!data)
    return error ? (
      <ErrorState isAlone title={m.artistsCouldNotBeLoaded} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  if (data.total === 0)
    return (
      <EmptyState isAlone icon={music} title={m.noArtists} action={<FoldersLink />}>
        {m.noArtistsHelp}
      </EmptyState>
    );
  const end = offset + data.items.length;
  return (
    <>
      <ul className={css.artists} aria-label={m.artists}>
        {data.items.map(({ id, name, albums, cover, images: { poster } }) => (
          <li key={id}>
            <Link to={{ page: 'artist', params: { id } }} className={css.artist}>
              <span className={css.picture}>
                <Artwork
                  {...(poster === undefined
                    ? { id: cover?.id ?? id, version: cover?.version }
                    : { id, version: poster, of: 'artist' })}
                  kind="poster"
                  title={name}
                  sizes="160px"
                  isFilling
                />
              </span>
              <span className={css.name}>{name}</span>
              <span className="muted small">{m.albumsCount({ count: albums })}</span>
            </Link>
          </li>
        ))}
      </ul>
      {end < data.total &&
        data.items.length > 0 &&
        (hasMore ? <Artists offset={end} /> : <Button onClick={() => setMore(true)}>{m.showMore}</Button>)}
    </>
  );
};

export const Page = () => {
  useTitle(m.artists);
  return (
    <div className={css.page}>
      <h1>{m.artists}</h1>
      <Artists offset={0} />
    </div>
  );
};
