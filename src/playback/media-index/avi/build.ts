/**
 * Makes the index of an AVI file from a list of its chunks. Nothing in the file says when a picture is shown: its time
 * passes with the chunks of the stream, in the order of decoding, and the order of showing is read from the pictures.
 */
import { type ByteSource, uncertain } from '../../../lib/media/source.ts';
import { aacSound, type AudioDescription } from '../codec/audio.ts';
import { spreadIndexes } from '../spread.ts';
import { assembleIndex, type FoundMarks, type FoundStream } from '../stream/assemble.ts';
import { firstSound } from '../stream/audio-walk.ts';
import { isAudioCodec } from '../stream/frames.ts';
import { decodedVideo } from '../stream/decoded.ts';
import { CLOCK } from '../stream/payload.ts';
import { newFacts, notCopied, type WalkedStream } from '../stream/stream-walk.ts';
import { videoWalk, type VideoWalk, WHOLE_PICTURES } from '../stream/video-walk.ts';
import type { IndexData } from '../types.ts';
import { chunkAt, HEAD } from './chunks.ts';
import type { Entries, EntryList } from './entries.ts';
import { type AviHeader, type AviStream, ticksAt, chunkUnits } from './header.ts';

/** Chunks whose heads must be where the index says, spread over the file. */
const CHECKED = 64;
/** Bytes of sound in which its first frames are expected. */
const SOUND_HEAD = 64 * 1024;
/** Maximum time for reading keyframes while a player waits: on a slow disk a walk does it in the background. */
const BUDGET_MS = 3000;
/** Bytes of a picture in which its first slice begins. */
const PICTURE_HEAD = 16 * 1024;
const PICTURE_WHOLE = 2 * 1024 * 1024;

export interface AviFile {
  source: ByteSource;
  header: AviHeader;
  entries: EntryList;
  /** Result of a walk of all chunks for the video stream; without it, the keyframes in the index are read. */
  seen?: VideoWalk | undefined;
}

export function aviData({ source, header, entries, seen }: AviFile): IndexData {
  const streams = header.streams.flatMap((stream, number): FoundStream[] => {
    const own = entries.of(number);
    checkHeads(source, number, own);
    if (stream.kind === 'other') return [];
    const found =
      stream.kind === 'video'
        ? videoOf(source, stream, { number, own, seen })
        : soundOf(source, stream, { number, own });
    return [{ ...found, stream: number, pid: number, kind: stream.kind, bytes: bytesIn(own), pace: stream.pace }];
  });
  return assembleIndex(streams, { container: 'avi', stride: 0, origin: 0, end: source.size, zero: 0 });
}

function checkHeads(source: ByteSource, stream: number, { count, places, sizes }: Entries): void {
  let checked = 0;
  for (const n of spreadIndexes(count)) {
    if ((checked += 1) > CHECKED) return;
    const chunk = chunkAt(source, places[n] ?? 0);
    if (chunk === undefined || chunk.stream !== stream || chunk.size !== sizes[n])
      uncertain('an AVI index that leads nowhere');
  }
}

const bytesIn = ({ count, sizes }: Entries): number => {
  let sum = 0;
  for (let i = 0; i < count; i += 1) sum += sizes[i] ?? 0;
  return sum;
};

interface Numbered {
  number: number;
  own: Entries;
}

type Found = WalkedStream & { marks: FoundMarks };
const refused = (stream: AviStream, { number, own }: Numbered, obstacle: 'codec' | 'empty'): Found => {
  const facts = {
    ...newFacts(number, number, stream.kind === 'video' ? 'video' : 'audio', stream.codec),
    last: endOf(stream, own),
  };
  return { ...notCopied(facts, obstacle), marks: { times: [], places: [], isIdr: [] } };
};

function endOf({ pace }: AviStream, { count, sizes }: Entries): number {
  let units = 0;
  for (let i = 0; i < count; i += 1) units += chunkUnits(pace, sizes[i] ?? 0);
  return ticksAt(pace, units);
}

/** Reads one picture, as far as it is looked at, into a walk. `picture` counts those that have bytes. */
export function showPicture(
  source: ByteSource,
  walk: VideoWalk,
  { place, size, picture }: { place: number; size: number; picture: number },
): void {
  const bytes = source.upTo(place + HEAD, Math.min(size, picture < WHOLE_PICTURES ? PICTURE_WHOLE : PICTURE_HEAD));
  walk.start({ bytes, from: 0, to: bytes.length, at: place, base: place + HEAD }, picture);
}

function videoOf(
  source: ByteSource,
  stream: AviStream,
  { number, own, seen }: Numbered & { seen: VideoWalk | undefined },
): Found {
  const { codec, pace } = stream;
  if (codec !== 'h264' && codec !== 'hevc') return refused(stream, { number, own }, 'codec');
  // An empty chunk is a picture that is shown for longer: the others keep their places.
  const slots: number[] = [];
  for (let i = 0; i < own.count; i += 1) if ((own.sizes[i] ?? 0) > 0) slots.push(i);
  if (slots.length === 0) return refused(stream, { number, own }, 'empty');
  const walk =
    seen ??
    readKeyframes(
      source,
      videoWalk(newFacts(number, number, 'video', codec), codec, { isTimed: false, private: stream.private }),
      own,
      slots,
    );
  const slotOf = (picture: number): number => slots[picture] ?? (slots.at(-1) ?? 0) + picture - slots.length + 1;
  return decodedVideo(walk, {
    pictures: slots.length,
    timeOf: (picture) => ticksAt(pace, slotOf(picture)),
    countOf: slotOf,
    frameDuration: pace.ticks,
  });
}

/**
 * Looks at the first pictures, at all keyframes that the index names, and at those behind one that may be shown before
 * it.
 */
function readKeyframes(source: ByteSource, walk: VideoWalk, own: Entries, slots: readonly number[]): VideoWalk {
  const show = (picture: number): void => {
    const slot = slots[picture] ?? 0;
    showPicture(source, walk, { place: own.places[slot] ?? 0, size: own.sizes[slot] ?? 0, picture });
  };
  const marked = slots.reduce((sum, slot) => sum + (own.isKey[slot] ?? 0), 0);
  if (marked < 2 && slots.length > WHOLE_PICTURES) return uncertain('an AVI index without keyframes');
  const began = performance.now();
  slots.forEach((slot, picture) => {
    if (picture < WHOLE_PICTURES || own.isKey[slot] === 1 || walk.isWaiting()) show(picture);
    if (performance.now() - began > BUDGET_MS) uncertain('an AVI file whose keyframes are read too slowly');
  });
  return walk;
}

function soundOf(source: ByteSource, stream: AviStream, { number, own }: Numbered): Found {
  const { codec, pace } = stream;
  if (own.count === 0) return refused(stream, { number, own }, 'empty');
  if (!isAudioCodec(codec)) return refused(stream, { number, own }, 'codec');
  const isWhole = codec === 'aac' && stream.private.length >= 2;
  const found = isWhole
    ? { sound: aacSound(stream.private, stream.channels), signature: 0, at: 0 }
    : describe(source, own, codec);
  if (found === undefined || found.sound.timescale === 0 || found.sound.frameSize === 0)
    return refused(stream, { number, own }, 'codec');
  const { codecs, channels, timescale, frameSize, entry }: AudioDescription = found.sound;
  const [times, counts]: [number[], number[]] = [[], []];
  let units = 0;
  const kept: number[] = [];
  for (let i = 0; i < own.count; i += 1) {
    if ((own.sizes[i] ?? 0) > 0) {
      times.push(ticksAt(pace, units));
      counts.push(units);
      kept.push(i);
    }
    units += chunkUnits(pace, own.sizes[i] ?? 0);
  }
  const byteTicks = pace.bytes > 0 ? pace.ticks / pace.bytes : 0;
  const first = (((times[0] ?? 0) + found.at * byteTicks) * timescale) / CLOCK;
  return {
    data: { codec, codecs, channels, timescale, frameSize, priming: 0, entry: new Uint8Array(entry), obstacles: [] },
    packets: {
      codec,
      timescale,
      frameSize,
      first,
      signature: found.signature,
      frameDuration: (frameSize * CLOCK) / timescale,
      ...(isWhole && { isWhole }),
    },
    end: ticksAt(pace, units),
    marks: { times, counts, places: Float64Array.from(kept, (i) => own.places[i] ?? 0), isIdr: [] },
  };
}

/** Describes sound by its first frame. */
function describe(
  source: ByteSource,
  { count, places, sizes }: Entries,
  codec: Parameters<typeof firstSound>[0],
): ReturnType<typeof firstSound> {
  const parts: Buffer[] = [];
  let length = 0;
  for (let i = 0; i < count && length < SOUND_HEAD; i += 1) {
    const part = source.upTo((places[i] ?? 0) + HEAD, Math.min(sizes[i] ?? 0, SOUND_HEAD - length));
    parts.push(Buffer.from(part));
    length += part.length;
  }
  return firstSound(codec, Buffer.concat(parts), length < SOUND_HEAD);
}
