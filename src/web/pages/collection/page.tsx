/** A collection: its items in their order, and what an Owner can do with it. */
import { useState } from 'preact/hooks';
import image from 'lucide/dist/esm/icons/image.mjs';
import layers from 'lucide/dist/esm/icons/layers.mjs';
import more from 'lucide/dist/esm/icons/ellipsis-vertical.mjs';
import pinIcon from 'lucide/dist/esm/icons/pin.mjs';
import pencil from 'lucide/dist/esm/icons/pencil.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import trash from 'lucide/dist/esm/icons/trash.mjs';
import { facts, formatDuration } from '../../lib/format.ts';
import type { PageProps } from '../../lib/navigation/addresses.ts';
import { call } from '../../data/client.ts';
import { usePending } from '../../data/pending.ts';
import { readAgain, type Reply, useAsk } from '../../data/query.ts';
import { useIsOwner } from '../../data/session.ts';
import { isPlayedInList } from '../../parts/catalog/entry-row.tsx';
import { ListHead } from '../../parts/catalog/list-head.tsx';
import { pictureOfCollection } from '../../parts/lists/collection-picture.ts';
import { deleteList } from '../../parts/lists/deleting.tsx';
import { type ListChanges, ListEntries } from '../../parts/lists/entries.tsx';
import { ListPage, useListEntries } from '../../parts/lists/list-page.tsx';
import { usePin } from '../../parts/lists/pin.ts';
import { queueQuery } from '../../parts/playback/queue.ts';
import { ButtonLink } from '../../kit/forms/button.tsx';
import { Field, Segments } from '../../kit/forms/field.tsx';
import { FormDialog } from '../../kit/layers/form-dialog.tsx';
import { createLateLayer } from '../../kit/layers/late.ts';
import { Menu } from '../../kit/layers/menu.tsx';
import { EmptyState } from '../../kit/states/states.tsx';
import { listWords as m } from '../../messages/lists.ts';
import css from './collection.module.css';

const usePictureDialog = createLateLayer(() =>
  import('../../parts/lists/picture-dialog.tsx').then((file) => file.CollectionPictureDialog),
);

type Collection = Reply<'collections', 'read'>;
type Entries = Reply<'collections', 'entries'>['items'];

const Editor = ({ collection, onClose }: { collection: Collection; onClose: () => void }) => {
  const { id } = collection;
  const [name, setName] = useState(collection.name);
  const [text, setText] = useState(collection.description ?? '');
  const [order, setOrder] = useState(collection.order);
  const save = async () => {
    await call.collections.update({
      id,
      // A name that was not changed stays that of the sets.
      ...(name !== collection.name && { name }),
      description: text.trim() === '' ? null : text,
      order,
    });
    readAgain('collections');
  };
  return (
    <FormDialog title={m.editCollection} action={m.save} onSave={save} onClose={onClose} isReady={name.trim() !== ''}>
      {(error) => (
        <>
          <Field label={m.name} value={name} onValue={setName} error={error} maxLength={200} autoComplete="off" />
          <Field label={m.aboutIt} value={text} onValue={setText} maxLength={2000} autoComplete="off" />
          <Segments
            label={m.orderOfItems}
            value={order}
            choices={[
              { value: 'released', label: m.byRelease },
              { value: 'given', label: m.byHand },
            ]}
            onValue={setOrder}
          />
        </>
      )}
    </FormDialog>
  );
};

const Head = ({ collection, entries }: { collection: Collection; entries: Entries }) => {
  const isOwner = useIsOwner();
  const [open, setOpen] = useState<'editor' | 'picture'>();
  const close = () => setOpen(undefined);
  const { id, name, covers, items, duration, description, overview } = collection;
  const PictureDialog = usePictureDialog(open === 'picture', close);
  const first = entries.find(({ item }) => isPlayedInList(item));
  const pin = usePin(`collection:${id}`, name);
  const ownerItems = [
    { label: m.edit, icon: pencil, onChoose: () => setOpen('editor') },
    { label: m.changePicture, icon: image, onChoose: () => setOpen('picture') },
    {
      label: m.removeCollection,
      icon: trash,
      isDanger: true,
      onChoose: () => void deleteList('collections', collection),
    },
  ];
  return (
    <>
      <ListHead
        name={name}
        covers={covers}
        picture={pictureOfCollection(collection)}
        says={facts(m.collection, m.itemsCount({ count: items }), duration > 0 && formatDuration(duration))}
      >
        {first && (
          <ButtonLink
            look="primary"
            icon={play}
            isFilled
            to={{
              page: 'player',
              params: { id: first.item.id },
              query: queueQuery('collection', id, first.entry),
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
            ...(isOwner ? ownerItems : []),
          ]}
        />
        {open === 'editor' && <Editor collection={collection} onClose={close} />}
        {open === 'picture' && PictureDialog && <PictureDialog {...{ collection, entries }} onClose={close} />}
      </ListHead>
      {description !== undefined && <p>{description}</p>}
      {overview !== undefined && (
        <div className={css.overview}>
          <p>{overview}</p>
          <p className="muted small">{m.textFromTmdb}</p>
        </div>
      )}
    </>
  );
};

const changesOf = (id: string): ListChanges => ({
  move: call.collections.order,
  remove: (item) => call.collections.removeEntry({ id, item }),
  restore: (item) => call.collections.restoreEntry({ id, item }),
  again: () => readAgain('collections'),
  removeLabel: m.removeFromCollection,
  removed: m.removedFromCollection,
});

export const Page = ({ params: { id } }: PageProps<'collection'>) => {
  const isOwner = useIsOwner();
  const read = useAsk('collections', 'read', { id });
  usePending(read, id);
  const entries = useListEntries('collections', id, call.collections.entries);
  return (
    <ListPage read={read} entries={entries} failedTitle={m.collectionCouldNotBeLoaded}>
      {(collection, all) => (
        <>
          <Head collection={collection} entries={[...all]} />
          {all.length === 0 ? (
            <EmptyState
              icon={layers}
              title={m.emptyCollection}
              action={<ButtonLink to={{ page: 'library' }}>{m.browse}</ButtonLink>}
            >
              {m.emptyCollectionHelp}
            </EmptyState>
          ) : (
            <ListEntries kind="collection" id={id} entries={all} changes={isOwner ? changesOf(id) : undefined} />
          )}
        </>
      )}
    </ListPage>
  );
};
