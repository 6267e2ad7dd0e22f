/** Command lines of ffmpeg for clips, and what the clips of the remuxer share: their pictures, sound and codecs. */
import { join } from 'node:path';
import { ffmpeg } from './compare.ts';

export const SECONDS = 9;
export const PICTURES = `-f lavfi -i testsrc2=s=160x90:r=24000/1001:d=${SECONDS}`;
export const tone = (layout: string): string =>
  `-f lavfi -i sine=f=330:beep_factor=3:r=48000:d=${SECONDS},aformat=channel_layouts=${layout}`;
export const X264 = '-c:v libx264 -preset veryfast -pix_fmt yuv420p -g 48 -bf 3 -threads 1';
export const OPEN_GOP = `${X264} -x264-params open-gop=1:scenecut=0:b-adapt=0`;
/** `params` are further parameters of the encoder. */
export const x265 = (params = ''): string =>
  '-c:v libx265 -preset ultrafast -pix_fmt yuv420p -x265-params log-level=none:pools=none:keyint=48:' +
  `${params}bframes=3:frame-threads=1`;
export const VP9 = '-c:v libvpx-vp9 -cpu-used 8 -deadline realtime -g 48 -b:v 100k -pix_fmt yuv420p';

export interface ClipFolder {
  at(name: string): string;
  /**
   * Runs ffmpeg with a command line: words between spaces and line breaks, none of them quoted. A word `@name` is the
   * file of that name in the folder.
   */
  make(line: string): Promise<void>;
}

export function clipFolder(folder: string): ClipFolder {
  const at = (name: string): string => join(folder, name);
  const make = async (line: string): Promise<void> => {
    const words = line.trim().split(/\s+/);
    await ffmpeg(...words.map((word) => (word.startsWith('@') ? at(word.slice(1)) : word)));
  };
  return { at, make };
}
