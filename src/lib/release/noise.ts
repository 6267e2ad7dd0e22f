/**
 * Blanks numbers of a name that never count episodes: checksums, picture sizes, channels of sound. Their place is taken
 * by spaces, so offsets stay the same. Every pattern has bounded repeats, so the time is linear.
 */
import { isDay } from './dates.ts';
import { narrow } from './width.ts';

const CHECKSUM_ENCLOSED = /[[({【] ?([0-9A-F]{8}) ?(?:[\])}】]|$)/giu;
const CHECKSUM = /(?<![\p{L}\p{N}])(?=[A-F]{0,7}\d)(?=\d{0,7}[A-F])[0-9A-F]{8}(?![\p{L}\p{N}])/gu;
const SIZE = /(?<![\p{L}\p{N}])(\d{3,4}) ?[x×] ?(\d{3,4})[pi]?(?![\p{L}\p{N}])/giu;
const CHANNELS = /(?<!\d)(?:1\.0|2\.[01]|5\.1|6\.1|7\.1)(?!\.?\d)/g;
const CODEC = /(?<![\p{L}\p{N}])[xh][ .]?26[456](?!\d)/giu;
const COMPACT_DATE = /^((?:19|20)\d\d)(\d\d)(\d\d)$/;

const isCompactDate = (digits: string): boolean => {
  const match = COMPACT_DATE.exec(digits);
  return match !== null && isDay(Number(match[1]), Number(match[2]), Number(match[3]));
};

/** `2022x103` is an episode of a year, `320x240` and everything larger is a picture. */
const isPicture = (width: number, height: number): boolean => height >= 200 || (width <= 500 && height >= 100);

const blank = (text: string): string => ' '.repeat(text.length);

/** Returns the name with spaces in place of its checksums, picture sizes, codecs and numbers of channels. */
export function blankNoise(name: string): string {
  const text = narrow(name);
  if (!/\d/.test(text)) return text;
  return text
    .replaceAll(CHECKSUM_ENCLOSED, (all, sum: string) => (isCompactDate(sum) ? all : blank(all)))
    .replaceAll(CHECKSUM, blank)
    .replaceAll(SIZE, (all, width: string, height: string) =>
      isPicture(Number(width), Number(height)) ? blank(all) : all,
    )
    .replaceAll(CODEC, blank)
    .replaceAll(CHANNELS, blank);
}
