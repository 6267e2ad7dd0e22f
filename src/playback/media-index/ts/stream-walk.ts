/** What a walk of a transport stream notes of one of its streams. */
import type { Obstacle, PacketTrack, TrackData } from '../types.ts';
import type { Packet } from './packets.ts';

/** Facts that every stream has. Times are ticks of the 90 kHz clock, without its wraps. */
export interface StreamFacts {
  /** Position among the streams of the program. */
  stream: number;
  pid: number;
  kind: 'video' | 'audio';
  codec: string;
  /** Time of its first and last packet; undefined before the first one. */
  first: number | undefined;
  last: number;
  /** Bytes of the elementary stream. */
  bytes: number;
  /** Its packets are scrambled. */
  isSealed: boolean;
}

/** Where something begins: the position of a packet in the file, and its time. */
export interface Marks {
  times: number[];
  places: number[];
}

/** A stream as its walk found it. */
export interface WalkedStream {
  data: Omit<TrackData, 'bandwidth' | 'stream' | 'kind' | 'obstacles'> & { obstacles: readonly Obstacle[] };
  packets: Omit<PacketTrack, 'places' | 'pid' | 'kind'>;
  /** Time at which the last sample ends. */
  end: number;
}

export interface StreamWalk {
  facts: StreamFacts;
  /** Keyframes of video, packets with a time of audio. */
  marks: Marks;
  /** Of each keyframe, 1 when it needs no earlier picture. */
  isIdr: number[];
  /** A packet in which the payload of a PES packet begins, at `from` in its buffer. */
  start(packet: Packet, from: number, time: number | undefined): void;
  /** A packet that continues it. */
  more(packet: Packet): void;
  /** Called once, behind the last packet. `zero` is the time at which the file begins. */
  result(zero: number): WalkedStream;
}

export const newFacts = (stream: number, pid: number, kind: 'video' | 'audio', codec: string): StreamFacts => ({ stream, pid, kind, codec, first: undefined, last: 0, bytes: 0, isSealed: false });

/** A stream that can only be converted. */
export function plainWalk(facts: StreamFacts): StreamWalk {
  return { facts, marks: { times: [], places: [] }, isIdr: [], start: () => {}, more: () => {}, result: () => notCopied(facts, facts.isSealed ? 'encoded' : facts.first === undefined ? 'empty' : 'codec') };
}

const CLOCK = 90_000;

export const notCopied = ({ codec, last }: StreamFacts, obstacle: Obstacle): WalkedStream =>
  ({ data: { codec, timescale: CLOCK, priming: 0, frameSize: 0, obstacles: [obstacle] }, packets: { codec: 'none', timescale: CLOCK, frameSize: 0, first: 0, signature: 0, frameDuration: 0 }, end: last });
