/**
 * Computes CODECS names (RFC 6381) and other facts from the configuration records of video codecs.
 *
 * Sources: ISO/IEC 14496-15 8.3.3 and annex E; AV1 in ISOBMFF, 2.3 and 5; VP codecs in ISOBMFF; Dolby Vision streams
 * within ISOBMFF. Records that are too short throw `Uncertain`.
 */
import { readAv1Sequence } from '../../../lib/media/codec/av1.ts';
import type { DolbyVisionConfig } from '../../../lib/media/codec/dolby-vision.ts';
import { HEVC_SETS, readHevcSets } from '../../../lib/media/codec/hevc.ts';
import { readVp9Config, readVp9Frame } from '../../../lib/media/codec/vp9.ts';
import type { Colour } from '../../../lib/media/codec/vui.ts';
import { uncertain } from '../../../lib/media/source.ts';

const hex = (value: number): string => value.toString(16).toUpperCase();
const two = (value: number): string => String(value).padStart(2, '0');
const atLeast = (record: Buffer, length: number, what: string): Buffer =>
  record.length >= length ? record : uncertain(`${what} cut short`);

export const avcName = (type: string, record: Buffer): string =>
  `${type}.${atLeast(record, 7, 'avcC').toString('hex', 1, 4)}`;

export function hevcName(type: string, record: Buffer): string {
  atLeast(record, 23, 'hvcC');
  const general = record[1] ?? 0;
  const space = ['', 'A', 'B', 'C'][general >> 6] ?? '';
  let flags = record.readUInt32BE(2);
  let reversed = 0;
  for (let i = 0; i < 32; i += 1) {
    reversed = reversed * 2 + (flags & 1);
    flags >>>= 1;
  }
  const constraints = [...record.subarray(6, 12)];
  while (constraints.at(-1) === 0) constraints.pop();
  const tier = (general & 0x20) !== 0 ? 'H' : 'L';
  return [type, `${space}${general & 0x1f}`, hex(reversed), `${tier}${record[12] ?? 0}`, ...constraints.map(hex)].join(
    '.',
  );
}

/** Whether hvcC has parameter sets of every kind, so that none is needed among the pictures. */
export function hasParameterSets(record: Buffer): boolean {
  const found = new Set(readHevcSets(record).map(({ type }) => type));
  return Object.values(HEVC_SETS).every((type) => found.has(type));
}

const isHdr = (colour: Colour | undefined): boolean => colour?.transfer === 16 || colour?.transfer === 18;
const colourPart = ({ primaries, transfer, matrix, isFullRange }: Colour): string =>
  [primaries, transfer, matrix, isFullRange ? 1 : 0].map(two).join('.');

/** `colour` is the container's; without one the sequence header in the record is asked. */
export function av1Name(record: Buffer, colour: Colour | undefined): string {
  atLeast(record, 4, 'av1C');
  const [, second = 0, third = 0] = record;
  const depth = (third & 0x40) === 0 ? 8 : (third & 0x20) === 0 ? 10 : 12;
  const base = `av01.${second >> 5}.${two(second & 31)}${(third & 0x80) === 0 ? 'M' : 'H'}.${two(depth)}`;
  const own = colour ?? readAv1Sequence(record.subarray(4))?.colours;
  if (own === undefined || !isHdr(own)) return base;
  const isMonochrome = (third & 0x10) === 0 ? 0 : 1;
  const sampling = `${(third >> 3) & 1}${(third >> 2) & 1}${(third & 0xc) === 0xc ? third & 3 : 0}`;
  return `${base}.${isMonochrome}.${sampling}.${colourPart(own).slice(0, -2)}${own.isFullRange ? 1 : 0}`;
}

/** `record` is vpcC without its version and flags. */
export function vp9Name(record: Buffer): string {
  const { profile, level, depth, sampling, ...colours } = readVp9Config(record);
  return ['vp09', two(profile), two(level), two(depth), two(sampling), colourPart(colours)].join('.');
}

/** Levels of VP9 with their largest luma sample rate and picture size. */
const VP9_LEVELS: readonly (readonly [number, number, number])[] = [
  [10, 829_440, 36_864],
  [11, 2_764_800, 73_728],
  [20, 4_608_000, 122_880],
  [21, 9_216_000, 245_760],
  [30, 20_736_000, 552_960],
  [31, 36_864_000, 983_040],
  [40, 83_558_400, 2_228_224],
  [41, 160_432_128, 2_228_224],
  [50, 311_951_360, 8_912_896],
  [51, 588_251_136, 8_912_896],
  [52, 1_176_502_272, 8_912_896],
  [60, 1_176_502_272, 35_651_584],
  [61, 2_353_004_544, 35_651_584],
];

/**
 * Returns vpcC, without its version and flags, from the first bytes of a keyframe (VP9 bitstream, 6.2): Matroska
 * seldom has one. The level is the lowest that allows the size and rate.
 */
export function vp9Configuration(
  frame: Buffer,
  { rate, colour }: { rate: number; colour: Colour | undefined },
): Buffer {
  const { profile, depth, chroma, space, isFullRange, width, height } = readVp9Frame(frame);
  const pixels = width * height;
  const level = VP9_LEVELS.find(([, samples, size]) => pixels <= size && pixels * rate <= samples)?.[0] ?? 62;
  if (chroma === undefined) return uncertain('VP9 as 4:4:0');
  // Colour spaces of VP9 as matrix coefficients: unknown, 601, 709, 170M, 240M, 2020, reserved, RGB.
  const matrix = [2, 6, 1, 6, 7, 9, 2, 0][space] ?? 2;
  const said = colour ?? { primaries: [2, 5, 1, 6, 7, 9, 2, 1][space] ?? 2, transfer: 2, matrix, isFullRange };
  return Buffer.from([
    profile,
    level,
    (depth << 4) | (chroma << 1) | (isFullRange ? 1 : 0),
    said.primaries,
    said.transfer,
    said.matrix,
    0,
    0,
  ]);
}

/** Returns whether only a Dolby Vision decoder shows the right colours. */
export const isDolbyVisionOnly = ({ profile, compatibility }: DolbyVisionConfig): boolean =>
  compatibility === 0 && profile !== 7 && profile !== 4;

/** CODECS name of a stream that only Dolby Vision decoders show. */
export const dolbyVisionName = ({ profile, level }: DolbyVisionConfig, base: string): string =>
  `${profile === 9 ? 'dva1' : profile === 10 ? 'dav1' : base === 'hev1' ? 'dvhe' : 'dvh1'}.${two(profile)}` +
  `.${two(level)}`;

/** SUPPLEMENTAL-CODECS of a stream that other decoders show, too (HLS, 4.4.6.2); undefined where no brand exists. */
export function supplementalOf(vision: DolbyVisionConfig): string | undefined {
  const brand =
    vision.profile === 8 || vision.profile === 10
      ? ({ 1: 'db1p', 2: 'db2g', 4: 'db4h' } as const)[vision.compatibility as 1 | 2 | 4]
      : undefined;
  return brand && `${vision.profile === 10 ? 'dav1' : 'dvh1'}.${two(vision.profile)}.${two(vision.level)}/${brand}`;
}
