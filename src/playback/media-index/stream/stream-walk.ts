/** Notes of a walk through a file about one of its streams. */
import type { IndexObstacle, PacketTrack, TrackData } from '../types.ts';
import { CLOCK, type Taker } from './payload.ts';

/** Facts that every stream has. Times are ticks of the 90 kHz clock, without its wraps. */
export interface ElementaryStreamFacts {
  /** Position among the streams of the file. */
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

/** Start of something: the position of a packet in the file, and its time. */
export interface Marks {
  times: number[];
  places: number[];
  /** Bytes in front of each place in its packet, where pictures may begin inside of packets. */
  counts?: number[];
}

/** A stream as its walk found it. */
export interface WalkedStream {
  data: Omit<TrackData, 'bandwidth' | 'stream' | 'kind' | 'obstacles'> & { obstacles: readonly IndexObstacle[] };
  packets: Omit<PacketTrack, 'places' | 'counts' | 'pid' | 'kind' | 'jumps'>;
  /** Time at which the last sample ends. */
  end: number;
}

export interface StreamWalk extends Taker {
  facts: ElementaryStreamFacts;
  /** Keyframes of video, packets with a time of audio. */
  marks: Marks;
  /** For each keyframe, 1 if it needs no earlier picture. */
  isIdr: number[];
  /** Called once, behind the last packet. `zero` is the time at which the file begins. */
  result(zero: number): WalkedStream;
}

export const newFacts = (
  stream: number,
  pid: number,
  kind: 'video' | 'audio',
  codec: string,
): ElementaryStreamFacts => ({
  stream,
  pid,
  kind,
  codec,
  first: undefined,
  last: 0,
  bytes: 0,
  isSealed: false,
});

/** A stream that can only be converted. */
export function plainWalk(facts: ElementaryStreamFacts): StreamWalk {
  return {
    facts,
    marks: { times: [], places: [] },
    isIdr: [],
    start: () => true,
    more: () => {},
    result: () => notCopied(facts, facts.isSealed ? 'encoded' : facts.first === undefined ? 'empty' : 'codec'),
  };
}

export const notCopied = ({ codec, last }: ElementaryStreamFacts, obstacle: IndexObstacle): WalkedStream => ({
  data: { codec, timescale: CLOCK, priming: 0, frameSize: 0, obstacles: [obstacle] },
  packets: { codec: 'none', timescale: CLOCK, frameSize: 0, first: 0, signature: 0, frameDuration: 0 },
  end: last,
});
