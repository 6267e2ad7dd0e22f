/** The dialog of playlists: choose one that items are added to, or name a new one. */
import { call } from '../../data/client.ts';
import { readAgain, useAll } from '../../data/query.ts';
import { listWords as m } from '../../messages/lists.ts';
import { AddDialog } from './add-dialog.tsx';

/** Maximum number of ids in one request. */
const IDS_AT_ONCE = 500;

export const PlaylistDialog = ({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) => {
  const { data } = useAll('playlists', 'list', {});
  const addFrom = async (playlist: string, start: number): Promise<number> => {
    let added = 0;
    try {
      for (let from = start; from < ids.length; from += IDS_AT_ONCE)
        added += (await call.playlists.add({ id: playlist, ids: ids.slice(from, from + IDS_AT_ONCE) })).added;
    } finally {
      readAgain('playlists');
    }
    return added;
  };
  const create = async (name: string): Promise<number> => {
    // The first items come with the playlist, so that a refusal leaves no empty one.
    const made = await call.playlists.create({ name, ids: ids.slice(0, IDS_AT_ONCE) });
    return made.items + (await addFrom(made.id, IDS_AT_ONCE));
  };
  return (
    <AddDialog
      title={m.addToPlaylist}
      label={m.choosePlaylist}
      newLabel={m.newPlaylist}
      lists={data?.items.filter((one) => one.own)}
      add={(playlist) => addFrom(playlist, 0)}
      create={create}
      onClose={onClose}
    />
  );
};
