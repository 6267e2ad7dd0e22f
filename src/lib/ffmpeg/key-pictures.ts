/**
 * Keyframes of a video as small raw pictures.
 *
 * ffmpeg writes packed RGB to standard output, and to a second pipe the time and the brightness of each picture. Both
 * are read together: the n-th picture belongs to the n-th report.
 */
import { createInterface } from 'node:readline';
import type { RunningProcess } from '../process.ts';
import { inputArgs, pipeArgs, secondsArgument, integerArgument } from './args.ts';
import type { KeyPicture, KeyPicturesRequest } from './types.ts';

/**
 * Maps a high range to that of an ordinary screen. Files often lack a tag or two, and zscale refuses their pictures
 * even where its options say how to read them, so all are set. Scaled first: mapping full pictures costs a hundred
 * times more.
 */
const TO_STANDARD = (transfer: string): string =>
  `setparams=range=tv:color_primaries=bt2020:color_trc=${transfer}:colorspace=bt2020nc,zscale=t=linear:npl=100,` +
  'format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=limited,';
const TRANSFER = { hdr10: 'smpte2084', 'dolby-vision': 'smpte2084', hlg: 'arib-std-b67' } as const;

/** Every keyframe of a part of the file, or every picture of the fragments, in the order of their times. */
export function keyPicturesArgs(request: KeyPicturesRequest): string[] {
  const { width, height, hdr } = request;
  // An excerpt keeps the times of its file.
  const input =
    'media' in request
      ? inputArgs([
          '-threads',
          '1',
          '-skip_frame',
          'nokey',
          '-ss',
          secondsArgument(request.from),
          '-t',
          secondsArgument(request.length),
        ])
      : [...pipeArgs(['-threads', '1', '-f', 'mp4']), '-copyts'];
  const mapped = hdr === undefined ? '' : TO_STANDARD(TRANSFER[hdr]);
  const size = `scale=w=${integerArgument(width)}:h=${integerArgument(height)}:flags=area`;
  return [
    ...input,
    '-map',
    '0:V:0',
    '-an',
    '-sn',
    '-dn',
    '-vf',
    `${size},${mapped}setsar=1,format=yuv420p,signalstats,metadata=mode=print:direct=1:file='pipe\\:3',format=rgb24`,
    '-vsync',
    'passthrough',
    '-filter_threads',
    '1',
    '-threads',
    '1',
    '-f',
    'rawvideo',
    'pipe:1',
  ];
}

interface Report {
  time: number;
  luma: number;
}

/** Yields the pictures of a run. Ends the run when it is left early. */
export async function* readKeyPictures(
  running: RunningProcess,
  request: KeyPicturesRequest,
): AsyncGenerator<KeyPicture> {
  const from = 'media' in request ? request.from : 0;
  const size = request.width * request.height * 3;
  const reports = reportsOf(running);
  let [waiting, length]: [Buffer[], number] = [[], 0];
  try {
    for await (const chunk of running.stdout as AsyncIterable<Buffer>) {
      waiting.push(chunk);
      length += chunk.length;
      if (length < size) continue;
      const bytes = Buffer.concat(waiting);
      let at = 0;
      for (; at + size <= bytes.length; at += size) {
        const { value, done } = await reports.next();
        if (done === true) return;
        yield { time: Math.max(0, value.time + from), luma: value.luma, pixels: bytes.subarray(at, at + size) };
      }
      [waiting, length] = [[bytes.subarray(at)], bytes.length - at];
    }
    await running.done;
  } finally {
    running.stop();
  }
}

/** `frame:0 pts:1024 pts_time:0.08`, and after it one line for each value. */
async function* reportsOf({ pipes }: RunningProcess): AsyncGenerator<Report, undefined> {
  const [pipe] = pipes;
  if (!pipe) return;
  let time: number | undefined;
  for await (const line of createInterface({ input: pipe })) {
    const at = /^frame:\d+\s+pts:\S+\s+pts_time:(-?\d+(?:\.\d+)?)/.exec(line)?.[1];
    if (at !== undefined) time = Number(at);
    const luma = /^lavfi\.signalstats\.YAVG=(\d+(?:\.\d+)?)$/.exec(line)?.[1];
    if (luma === undefined || time === undefined) continue;
    yield { time, luma: Number(luma) };
    time = undefined;
  }
  return undefined;
}
