/** The lyrics of a track in a dialog. */
import { useAsk } from '../../data/query.ts';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import { musicWords as m } from '../../messages/music.ts';
import css from './album.module.css';
import type { AlbumTrack } from './track-row.tsx';

export const LyricsDialog = ({ track, onClose }: { track: AlbumTrack; onClose(): void }) => {
  const { data, error, refetch } = useAsk('music', 'lyrics', { id: track.id });
  return (
    <Dialog title={m.lyricsOf({ title: track.title })} onClose={onClose}>
      {data ? (
        <div className={css.lyrics} lang={data.language}>
          {data.lines.map(({ text }, at) => (
            <p key={at}>{text === '' ? '\u00A0' : text}</p>
          ))}
        </div>
      ) : error ? (
        <ErrorState title={m.noLyrics} error={error} retry={() => void refetch()} />
      ) : (
        <Pending />
      )}
    </Dialog>
  );
};
