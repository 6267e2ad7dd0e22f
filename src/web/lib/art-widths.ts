/** Widths of artwork in pixels. The type keeps them equal to `ART_WIDTHS` of the contract. */
import type { ART_WIDTHS as Ladder } from '../../contract/catalog/cards.ts';

export const REQUESTED_ART_WIDTHS: typeof Ladder = [160, 320, 480, 720, 1280, 1920];
