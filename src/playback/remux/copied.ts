/** A stream of a file that is copied: one track of its index as a rendition. */
import { Failure } from '../../lib/failure.ts';
import { fragmentHeader, type FragmentSamples } from '../cmaf/fragment.ts';
import { initSegment } from '../cmaf/init.ts';
import type { MediaIndex } from '../media-index/live.ts';
import type { SegmentSamples, TrackData } from '../media-index/types.ts';
import type { RenditionBytes, Rendition, MediaSource, SegmentSpan } from '../rendition.ts';
import { readPieces } from './pieces.ts';
import { audioFragment, reorderingOf, videoFragment } from './timing.ts';

interface CopiedNeeds {
  source: MediaSource;
  index: MediaIndex;
  /** Position in the tracks of the index. */
  track: number;
  isOpenGopAllowed: boolean;
}

/** Fails as `conflict` when the track cannot be copied for this client. */
export function copiedRendition({ source, index, track, isOpenGopAllowed }: CopiedNeeds): Rendition {
  const facts = index.tracks[track];
  const plan = index.plan(isOpenGopAllowed);
  const isUnfit = facts?.kind === 'video' && plan.obstacle === 'open-gop';
  if (facts?.entry === undefined || facts.obstacles.length > 0 || isUnfit)
    throw new Failure('conflict', 'this stream cannot be copied', { reason: 'cannot-copy' });
  const { kind, timescale } = facts;
  const entry = facts.entry;
  let reordering: Promise<number> | undefined;
  /** Media time shown at 0: the reordering of the first segment, or priming. */
  const shiftOf = (): Promise<number> => {
    if (kind === 'audio') return Promise.resolve(facts.priming);
    reordering ??= index.samples(track, plan, 0).then(({ times }) => reorderingOf(times));
    reordering.catch(() => {
      reordering = undefined;
    });
    return reordering;
  };
  const fragmentOf = async (samples: SegmentSamples, n: number): Promise<FragmentSamples> => {
    if (kind === 'audio')
      return audioFragment(samples, Math.round((plan.segments[n]?.start ?? 0) * timescale) + facts.priming);
    return videoFragment(samples, await shiftOf(), n === 0 ? 0 : undefined);
  };
  return {
    kind,
    ...streamFacts(source, facts),
    segments: plan.segments,
    ...(track === index.main && kind === 'video' && { keyframes: keyframeSpans(index) }),
    init: async (signal) => {
      signal.throwIfAborted();
      const size =
        facts.width !== undefined && facts.height !== undefined ? { width: facts.width, height: facts.height } : {};
      return initSegment({
        kind,
        timescale,
        entry,
        shift: await shiftOf(),
        ...size,
        rotation: source.info.streams.find(({ index: stream }) => stream === facts.stream)?.rotation,
      });
    },
    segment: async (n, _who, signal) => {
      signal.throwIfAborted();
      const samples = await index.samples(track, plan, n);
      return stream(source, samples, fragmentHeader(n + 1, await fragmentOf(samples, n)), signal);
    },
    ...(track === index.main &&
      kind === 'video' && {
        keyframe: async (n: number, signal: AbortSignal) => {
          signal.throwIfAborted();
          const samples = await index.keyframe(n);
          const end = Math.round((index.keyframes.times[n + 1] ?? index.duration) * timescale);
          return stream(
            source,
            samples,
            fragmentHeader(n + 1, videoFragment({ ...samples, end }, await shiftOf())),
            signal,
          );
        },
      }),
  };
}

/**
 * The header, and the bytes behind it as they are read. The file is the planned one, or it fails as `conflict` before
 * the first byte.
 */
async function stream(
  source: MediaSource,
  { pieces }: SegmentSamples,
  header: Buffer,
  signal: AbortSignal,
): Promise<RenditionBytes> {
  const size = pieces.lengths.reduce((sum, length) => sum + length, header.length);
  // Opened once more when it is read: what is asked for need not be read.
  const checked = await source.open();
  await checked.close();
  return { size, bytes: readSegment(source, pieces, header, signal) };
}

async function* readSegment(
  source: MediaSource,
  pieces: SegmentSamples['pieces'],
  header: Buffer,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const file = await source.open();
  try {
    const all = readPieces(file, pieces, signal);
    // Read before the header is sent: a file that cannot be read is then a status, and not a connection that is cut.
    const first = await all.next();
    yield header;
    if (first.done !== true) yield first.value;
    yield* all;
  } finally {
    await file.close();
  }
}

/** Codec, size, rates: from the index where the configuration bytes say it, otherwise from the catalogue. */
function streamFacts(
  { info }: MediaSource,
  facts: TrackData,
): Omit<Rendition, 'kind' | 'segments' | 'init' | 'segment'> {
  const known = info.streams.find(({ index }) => index === facts.stream);
  const channels = facts.channels ?? known?.channels;
  return {
    codecs: facts.codecs ?? facts.codec,
    bandwidth: facts.bandwidth ?? { peak: known?.bitrate ?? 0, average: known?.bitrate ?? 0 },
    ...(facts.supplemental !== undefined && { supplemental: facts.supplemental }),
    ...(facts.kind === 'audio' && channels !== undefined && { channels }),
    ...(facts.kind === 'video' && {
      ...sizeOf(known?.width ?? facts.width, known?.height ?? facts.height),
      ...(known?.frameRate !== undefined && { frameRate: known.frameRate }),
      range: rangeOf(known?.hdr, facts.supplemental),
    }),
  };
}

const sizeOf = (width: number | undefined, height: number | undefined): { width?: number; height?: number } =>
  width === undefined || height === undefined ? {} : { width, height };

/** Dolby Vision of profile 8.4 is HLG for other decoders, of the other profiles PQ. */
function rangeOf(hdr: string | undefined, supplemental: string | undefined): 'SDR' | 'PQ' | 'HLG' {
  if (hdr === undefined) return 'SDR';
  if (hdr === 'dolby-vision')
    return supplemental?.endsWith('/db4h') === true ? 'HLG' : supplemental?.endsWith('/db2g') === true ? 'SDR' : 'PQ';
  return hdr === 'hlg' ? 'HLG' : 'PQ';
}

/** Each keyframe is shown until the next one. */
function keyframeSpans({ keyframes: { times }, duration }: MediaIndex): SegmentSpan[] {
  return Array.from(times, (start, i) => ({ start, duration: (times[i + 1] ?? duration) - start })).filter(
    (span) => span.duration > 0,
  );
}
