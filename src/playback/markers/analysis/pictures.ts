/** How dark the keyframes of a part of a file are. */
import type { Catalog, PlayableFile } from '../../../catalog/index.ts';
import type { Ffmpeg } from '../../../lib/ffmpeg/index.ts';
import { inRoot } from '../../../lib/files.ts';
import { videoOf } from '../../plan/support.ts';
import type { Brightness } from './ends.ts';

/** Small enough that a thousand of them cost nothing, large enough that letters do not vanish. */
const [WIDTH, HEIGHT] = [64, 36];
/** Brightest colour of a pixel that is nearly black, 0 to 255. */
const DARK = 40;

export interface CreditPictureNeeds {
  catalog: Pick<Catalog, 'root'>;
  ffmpeg: Pick<Ffmpeg, 'keyPictures'>;
}

/** Returns the keyframes of a part of a file in the order of their times; none of a file without video. */
export async function brightnessOf(
  { catalog, ffmpeg }: CreditPictureNeeds,
  file: PlayableFile,
  { from, length }: { from: number; length: number },
  signal: AbortSignal,
): Promise<Brightness[]> {
  if (!videoOf(file.info) || length <= 0) return [];
  const media = inRoot(await catalog.root(file.root), file.relative);
  const keyframes: Brightness[] = [];
  for await (const { time, pixels } of ffmpeg.keyPictures(
    { media, from: Math.max(0, from), length, width: WIDTH, height: HEIGHT },
    signal,
  ))
    keyframes.push({ time, dark: darkPart(pixels) });
  return keyframes;
}

export function darkPart(pixels: Uint8Array): number {
  let dark = 0;
  for (let i = 0; i + 2 < pixels.length; i += 3)
    if (Math.max(pixels[i] ?? 0, pixels[i + 1] ?? 0, pixels[i + 2] ?? 0) < DARK) dark++;
  return dark / (pixels.length / 3);
}
