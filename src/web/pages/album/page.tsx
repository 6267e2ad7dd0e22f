/** An album: its picture, its artists, and its tracks by disc. */
import bookmark from 'lucide/dist/esm/icons/bookmark.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import shuffle from 'lucide/dist/esm/icons/shuffle.mjs';
import { useState } from 'preact/hooks';
import { useAsk, type Reply } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import { facts, formatDuration } from '../../lib/format.ts';
import type { PageProps } from '../../lib/navigation/addresses.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { useTitle } from '../../lib/title.ts';
import { musicWords as m } from '../../messages/music.ts';
import { setListed } from '../../parts/catalog/actions.ts';
import { listenTo } from '../../parts/listening/requests.ts';
import { albumTracks, playable, queueEntries } from '../../parts/listening/tracks.ts';
import { RateMenu } from '../../parts/catalog/rate.tsx';
import { orderOf, SelectableList } from '../../parts/catalog/select.tsx';
import { Banner, LastActions } from '../../parts/catalog/banner.tsx';
import { ItemMenu } from '../../parts/editing/item-menu.tsx';
import css from './album.module.css';
import { LyricsDialog } from './lyrics.tsx';
import { TrackRow, type AlbumTrack } from './track-row.tsx';

type DetailedAlbum = Reply<'music', 'album'>;

const Artists = ({ album }: { album: DetailedAlbum }) =>
  album.credits.length === 0 ? (
    <>{album.artists?.join(', ')}</>
  ) : (
    <>
      {album.credits.map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <Link to={{ page: 'artist', params: { id } }}>{name}</Link>
        </span>
      ))}
    </>
  );

/** Plays the album from a track; without one from its start. */
function playAlbum(album: DetailedAlbum, options: { from?: AlbumTrack; isShuffled?: boolean } = {}): void {
  const tracks = playable(album.discs.flatMap((disc) => disc.tracks));
  const at = tracks.findIndex(({ id }) => id === options.from?.id);
  listenTo(tracks, { ...(at > 0 && { at }), ...(options.isShuffled && { isShuffled: true }) });
}

const Actions = ({ album }: { album: DetailedAlbum }) => {
  const { listed } = album.userData;
  return (
    <>
      <Button
        look="primary"
        isLarge
        icon={play}
        isFilled
        disabled={!album.available || album.tracks === 0}
        onClick={() => playAlbum(album)}
      >
        {m.play}
      </Button>
      <Button
        isLarge
        icon={shuffle}
        disabled={!album.available || album.tracks === 0}
        onClick={() => playAlbum(album, { isShuffled: true })}
      >
        {m.shuffle}
      </Button>
      <RateMenu item={album} />
      <LastActions>
        <Button
          isLarge
          icon={bookmark}
          isFilled={listed}
          aria-pressed={listed}
          onClick={() => void setListed(album, !listed)}
        >
          {listed ? m.onMyList : m.myList}
        </Button>
        <ItemMenu
          item={album}
          first={album.available && album.tracks !== 0 ? queueEntries(albumTracks(album.id)) : []}
        />
      </LastActions>
    </>
  );
};

export const Page = ({ params: { id } }: PageProps<'album'>) => {
  const { data: album, error, refetch } = useAsk('music', 'album', { id });
  const [withLyrics, setWithLyrics] = useState<AlbumTrack>();
  useTitle(album?.title);
  if (!album)
    return error ? (
      <ErrorState isAlone title={m.albumCouldNotBeLoaded} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const tracks = album.discs.flatMap((disc) => disc.tracks);
  const seconds = tracks.reduce((sum, { duration = 0 }) => sum + duration, 0);
  const line = facts(
    album.year,
    m.tracksCount({ count: tracks.length }),
    seconds > 0 && formatDuration(seconds),
    album.genres.slice(0, 3).join(', '),
  );
  return (
    <>
      <Banner
        card={album}
        title={album.title}
        over={<Artists album={album} />}
        facts={line}
        actions={<Actions album={album} />}
      />
      <div className={css.rest}>
        {tracks.length === 0 && <EmptyState title={m.noTracks} />}
        <SelectableList order={orderOf(tracks.map((track) => track.id))}>
          {album.discs.map(({ number, title, tracks: own }) => (
            <section key={number} aria-label={m.disc({ number })}>
              {(album.discs.length > 1 || title !== undefined) && (
                <h2 className={css.disc}>
                  {title === undefined ? m.disc({ number }) : m.titledDisc({ number, title })}
                </h2>
              )}
              <ol className={css.tracks}>
                {own.map((track) => (
                  <TrackRow
                    key={track.id}
                    track={track}
                    albumArtists={album.artists ?? []}
                    onPlay={(from) => playAlbum(album, { from })}
                    onLyrics={setWithLyrics}
                  />
                ))}
              </ol>
            </section>
          ))}
        </SelectableList>
      </div>
      {withLyrics && <LyricsDialog track={withLyrics} onClose={() => setWithLyrics(undefined)} />}
    </>
  );
};
