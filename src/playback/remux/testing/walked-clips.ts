/** Clips without an index, made with ffmpeg and mkvmerge, and cut by hand where these cannot. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { clipFolder, OPEN_GOP, PICTURES, SECONDS, tone, VP9, X264, x265 } from './command-lines.ts';
import { writeFields } from './fields.ts';
import { damageMatroska, rewriteMatroska } from './rewrite.ts';
import { writeUnaligned } from './unaligned.ts';

const run = promisify(execFile);

/** Seconds before the clock of 33 bits begins again at 0. */
const BEFORE_WRAP = 2 ** 33 / 90_000 - 5;

/** Makes the clips in a folder; returns their paths by name. */
export async function makeWalkedClips(folder: string): Promise<(name: string) => string> {
  const { at, make } = clipFolder(folder);
  await Promise.all([
    make(`${PICTURES} ${tone('stereo')} ${tone('5.1')}
      -map 0 -map 1 ${X264} -c:a aac @aac.ts
      -map 0 -map 2 -map 2 ${X264} -c:a:0 ac3 -c:a:1 eac3 @ac3.ts
      -map 0 ${OPEN_GOP} @open.ts
      -map 0 -map 1 ${X264} -ar 44100 -c:a aac @rate44.ts
      -map 0 -map 1 -c:v mpeg2video -g 24 -c:a ac3 @mpeg2.ts`),
    make(`${PICTURES} ${tone('stereo')}
      -map 0 -map 1 ${x265()} -c:a libmp3lame @hevc.ts
      -map 0 -map 1 ${VP9} -c:a libopus @vp9.webm`),
  ]);
  await make(`${PICTURES} ${tone('stereo')} -f lavfi -i testsrc=s=128x72:r=25:d=${SECONDS}
    -map 0 -map 1 -map 2 -map 1 ${X264} -c:a aac
    -program program_num=1:st=0:st=1 -program program_num=2:st=2:st=3 @programs.ts`);
  await Promise.all([
    make(`-i @aac.ts
      -map 0 -c copy -bsf:a aac_adtstoasc @aac.mkv
      -map 0 -c copy -bsf:a aac_adtstoasc @aac.flv
      -map 0 -c copy -output_ts_offset ${BEFORE_WRAP} @wrap.ts`),
    make(`-i @ac3.ts
      -map 0 -c copy -mpegts_m2ts_mode 1 @ac3.m2ts
      -map 0 -c copy -output_ts_offset 5000 @offset.ts`),
    make('-i @aac.ts -map 0 -c copy -pes_payload_size 0 @single.ts'),
    make('-i @hevc.ts -map 0 -c copy -pes_payload_size 0 @single-hevc.ts'),
    make('-i @aac.ts -itsoffset 0.7 -i @aac.ts -map 0:1 -map 1:0 -c copy @late.ts'),
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
  await make('-i @ahead.ts -map 0 -c copy @ahead.nut');
  await make('-i @back.ts -map 0 -c copy @back.nut');
  withoutPackets(at('programs.ts'), at('one-program.ts'), [0x100, 0x101]);
  writeUnaligned(at('single.ts'), at('unaligned.ts'), { size: () => 1500 });
  writeUnaligned(at('single-hevc.ts'), at('unaligned.m2ts'), { size: () => 2500, isDisc: true });
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
