/** Whether the command palette is open. Its code is loaded when it is first opened. */
import { createStore } from '../../lib/store.ts';

export const isPaletteOpen = createStore(false);
export const openPalette = (): void => isPaletteOpen.set(true);
