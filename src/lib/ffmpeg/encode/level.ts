/** Levels and CODECS strings of the streams that the encoders make. Pure. */
import type { EncodedPictures } from './types.ts';

/**
 * H.264 (ITU-T H.264, table A-1): level times ten, macroblocks a second, macroblocks of a picture, kbit/s of Main
 * profile.
 */
const H264_LEVELS: readonly (readonly [number, number, number, number])[] = [
  [30, 40_500, 1_620, 10_000],
  [31, 108_000, 3_600, 14_000],
  [32, 216_000, 5_120, 20_000],
  [40, 245_760, 8_192, 20_000],
  [41, 245_760, 8_192, 50_000],
  [42, 522_240, 8_704, 50_000],
  [50, 589_824, 22_080, 135_000],
  [51, 983_040, 36_864, 240_000],
  [52, 2_073_600, 36_864, 240_000],
  [60, 4_177_920, 139_264, 240_000],
  [62, 16_711_680, 139_264, 800_000],
];
/**
 * HEVC (ITU-T H.265, tables A.8 and A.9), Main tier: level times thirty, luma samples a second, luma samples of a
 * picture, kbit/s.
 */
const HEVC_LEVELS: readonly (readonly [number, number, number, number])[] = [
  [90, 16_588_800, 552_960, 6_000],
  [93, 33_177_600, 983_040, 10_000],
  [120, 66_846_720, 2_228_224, 12_000],
  [123, 133_693_440, 2_228_224, 20_000],
  [150, 267_386_880, 8_912_896, 25_000],
  [153, 534_773_760, 8_912_896, 40_000],
  [156, 1_069_547_520, 8_912_896, 60_000],
  [180, 1_069_547_520, 35_651_584, 60_000],
  [186, 4_278_190_080, 35_651_584, 240_000],
];
/** AV1 (annex A.3), Main tier: seq_level_idx, luma samples a second, luma samples of a picture, kbit/s. */
const AV1_LEVELS: readonly (readonly [number, number, number, number])[] = [
  [4, 19_975_680, 665_856, 6_000],
  [5, 31_950_720, 1_065_024, 10_000],
  [8, 70_778_880, 2_359_296, 12_000],
  [9, 141_557_760, 2_359_296, 20_000],
  [12, 267_386_880, 8_912_896, 30_000],
  [13, 534_773_760, 8_912_896, 40_000],
  [14, 1_069_547_520, 8_912_896, 60_000],
  [16, 1_069_547_520, 35_651_584, 60_000],
  [18, 4_278_190_080, 35_651_584, 160_000],
];
/** VP9: level times ten, luma samples a second, luma samples of a picture, kbit/s. */
const VP9_LEVELS: readonly (readonly [number, number, number, number])[] = [
  [30, 20_736_000, 552_960, 7_200],
  [31, 36_864_000, 983_040, 12_000],
  [40, 83_558_400, 2_228_224, 18_000],
  [41, 160_432_128, 2_228_224, 30_000],
  [50, 311_951_360, 8_912_896, 60_000],
  [51, 588_251_136, 8_912_896, 120_000],
  [52, 1_176_502_272, 8_912_896, 180_000],
  [60, 1_176_502_272, 35_651_584, 180_000],
  [62, 4_706_009_088, 35_651_584, 480_000],
];

type Sized = Omit<EncodedPictures, 'codec'>;

/**
 * Returns the first level that holds pictures of that size, rate and bit rate, or the highest. `unit` is the side of
 * what is counted.
 */
function levelIn(levels: typeof H264_LEVELS, { width, height, frameRate, maxrate }: Sized, unit: number): number {
  const area = Math.ceil(width / unit) * Math.ceil(height / unit);
  const fits = levels.find(
    ([, perSecond, perPicture, kilobits]) =>
      area <= perPicture && area * frameRate <= perSecond && maxrate <= kilobits * 1000,
  );
  return (fits ?? levels.at(-1))?.[0] ?? 0;
}

/** 41 for level 4.1. The decoder's buffer is twice the rate, and High profile allows a quarter more of both. */
export const h264Level = (pictures: Sized): number =>
  levelIn(H264_LEVELS, { ...pictures, maxrate: (2 * pictures.maxrate) / 1.25 }, 16);
/** 123 for level 4.1. */
export const hevcLevel = (pictures: Sized): number =>
  levelIn(HEVC_LEVELS, { ...pictures, maxrate: 2 * pictures.maxrate }, 1);

/** Returns the CODECS string (RFC 6381) of encoded video. */
export function videoCodecs(pictures: EncodedPictures): string {
  switch (pictures.codec) {
    case 'h264':
      return `avc1.6400${hex(h264Level(pictures))}`;
    case 'hevc':
      return `hvc1.1.6.L${hevcLevel(pictures)}.90`;
    case 'av1':
      return `av01.0.${two(levelIn(AV1_LEVELS, pictures, 1))}M.08`;
    case 'vp9':
      return `vp09.00.${two(levelIn(VP9_LEVELS, pictures, 1))}.08`;
  }
}

const hex = (value: number): string => value.toString(16).padStart(2, '0');
const two = (value: number): string => String(value).padStart(2, '0');
