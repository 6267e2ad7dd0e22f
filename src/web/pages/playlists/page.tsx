/** Playlists: those of this Profile, and those that others share with it. */
import { useState } from 'preact/hooks';
import listVideo from 'lucide/dist/esm/icons/list-video.mjs';
import sparkles from 'lucide/dist/esm/icons/sparkles.mjs';
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
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import css from './playlists.module.css';
import { listWords as m } from '../../messages/lists.ts';

type Playlist = Reply<'playlists', 'list'>['items'][number];
type SmartPlaylist = Reply<'smartPlaylists', 'list'>['items'][number];

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

const SmartTiles = ({ playlists }: { playlists: readonly SmartPlaylist[] }) =>
  playlists.length === 0 ? null : (
    <section className={css.section}>
      <h2>{m.smartPlaylists}</h2>
      <ul className={css.tiles}>
        {playlists.map(({ id, name, covers, items, duration }) => (
          <li key={id}>
            <Link to={{ page: 'smartPlaylist', params: { id } }} className={css.tile}>
              <Covers covers={covers} title={name} />
              <span className={css.name}>{name}</span>
              <span className="muted small">
                {facts(m.itemsCount({ count: items }), duration > 0 && formatDuration(duration)).join(' · ')}
              </span>
            </Link>
          </li>
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
  const smart = useAsk('smartPlaylists', 'list', {});
  const [isMaking, setMaking] = useState(false);
  const failed = error ?? smart.error;
  if (!data || !smart.data)
    return failed ? (
      <ErrorState
        isAlone
        title={m.playlistsCouldNotBeLoaded}
        error={failed}
        retry={() => void Promise.all([refetch(), smart.refetch()])}
      />
    ) : (
      <Pending />
    );
  const make = (
    <div className={css.actions}>
      <Button icon={plus} onClick={() => setMaking(true)}>
        {m.newPlaylist}
      </Button>
      <ButtonLink icon={sparkles} to={{ page: 'smartPlaylistEdit', params: { id: 'new' } }}>
        {m.newSmartPlaylist}
      </ButtonLink>
    </div>
  );
  const isEmpty = data.total + smart.data.total === 0;
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{DESTINATIONS.playlists.label()}</h1>
        {!isEmpty && make}
      </header>
      {isEmpty && (
        <EmptyState isAlone icon={listVideo} title={m.noPlaylistsYet} action={make}>
          {m.noPlaylistsHelp}
        </EmptyState>
      )}
      <Tiles title={m.yourPlaylists} playlists={data.items.filter(({ own }) => own)} />
      <SmartTiles playlists={smart.data.items} />
      <Tiles title={m.sharedWithYou} playlists={data.items.filter(({ own }) => !own)} />
      {isMaking && <NewPlaylist onClose={() => setMaking(false)} />}
    </div>
  );
};
