/** Clips of the truth test, made with ffmpeg and mkvmerge: every codec and container that can be copied. */
import { join } from 'node:path';
import { ffmpeg } from './compare.ts';

const SECONDS = 9;
const PICTURES = ['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=24000/1001:d=${SECONDS}`];
const SOUND = ['-f', 'lavfi', '-i', `sine=f=330:beep_factor=3:r=48000:d=${SECONDS},aformat=channel_layouts=stereo`];
const X264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '48', '-bf', '3', '-threads', '1'];
const OPEN_GOP = [...X264, '-x264-params', 'open-gop=1:scenecut=0:b-adapt=0'];
const X265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-x265-params', 'log-level=none:pools=none:keyint=48:bframes=3:frame-threads=1'];

/** Makes the clips in a folder; returns their paths by name. */
export async function makeClips(folder: string): Promise<(name: string) => string> {
  const at = (name: string): string => join(folder, name);
  await Promise.all([
    ffmpeg(
      ...PICTURES, ...SOUND, '-map', '0', '-map', '1', ...X264, '-c:a', 'aac', at('h264.mp4'),
      '-map', '0', ...OPEN_GOP, at('open.mp4'),
    ),
    ffmpeg(...PICTURES, '-map', '0', ...X265, '-tag:v', 'hvc1', at('hvc1.mp4')),
  ]);
  await ffmpeg('-i', at('h264.mp4'), '-i', at('open.mp4'), '-i', at('hvc1.mp4'), '-map', '0', '-c', 'copy', at('h264.mkv'), '-map', '1', '-c', 'copy', at('open.mkv'), '-map', '2', '-c', 'copy', '-tag:v', 'hev1', at('hev1.mp4'), '-map', '2', '-c', 'copy', at('hevc.mkv'));
  return at;
}
