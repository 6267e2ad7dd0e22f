/** AVI clips: those that ffmpeg makes, and those that other writers made. */
import { join } from 'node:path';
import { ffmpeg } from './compare.ts';
import { rewriteAvi } from './rewrite-avi.ts';

const SECONDS = 9;
const PICTURES = ['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=24000/1001:d=${SECONDS}`];
const tone = (layout: string): string[] => ['-f', 'lavfi', '-i', `sine=f=330:beep_factor=3:r=48000:d=${SECONDS},aformat=channel_layouts=${layout}`];
const X264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '48', '-bf', '3', '-threads', '1'];
const X265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-x265-params', 'log-level=none:pools=none:keyint=48:min-keyint=48:bframes=3:frame-threads=1:open-gop=0:repeat-headers=1', '-vtag', 'HEVC'];
const HOLE = 5 * 1024 ** 3;

export async function makeAviClips(folder: string): Promise<(name: string) => string> {
  const at = (name: string): string => join(folder, name);
  await ffmpeg(
    ...PICTURES, ...tone('stereo'), ...tone('5.1'),
    '-map', '0', '-map', '1', ...X264, '-c:a', 'libmp3lame', '-b:a', '128k', at('mp3.avi'),
    '-map', '0', '-map', '1', ...X264, '-c:a', 'libmp3lame', '-q:a', '2', at('vbr.avi'),
    '-map', '0', '-map', '1', '-map', '2', ...X264, '-c:a:0', 'aac', '-c:a:1', 'ac3', at('aac.avi'),
    '-map', '0', ...X264, '-x264-params', 'open-gop=1:scenecut=0:b-adapt=0', at('open.avi'),
    '-map', '0', ...X264, '-bf', '0', at('plain.avi'),
    '-map', '0', '-map', '1', ...X265, '-ar', '44100', '-c:a', 'libmp3lame', '-b:a', '128k', at('rate44.avi'),
    '-map', '0', '-map', '1', '-c:v', 'mpeg4', '-vtag', 'XVID', '-g', '48', '-bf', '0', '-c:a', 'libmp3lame', at('xvid.avi'),
    '-map', '0', '-map', '1', ...X264, '-c:a', 'pcm_s16le', at('pcm.avi'),
  );
  await ffmpeg('-itsoffset', '0.7', '-i', at('mp3.avi'), '-i', at('mp3.avi'), '-map', '0:0', '-map', '1:1', '-c', 'copy', at('late-video.avi'), '-map', '1:0', '-map', '0:1', '-c', 'copy', at('late-sound.avi'));
  const rewritten = { absolute: { index: 'absolute' }, records: { records: 7 }, bytes: { soundBytes: 1500 }, empty: { emptyEach: 31 }, apart: { isApart: true }, large: { index: 'large', part: 120 }, hole: { index: 'large', part: 120, hole: HOLE } } as const;
  for (const [name, options] of Object.entries(rewritten)) rewriteAvi(at('mp3.avi'), at(`${name}.avi`), options);
  const walked = { none: { index: 'none' }, wrong: { index: 'wrong' }, half: { index: 'half' }, unmarked: { index: 'unmarked' }, parts: { index: 'none', part: 100, hole: 3 * 1024 ** 3 }, cut: { index: 'none', cut: 30_001 } } as const;
  for (const [name, options] of Object.entries(walked)) rewriteAvi(at('mp3.avi'), at(`${name}.avi`), options);
  rewriteAvi(at('open.avi'), at('open-none.avi'), { index: 'none' });
  rewriteAvi(at('rate44.avi'), at('bytes44.avi'), { soundBytes: 700 });
  return at;
}
