/** Shows the command palette when it is open. Rendered once, in the frame. */
import { createLateLayer } from '../../kit/layers/late.ts';
import { useStore } from '../../lib/store.ts';
import { isPaletteOpen } from './open.ts';

const usePalette = createLateLayer(() => import('./palette.tsx').then((file) => file.Palette), { isAhead: false });

export const PaletteLayer = () => {
  const isOpen = useStore(isPaletteOpen);
  const close = () => isPaletteOpen.set(false);
  const Palette = usePalette(isOpen, close);
  return isOpen && Palette ? <Palette onClose={close} /> : null;
};
