/**
 * Walks a Flash video file (FLV 10.1) with H.264 and AAC once, and makes the table of its samples: each tag holds one
 * frame as MP4 has it. Files with other codecs throw `Uncertain` and are converted.
 */
import { h264Sequence } from '../codec/sps.ts';
import { createSource, type ReadAt, uncertain } from '../../../lib/media/source.ts';
import { box } from '../../cmaf/boxes.ts';
import { visualEntry } from '../../cmaf/entries.ts';
import { aacSound } from '../codec/audio.ts';
import { keyframeKind, nalFormat } from '../codec/idr.ts';
import { avcName } from '../codec/video.ts';
import { createGapFinder } from '../gaps.ts';
import { createSamples, type Mp4Samples } from '../mp4/samples.ts';
import { planSegments } from '../segments.ts';
import { bandwidthOf, timeOfSample } from '../table.ts';
import type { IndexData, Keyframes, TrackData, Walker } from '../types.ts';

const SIGNATURE = 0x464c56;
const FILE_HEAD = 9;
const TAG_HEAD = 11;
/** Bytes behind each tag that repeat its size. */
const TAIL = 4;
const [AUDIO, VIDEO] = [8, 9];
const [H264, AAC] = [7, 10];
const MILLISECONDS = 1000;
/** Seconds by which a time that was rounded to milliseconds may be off. */
const ROUNDING = 0.0016;
const MAX_CONFIG = 64 * 1024;
/** Bytes that a tag is counted as, in addition to its own, when the walk is divided into steps. */
const TAG_COST = 512;

interface FlvTrack {
  samples: Mp4Samples;
  config: Buffer | undefined;
  /** Place among the streams of the file, which are counted as they come. */
  stream: number;
}

/** Returns a walker of a Flash video file, and undefined for another file. */
export function flvWalker(size: number, first: ReadAt): Walker | undefined {
  let readAt = first;
  const limits = { bytes: Infinity, reads: Infinity };
  const source = createSource(size, (into, at) => readAt(into, at), Buffer.alloc(0), limits);
  const head = source.upTo(0, FILE_HEAD);
  if (head.length < FILE_HEAD || head.readUIntBE(0, 3) !== SIGNATURE) return undefined;
  const tracks = new Map<number, FlvTrack>();
  let at = head.readUInt32BE(5) + TAIL;
  let isDone = false;

  const trackOf = (type: number): FlvTrack => {
    const had = tracks.get(type);
    if (had) return had;
    const isVideo = type === VIDEO;
    const made: FlvTrack = {
      samples: createSamples({ fileSize: size, expected: 1024, isVideo }),
      config: undefined,
      stream: tracks.size,
    };
    tracks.set(type, made);
    return made;
  };
  const take = (type: number, body: number, length: number, time: number): void => {
    const start = source.upTo(body, 5);
    const [kind = 0, packet = 0] = start;
    const isVideo = type === VIDEO;
    if ((isVideo ? kind & 15 : kind >> 4) !== (isVideo ? H264 : AAC)) uncertain('Flash video of another codec');
    const track = trackOf(type);
    const skipped = isVideo ? 5 : 2;
    if (length <= skipped) return;
    if (packet === 0) {
      if (length - skipped > MAX_CONFIG) uncertain('a Flash header that is too large');
      const config = Buffer.from(source.at(body + skipped, length - skipped));
      if (track.config && !track.config.equals(config)) uncertain('Flash video that changes its format');
      track.config = config;
      return;
    }
    if (packet !== 1 || track.config === undefined) return;
    const shift = isVideo ? start.readIntBE(2, 3) : 0;
    const { samples } = track;
    const number = samples.count;
    samples.add({ time: time + shift, duration: 0, size: length - skipped, isKey: !isVideo || kind >> 4 === 1 });
    samples.place(number, body + skipped, number + 1);
  };
  return {
    step: (read, bytes) => {
      readAt = read;
      const until = at + bytes;
      for (let cost = 0; !isDone && at + cost < until; cost += TAG_COST) {
        const tag = source.upTo(at, TAG_HEAD);
        const length = tag.length === TAG_HEAD ? tag.readUIntBE(1, 3) : size;
        // A tag that is cut off is the end.
        if (at + TAG_HEAD + length > size) {
          isDone = true;
          break;
        }
        const [type = 0] = tag;
        const time = tag.readUIntBE(4, 3) + (tag[7] ?? 0) * 2 ** 24;
        if (type === AUDIO || type === VIDEO) take(type, at + TAG_HEAD, length, time);
        else if (type !== 18) uncertain('Flash video with an unknown tag');
        at += TAG_HEAD + length + TAIL;
      }
    },
    progress: () => Math.min(1, at / size),
    isDone: () => isDone,
    result: () => {
      const video = tracks.get(VIDEO);
      const audio = tracks.get(AUDIO);
      if (video?.config === undefined || video.samples.count < 2) return uncertain('Flash video without pictures');
      return indexOf(source.upTo.bind(source), { ...video, config: video.config }, audio);
    },
  };
}

type Described = FlvTrack & { config: Buffer };

function indexOf(
  upTo: (at: number, length: number) => Buffer,
  video: Described,
  audio: FlvTrack | undefined,
): IndexData {
  const pictures = { ...video.samples.table(), end: endOf(video.samples) };
  const { positions } = pictures.runs;
  const format = nalFormat('h264', video.config, {
    bytes: upTo(positions[0] ?? 0, 4096),
    size: video.samples.sizes[0] ?? 0,
  });
  if (format === undefined) return uncertain('Flash video with start codes');
  const sequence = h264Sequence(video.config.subarray(8, 8 + video.config.readUInt16BE(6)));
  const marked = pictures.keys ?? Uint32Array.from({ length: pictures.count }, (_, i) => i);
  const kinds = Array.from(marked, (sample) => {
    const place = placeOf(pictures.runs, video.samples, sample);
    const size = video.samples.sizes[sample] ?? 0;
    return keyframeKind(format, size, (offset, length) => upTo(place + offset, Math.min(length, size - offset)));
  });
  const keys = marked.filter((_, i) => kinds[i] !== 'other');
  const keyframes: Keyframes = {
    times: Float64Array.from(keys, (key) => timeOfSample(pictures, key) / MILLISECONDS),
    places: Float64Array.from(keys),
    isIdr: Uint8Array.from(
      kinds.filter((kind) => kind !== 'other'),
      (kind) => Number(kind === 'idr'),
    ),
  };
  pictures.keys = keys;
  const { width, height } = sequence;
  const tracks: TrackData[] = [
    {
      stream: video.stream,
      kind: 'video',
      codec: 'h264',
      codecs: avcName('avc1', video.config),
      timescale: MILLISECONDS,
      entry: visualEntry('avc1', width, height, [box('avcC', video.config)]),
      width,
      height,
      priming: 0,
      frameSize: 0,
      obstacles: [],
    },
  ];
  const tables = [pictures];
  if (audio?.config && audio.samples.count > 0) {
    const { entry, codecs, channels, timescale, frameSize } = aacSound(audio.config, 2);
    const sound = audio.samples.table();
    const times = evenTimes(audio.samples, timescale, frameSize);
    tables.push({ ...sound, times, end: (times.at(-1) ?? 0) + frameSize });
    tracks.push({
      stream: audio.stream,
      kind: 'audio',
      codec: 'aac',
      codecs,
      channels,
      timescale,
      frameSize,
      priming: 0,
      entry,
      obstacles: [],
    });
  }
  const duration = Math.max(...tables.map(({ end }, i) => end / (tracks[i]?.timescale ?? 1)));
  const plan = planSegments(keyframes, duration, true);
  const lastStart = plan.segments.at(-1)?.start ?? 0;
  return {
    duration,
    main: 0,
    keyframes,
    obstacles: [],
    tracks: tracks.map((track, i) => {
      const table = tables[i] ?? pictures;
      const gaps = createGapFinder();
      for (let n = 0; n < table.count; n += 1) gaps.add(timeOfSample(table, n) / track.timescale);
      return {
        ...track,
        ...(track.kind === 'audio' && gaps.hasGap(lastStart) && { hasGaps: true }),
        bandwidth: bandwidthOf(table, track, { ...plan, keyframes }),
      };
    }),
    layout: { kind: 'tables', tables },
  };
}

/** The last picture lasts as long as the one before it. */
function endOf({ times, count }: Mp4Samples): number {
  const shown = times.slice(0, count).toSorted();
  const last = shown[count - 1] ?? 0;
  return last + Math.max(1, last - (shown[count - 2] ?? last));
}

function placeOf(
  { samples, positions }: { samples: Uint32Array; positions: Float64Array },
  own: Mp4Samples,
  n: number,
) {
  const run = samples.findLastIndex((first) => first <= n);
  let place = positions[run] ?? 0;
  for (let i = samples[run] ?? 0; i < n; i += 1) place += own.sizes[i] ?? 0;
  return place;
}

/** Times of frames of sound in the timescale: each follows the one before it while rounding explains the difference. */
function evenTimes({ times, count }: Mp4Samples, timescale: number, frameSize: number): Float64Array {
  let next: number | undefined;
  return Float64Array.from(times.subarray(0, count), (time) => {
    const raw = Math.round((time * timescale) / MILLISECONDS);
    const own = next !== undefined && Math.abs(next - raw) <= ROUNDING * timescale ? next : Math.max(raw, next ?? raw);
    next = own + frameSize;
    return own;
  });
}
