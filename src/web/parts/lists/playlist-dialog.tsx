/** The dialog of playlists: choose one that items are added to, or name a new one. */
import { call } from '../../data/client.ts';
import { readAgain, useAsk } from '../../data/query.ts';
import { listWords as m } from '../../messages/lists.ts';
import { AddDialog } from './add-dialog.tsx';

/** Maximum number of ids in one request. */
const IDS_AT_ONCE = 500;

export const PlaylistDialog = ({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) => {
  const { data } = useAsk('playlists', 'list', {});
  const add = async (playlist: string): Promise<number> => {
    let added = 0;
    try {
      for (let from = 0; from < ids.length; from += IDS_AT_ONCE)
        added += (await call.playlists.add({ id: playlist, ids: ids.slice(from, from + IDS_AT_ONCE) })).added;
    } finally {
      readAgain('playlists');
    }
    return added;
  };
  const create = async (name: string): Promise<number> => {
    const { id } = await call.playlists.create({ name });
    try {
      return await add(id);
    } catch (error) {
      // A playlist that was made only for these items would be left empty.
      await call.playlists.remove({ id });
      readAgain('playlists');
      throw error;
    }
  };
  return (
    <AddDialog
      title={m.addToPlaylist}
      label={m.choosePlaylist}
      newLabel={m.newPlaylist}
      lists={data?.items.filter((one) => one.own)}
      add={add}
      create={create}
      onClose={onClose}
    />
  );
};
