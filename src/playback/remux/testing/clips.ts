/** Clips of the truth test, made with ffmpeg and mkvmerge: every codec and container that can be copied. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { clipFolder, OPEN_GOP, PICTURES, tone, VP9, X264, x265 } from './command-lines.ts';
import { rewriteMatroska, rewriteMp4 } from './rewrite.ts';

const run = promisify(execFile);

const AV1 = '-c:v libsvtav1 -preset 12 -g 48 -pix_fmt yuv420p';
const STRICT = '-strict -2';
/** Sound of stereo, and of six channels for E-AC-3 and DTS, as tracks 1 to 9 of a file. */
const SOUNDS = ['aac', 'ac3', 'eac3', 'flac', 'flac', 'libopus', 'libmp3lame', 'alac', 'dca'];
const soundTracks = (count: number): string =>
  SOUNDS.slice(0, count)
    .map((codec, i) => {
      const samples = i === 4 ? `-sample_fmt:a:${i} s32` : i === 3 ? `-sample_fmt:a:${i} s16` : '';
      return `-map ${codec === 'eac3' || codec === 'dca' ? 2 : 1} -c:a:${i} ${codec} ${samples}`;
    })
    .join(' ');
const HOLE = 5 * 1024 ** 3;

/** Overwrites a few blocks in the middle of the second segment, as a bad sector does. */
function damage(from: string, to: string): void {
  const file = readFileSync(from);
  file.fill(0, Math.floor(file.length * 0.62), Math.floor(file.length * 0.62) + 4096);
  writeFileSync(to, file);
}

/** Makes the clips in a folder; returns their paths by name. */
export async function makeClips(folder: string): Promise<(name: string) => string> {
  const { at, make } = clipFolder(folder);
  await Promise.all([
    make(`${PICTURES} ${tone('stereo')} ${tone('5.1')}
      -map 0 -map 1 ${X264} -c:a aac @h264.mp4
      -map 0 ${OPEN_GOP} @open.mp4
      -map 0 ${X264} ${soundTracks(9)} ${STRICT} @sound.mkv
      -map 0 -c:v mpeg4 -g 48 -bf 2 @mpeg4.mp4
      -map 0 -c:v libvpx -cpu-used 8 -deadline realtime @vp8.webm
      -map 0 -vf select='mod(n,3)+gt(mod(n,50),40)' -fps_mode vfr ${X264} @vfr.mp4
      -map 0 ${X264} -g 1000 -x264-params keyint=infinite -vf setpts=3*PTS -fps_mode vfr @sparse.mp4
      -map 1 -ar 44100 -c:a aac @sound.m4a
      -map 1 -af asetpts='PTS+gt(T,4.2)*0.2345/TB' -c:a aac @gap.m4a`),
    make(`${PICTURES} ${tone('stereo')}
      -map 0 ${x265()} -tag:v hvc1 @hvc1.mp4
      -map 0 -map 1 ${VP9} -c:a libopus @vp9.webm
      -map 0 ${AV1} @av1.mkv`),
  ]);
  await Promise.all([
    make(`-i @h264.mp4 -i @open.mp4 -i @hvc1.mp4 -i @vfr.mp4 -i @mpeg4.mp4 -i @vp9.webm -i @av1.mkv
      -map 0 -c copy @h264.mkv
      -map 0 -c copy @h264.mov
      -map 1 -c copy @open.mkv
      -map 2 -c copy -tag:v hev1 @hev1.mp4
      -map 2 -c copy @hevc.mkv
      -map 3 -c copy @vfr.mkv
      -map 4 -c copy @mpeg4.mkv
      -map 5 -c copy ${STRICT} @vp9.mp4
      -map 6 -c copy @av1.mp4
      -map 0 -c copy -movflags frag_keyframe+empty_moov @fragments.mp4
      -map 0 -c copy -movflags frag_keyframe @hybrid.mp4
      -map 0 -c copy -movflags dash+frag_keyframe+default_base_moof+delay_moov @dash.mp4
      -map 0 -c copy -movflags faststart @front.mp4`),
    make(`-i @sound.mkv -i @sound.m4a -i @gap.m4a -i @h264.mp4
      -map 0 -map -0:9 -c copy ${STRICT} @sound.mp4
      -map 0:0 -map 0:1 -map 0:2 -map 0:8 -c copy @sound.mov
      -map 1 -c copy @sound.mka
      -map 3:0 -map 1 -c copy @rate44.mkv
      -map 3:0 -map 2 -c copy @gap.mkv`),
    make('-ss 1.3 -i @h264.mp4 -c copy @cut.mp4'),
    make(`-itsoffset 0.7 -i @h264.mp4 -i @h264.mp4
      -map 0:0 -map 1:1 -c copy @late-video.mp4
      -map 0:0 -map 1:1 -c copy @late-video.mkv
      -map 1:0 -map 0:1 -c copy @late-sound.mp4
      -map 1:0 -map 0:1 -c copy @late-sound.mkv`),
    run('mkvmerge', ['-q', '-o', at('merged.mkv'), at('h264.mp4')]),
    run('mkvmerge', ['-q', '-o', at('zlib.mkv'), '--compression', '0:zlib', '--compression', '1:none', at('h264.mp4')]),
  ]);
  for (const lacing of [1, 2, 3] as const)
    rewriteMatroska(at('h264.mkv'), at(`lacing-${lacing}.mkv`), { lacing, frameDuration: 21_333_333 });
  rewriteMatroska(at('h264.mkv'), at('stripped.mkv'), { isStripped: true });
  rewriteMatroska(at('h264.mkv'), at('unknown.mkv'), { hasUnknownSizes: true });
  rewriteMatroska(at('h264.mkv'), at('hole.mkv'), { hole: HOLE });
  rewriteMatroska(at('h264.mkv'), at('sound-late.mkv'), { skew: 5.5 });
  rewriteMatroska(at('h264.mkv'), at('sound-early.mkv'), { skew: -5.5 });
  rewriteMatroska(at('h264.mkv'), at('one-wrong-cue.mkv'), {
    cue: (cue, n) => (n === 2 ? { ...cue, at: cue.at + 40 } : cue),
  });
  rewriteMatroska(at('h264.mkv'), at('wrong-cues.mkv'), {
    cue: (cue, n) => (n === 0 ? cue : { ...cue, ticks: cue.ticks + 7 }),
  });
  damage(at('h264.mkv'), at('damaged.mkv'));
  rewriteMp4(at('front.mp4'), at('hole.mp4'), HOLE);
  return at;
}
