/** Parses the display information and the sizes of H.264 and HEVC pictures. */
import type { Bits } from '../bits.ts';
import { Uncertain, uncertain } from '../source.ts';

/** Numbers of ITU-T H.273; 2 is unspecified. */
export interface Colour {
  primaries: number;
  transfer: number;
  matrix: number;
  isFullRange: boolean;
}

export interface Usability {
  /** Width of a pixel to its height. */
  aspect?: readonly [number, number];
  isFullRange?: boolean;
  transfer?: number;
  matrix?: number;
  /** It ends early: what follows is not known. */
  isCut?: boolean;
}

/** Pixel shapes of aspect_ratio_idc (H.264 table E-1, shared by HEVC). */
const ASPECTS: readonly (readonly [number, number])[] = [
  [0, 1],
  [1, 1],
  [12, 11],
  [10, 11],
  [16, 11],
  [40, 33],
  [24, 11],
  [20, 11],
  [32, 11],
  [80, 33],
  [18, 11],
  [15, 11],
  [64, 33],
  [160, 99],
  [4, 3],
  [3, 2],
  [2, 1],
];
const EXTENDED_ASPECT = 255;
const MAX_SIDE = 16_384;

/**
 * Reads the start of the usability information, alike in H.264 (E.1.1) and HEVC (E.2.1). Throws `Uncertain` only where
 * the shape of the pixels is cut short.
 */
export function readUsability(bits: Bits): Usability {
  const found: Usability = {};
  if (bits.flag()) {
    const code = bits.take(8);
    const aspect = code === EXTENDED_ASPECT ? ([bits.take(16), bits.take(16)] as const) : ASPECTS[code];
    if (aspect !== undefined && aspect[0] > 0 && aspect[1] > 0) found.aspect = aspect;
  }
  if (unlessCut(() => readColour(bits, found)) === undefined) found.isCut = true;
  return found;
}

function readColour(bits: Bits, found: Usability): true {
  if (bits.flag()) bits.skip(1);
  if (!bits.flag()) return true;
  bits.skip(3);
  found.isFullRange = bits.flag();
  if (!bits.flag()) return true;
  bits.skip(8);
  found.transfer = bits.take(8);
  found.matrix = bits.take(8);
  return true;
}

/** Returns what is read, or undefined where it ends early. */
export function unlessCut<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Uncertain)) throw error;
    return undefined;
  }
}

export interface Cropping {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Reads the cropping of a sequence parameter set, in its own steps. */
export function readCropping(bits: Bits): Cropping {
  const isCropped = bits.flag();
  const next = (): number => (isCropped ? bits.unsigned() : 0);
  return { left: next(), right: next(), top: next(), bottom: next() };
}

/** Returns the size in pixels that cropping leaves. `rowStep`: rows of a step for pictures without subsampling. */
export function croppedSize(
  { across, down, chroma, rowStep = 1 }: { across: number; down: number; chroma: number; rowStep?: number },
  { left, right, top, bottom }: Cropping,
): { width: number; height: number } {
  const width = across - (left + right) * (chroma === 1 || chroma === 2 ? 2 : 1);
  const height = down - (top + bottom) * (chroma === 1 ? 2 : 1) * rowStep;
  return width > 0 && height > 0 && Math.max(width, height) <= MAX_SIDE
    ? { width, height }
    : uncertain('size of the pictures');
}
