/** Chooses the order by which the episodes of a show are numbered: the usual one, or another that TMDB has. */
import { useState } from 'preact/hooks';
import type { OrderedBy } from '../../../contract/metadata/orders.ts';
import { call } from '../../data/client.ts';
import { useAsk } from '../../data/query.ts';
import { Select } from '../../kit/forms/field.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { toast } from '../../kit/layers/toast.tsx';
import { ErrorState, Notice, Pending } from '../../kit/states/states.tsx';
import { peopleWords as m } from '../../messages/people.ts';
import { readItemAgain } from './match-dialog.tsx';
import { wordsOfRefresh } from './refresh-dialog.tsx';

const USUAL_ORDER = '';

/** Returns the words of a type that the name does not contain. Most names do: "DVD Order". */
function typeBeyond(name: string, type: OrderedBy | undefined): string | undefined {
  const words = type && m.orderTypes[type];
  return words !== undefined && name.toLowerCase().includes(words.toLowerCase()) ? undefined : words;
}

export const OrderDialog = ({ id: item, title, onClose }: { id: string; title: string; onClose: () => void }) => {
  const { data, error, refetch } = useAsk('onlineMetadata', 'orders', { item });
  const [picked, setPicked] = useState<string>();
  const before = data?.chosen ?? USUAL_ORDER;
  // Before the orders are here, saving would choose the usual one.
  const isChanged = data !== undefined && picked !== undefined && picked !== before;
  const put = async (order: string) => {
    const { outcome } = await call.onlineMetadata.chooseOrder({ item, order: order === USUAL_ORDER ? null : order });
    readItemAgain();
    return outcome;
  };
  const save = async () => {
    const outcome = await put(picked ?? before);
    const isDone = outcome === 'refreshed';
    toast({
      message: isDone ? m.orderChosen({ title }) : wordsOfRefresh(outcome),
      isError: !isDone,
      ...(isDone && { undo: () => void runWithToast(() => put(before)) }),
    });
  };
  return (
    <FormDialog title={m.orderOf({ title })} action={m.choose} onSave={save} onClose={onClose} isReady={isChanged}>
      {(failure) =>
        data ? (
          <>
            <Select
              label={m.order}
              hint={data.items.length === 0 ? m.noOrders : m.orderHelp}
              value={picked ?? before}
              choices={[
                { value: USUAL_ORDER, label: m.usualOrder },
                ...data.items.map(({ order, name, type, episodes }) => ({
                  value: order,
                  label: m.orderChoice({ name, type: typeBeyond(name, type), episodes }),
                })),
              ]}
              onValue={setPicked}
            />
            {failure !== undefined && <Notice tone="danger">{failure}</Notice>}
          </>
        ) : error ? (
          <ErrorState title={m.ordersCouldNotBeLoaded} error={error} retry={() => void refetch()} />
        ) : (
          <Pending />
        )
      }
    </FormDialog>
  );
};
