/** Entries of an item's menu with which an Owner edits its metadata and pictures. Their dialogs are loaded late. */
import image from 'lucide/dist/esm/icons/image.mjs';
import list from 'lucide/dist/esm/icons/list-ordered.mjs';
import link from 'lucide/dist/esm/icons/link.mjs';
import pencil from 'lucide/dist/esm/icons/pencil.mjs';
import refresh from 'lucide/dist/esm/icons/refresh-cw.mjs';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Card } from '../../../contract/catalog/cards.ts';
import { useIsOwner } from '../../data/session.ts';
import { createLateLayer } from '../../kit/layers/late.ts';
import type { MenuItem } from '../../kit/layers/menu.tsx';
import { catalogWords as m } from '../../messages/catalog.ts';

const useMetadata = createLateLayer(() => import('./metadata-dialog.tsx').then((file) => file.MetadataDialog));
const usePictures = createLateLayer(() => import('./pictures-dialog.tsx').then((file) => file.PicturesDialog));

const useMatch = createLateLayer(() => import('./match-dialog.tsx').then((file) => file.MatchDialog));
const useRefresh = createLateLayer(() => import('./refresh-dialog.tsx').then((file) => file.RefreshDialog));
const useOrder = createLateLayer(() => import('./order-dialog.tsx').then((file) => file.OrderDialog));

/** Members of an item that the entries use. Only films and shows have ids in other databases and can be matched. */
type EditedItem = Pick<Card, 'id' | 'title' | 'kind'> & { ids?: Readonly<Record<string, string>> };

/** Returns the entries, none for other people than Owners, and the dialog that one of them opens. */
export function useEditMenu({ id, title, kind, ids }: EditedItem): { items: MenuItem[]; dialog: ComponentChildren } {
  const isOwner = useIsOwner();
  const [open, setOpen] = useState<'metadata' | 'pictures' | 'match' | 'refresh' | 'order'>();
  const close = () => setOpen(undefined);
  const MetadataDialog = useMetadata(open === 'metadata', close);
  const PicturesDialog = usePictures(open === 'pictures', close);
  const MatchDialog = useMatch(open === 'match', close);
  const RefreshDialog = useRefresh(open === 'refresh', close);
  const OrderDialog = useOrder(open === 'order', close);
  const item = { id, title };
  if (!isOwner) return { items: [], dialog: null };
  return {
    items: [
      { label: m.editMetadata, icon: pencil, onChoose: () => setOpen('metadata') },
      { label: m.changePictures, icon: image, onChoose: () => setOpen('pictures') },
      ...(kind === 'movie' || kind === 'show'
        ? [
            { label: m.match, icon: link, onChoose: () => setOpen('match') },
            { label: m.refreshMetadata, icon: refresh, onChoose: () => setOpen('refresh') },
          ]
        : []),
      ...(kind === 'show' ? [{ label: m.episodeOrder, icon: list, onChoose: () => setOpen('order') }] : []),
    ],
    dialog: (
      <>
        {open === 'metadata' && MetadataDialog && <MetadataDialog {...item} onClose={close} />}
        {open === 'pictures' && PicturesDialog && <PicturesDialog {...item} onClose={close} />}
        {open === 'match' && MatchDialog && <MatchDialog {...item} current={ids?.['tmdb']} onClose={close} />}
        {open === 'refresh' && RefreshDialog && <RefreshDialog {...item} onClose={close} />}
        {open === 'order' && OrderDialog && <OrderDialog {...item} onClose={close} />}
      </>
    ),
  };
}
