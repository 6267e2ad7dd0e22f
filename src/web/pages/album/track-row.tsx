/** A track as a row of its album. */
import square from 'lucide/dist/esm/icons/square-check.mjs';
import text from 'lucide/dist/esm/icons/mic-vocal.mjs';
import type { Reply } from '../../data/query.ts';
import { IconButton } from '../../kit/forms/button.tsx';
import { useLongPress } from '../../lib/long-press.ts';
import { position } from '../../lib/format.ts';
import { cx } from '../../lib/cx.ts';
import { useStore } from '../../lib/store.ts';
import { musicWords as m } from '../../messages/music.ts';
import { catalogWords } from '../../messages/catalog.ts';
import { SelectBox, useSelectable } from '../../parts/catalog/select.tsx';
import { ItemMenu } from '../../parts/editing/item-menu.tsx';
import { playable, queueEntries } from '../../parts/listening/tracks.ts';
import { workOfTrack } from '../../parts/listening/work.ts';
import { nowListening } from '../../parts/listening/requests.ts';
import css from './album.module.css';

export type AlbumTrack = Reply<'music', 'album'>['discs'][number]['tracks'][number];

export interface TrackRowProps {
  track: AlbumTrack;
  /** The artists of the album, which are not repeated for each track. */
  albumArtists: readonly string[];
  onPlay(track: AlbumTrack): void;
  onLyrics(track: AlbumTrack): void;
}

export const TrackRow = ({ track, albumArtists, onPlay, onLyrics }: TrackRowProps) => {
  const isPlaying = useStore(nowListening)?.id === track.id;
  const { title, duration, available, artists = [] } = track;
  const selectable = useSelectable({ id: track.id, kind: 'track' });
  const isSelecting = selectable?.isActive === true;
  const isButton = available || isSelecting;
  const { takesClick, ...press } = useLongPress(() => selectable?.toggle());
  const work = workOfTrack(track);
  const guests = artists.join('\n') === albumArtists.join('\n') ? '' : artists.join(', ');
  const words = (
    <>
      <span className={css.number} aria-hidden>
        {track.track ?? '–'}
      </span>
      <span className={css.words}>
        {isButton && (
          <span className="unseen">{isSelecting ? catalogWords.selectItem({ title }) : m.playTrack({ title })}</span>
        )}
        <span className={css.title} aria-hidden={isButton}>
          {title}
        </span>
        {work !== '' && <span className={css.guests}>{work}</span>}
        {guests !== '' && <span className={css.guests}>{guests}</span>}
      </span>
      <span className={css.length}>{duration !== undefined && position(duration)}</span>
    </>
  );
  return (
    <li
      className={cx(css.row, isSelecting && css.selecting)}
      data-item={track.id}
      // The click at the end of a long press does not play.
      onClickCapture={(event) => takesClick() && event.stopPropagation()}
      onContextMenu={(event) => (event as unknown as PointerEvent).pointerType === 'touch' && event.preventDefault()}
      {...(press as object)}
    >
      {isButton ? (
        <button
          type="button"
          className={cx(css.track, isPlaying && css.playing)}
          aria-current={isPlaying}
          onClick={(event) => (isSelecting ? selectable.toggle(event.shiftKey) : onPlay(track))}
        >
          {words}
        </button>
      ) : (
        <span className={css.track}>{words}</span>
      )}
      {selectable && <SelectBox title={title} selectable={selectable} className={css.check ?? ''} />}
      {track.sound.lyrics === true && (
        <IconButton icon={text} label={m.lyricsOf({ title })} onClick={() => onLyrics(track)} />
      )}
      <ItemMenu
        item={track}
        label={catalogWords.moreOf({ title })}
        items={selectable ? [{ label: catalogWords.select, icon: square, onChoose: () => selectable.toggle() }] : []}
        first={available ? queueEntries(() => Promise.resolve(playable([track]))) : []}
      />
    </li>
  );
};
