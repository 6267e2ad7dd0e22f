/**
 * H.264 and HEVC as transport streams, AVI and ASF have them (Annex B): units between start codes, and the records avcC
 * and hvcC (ISO/IEC 14496-15, 5.3.3 and 8.3.3) that are made of their parameter sets.
 */
import { createBits, unescaped } from '../../../lib/media/bits.ts';
import { uncertain } from '../../../lib/media/source.ts';
import { h264Sequence, hevcSequence, type Sequence } from './sps.ts';

export type AnnexBCodec = 'h264' | 'hevc';

/** A unit without its start code. */
export interface Unit {
  from: number;
  to: number;
  type: number;
}

const START = Buffer.from([0, 0, 1]);
const MAX_UNITS = 4096;

/** Returns the units of a picture: between start codes, or with a length of so many bytes in front of each. */
export function nalUnits(bytes: Buffer, codec: AnnexBCodec, lengthSize = 0): Unit[] {
  const units: Unit[] = [];
  if (lengthSize > 0) {
    for (let at = 0; at + lengthSize < bytes.length;) {
      const from = at + lengthSize;
      const length = bytes.readUIntBE(at, lengthSize);
      // The last unit may be cut off where only the beginning of a picture is looked at.
      const to = Math.min(bytes.length, from + length);
      if (length > 0 && units.push({ from, to, type: typeOf(bytes[from] ?? 0, codec) }) > MAX_UNITS)
        uncertain('too many units in a picture');
      at = from + length;
    }
    return units;
  }
  let at = bytes.indexOf(START);
  while (at >= 0) {
    const from = at + 3;
    const next = bytes.indexOf(START, from);
    let to = next < 0 ? bytes.length : next;
    while (to > from && bytes[to - 1] === 0) to -= 1;
    if (to > from && units.push({ from, to, type: typeOf(bytes[from] ?? 0, codec) }) > MAX_UNITS)
      uncertain('too many units in a picture');
    at = next;
  }
  return units;
}

const typeOf = (first: number, codec: AnnexBCodec): number => (codec === 'h264' ? first & 0x1f : (first >> 1) & 0x3f);

interface UnitTypes {
  sets: readonly number[];
  sps: number;
  /** Units that a file needs no longer: delimiters, ends and filling. */
  dropped: ReadonlySet<number>;
  isPicture(type: number): boolean;
}

export const UNITS: Readonly<Record<AnnexBCodec, UnitTypes>> = {
  h264: { sets: [7, 8], sps: 7, dropped: new Set([9, 10, 11, 12]), isPicture: (type) => type >= 1 && type <= 5 },
  hevc: { sets: [32, 33, 34], sps: 33, dropped: new Set([35, 36, 37, 38]), isPicture: (type) => type < 32 },
};

/**
 * `recovery`: decoding may begin here, though not every picture around it can be shown. A picture that is refreshed
 * gradually is none, because no decoder shows it before the pictures behind it have completed it.
 */
export type PictureKind = 'idr' | 'recovery' | 'other';

const H264_IDR = 5;
const SEI = 6;
const RECOVERY_POINT = 6;

/** Says how a picture can be begun with. */
export function pictureKindOf(bytes: Buffer, units: readonly Unit[], codec: AnnexBCodec): PictureKind {
  const picture = units.find(({ type }) => UNITS[codec].isPicture(type));
  if (picture === undefined) return 'other';
  if (codec === 'hevc') return hevcKind(picture.type);
  if (picture.type === H264_IDR) return 'idr';
  const isMarked = units.some(
    ({ type, from, to }) => type === UNITS.h264.sps || (type === SEI && hasRecoveryPoint(bytes.subarray(from + 1, to))),
  );
  return isMarked && isIntra(bytes.subarray(picture.from, picture.to)) ? 'recovery' : 'other';
}

const [FIRST_IRAP, CRA] = [16, 21];

/** Pictures that lead a BLA_W_LP or a CRA picture may need earlier ones. */
export const hevcKind = (type: number): PictureKind =>
  type < FIRST_IRAP || type > CRA ? 'other' : type === FIRST_IRAP || type === CRA ? 'recovery' : 'idr';

/** Whether a message of supplemental information is a recovery point (ISO/IEC 14496-10, 7.3.2.3.1). */
function hasRecoveryPoint(unit: Buffer): boolean {
  const bytes = unescaped(unit);
  for (let at = 0; at + 2 < bytes.length;) {
    let [type, size] = [0, 0];
    while (bytes[at] === 255) [type, at] = [type + 255, at + 1];
    type += bytes[at++] ?? 0;
    while (bytes[at] === 255) [size, at] = [size + 255, at + 1];
    size += bytes[at++] ?? 0;
    if (type === RECOVERY_POINT) return true;
    at += size;
  }
  return false;
}

/** Bytes of a slice, with the head of its unit, that contain its type. */
export const SLICE_TYPE_BYTES = 10;

/** Whether a slice of H.264 needs no other picture. One that ends early is read as if ones followed it. */
export function isIntra(slice: Uint8Array): boolean {
  const head = new Uint8Array(SLICE_TYPE_BYTES).fill(0xff);
  head.set(slice.subarray(0, SLICE_TYPE_BYTES));
  const bits = createBits(unescaped(head.subarray(1)));
  bits.unsigned();
  return bits.unsigned() % 5 === 2;
}

/** Whether a unit of a picture begins one: its first macroblock or segment is the picture's. */
export const isFirstSlice = (bytes: Buffer, { from }: Unit, codec: AnnexBCodec): boolean =>
  ((bytes[codec === 'h264' ? from + 1 : from + 2] ?? 0) & 0x80) !== 0;

/** Bytes from a start code on that `roleOf` needs: the code, the head of the unit, and the first byte of a slice. */
export const ROLE_BYTES: Readonly<Record<AnnexBCodec, number>> = { h264: 5, hevc: 6 };
const START_CODE = 3;

/**
 * Meaning of a unit for the bounds of access units. A `delimiter` begins one. A `prefix` and a `first-slice` begin one
 * behind a slice; they belong to the same one as a slice that follows them.
 */
export type UnitRole = 'delimiter' | 'prefix' | 'first-slice' | 'slice' | 'other';

const H264_ROLES: ReadonlyMap<number, UnitRole> = new Map([
  [3, 'slice'],
  [4, 'slice'],
  [6, 'prefix'],
  [7, 'prefix'],
  [8, 'prefix'],
  [9, 'delimiter'],
]);
const HEVC_ROLES: ReadonlyMap<number, UnitRole> = new Map([
  [35, 'delimiter'],
  ...[32, 33, 34, 39, 41, 42, 43, 44, 48, 49, 50, 51, 52, 53, 54, 55].map((type) => [type, 'prefix'] as const),
]);

/** Reads the unit at a place behind its start code (ISO/IEC 14496-10, 7.4.1.2.3; H.265, 7.4.2.4.4). */
export function roleOf(bytes: Uint8Array, at: number, codec: AnnexBCodec): UnitRole {
  const [first = 0, second = 0, third = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  const type = typeOf(first, codec);
  if (codec === 'h264') {
    if (type === 1 || type === 2 || type === 5) return second >= 0x80 ? 'first-slice' : 'slice';
    return H264_ROLES.get(type) ?? 'other';
  }
  // Units of other layers belong to the picture of the first one.
  if ((first & 1) !== 0 || second >= 8) return 'other';
  if (UNITS.hevc.isPicture(type)) return third >= 0x80 ? 'first-slice' : 'slice';
  return HEVC_ROLES.get(type) ?? 'other';
}

/** Whether a part begins with an access unit, as far as its first bytes can say. */
export function beginsAccessUnit(bytes: Uint8Array, from: number, to: number, codec: AnnexBCodec): boolean {
  let one = from;
  while (one < to && bytes[one] === 0) one += 1;
  if (one - from < 2 || bytes[one] !== 1 || one + 1 + ROLE_BYTES[codec] - START_CODE > to) return false;
  const role = roleOf(bytes, one + 1, codec);
  return role !== 'slice' && role !== 'other';
}

/** Whether a part has more than one picture or field. */
export const hasSeveralPictures = (bytes: Buffer, units: readonly Unit[], codec: AnnexBCodec): boolean => {
  let count = 0;
  for (const { from } of units) if (roleOf(bytes, from, codec) === 'first-slice') count += 1;
  return count > 1;
};

/** Parameter sets of a stream, and what its first sequence says. */
export interface ParameterSets {
  sequence: Sequence;
  record: Buffer;
}

const MAX_SETS = 16;

const AVCC_HEAD = 6;

/**
 * Reads what a container has in front of the pictures: parameter sets with start codes, or avcC, which says that the
 * units have lengths. Undefined where there is neither; throws `Uncertain` for hvcC, which no writer is known to put
 * there.
 */
export function privateSets(
  bytes: Buffer,
  codec: AnnexBCodec,
): (ParameterSets & { units: readonly Unit[]; bytes: Buffer; lengthSize: number }) | undefined {
  if (bytes[0] !== 1) {
    const units = nalUnits(bytes, codec);
    const found = recordOf(bytes, units, codec);
    return found && { ...found, units, bytes, lengthSize: 0 };
  }
  if (codec === 'hevc' || bytes.length < AVCC_HEAD + 2) return uncertain('parameter sets of an unknown kind');
  const length = bytes.readUInt16BE(AVCC_HEAD);
  const sequence = h264Sequence(bytes.subarray(AVCC_HEAD + 2, AVCC_HEAD + 2 + length));
  return { sequence, record: Buffer.from(bytes), units: [], bytes, lengthSize: ((bytes[4] ?? 0) & 3) + 1 };
}

/** Builds avcC or hvcC from the parameter sets of a picture; undefined while one kind is missing. */
export function recordOf(bytes: Buffer, units: readonly Unit[], codec: AnnexBCodec): ParameterSets | undefined {
  const sets = UNITS[codec].sets.map((wanted) =>
    distinct(units.filter(({ type }) => type === wanted).map(({ from, to }) => Buffer.from(bytes.subarray(from, to)))),
  );
  if (sets.some((each) => each.length === 0 || each.length > MAX_SETS)) return undefined;
  return codec === 'h264' ? avcRecord(sets) : hevcRecord(sets);
}

function distinct(all: readonly Buffer[]): Buffer[] {
  return all.filter((one, i) => all.findIndex((other) => other.equals(one)) === i);
}

const listed = (sets: readonly Buffer[]): Buffer =>
  Buffer.concat(sets.flatMap((set) => [Buffer.from([set.length >> 8, set.length & 0xff]), set]));

function avcRecord([sequences = [], pictures = []]: readonly (readonly Buffer[])[]): ParameterSets {
  const [first] = sequences;
  if (first === undefined || first.length < 4) return uncertain('H.264 parameter set');
  const sequence = h264Sequence(first);
  const profile = first[1] ?? 0;
  const isHigh = profile !== 66 && profile !== 77 && profile !== 88;
  const tail = isHigh
    ? [0xfc | sequence.chroma, 0xf8 | (sequence.depth - 8), 0xf8 | (sequence.chromaDepth - 8), 0]
    : [];
  const head = [1, profile, first[2] ?? 0, first[3] ?? 0, 0xff, 0xe0 | sequences.length];
  return {
    sequence,
    record: Buffer.concat([
      Buffer.from(head),
      listed(sequences),
      Buffer.from([pictures.length]),
      listed(pictures),
      Buffer.from(tail),
    ]),
  };
}

function hevcRecord(sets: readonly (readonly Buffer[])[]): ParameterSets {
  const first = sets[1]?.[0];
  if (first === undefined) return uncertain('HEVC parameter set');
  const sequence = hevcSequence(first);
  const general = unescaped(first.subarray(2)).subarray(1, 13);
  if (general.length < 12) return uncertain('HEVC parameter set');
  const facts = [
    0xf0,
    0,
    0xfc,
    0xfc | sequence.chroma,
    0xf8 | (sequence.depth - 8),
    0xf8 | (sequence.chromaDepth - 8),
    0,
    0,
    (sequence.temporalLayers << 3) | (sequence.isNested ? 4 : 0) | 3,
    sets.length,
  ];
  const arrays = sets.flatMap((each, i) => [
    Buffer.from([0x80 | (UNITS.hevc.sets[i] ?? 0), each.length >> 8, each.length & 0xff]),
    listed(each),
  ]);
  return { sequence, record: Buffer.concat([Buffer.from([1]), general, Buffer.from(facts), ...arrays]) };
}
