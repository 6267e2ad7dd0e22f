/** The dialog of collections: choose one that items are added to, or name a new one. */
import { useState } from 'preact/hooks';
import { call } from '../../data/client.ts';
import { readAgain, useAsk } from '../../data/query.ts';
import { Field, Select } from '../../kit/forms/field.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { Pending } from '../../kit/states/states.tsx';
import { listWords as m } from '../../messages/lists.ts';

const NEW = 'new';
const MAX_OFFERED = 200;

export const CollectionDialog = ({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) => {
  const { data } = useAsk('collections', 'list', { limit: MAX_OFFERED });
  const [picked, setPicked] = useState<string>();
  const [name, setName] = useState('');
  const all = data?.items ?? [];
  const chosen = picked ?? all[0]?.id ?? NEW;
  const save = async () => {
    if (chosen === NEW) {
      const made = await call.collections.create({ name, ids: [...ids] });
      toast({ message: m.addedTo({ count: ids.length, name: made.name }) });
    } else {
      const { added } = await call.collections.add({ id: chosen, ids: [...ids] });
      toast({ message: m.addedTo({ count: added, name: all.find(({ id }) => id === chosen)?.name ?? '' }) });
    }
    readAgain('collections');
  };
  return (
    <FormDialog
      title={m.addToCollection}
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
            {all.length > 0 && (
              <Select
                label={m.chooseCollection}
                value={chosen}
                error={chosen === NEW ? undefined : error}
                choices={[
                  ...all.map((one) => ({ value: one.id, label: one.name })),
                  { value: NEW, label: m.newCollection },
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
