/**
 * Converted video next to ffmpeg with the same options on the same file, and preview pictures next to ffmpeg's own way
 * to make them. Uses new positions, so that nothing comes from the cache.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { PlayableFile } from '../../src/catalog/index.ts';
import { createFfmpeg } from '../../src/lib/ffmpeg/index.ts';
import type { Processes } from '../../src/lib/process.ts';
import { quietLog } from '../../src/lib/process/testing.ts';
import { openForReading } from '../../src/lib/files.ts';
import { createRemux } from '../../src/playback/remux/index.ts';
import { makePictures } from '../../src/playback/trickplay/make.ts';
import { median, report } from '../report.ts';
import { film, SECONDS } from './films.ts';
import { encodersOf, type House, openHouse, pause } from './house.ts';
import { beginPlaying, type Stream } from './player.ts';

const RUNS = 7;
const QUALITIES = ['360p-0.8', '720p-3'] as const;
/** Maximum extra time of a segment, compared with ffmpeg alone. */
const MORE_MS = 50;

export async function benchConverted(): Promise<void> {
  const path = film('mkv');
  const house = await openHouse({ Film: path });
  try {
    for (const quality of QUALITIES) await firstSegment(house, path, quality);
  } finally {
    await house.close();
  }
}

async function firstSegment(house: House, path: string, quality: string): Promise<void> {
  const ours: number[] = [];
  const theirs: number[] = [];
  let cold = 0;
  for (let run = 0; run <= RUNS; run++) {
    const playing = await beginPlaying(house.server, house.films.get('Film') ?? '', {
      token: house.token,
      query: `quality=${quality}`,
    });
    assert.equal(playing.mode, 'transcode');
    const [video] = playing.streams as [Stream];
    const segment = Math.floor((video.segments.length * (run + 0.5)) / (RUNS + 1));
    const began = performance.now();
    const { status } = await playing.get(video.segments[segment]?.url ?? '');
    const took = performance.now() - began;
    assert.equal(status, 200);
    const [encoder] = encodersOf(house.server);
    assert.ok(encoder, 'the encoder goes on with the next segments');
    await playing.stop();
    while (encodersOf(house.server).length > 0) await pause(10);
    const alone = await fragmentOf(encoder.command, path);
    if (run === 0) cold = took;
    else {
      ours.push(took);
      theirs.push(alone);
    }
  }
  const more = median(ours.map((one, i) => one - (theirs[i] ?? 0)));
  report({
    what: `converted to ${quality}: a segment that nobody asked for before`,
    figure: `${median(ours).toFixed(0)} ms, ffmpeg alone + ${more.toFixed(0)} ms`,
    aim: `+ ${MORE_MS} ms`,
    met: more <= MORE_MS,
    note:
      `ffmpeg alone ${median(theirs).toFixed(0)} ms, ${(median(ours) / median(theirs)).toFixed(2)} ×; the first of ` +
      `all ${cold.toFixed(0)} ms`,
  });
}

/**
 * Milliseconds until ffmpeg with these options has written its second fragment. The first is what lies before the
 * segment.
 */
async function fragmentOf([program = '', ...args]: readonly string[], path: string): Promise<number> {
  const input = args.indexOf('-i') + 1;
  const began = performance.now();
  const child = spawn(program, args.with(input, `file:${path}`), { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let fragments = 0;
  let took = 0;
  /** Bytes of the box under way, and its header as far as it is here. */
  let [left, header] = [0, Buffer.alloc(0)];
  let isData = false;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length;) {
      if (left === 0) {
        const part = chunk.subarray(at, at + 8 - header.length);
        header = Buffer.concat([header, part]);
        at += part.length;
        if (header.length < 8) break;
        left = header.readUInt32BE(0) - 8;
        isData = header.toString('latin1', 4, 8) === 'mdat';
        header = Buffer.alloc(0);
      }
      const taken = Math.min(left, chunk.length - at);
      left -= taken;
      at += taken;
      if (left === 0 && isData && ++fragments === 2) took = performance.now() - began;
    }
    if (took > 0) break;
  }
  child.kill('SIGKILL');
  await ended;
  assert.ok(took > 0, 'ffmpeg wrote two fragments');
  return took;
}

const TRICKPLAY_CPU_S = 1.5;
/** Preview pictures of the whole film, by processor time: this process, its helper and every program that it ran. */
export async function benchPictures(processes: Processes): Promise<void> {
  const path = film('mkv');
  const remux = createRemux({ processes, log: quietLog });
  const info = {
    container: 'matroska',
    duration: SECONDS,
    size: 1,
    chapters: [],
    tags: {},
    streams: [
      {
        index: 0,
        type: 'video' as const,
        codec: 'h264',
        width: 1920,
        height: 1080,
        default: true,
        forced: false,
        hearingImpaired: false,
        commentary: false,
        original: false,
        cover: false,
      },
    ],
  };
  const source = { identity: 'pictures', media: path, info, open: () => openForReading(path) };
  const never = new AbortController().signal;
  const video = await remux.rendition(source, 0, { isOpenGopAllowed: true }, never);
  const before = usedByAll();
  const pack = await makePictures(
    createFfmpeg({ processes }),
    {
      file: { info } as unknown as PlayableFile,
      media: path,
      video,
      turn: () => Promise.resolve(),
      progress: () => {},
    },
    never,
  );
  const own = usedByAll() - before;
  await remux.close();
  const said = execFileSync('bash', [
    '-c',
    `TIMEFORMAT='%U %S'; { time ffmpeg -nostdin -v quiet -skip_frame nokey -i '${path}' -an -vf ` +
      'fps=1/10,scale=320:-2,tile=10x10 -f image2pipe -c:v mjpeg pipe:1 >/dev/null; } 2>&1',
  ]).toString();
  const theirs = said
    .trim()
    .split(/\s+/)
    .reduce((sum, each) => sum + Number(each), 0);
  report({
    what: `preview pictures for ${SECONDS} s of 1080p`,
    figure: `${own.toFixed(2)} s of processor time, ${(own / theirs).toFixed(2)} × ffmpeg`,
    aim: `${TRICKPLAY_CPU_S} s`,
    met: own <= TRICKPLAY_CPU_S,
    note:
      `ffmpeg with the same sheets of every keyframe ${theirs.toFixed(2)} s; ${(pack.length / 2 ** 10).toFixed(0)} ` +
      'KiB',
  });
}

const TICKS = Number(execFileSync('getconf', ['CLK_TCK']).toString());
/** Processor seconds of this process and of those that it ran and that have ended (proc(5), fields 14 to 17). */
function usedByAll(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0) / TICKS;
}
