/** Clips of the truth test, made with ffmpeg and mkvmerge: every codec and container that can be copied. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ffmpeg } from './compare.ts';
import { rewriteMatroska, rewriteMp4 } from './rewrite.ts';

const run = promisify(execFile);

const SECONDS = 9;
const PICTURES = ['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=24000/1001:d=${SECONDS}`];
const tone = (layout: string): string[] => ['-f', 'lavfi', '-i', `sine=f=330:beep_factor=3:r=48000:d=${SECONDS},aformat=channel_layouts=${layout}`];
const X264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '48', '-bf', '3', '-threads', '1'];
const OPEN_GOP = [...X264, '-x264-params', 'open-gop=1:scenecut=0:b-adapt=0'];
const X265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-x265-params', 'log-level=none:pools=none:keyint=48:bframes=3:frame-threads=1'];
const VP9 = ['-c:v', 'libvpx-vp9', '-cpu-used', '8', '-deadline', 'realtime', '-g', '48', '-b:v', '100k', '-pix_fmt', 'yuv420p'];
const AV1 = ['-c:v', 'libsvtav1', '-preset', '12', '-g', '48', '-pix_fmt', 'yuv420p'];
/** Sound of stereo, and of six channels for E-AC-3 and DTS, as tracks 1 to 9 of a file. */
const SOUNDS = ['aac', 'ac3', 'eac3', 'flac', 'flac', 'libopus', 'libmp3lame', 'alac', 'dca'];
const soundTracks = (count: number): string[] => SOUNDS.slice(0, count).flatMap((codec, i) => [
  '-map', codec === 'eac3' || codec === 'dca' ? '2' : '1', `-c:a:${i}`, codec, ...(i === 4 ? [`-sample_fmt:a:${i}`, 's32'] : i === 3 ? [`-sample_fmt:a:${i}`, 's16'] : []),
]);
const HOLE = 5 * 1024 ** 3;

/** Overwrites a few blocks in the middle of the second segment, as a bad sector does. */
function damage(from: string, to: string): void {
  const file = readFileSync(from);
  file.fill(0, Math.floor(file.length * 0.62), Math.floor(file.length * 0.62) + 4096);
  writeFileSync(to, file);
}

/** Makes the clips in a folder; returns their paths by name. */
export async function makeClips(folder: string): Promise<(name: string) => string> {
  const at = (name: string): string => join(folder, name);
  const strict = ['-strict', '-2'];
  await Promise.all([
    ffmpeg(
      ...PICTURES, ...tone('stereo'), ...tone('5.1'),
      '-map', '0', '-map', '1', ...X264, '-c:a', 'aac', at('h264.mp4'),
      '-map', '0', ...OPEN_GOP, at('open.mp4'),
      '-map', '0', ...X264, ...soundTracks(9), ...strict, at('sound.mkv'),
      '-map', '0', '-c:v', 'mpeg4', '-g', '48', '-bf', '2', at('mpeg4.mp4'),
      '-map', '0', '-c:v', 'libvpx', '-cpu-used', '8', '-deadline', 'realtime', at('vp8.webm'),
      '-map', '0', '-vf', "select='mod(n,3)+gt(mod(n,50),40)'", '-fps_mode', 'vfr', ...X264, at('vfr.mp4'),
      '-map', '0', ...X264, '-g', '1000', '-x264-params', 'keyint=infinite', '-vf', 'setpts=3*PTS', '-fps_mode', 'vfr', at('sparse.mp4'),
      '-map', '1', '-ar', '44100', '-c:a', 'aac', at('sound.m4a'),
      '-map', '1', '-af', "asetpts='PTS+gt(T,4.2)*0.2345/TB'", '-c:a', 'aac', at('gap.m4a'),
    ),
    ffmpeg(
      ...PICTURES, ...tone('stereo'), '-map', '0', ...X265, '-tag:v', 'hvc1', at('hvc1.mp4'),
      '-map', '0', '-map', '1', ...VP9, '-c:a', 'libopus', at('vp9.webm'), '-map', '0', ...AV1, at('av1.mkv'),
    ),
  ]);
  const copy = ['-c', 'copy'];
  await Promise.all([
    ffmpeg(
      '-i', at('h264.mp4'), '-i', at('open.mp4'), '-i', at('hvc1.mp4'), '-i', at('vfr.mp4'), '-i', at('mpeg4.mp4'), '-i', at('vp9.webm'), '-i', at('av1.mkv'),
      '-map', '0', ...copy, at('h264.mkv'), '-map', '0', ...copy, at('h264.mov'), '-map', '1', ...copy, at('open.mkv'), '-map', '2', ...copy, '-tag:v', 'hev1', at('hev1.mp4'),
      '-map', '2', ...copy, at('hevc.mkv'), '-map', '3', ...copy, at('vfr.mkv'), '-map', '4', ...copy, at('mpeg4.mkv'), '-map', '5', ...copy, ...strict, at('vp9.mp4'),
      '-map', '6', ...copy, at('av1.mp4'), '-map', '0', ...copy, '-movflags', 'frag_keyframe+empty_moov', at('fragments.mp4'),
      '-map', '0', ...copy, '-movflags', 'frag_keyframe', at('hybrid.mp4'), '-map', '0', ...copy, '-movflags', 'dash+frag_keyframe+default_base_moof+delay_moov', at('dash.mp4'),
      '-map', '0', ...copy, '-movflags', 'faststart', at('front.mp4'),
    ),
    ffmpeg(
      '-i', at('sound.mkv'), '-i', at('sound.m4a'), '-i', at('gap.m4a'), '-i', at('h264.mp4'), '-map', '0', '-map', '-0:9', ...copy, ...strict, at('sound.mp4'),
      '-map', '0:0', '-map', '0:1', '-map', '0:2', '-map', '0:8', ...copy, at('sound.mov'),
      '-map', '1', ...copy, at('sound.mka'), '-map', '3:0', '-map', '1', ...copy, at('rate44.mkv'), '-map', '3:0', '-map', '2', ...copy, at('gap.mkv'),
    ),
    ffmpeg('-ss', '1.3', '-i', at('h264.mp4'), ...copy, at('cut.mp4')),
    ffmpeg('-itsoffset', '0.7', '-i', at('h264.mp4'), '-i', at('h264.mp4'), '-map', '0:0', '-map', '1:1', ...copy, at('late-video.mp4'), '-map', '0:0', '-map', '1:1', ...copy, at('late-video.mkv'), '-map', '1:0', '-map', '0:1', ...copy, at('late-sound.mp4'), '-map', '1:0', '-map', '0:1', ...copy, at('late-sound.mkv')),
    run('mkvmerge', ['-q', '-o', at('merged.mkv'), at('h264.mp4')]),
    run('mkvmerge', ['-q', '-o', at('zlib.mkv'), '--compression', '0:zlib', '--compression', '1:none', at('h264.mp4')]),
  ]);
  for (const lacing of [1, 2, 3] as const) rewriteMatroska(at('h264.mkv'), at(`lacing-${lacing}.mkv`), { lacing, frameDuration: 21_333_333 });
  rewriteMatroska(at('h264.mkv'), at('stripped.mkv'), { isStripped: true });
  rewriteMatroska(at('h264.mkv'), at('unknown.mkv'), { hasUnknownSizes: true });
  rewriteMatroska(at('h264.mkv'), at('hole.mkv'), { hole: HOLE });
  rewriteMatroska(at('h264.mkv'), at('sound-late.mkv'), { skew: 5.5 });
  rewriteMatroska(at('h264.mkv'), at('sound-early.mkv'), { skew: -5.5 });
  rewriteMatroska(at('h264.mkv'), at('one-wrong-cue.mkv'), { cue: (cue, n) => (n === 2 ? { ...cue, at: cue.at + 40 } : cue) });
  rewriteMatroska(at('h264.mkv'), at('wrong-cues.mkv'), { cue: (cue, n) => (n === 0 ? cue : { ...cue, ticks: cue.ticks + 7 }) });
  damage(at('h264.mkv'), at('damaged.mkv'));
  rewriteMp4(at('front.mp4'), at('hole.mp4'), HOLE);
  return at;
}
