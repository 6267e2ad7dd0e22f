/** Collections: those that follow from sets, and those that Owners made. Owners also bring back deleted ones here. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'preact/hooks';
import layers from 'lucide/dist/esm/icons/layers.mjs';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { useTitle } from '../../lib/title.ts';
import { call } from '../../data/client.ts';
import { readAgain } from '../../data/query.ts';
import { useIsOwner } from '../../data/session.ts';
import { BringBack } from '../../parts/lists/deleting.tsx';
import { CollectionTile } from '../../parts/lists/tile.tsx';
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import css from '../../parts/lists/lists.module.css';
import { listWords as m } from '../../messages/lists.ts';

const COLLECTIONS_AT_ONCE = 60;

const NewCollection = ({ onClose }: { onClose: () => void }) => {
  const [name, setName] = useState('');
  const save = async () => {
    const { id } = await call.collections.create({ name });
    readAgain('collections');
    go(hrefOf({ page: 'collection', params: { id } }));
  };
  return (
    <FormDialog title={m.newCollection} action={m.create} onSave={save} onClose={onClose} isReady={name.trim() !== ''}>
      {(error) => (
        <Field label={m.name} value={name} onValue={setName} error={error} maxLength={200} autoComplete="off" />
      )}
    </FormDialog>
  );
};

export const Page = () => {
  useTitle(m.collections);
  const isOwner = useIsOwner();
  const [isMaking, setMaking] = useState(false);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['collections', 'list', 'all'],
    queryFn: ({ pageParam, signal }) =>
      call.collections.list({ limit: COLLECTIONS_AT_ONCE, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  if (!data)
    return error ? (
      <ErrorState isAlone title={m.collectionsCouldNotBeLoaded} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const all = data.pages.flatMap(({ items }) => items);
  const make = isOwner && (
    <Button icon={plus} onClick={() => setMaking(true)}>
      {m.newCollection}
    </Button>
  );
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{m.collections}</h1>
        {all.length > 0 && make}
      </header>
      {all.length === 0 ? (
        <EmptyState
          isAlone
          icon={layers}
          title={m.noCollectionsYet}
          action={make || <ButtonLink to={{ page: 'library' }}>{m.browse}</ButtonLink>}
        >
          {isOwner ? m.noCollectionsOwnerHelp : m.noCollectionsHelp}
        </EmptyState>
      ) : (
        <ul className={css.tiles} aria-label={m.collections}>
          {all.map((one) => (
            <CollectionTile key={one.id} collection={one} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {m.showMore}
        </Button>
      )}
      {isOwner && <BringBack group="collections" title={m.deletedCollections} />}
      {isMaking && <NewCollection onClose={() => setMaking(false)} />}
    </div>
  );
};
