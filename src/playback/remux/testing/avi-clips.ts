/** AVI clips: those that ffmpeg makes, and those that other writers made. */
import { clipFolder, OPEN_GOP, PICTURES, tone, X264, x265 } from './command-lines.ts';
import { rewriteAvi } from './rewrite-avi.ts';

/** AVI has no place for parameter sets, so every keyframe has them. */
const HEVC = `${x265('min-keyint=48:')}:open-gop=0:repeat-headers=1 -vtag HEVC`;
const HOLE = 5 * 1024 ** 3;

export async function makeAviClips(folder: string): Promise<(name: string) => string> {
  const { at, make } = clipFolder(folder);
  await make(`${PICTURES} ${tone('stereo')} ${tone('5.1')}
    -map 0 -map 1 ${X264} -c:a libmp3lame -b:a 128k @mp3.avi
    -map 0 -map 1 ${X264} -c:a libmp3lame -q:a 2 @vbr.avi
    -map 0 -map 1 -map 2 ${X264} -c:a:0 aac -c:a:1 ac3 @aac.avi
    -map 0 ${OPEN_GOP} @open.avi
    -map 0 ${X264} -bf 0 @plain.avi
    -map 0 -map 1 ${HEVC} -ar 44100 -c:a libmp3lame -b:a 128k @rate44.avi
    -map 0 -map 1 -c:v mpeg4 -vtag XVID -g 48 -bf 0 -c:a libmp3lame @xvid.avi
    -map 0 -map 1 ${X264} -c:a pcm_s16le @pcm.avi`);
  await make(`-itsoffset 0.7 -i @mp3.avi -i @mp3.avi
    -map 0:0 -map 1:1 -c copy @late-video.avi
    -map 1:0 -map 0:1 -c copy @late-sound.avi`);
  const rewritten = {
    absolute: { index: 'absolute' },
    records: { records: 7 },
    bytes: { soundBytes: 1500 },
    empty: { emptyEach: 31 },
    apart: { isApart: true },
    large: { index: 'large', part: 120 },
    hole: { index: 'large', part: 120, hole: HOLE },
  } as const;
  for (const [name, options] of Object.entries(rewritten)) rewriteAvi(at('mp3.avi'), at(`${name}.avi`), options);
  const walked = {
    none: { index: 'none' },
    wrong: { index: 'wrong' },
    half: { index: 'half' },
    unmarked: { index: 'unmarked' },
    parts: { index: 'none', part: 100, hole: 3 * 1024 ** 3 },
    cut: { index: 'none', cut: 30_001 },
  } as const;
  for (const [name, options] of Object.entries(walked)) rewriteAvi(at('mp3.avi'), at(`${name}.avi`), options);
  rewriteAvi(at('open.avi'), at('open-none.avi'), { index: 'none' });
  rewriteAvi(at('rate44.avi'), at('bytes44.avi'), { soundBytes: 700 });
  return at;
}
