/**
 * Adding items to a playlist or collection: the dialogs that cards, selections and item pages open. Their code is
 * loaded late.
 */
import { createLateLayer } from '../../kit/layers/late.ts';
import { createStore, useStore } from '../../lib/store.ts';

const adding = createStore<readonly string[] | undefined>(undefined);

/** Asks for a playlist and adds the items in this order. For a show, its episodes are added. */
export const addToPlaylist = (ids: readonly string[]): void => adding.set(ids);

const useDialog = createLateLayer(() => import('./playlist-dialog.tsx').then((file) => file.PlaylistDialog));

const collecting = createStore<readonly string[] | undefined>(undefined);
/** Asks an Owner for a collection and adds the items. */
export const addToCollection = (ids: readonly string[]): void => collecting.set(ids);
const useCollectionDialog = createLateLayer(
  () => import('../lists/collection-dialog.tsx').then((file) => file.CollectionDialog),
  { isAhead: false },
);

/** Rendered once, in the frame. */
export const AddToCollection = () => {
  const ids = useStore(collecting);
  const close = () => collecting.set(undefined);
  const CollectionDialog = useCollectionDialog(ids !== undefined, close);
  return ids && CollectionDialog ? <CollectionDialog ids={ids} onClose={close} /> : null;
};

/** Rendered once, in the frame. */
export const AddToPlaylist = () => {
  const ids = useStore(adding);
  const close = () => adding.set(undefined);
  const PlaylistDialog = useDialog(ids !== undefined, close);
  return ids && PlaylistDialog ? <PlaylistDialog ids={ids} onClose={close} /> : null;
};
