/** Adding items to a playlist: the dialog that cards, selections and item pages open. Its code is loaded late. */
import { createLateLayer } from '../../kit/layers/late.ts';
import { createStore, useStore } from '../../lib/store.ts';

const adding = createStore<readonly string[] | undefined>(undefined);

/** Asks for a playlist and adds the items in this order. For a show, its episodes are added. */
export const addToPlaylist = (ids: readonly string[]): void => adding.set(ids);

const useDialog = createLateLayer(() => import('./playlist-dialog.tsx').then((file) => file.PlaylistDialog));

/** Rendered once, in the frame. */
export const AddToPlaylist = () => {
  const ids = useStore(adding);
  const close = () => adding.set(undefined);
  const PlaylistDialog = useDialog(ids !== undefined, close);
  return ids && PlaylistDialog ? <PlaylistDialog ids={ids} onClose={close} /> : null;
};
