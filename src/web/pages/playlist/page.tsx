/** A playlist: its entries in their order, and what its Profile can do with it. */
import { useState } from 'preact/hooks';
import more from 'lucide/dist/esm/icons/ellipsis-vertical.mjs';
import listVideo from 'lucide/dist/esm/icons/list-video.mjs';
import pinIcon from 'lucide/dist/esm/icons/pin.mjs';
import pencil from 'lucide/dist/esm/icons/pencil.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import trash from 'lucide/dist/esm/icons/trash.mjs';
import { facts, formatDuration } from '../../lib/format.ts';
import type { PageProps } from '../../lib/navigation/addresses.ts';
import { call } from '../../data/client.ts';
import { readAgain, type Reply, useAsk } from '../../data/query.ts';
import { isPlayedInList } from '../../parts/catalog/entry-row.tsx';
import { ListHead } from '../../parts/catalog/list-head.tsx';
import { deleteList } from '../../parts/lists/deleting.tsx';
import { type ListChanges, ListEntries } from '../../parts/lists/entries.tsx';
import { ListPage, useListEntries } from '../../parts/lists/list-page.tsx';
import { usePin } from '../../parts/lists/pin.ts';
import { queueQuery } from '../../parts/playback/queue.ts';
import { ButtonLink } from '../../kit/forms/button.tsx';
import { Field, Switch } from '../../kit/forms/field.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { Menu } from '../../kit/layers/menu.tsx';
import { EmptyState } from '../../kit/states/states.tsx';
import { listWords as m } from '../../messages/lists.ts';

type Playlist = Reply<'playlists', 'read'>;

const Editor = ({ playlist, onClose }: { playlist: Playlist; onClose: () => void }) => {
  const [name, setName] = useState(playlist.name);
  const [isShared, setShared] = useState(playlist.shared);
  const save = async () => {
    await call.playlists.update({ id: playlist.id, name, shared: isShared });
    readAgain('playlists');
  };
  return (
    <FormDialog title={m.editPlaylist} action={m.save} onSave={save} onClose={onClose} isReady={name.trim() !== ''}>
      {(error) => (
        <>
          <Field label={m.name} value={name} onValue={setName} error={error} maxLength={200} autoComplete="off" />
          <Switch label={m.shareWithOthers} hint={m.shareHint} checked={isShared} onValue={setShared} />
        </>
      )}
    </FormDialog>
  );
};

const Head = ({
  playlist,
  first,
}: {
  playlist: Playlist;
  first: { entry: string; item: { id: string } } | undefined;
}) => {
  const [isEditing, setEditing] = useState(false);
  const { name, covers, items, duration, owner, own, shared } = playlist;
  const pin = usePin(`playlist:${playlist.id}`, name);
  const ownItems = [
    { label: m.edit, icon: pencil, onChoose: () => setEditing(true) },
    { label: m.remove, icon: trash, isDanger: true, onChoose: () => void deleteList('playlists', playlist) },
  ];
  return (
    <ListHead
      name={name}
      covers={covers}
      says={facts(
        m.itemsCount({ count: items }),
        duration > 0 && formatDuration(duration),
        owner !== undefined ? m.sharedBy({ name: owner }) : shared && m.shared,
      )}
    >
      {first && (
        <ButtonLink
          look="primary"
          icon={play}
          isFilled
          to={{
            page: 'player',
            params: { id: first.item.id },
            query: queueQuery('playlist', playlist.id, first.entry),
          }}
        >
          {m.play}
        </ButtonLink>
      )}
      <Menu
        label={m.more}
        icon={more}
        isRound
        items={[
          { label: pin.isPinned ? m.unpinFromHome : m.pinOnHome, icon: pinIcon, onChoose: pin.toggle },
          ...(own ? ownItems : []),
        ]}
      />
      {isEditing && <Editor playlist={playlist} onClose={() => setEditing(false)} />}
    </ListHead>
  );
};

const changesOf = (id: string): ListChanges => ({
  move: call.playlists.order,
  remove: (entry) => call.playlists.removeEntry({ id, entry }),
  restore: (entry) => call.playlists.restoreEntry({ id, entry }),
  again: () => readAgain('playlists'),
  removeLabel: m.removeFromPlaylist,
  removed: m.removedFromPlaylist,
});

export const Page = ({ params: { id } }: PageProps<'playlist'>) => {
  const read = useAsk('playlists', 'read', { id });
  const entries = useListEntries('playlists', id, call.playlists.entries);
  return (
    <ListPage read={read} entries={entries} failedTitle={m.playlistCouldNotBeLoaded}>
      {(playlist, all) => (
        <>
          <Head playlist={playlist} first={all.find(({ item }) => isPlayedInList(item))} />
          {all.length === 0 ? (
            <EmptyState
              icon={listVideo}
              title={m.emptyPlaylist}
              action={<ButtonLink to={{ page: 'library' }}>{m.browse}</ButtonLink>}
            >
              {m.noPlaylistsHelp}
            </EmptyState>
          ) : (
            <ListEntries kind="playlist" id={id} entries={all} changes={playlist.own ? changesOf(id) : undefined} />
          )}
        </>
      )}
    </ListPage>
  );
};
