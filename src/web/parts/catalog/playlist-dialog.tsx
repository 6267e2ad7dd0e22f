/** Dialogs of playlists: choose one that items are added to, or name a new one. */
import { useState } from 'preact/hooks';
import { call } from '../../data/client.ts';
import { readAgain, useAsk } from '../../data/query.ts';
import { Field, Select } from '../../kit/forms/field.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { Pending } from '../../kit/states/states.tsx';
import { listWords as m } from '../../messages/lists.ts';

const NEW = 'new';
/** Maximum number of ids in one request. */
const IDS_AT_ONCE = 500;

async function addAll(playlist: string, ids: readonly string[]): Promise<number> {
  let added = 0;
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE)
    added += (await call.playlists.add({ id: playlist, ids: ids.slice(from, from + IDS_AT_ONCE) })).added;
  return added;
}

export const PlaylistDialog = ({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) => {
  const { data } = useAsk('playlists', 'list', {});
  const own = data?.items.filter((one) => one.own) ?? [];
  const [picked, setPicked] = useState<string>();
  const [name, setName] = useState('');
  const chosen = picked ?? own[0]?.id ?? NEW;
  const save = async () => {
    const playlist = chosen === NEW ? await call.playlists.create({ name }) : own.find(({ id }) => id === chosen);
    if (!playlist) return;
    try {
      const count = await addAll(playlist.id, ids);
      toast({ message: m.addedTo({ count, name: playlist.name }) });
    } catch (error) {
      // A playlist that was made only for these items would be left empty.
      if (chosen === NEW) await call.playlists.remove({ id: playlist.id });
      throw error;
    } finally {
      readAgain('playlists');
    }
  };
  return (
    <FormDialog
      title={m.addToPlaylist}
      action={m.add}
      onSave={save}
      onClose={onClose}
      isReady={data !== undefined && (chosen !== NEW || name.trim() !== '')}
    >
      {(error) =>
        data === undefined ? (
          <Pending />
        ) : (
          <>
            {own.length > 0 && (
              <Select
                label={m.choosePlaylist}
                value={chosen}
                error={chosen === NEW ? undefined : error}
                choices={[
                  ...own.map((one) => ({ value: one.id, label: one.name })),
                  { value: NEW, label: m.newPlaylist },
                ]}
                onValue={setPicked}
              />
            )}
            {chosen === NEW && (
              <Field label={m.name} value={name} onValue={setName} error={error} maxLength={200} autoComplete="off" />
            )}
          </>
        )
      }
    </FormDialog>
  );
};
