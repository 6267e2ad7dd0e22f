/** The sequence header of AV1 (AV1 specification, 5.5), as the record av1C carries it (AV1 in ISOBMFF, 2.3). */
import { createBits } from '../bits.ts';
import type { Colour } from './vui.ts';

export interface Av1Sequence {
  profile: number;
  level: number;
  width: number;
  height: number;
  depth: number;
  isMonochrome: boolean;
  /** Undefined where the header does not say. */
  colours: Colour | undefined;
}

const SEQUENCE_HEADER = 0x08;
const TYPE_AND_EXTENSION = 0x7c;
const HAS_SIZE = 2;
const MAX_SIZE_BYTES = 8;

/**
 * Reads the units of configuration that follow the four bytes of av1C. Returns undefined when they do not begin with a
 * sequence header, or with that of a still picture or of a stream with timing information. Throws `Uncertain` when it
 * ends early.
 */
export function readAv1Sequence(units: Buffer): Av1Sequence | undefined {
  const head = units[0] ?? 0;
  if ((head & TYPE_AND_EXTENSION) !== SEQUENCE_HEADER) return undefined;
  let at = 1;
  if ((head & HAS_SIZE) !== 0) while (((units[at++] ?? 0) & 0x80) !== 0) if (at > MAX_SIZE_BYTES) return undefined;
  const bits = createBits(units.subarray(at));
  const profile = bits.take(3);
  if (bits.take(3) !== 0) return undefined;
  const hasDelay = bits.flag();
  const levels: number[] = [];
  for (let points = bits.take(5) + 1; points > 0; points -= 1) {
    bits.skip(12);
    const level = bits.take(5);
    levels.push(level);
    if (level > 7) bits.skip(1);
    if (hasDelay && bits.flag()) bits.skip(4);
  }
  const [widthBits, heightBits] = [bits.take(4) + 1, bits.take(4) + 1];
  const [width, height] = [bits.take(widthBits) + 1, bits.take(heightBits) + 1];
  if (bits.flag()) bits.skip(7);
  bits.skip(7);
  const hasOrder = bits.flag();
  if (hasOrder) bits.skip(2);
  const force = bits.flag() ? 2 : bits.take(1);
  if (force > 0 && !bits.flag()) bits.skip(1);
  if (hasOrder) bits.skip(3);
  bits.skip(3);
  const isHigh = bits.flag();
  const depth = profile === 2 && isHigh && bits.flag() ? 12 : isHigh ? 10 : 8;
  const isMonochrome = profile !== 1 && bits.flag();
  const colours = bits.flag()
    ? { primaries: bits.take(8), transfer: bits.take(8), matrix: bits.take(8), isFullRange: bits.flag() }
    : undefined;
  return { profile, level: levels[0] ?? 0, width, height, depth, isMonochrome, colours };
}
