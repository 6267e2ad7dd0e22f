/**
 * Walks a transport stream once from its start to its end, some megabytes at a time, and notes where keyframes and
 * packets of audio begin. Every packet is looked at, because the format has no table of samples. Keyframes may begin
 * anywhere in a packet.
 */
import { type ReadAt, uncertain } from '../../../lib/media/source.ts';
import { assembleIndex, type FoundStream } from '../stream/assemble.ts';
import { audioWalk } from '../stream/audio-walk.ts';
import { isAudioCodec } from '../stream/frames.ts';
import { CLOCK, type Taker } from '../stream/payload.ts';
import { newFacts, notCopied, plainWalk, type StreamWalk } from '../stream/stream-walk.ts';
import { videoWalk } from '../stream/video-walk.ts';
import type { IndexData, Walker } from '../types.ts';
import { walkAccessUnits } from '../stream/access-units.ts';
import { createClocks, type StreamClock } from './clock.ts';
import { createScanner, type Packet, placedPayload, shapeOf, type TsPacketLayout } from './packets.ts';
import { pesHead } from './pes.ts';
import { type ElementaryStream, streamsOf } from './program.ts';

/** Ticks by which programs that are sent together may begin apart. */
const ALIKE = 10 * CLOCK;

interface Walked {
  walk: StreamWalk;
  /** Takes the packets of the stream for the walk. */
  taker: Taker;
  clock: StreamClock;
  program: number;
}

/** Returns a walker of a transport stream, and undefined for another file. */
export function streamWalker(size: number, readAt: ReadAt): Walker | undefined {
  const shape = shapeOf(readAt);
  if (shape === undefined) return undefined;
  const walks = new Map<number, Walked>();
  const clocks = new Map<number, ReturnType<typeof createClocks>>();
  streamsOf(readAt, shape, size).forEach((stream, place) => {
    const found = walkOf(stream, place);
    if (found === undefined) return;
    const { pid, program } = stream;
    const clockOf = clocks.get(program) ?? createClocks();
    clocks.set(program, clockOf);
    walks.set(pid, { ...found, clock: clockOf(found.walk.facts.kind), program });
  });
  if (walks.size === 0) return uncertain('a transport stream without video or sound');
  const scanner = createScanner({ stride: shape.stride, end: size, pids: [...walks.keys()] });
  const visit = visitorOf(walks);
  let at = shape.first;
  let isDone = false;
  return {
    step: (read, bytes) => {
      const before = at;
      at = scanner.scan(read, at, bytes, visit);
      isDone = at + shape.stride > size || at === before;
    },
    progress: () => Math.min(1, at / size),
    isDone: () => isDone,
    result: () => indexOf([...walks.values()], shape, size),
  };
}

function walkOf({ pid, kind, codec }: ElementaryStream, stream: number): Pick<Walked, 'walk' | 'taker'> | undefined {
  if (kind === 'other') return undefined;
  const facts = newFacts(stream, pid, kind, codec);
  if (codec === 'h264' || codec === 'hevc') {
    const walk = videoWalk(facts, codec, { isTimed: true });
    return { walk, taker: walkAccessUnits(codec, walk) };
  }
  const walk = kind === 'audio' && isAudioCodec(codec) ? audioWalk(facts, codec) : plainWalk(facts);
  return { walk, taker: walk };
}

function visitorOf(walks: ReadonlyMap<number, Walked>): (packet: Packet) => void {
  return (packet) => {
    const walked = walks.get(packet.pid);
    if (walked === undefined || packet.from >= packet.to) return;
    const { walk, taker, clock } = walked;
    const { facts } = walk;
    facts.isSealed ||= packet.isScrambled;
    if (facts.isSealed) return;
    if (!packet.isStart) {
      facts.bytes += packet.to - packet.from;
      taker.more(packet);
      return;
    }
    const head = pesHead(packet);
    if (head === undefined) return;
    packet.from = head.from;
    const time = head.pts === undefined ? undefined : clock.timeOf({ pts: head.pts, dts: head.dts }, packet.at);
    if (time !== undefined) {
      facts.first ??= time;
      facts.last = time;
    }
    facts.bytes += packet.to - head.from;
    taker.start(facts.kind === 'video' ? placedPayload(packet) : packet, time);
  };
}

function indexOf(walks: readonly Walked[], { stride }: Pick<TsPacketLayout, 'stride'>, size: number): IndexData {
  // A recording lists the programs of its channel, and often has the packets of only one.
  const isThere = ({ walk: { facts } }: Walked): boolean => facts.first !== undefined;
  const main =
    walks.find((one) => isThere(one) && one.walk.facts.kind === 'video') ??
    walks.find(isThere) ??
    uncertain('a transport stream without times');
  const own = walks.filter(({ program }) => program === main.program);
  // The timeline begins with the first time of any stream, of other programs too where their clocks are alike.
  const began = Math.min(...own.flatMap(({ walk: { facts } }) => facts.first ?? []));
  const zero = Math.min(
    began,
    ...walks.flatMap(({ walk: { facts } }) =>
      facts.first !== undefined && Math.abs(facts.first - began) < ALIKE ? facts.first : [],
    ),
  );
  const streams = walks.flatMap((one): FoundStream[] => {
    const { walk, clock } = one;
    const {
      facts: { stream, pid, kind, bytes },
    } = walk;
    // Another program has another clock: its video is not shown, and its sound cannot be laid on this timeline.
    if (one.program !== main.program)
      return kind === 'video'
        ? []
        : [
            {
              ...notCopied({ ...walk.facts, last: zero }, 'codec'),
              stream,
              pid,
              kind,
              bytes,
              marks: { times: [], places: [], isIdr: [] },
            },
          ];
    const jumps = clock.jumps(zero);
    return [
      {
        ...walk.result(zero),
        stream,
        pid,
        kind,
        bytes,
        marks: { ...walk.marks, isIdr: walk.isIdr },
        ...(jumps && { jumps }),
      },
    ];
  });
  const isShown = ({ stream, kind }: FoundStream): boolean => kind === 'audio' || stream === main.walk.facts.stream;
  return assembleIndex(streams.filter(isShown), { container: 'ts', stride, origin: 0, end: size, zero });
}
