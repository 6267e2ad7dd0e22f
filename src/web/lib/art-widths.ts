/** The widths artwork comes in. The same ladder as the contract's ART_WIDTHS, held to it by the type. */
import type { ART_WIDTHS as Ladder } from '../../contract/catalog/cards.ts';

export const REQUESTED_ART_WIDTHS: typeof Ladder = [160, 320, 480, 720, 1280, 1920];
