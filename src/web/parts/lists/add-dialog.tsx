/** The dialog that adds items to a list: one of those there are, or a new one with a name. */
import { useState } from 'preact/hooks';
import { Field, Select } from '../../kit/forms/field.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { Pending } from '../../kit/states/states.tsx';
import { listWords as m } from '../../messages/lists.ts';

const NEW = 'new';

export interface AddDialogProps {
  title: string;
  /** Label of the choice of a list. */
  label: string;
  /** Label of the choice that makes a new one. */
  newLabel: string;
  /** Lists that can be chosen; undefined while they are read. */
  lists: readonly { id: string; name: string }[] | undefined;
  /** Adds the items to a list, and returns how many it did not hold yet. */
  add: (list: string) => Promise<number>;
  /** Makes a list with the items, and returns how many it holds. */
  create: (name: string) => Promise<number>;
  onClose: () => void;
}
export const AddDialog = ({ title, label, newLabel, lists, add, create, onClose }: AddDialogProps) => {
  const [picked, setPicked] = useState<string>();
  const [name, setName] = useState('');
  const chosen = picked ?? lists?.[0]?.id ?? NEW;
  const save = async () => {
    const own = name.trim();
    const count = await (chosen === NEW ? create(own) : add(chosen));
    toast({
      message: m.addedTo({ count, name: chosen === NEW ? own : (lists?.find(({ id }) => id === chosen)?.name ?? '') }),
    });
  };
  return (
    <FormDialog
      title={title}
      action={m.add}
      onSave={save}
      onClose={onClose}
      isReady={lists !== undefined && (chosen !== NEW || name.trim() !== '')}
    >
      {(error) =>
        lists === undefined ? (
          <Pending />
        ) : (
          <>
            {lists.length > 0 && (
              <Select
                label={label}
                value={chosen}
                error={chosen === NEW ? undefined : error}
                choices={[...lists.map((one) => ({ value: one.id, label: one.name })), { value: NEW, label: newLabel }]}
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
