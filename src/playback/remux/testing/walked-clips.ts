/** Clips without an index, made with ffmpeg and mkvmerge, and cut by hand where these cannot. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ffmpeg } from './compare.ts';
import { writeFields } from './fields.ts';
import { damageMatroska, rewriteMatroska } from './rewrite.ts';

const run = promisify(execFile);

const SECONDS = 9;
const PICTURES = ['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=24000/1001:d=${SECONDS}`];
const tone = (layout: string): string[] => [
  '-f',
  'lavfi',
  '-i',
  `sine=f=330:beep_factor=3:r=48000:d=${SECONDS},aformat=channel_layouts=${layout}`,
];
const X264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '48', '-bf', '3', '-threads', '1'];
const OPEN_GOP = [...X264, '-x264-params', 'open-gop=1:scenecut=0:b-adapt=0'];
const X265 = [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p',
  '-x265-params',
  'log-level=none:pools=none:keyint=48:bframes=3:frame-threads=1',
];
const VP9 = [
  '-c:v',
  'libvpx-vp9',
  '-cpu-used',
  '8',
  '-deadline',
  'realtime',
  '-g',
  '48',
  '-b:v',
  '100k',
  '-pix_fmt',
  'yuv420p',
];
/** Seconds before the clock of 33 bits begins again at 0. */
const BEFORE_WRAP = 2 ** 33 / 90_000 - 5;

/** Makes the clips in a folder; returns their paths by name. */
export async function makeWalkedClips(folder: string): Promise<(name: string) => string> {
  const at = (name: string): string => join(folder, name);
  await Promise.all([
    ffmpeg(
      ...PICTURES,
      ...tone('stereo'),
      ...tone('5.1'),
      '-map',
      '0',
      '-map',
      '1',
      ...X264,
      '-c:a',
      'aac',
      at('aac.ts'),
      '-map',
      '0',
      '-map',
      '2',
      '-map',
      '2',
      ...X264,
      '-c:a:0',
      'ac3',
      '-c:a:1',
      'eac3',
      at('ac3.ts'),
      '-map',
      '0',
      ...OPEN_GOP,
      at('open.ts'),
      '-map',
      '0',
      '-map',
      '1',
      ...X264,
      '-ar',
      '44100',
      '-c:a',
      'aac',
      at('rate44.ts'),
      '-map',
      '0',
      '-map',
      '1',
      '-c:v',
      'mpeg2video',
      '-g',
      '24',
      '-c:a',
      'ac3',
      at('mpeg2.ts'),
    ),
    ffmpeg(
      ...PICTURES,
      ...tone('stereo'),
      '-map',
      '0',
      '-map',
      '1',
      ...X265,
      '-c:a',
      'libmp3lame',
      at('hevc.ts'),
      '-map',
      '0',
      '-map',
      '1',
      ...VP9,
      '-c:a',
      'libopus',
      at('vp9.webm'),
    ),
  ]);
  await ffmpeg(
    ...PICTURES,
    ...tone('stereo'),
    '-f',
    'lavfi',
    '-i',
    `testsrc=s=128x72:r=25:d=${SECONDS}`,
    '-map',
    '0',
    '-map',
    '1',
    '-map',
    '2',
    '-map',
    '1',
    ...X264,
    '-c:a',
    'aac',
    '-program',
    'program_num=1:st=0:st=1',
    '-program',
    'program_num=2:st=2:st=3',
    at('programs.ts'),
  );
  const copy = ['-c', 'copy'];
  await Promise.all([
    ffmpeg(
      '-i',
      at('aac.ts'),
      '-map',
      '0',
      ...copy,
      '-bsf:a',
      'aac_adtstoasc',
      at('aac.mkv'),
      '-map',
      '0',
      ...copy,
      '-output_ts_offset',
      String(BEFORE_WRAP),
      at('wrap.ts'),
    ),
    ffmpeg(
      '-i',
      at('ac3.ts'),
      '-map',
      '0',
      ...copy,
      '-mpegts_m2ts_mode',
      '1',
      at('ac3.m2ts'),
      '-map',
      '0',
      ...copy,
      '-output_ts_offset',
      '5000',
      at('offset.ts'),
    ),
    ffmpeg(
      '-i',
      at('aac.ts'),
      '-itsoffset',
      '0.7',
      '-i',
      at('aac.ts'),
      '-map',
      '0:1',
      '-map',
      '1:0',
      ...copy,
      at('late.ts'),
    ),
  ]);
  await Promise.all([
    run('mkvmerge', ['-q', '-o', at('no-cues.mkv'), '--cues', '0:none', '--cues', '1:none', at('aac.mkv')]),
    run('mkvmerge', ['-q', '-o', at('no-cues.webm'), '--webm', '--cues', '0:none', '--cues', '1:none', at('vp9.webm')]),
    // Output of an interrupted recorder: no cues, no duration, clusters of unknown size.
    run('sh', [
      '-c',
      'ffmpeg -nostdin -v error -i "$0" -map 0 -c copy -f matroska -live 1 - > "$1"',
      at('aac.mkv'),
      at('live.mkv'),
    ]),
  ]);
  rewriteMatroska(at('aac.mkv'), at('wrong-cues.mkv'), {
    cue: ({ ticks, at: place }) => ({ ticks: ticks + 7, at: place }),
  });
  withErrorCorrection(at('aac.ts'), at('fec.ts'));
  for (const kind of ['noise', 'zeros', 'lies'] as const) damageMatroska(at('no-cues.mkv'), at(`${kind}.mkv`), kind);
  for (const [name, parts] of Object.entries({ ahead: ['ac3.ts', 'offset.ts'], back: ['offset.ts', 'ac3.ts'] }))
    writeFileSync(at(`${name}.ts`), Buffer.concat(parts.map((part) => readFileSync(at(part)))));
  // ffmpeg joins the clocks when it copies, unless an option keeps the times.
  await ffmpeg('-i', at('ahead.ts'), '-map', '0', ...copy, at('ahead.nut'));
  await ffmpeg('-i', at('back.ts'), '-map', '0', ...copy, at('back.nut'));
  withoutPackets(at('programs.ts'), at('one-program.ts'), [0x100, 0x101]);
  writeFields(at('fields.ts'), 'apart');
  writeFields(at('field-pairs.ts'), 'together');
  return at;
}

/** A recording of one program, whose tables still list another one. */
function withoutPackets(from: string, to: string, pids: readonly number[]): void {
  const file = readFileSync(from);
  const packets = Array.from({ length: file.length / 188 }, (_, i) => file.subarray(i * 188, (i + 1) * 188));
  writeFileSync(to, Buffer.concat(packets.filter((packet) => !pids.includes(packet.readUInt16BE(1) & 0x1fff))));
}

/** Writes a transport stream with 16 bytes of error correction behind each packet. */
function withErrorCorrection(from: string, to: string): void {
  const file = readFileSync(from);
  const packets = Array.from({ length: file.length / 188 }, (_, i) => [
    file.subarray(i * 188, (i + 1) * 188),
    Buffer.alloc(16, 0xee),
  ]);
  writeFileSync(to, Buffer.concat(packets.flat()));
}
