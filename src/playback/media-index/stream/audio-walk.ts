/** Notes where packets of audio begin, and describes the stream by its first frame. */
import { Uncertain, uncertain } from '../../../lib/media/source.ts';
import type { AudioDescription } from '../codec/audio.ts';
import { type ElementaryAudioCodec, frameHead, framesIn, describeAudio } from './frames.ts';
import { CLOCK } from './payload.ts';
import { notCopied, type ElementaryStreamFacts, type StreamWalk } from './stream-walk.ts';

/** Bytes within which two frames are expected. */
const HEAD = 64 * 1024;
const MAX_MARKS = 4_000_000;

export function audioWalk(facts: ElementaryStreamFacts, codec: ElementaryAudioCodec): StreamWalk {
  const [times, places]: [number[], number[]] = [[], []];
  const head = Buffer.allocUnsafe(HEAD);
  let filled = 0;
  const add = (bytes: Buffer, from: number, to: number): void => {
    if (filled < HEAD) filled += bytes.copy(head, filled, from, Math.min(to, from + HEAD - filled));
  };
  return {
    facts,
    marks: { times, places },
    isIdr: [],
    start: ({ bytes, from, to, at }, time) => {
      if (time !== undefined && time > (times.at(-1) ?? -Infinity)) {
        times.push(time);
        if (places.push(at) > MAX_MARKS) uncertain('too many packets');
      }
      // Data before the first time belongs to no packet.
      if (times.length > 0) add(bytes, from, to);
      return true;
    },
    more: ({ bytes, from, to }) => {
      if (times.length > 0) add(bytes, from, to);
    },
    result: (zero) => {
      const first = times[0];
      if (facts.isSealed) return notCopied(facts, 'encoded');
      if (first === undefined) return notCopied(facts, 'empty');
      const found = firstSound(codec, head.subarray(0, filled), filled < HEAD);
      if (found === undefined || found.sound.timescale === 0 || found.sound.frameSize === 0)
        return notCopied(facts, 'codec');
      const { codecs, channels, timescale, frameSize, entry } = found.sound;
      const frameDuration = (frameSize * CLOCK) / timescale;
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
          codec,
          timescale,
          frameSize,
          first: ((first - zero) * timescale) / CLOCK,
          signature: found.signature,
          frameDuration,
        },
        end: facts.last + Math.max(frameDuration, times.length > 1 ? (facts.last - first) / (times.length - 1) : 0),
      };
    },
  };
}

/**
 * Describes sound by its first frame, which lies at `at`. Undefined when there is none, or one that is not understood.
 */
export function firstSound(
  codec: ElementaryAudioCodec,
  bytes: Buffer,
  isEnd: boolean,
): { sound: AudioDescription; signature: number; at: number } | undefined {
  try {
    const frame = framesIn(bytes, 0, { codec, signature: undefined, isEnd }).next().value;
    const signature = frame && frameHead(codec, bytes, frame.at)?.signature;
    if (frame === undefined || signature === undefined) return undefined;
    return { sound: describeAudio(codec, bytes.subarray(frame.at), frame.to - frame.at), signature, at: frame.at };
  } catch (error) {
    if (!(error instanceof Uncertain) && !(error instanceof RangeError)) throw error;
    return undefined;
  }
}
