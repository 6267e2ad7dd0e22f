/**
 * Walks an ASF file once from its start to its end. Its own index names a place for each second, but neither all
 * keyframes nor where sound lies, so that every packet is looked at.
 */
import { createSource, type ReadAt, uncertain } from '../../../lib/media/source.ts';
import { aacSound } from '../codec/audio.ts';
import { assembleIndex, type FoundStream } from '../stream/assemble.ts';
import { audioWalk } from '../stream/audio-walk.ts';
import { decodedVideo } from '../stream/decoded.ts';
import { isAudioCodec } from '../stream/frames.ts';
import { CLOCK, type Payload, type Taker } from '../stream/payload.ts';
import { newFacts, plainWalk, type StreamWalk, type WalkedStream } from '../stream/stream-walk.ts';
import { videoWalk } from '../stream/video-walk.ts';
import type { IndexData, Walker } from '../types.ts';
import { MILLISECOND } from './feed.ts';
import { type AsfHeader, type AsfStream, isAsf, readAsfHeader } from './header.ts';
import { newObjectState, readObjects } from './packets.ts';

/** Pictures of a file, as many as a day has with 60 of them a second. */
const MAX_PICTURES = 5_200_000;
const MAX_MARKS = 4_000_000;

interface Walked extends Taker {
  stream: AsfStream;
  result(place: number): FoundStream | undefined;
}

/** Returns a walker of an ASF file, and undefined for another file. */
export function asfWalker(size: number, readAt: ReadAt): Walker | undefined {
  const source = createSource(size, readAt, Buffer.alloc(0));
  if (!isAsf(source)) return undefined;
  const header = readAsfHeader(source);
  const walks = header.streams.map((stream) => walkOf(stream, header));
  const takers = new Map(walks.map((walk) => [walk.stream.number, walk]));
  const state = newObjectState();
  let at = header.origin;
  let isDone = false;
  return {
    step: (read, bytes) => {
      at = readObjects(read, header, { from: at, limit: bytes, takers, state });
      isDone = at + header.stride > header.end;
    },
    progress: () => Math.min(1, at / size),
    isDone: () => isDone,
    result: (): IndexData => {
      const streams = walks.flatMap((walk, place) => walk.result(place) ?? []);
      return assembleIndex(streams, {
        container: 'asf',
        stride: header.stride,
        origin: header.origin,
        end: header.end,
        zero: header.preroll * MILLISECOND,
      });
    },
  };
}

function walkOf(stream: AsfStream, { preroll }: Pick<AsfHeader, 'preroll'>): Walked {
  const { codec, number, kind, isSealed } = stream;
  const facts = { ...newFacts(0, number, kind === 'video' ? 'video' : 'audio', codec), isSealed };
  const zero = preroll * MILLISECOND;
  const note = ({ from, to }: Payload, time: number | undefined): void => {
    facts.bytes += to - from;
    if (time === undefined) return;
    facts.first ??= time * MILLISECOND;
    facts.last = time * MILLISECOND;
  };
  const found = (place: number, { data, packets, end }: WalkedStream, marks: FoundStream['marks']): FoundStream => ({
    stream: place,
    pid: number,
    kind: facts.kind,
    bytes: facts.bytes,
    data,
    packets,
    end,
    marks,
  });
  if (kind === 'other') return { stream, start: () => true, more: () => {}, result: () => undefined };
  if (kind === 'video' && (codec === 'h264' || codec === 'hevc')) {
    const walk = videoWalk(facts, codec, { isTimed: false, private: stream.private });
    const clock: number[] = [];
    return {
      stream,
      start: (payload, time) => {
        note(payload, time);
        if (clock.push((time ?? 0) * MILLISECOND) > MAX_PICTURES) uncertain('too many pictures');
        return walk.start(payload, clock.length - 1);
      },
      more: (payload) => {
        note(payload, undefined);
        walk.more(payload);
      },
      result: (place) => {
        const frameDuration =
          clock.length > 1 ? Math.max(1, ((clock.at(-1) ?? 0) - (clock[0] ?? 0)) / (clock.length - 1)) : CLOCK / 25;
        const timeOf = (picture: number): number =>
          clock[picture] ?? (clock.at(-1) ?? zero) + (picture - clock.length + 1) * frameDuration;
        const { marks, ...video } = decodedVideo(walk, { pictures: clock.length, timeOf, frameDuration });
        return found(place, video, marks);
      },
    };
  }
  const walk =
    codec === 'aac' && stream.private.length >= 2
      ? wholeWalk(facts, stream)
      : kind === 'audio' && isAudioCodec(codec)
        ? audioWalk(facts, codec)
        : plainWalk(facts);
  return {
    stream,
    start: (payload, time) => {
      note(payload, time);
      return walk.start(payload, time === undefined ? undefined : time * MILLISECOND);
    },
    more: (payload) => {
      note(payload, undefined);
      walk.more(payload);
    },
    result: (place) => found(place, walk.result(zero), { ...walk.marks, isIdr: [] }),
  };
}

/** Sound of which each object is one frame without a head. */
function wholeWalk(facts: StreamWalk['facts'], { private: config, channels: shown }: AsfStream): StreamWalk {
  const [times, places]: [number[], number[]] = [[], []];
  const { codec, codecs, channels, timescale, frameSize, entry } = aacSound(config, shown);
  const frameDuration = (frameSize * CLOCK) / timescale;
  return {
    facts,
    marks: { times, places },
    isIdr: [],
    start: ({ at }, time) => {
      if (time !== undefined && time > (times.at(-1) ?? -Infinity)) {
        times.push(time);
        if (places.push(at) > MAX_MARKS) uncertain('too many packets');
      }
      return true;
    },
    more: () => {},
    result: (zero) => {
      const [first] = times;
      if (facts.isSealed || first === undefined) return plainWalk(facts).result(zero);
      return {
        data: {
          codec,
          codecs,
          channels,
          timescale,
          frameSize,
          priming: 0,
          entry: new Uint8Array(entry),
          obstacles: [],
        },
        packets: {
          codec: 'aac',
          timescale,
          frameSize,
          first: ((first - zero) * timescale) / CLOCK,
          signature: 0,
          frameDuration,
          isWhole: true,
        },
        end: facts.last + frameDuration,
      };
    },
  };
}
