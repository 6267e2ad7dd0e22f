/** Entries of an item's menu with which an Owner edits its metadata and pictures. Their dialogs are loaded late. */
import image from 'lucide/dist/esm/icons/image.mjs';
import pencil from 'lucide/dist/esm/icons/pencil.mjs';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Card } from '../../../contract/catalog/cards.ts';
import { useIsOwner } from '../../data/session.ts';
import { createLateLayer } from '../../kit/layers/late.ts';
import type { MenuItem } from '../../kit/layers/menu.tsx';
import { catalogWords as m } from '../../messages/catalog.ts';

const useMetadata = createLateLayer(() => import('./metadata-dialog.tsx').then((file) => file.MetadataDialog));
const usePictures = createLateLayer(() => import('./pictures-dialog.tsx').then((file) => file.PicturesDialog));

/** Returns the entries, none for other people than Owners, and the dialog that one of them opens. */
export function useEditMenu(item: Pick<Card, 'id' | 'title'>): { items: MenuItem[]; dialog: ComponentChildren } {
  const isOwner = useIsOwner();
  const [open, setOpen] = useState<'metadata' | 'pictures'>();
  const close = () => setOpen(undefined);
  const MetadataDialog = useMetadata(open === 'metadata', close);
  const PicturesDialog = usePictures(open === 'pictures', close);
  if (!isOwner) return { items: [], dialog: null };
  return {
    items: [
      { label: m.editMetadata, icon: pencil, onChoose: () => setOpen('metadata') },
      { label: m.changePictures, icon: image, onChoose: () => setOpen('pictures') },
    ],
    dialog: (
      <>
        {open === 'metadata' && MetadataDialog && <MetadataDialog {...item} onClose={close} />}
        {open === 'pictures' && PicturesDialog && <PicturesDialog {...item} onClose={close} />}
      </>
    ),
  };
}
