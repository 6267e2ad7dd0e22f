/** The dialog of collections: choose one that items are added to, or name a new one. */
import { call } from '../../data/client.ts';
import { readAgain, useAsk } from '../../data/query.ts';
import { listWords as m } from '../../messages/lists.ts';
import { AddDialog } from './add-dialog.tsx';

const MAX_OFFERED = 200;

export const CollectionDialog = ({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) => {
  const { data } = useAsk('collections', 'list', { limit: MAX_OFFERED });
  return (
    <AddDialog
      title={m.addToCollection}
      label={m.chooseCollection}
      newLabel={m.newCollection}
      lists={data?.items}
      add={async (id) => {
        const { added } = await call.collections.add({ id, ids: [...ids] });
        readAgain('collections');
        return added;
      }}
      create={async (name) => {
        await call.collections.create({ name, ids: [...ids] });
        readAgain('collections');
        return ids.length;
      }}
      onClose={onClose}
    />
  );
};
