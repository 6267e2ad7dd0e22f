/** Playlists: those of this Profile, and those that others share with it. */
import { useState } from 'preact/hooks';
import listVideo from 'lucide/dist/esm/icons/list-video.mjs';
import sparkles from 'lucide/dist/esm/icons/sparkles.mjs';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import { DESTINATIONS } from '../../lib/navigation/destinations.ts';
import { useTitle } from '../../lib/title.ts';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { call } from '../../data/client.ts';
import { readAgain, type Reply, useAll } from '../../data/query.ts';
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import { BringBack } from '../../parts/lists/deleting.tsx';
import { ListTile } from '../../parts/lists/tile.tsx';
import css from '../../parts/lists/lists.module.css';
import { listWords as m } from '../../messages/lists.ts';

type Playlist = Reply<'playlists', 'list'>['items'][number];
type SmartPlaylist = Reply<'smartPlaylists', 'list'>['items'][number];

const Tile = ({ playlist: { id, owner, shared, ...list } }: { playlist: Playlist }) => (
  <ListTile
    to={{ page: 'playlist', params: { id } }}
    {...list}
    says={owner !== undefined ? m.sharedBy({ name: owner }) : shared && m.shared}
  />
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
          <ListTile key={id} to={{ page: 'smartPlaylist', params: { id } }} {...{ name, covers, items, duration }} />
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
  const { data, error, refetch } = useAll('playlists', 'list', {});
  const smart = useAll('smartPlaylists', 'list', {});
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
    <>
      <Button icon={plus} onClick={() => setMaking(true)}>
        {m.newPlaylist}
      </Button>
      <ButtonLink icon={sparkles} to={{ page: 'smartPlaylistEdit', params: { id: 'new' } }}>
        {m.newSmartPlaylist}
      </ButtonLink>
    </>
  );
  const isEmpty = data.total + smart.data.total === 0;
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{DESTINATIONS.playlists.label()}</h1>
        {!isEmpty && <div className={css.actions}>{make}</div>}
      </header>
      {isEmpty && (
        <EmptyState isAlone icon={listVideo} title={m.noPlaylistsYet} action={make}>
          {m.noPlaylistsHelp}
        </EmptyState>
      )}
      <Tiles title={m.yourPlaylists} playlists={data.items.filter(({ own }) => own)} />
      <SmartTiles playlists={smart.data.items} />
      <Tiles title={m.sharedWithYou} playlists={data.items.filter(({ own }) => !own)} />
      <BringBack group="playlists" title={m.deletedPlaylists} />
      <BringBack group="smartPlaylists" title={m.deletedSmartPlaylists} />
      {isMaking && <NewPlaylist onClose={() => setMaking(false)} />}
    </div>
  );
};
