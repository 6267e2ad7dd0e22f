/** Text of a media file. */
import { uncertain } from './source.ts';

/**
 * Returns UTF-8 up to the first NUL. Throws `Uncertain` for other encodings: how ffprobe mends them is its own affair.
 */
export const utf8 = (bytes: Buffer): string => {
  const end = bytes.indexOf(0);
  const found = bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
  return found.includes('\uFFFD') ? uncertain('text that is not UTF-8') : found;
};
