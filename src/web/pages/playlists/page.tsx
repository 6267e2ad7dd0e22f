/** Playlists: those of this Profile, and those that others share with it. */
import { useState } from 'preact/hooks';
import listMusic from 'lucide/dist/esm/icons/list-video.mjs';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import { DESTINATIONS } from '../../lib/navigation/destinations.ts';
import { useTitle } from '../../lib/title.ts';
import { formatDuration, facts } from '../../lib/format.ts';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { call } from '../../data/client.ts';
import { readAgain, type Reply, useAsk } from '../../data/query.ts';
import { Covers } from '../../parts/catalog/covers.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import css from './playlists.module.css';
import { listWords as m } from '../../messages/lists.ts';

type Playlist = Reply<'playlists', 'list'>['items'][number];

const Tile = ({ playlist }: { playlist: Playlist }) => (
  <li>
    <Link to={{ page: 'playlist', params: { id: playlist.id } }} className={css.tile}>
      <Covers covers={playlist.covers} title={playlist.name} />
      <span className={css.name}>{playlist.name}</span>
      <span className="muted small">
        {facts(
          m.itemsCount({ count: playlist.items }),
          playlist.duration > 0 && formatDuration(playlist.duration),
          playlist.owner !== undefined ? m.sharedBy({ name: playlist.owner }) : playlist.shared && m.shared,
        ).join(' · ')}
      </span>
    </Link>
  </li>
);

const Tiles = ({ title, playlists }: { title: string; playlists: readonly Playlist[] }) =>
  playlists.length === 0 ? null : (
    <section className={css.section}>
      <h2>{title}</h2>
      <ul className={css.tiles}>
        {playlists.map((playlist) => (
          <Tile key={playlist.id} playlist={playlist} />
        ))}
      </ul>
    </section>
  );

const NewPlaylist = ({ onClose }: { onClose: () => void }) => {
  const [name, setName] = useState('');
  const save = async () => {
    const { id } = await call.playlists.create({ name });
    readAgain('playlists');
    go(hrefOf({ page: 'playlist', params: { id } }));
  };
  return (
    <FormDialog title={m.newPlaylist} action={m.create} onSave={save} onClose={onClose} isReady={name.trim() !== ''}>
      {(error) => (
        <Field label={m.name} value={name} onValue={setName} error={error} maxLength={200} autoComplete="off" />
      )}
    </FormDialog>
  );
};

export const Page = () => {
  useTitle(DESTINATIONS.playlists.label());
  const { data, error, refetch } = useAsk('playlists', 'list', {});
  const [isMaking, setMaking] = useState(false);
  if (!data)
    return error ? (
      <ErrorState isAlone title={m.playlistsCouldNotBeLoaded} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const make = (
    <Button icon={plus} onClick={() => setMaking(true)}>
      {m.newPlaylist}
    </Button>
  );
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{DESTINATIONS.playlists.label()}</h1>
        {data.total > 0 && make}
      </header>
      {data.total === 0 && (
        <EmptyState isAlone icon={listMusic} title={m.noPlaylistsYet} action={make}>
          {m.noPlaylistsHelp}
        </EmptyState>
      )}
      <Tiles title={m.yourPlaylists} playlists={data.items.filter(({ own }) => own)} />
      <Tiles title={m.sharedWithYou} playlists={data.items.filter(({ own }) => !own)} />
      {isMaking && <NewPlaylist onClose={() => setMaking(false)} />}
    </div>
  );
};
