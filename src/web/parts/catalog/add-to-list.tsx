/**
 * Adding items to a playlist or collection: the entries of menus, and the dialogs that cards, selections and pages of
 * items open. The code of the dialogs is loaded late.
 */
import layers from 'lucide/dist/esm/icons/layers-plus.mjs';
import listPlus from 'lucide/dist/esm/icons/list-plus.mjs';
import type { Card } from '../../../contract/catalog/cards.ts';
import { itemFacts, isCollectable } from '../../../contract/catalog/kinds.ts';
import { createLateLayer } from '../../kit/layers/late.ts';
import type { MenuItem } from '../../kit/layers/menu.tsx';
import { createStore, useStore } from '../../lib/store.ts';
import { catalogWords as m } from '../../messages/catalog.ts';

const adding = createStore<readonly string[] | undefined>(undefined);
/** Asks for a playlist and adds the items in this order. For a show, its episodes are added. */
export const addToPlaylist = (ids: readonly string[]): void => adding.set(ids);
const usePlaylistDialog = createLateLayer(() =>
  import('../lists/playlist-dialog.tsx').then((file) => file.PlaylistDialog),
);

const collecting = createStore<readonly string[] | undefined>(undefined);
/** Asks an Owner for a collection and adds the items. */
export const addToCollection = (ids: readonly string[]): void => collecting.set(ids);
const useCollectionDialog = createLateLayer(
  () => import('../lists/collection-dialog.tsx').then((file) => file.CollectionDialog),
  { isAhead: false },
);

/** Returns the entries of a menu that add an item to lists. Only Owners change collections. */
export function listItemsOf({ id, kind, series }: Pick<Card, 'id' | 'kind' | 'series'>, isOwner: boolean): MenuItem[] {
  const { role } = itemFacts(kind);
  return [
    ...(role === 'item' || role === 'group'
      ? [{ label: m.addToPlaylist, icon: listPlus, onChoose: () => addToPlaylist([id]) }]
      : []),
    ...(isOwner && isCollectable(kind, series !== undefined)
      ? [{ label: m.addToCollection, icon: layers, onChoose: () => addToCollection([id]) }]
      : []),
  ];
}

/** The dialogs. Rendered once, in the frame. */
export const AddToLists = () => {
  const [forPlaylist, forCollection] = [useStore(adding), useStore(collecting)];
  const close = () => (adding.set(undefined), collecting.set(undefined));
  const PlaylistDialog = usePlaylistDialog(forPlaylist !== undefined, close);
  const CollectionDialog = useCollectionDialog(forCollection !== undefined, close);
  return (
    <>
      {forPlaylist && PlaylistDialog && <PlaylistDialog ids={forPlaylist} onClose={close} />}
      {forCollection && CollectionDialog && <CollectionDialog ids={forCollection} onClose={close} />}
    </>
  );
};
