/**
 * Makes the index of a Matroska or WebM file with cues: header, tracks and cues are read, the clusters are not. A file
 * without cues, or with cues that lead nowhere, throws `Uncertain`: `walk.ts` finds its keyframes.
 */
import { type ByteSource, uncertain } from '../../../lib/media/source.ts';
import { nalFormat, type NalFormat } from '../codec/idr.ts';
import type { ClusterTrack, IndexData, Keyframes, TrackData } from '../types.ts';
import { blocks } from './blocks.ts';
import { checkCues, type MatroskaCue, matroskaCues } from './cues.ts';
import { describe, type FirstBytes } from './describe.ts';
import { type MatroskaHeader, readMatroskaHeader } from './header.ts';
import { measureRates, type Rate, trackRates } from './rates.ts';
import { endOfCutFile, withSoundFacts } from './sound.ts';
import { type TrackEntry, trackEntries } from './tracks.ts';

const NANOSECONDS = 1e9;
const MAX_FIRST_BLOCKS = 2000;
/** Seconds within which each track is expected to begin. */
const MAX_START = 10;
const FRAME_START = 16 * 1024;

interface Seen extends FirstBytes {
  ticks: number;
  isKey: boolean;
}

export function matroskaIndex(source: ByteSource): IndexData {
  const header = readMatroskaHeader(source);
  const { cues } = header;
  if (cues === undefined) return uncertain('Matroska without cues');
  const tracks = readTracks(source, header);
  const { track, seen, format } = tracks.main;
  const keyframes = keyframesOf(source, header, { track, cues, first: seen, format });
  const duration = header.duration > 0 ? header.duration : uncertain('Matroska without a duration');
  const measured = measureRates(source, header, keyframes, duration);
  const index = assemble(header, tracks, keyframes, { duration, measured });
  return withSoundFacts(
    source,
    header.isCut ? { ...index, duration: endOfCutFile(source, index) } : index,
    measured.keys(),
  );
}

interface Described {
  track: TrackEntry;
  seen: Seen | undefined;
  data: TrackData;
}

export interface MatroskaTracks {
  described: readonly Described[];
  /** The track whose keyframes divide the file, and how its frames are distinguished if needed. */
  main: Described & { format: NalFormat | undefined };
}

/** Describes the first video track and all audio tracks, by their entries and first frames. */
export function readTracks(source: ByteSource, header: MatroskaHeader): MatroskaTracks {
  const streams = trackEntries(header.tracks)
    .map((track, stream) => ({ track, stream }))
    .filter(({ track }) => track.type === 1 || track.type === 2);
  const main =
    streams.find(({ track }) => track.type === 1) ?? streams[0] ?? uncertain('Matroska without video or sound');
  // Only the first of several video tracks is shown.
  const chosen = streams.filter(({ track }) => track.type === 2 || track === main.track);
  const firsts = firstFrames(
    source,
    header,
    chosen.map(({ track }) => track),
  );
  const described = chosen.map(({ track, stream }) => ({
    track,
    seen: firsts.get(track.number),
    data: describe(track, stream, { first: firsts.get(track.number), scale: header.scale }),
  }));
  const own = described.find(({ track }) => track === main.track) ?? uncertain('Matroska without video or sound');
  const { codec } = own.data;
  return {
    described,
    main: {
      ...own,
      format: codec === 'h264' || codec === 'hevc' ? nalFormat(codec, main.track.private, own.seen) : undefined,
    },
  };
}

/** Puts an index together from what was read, the keyframes that were found and the rates that were measured. */
export function assemble(
  header: MatroskaHeader,
  { described, main }: MatroskaTracks,
  keys: Keyframes,
  { duration, measured }: { duration: number; measured: ReadonlyMap<number, Rate> },
): IndexData {
  const rates = trackRates(measured, { header, keys, duration, tracks: described.map(({ track }) => track) });
  return {
    duration,
    tracks: described.map(({ track, data }) => ({
      ...data,
      bandwidth: rates.get(track.number) ?? { peak: 0, average: 0 },
    })),
    main: described.findIndex(({ track }) => track === main.track),
    keyframes: keys,
    obstacles: [],
    layout: {
      kind: 'clusters',
      first: header.firstCluster,
      end: header.end,
      scale: header.scale,
      tracks: described.map(({ track, seen, data }) => clusterTrack(track, data, seen?.ticks ?? 0)),
    },
  };
}

const clusterTrack = (
  track: TrackEntry,
  { kind, timescale, frameSize }: TrackData,
  firstTicks: number,
): ClusterTrack => ({
  number: track.number,
  kind,
  timescale,
  frameSize,
  firstTicks,
  frameDuration: track.frameDuration,
  stripped: track.stripped.length,
});

/** Walks from the first cluster until each track has shown a frame. */
function firstFrames(
  source: ByteSource,
  { firstCluster, end, scale }: MatroskaHeader,
  tracks: readonly TrackEntry[],
): Map<number, Seen> {
  const seen = new Map<number, Seen>();
  const wanted = new Map(tracks.map((track) => [track.number, track]));
  const latest = (MAX_START * NANOSECONDS) / scale;
  let count = 0;
  for (const block of blocks(source, firstCluster, end)) {
    if ((count += 1) > MAX_FIRST_BLOCKS || block.clusterTicks > latest || seen.size === wanted.size) break;
    const track = wanted.get(block.track);
    const [frame] = block.frames;
    if (track === undefined || frame === undefined || seen.has(track.number)) continue;
    const bytes = Buffer.concat([track.stripped, source.upTo(frame.at, Math.min(frame.size, FRAME_START))]);
    seen.set(track.number, { bytes, size: frame.size + track.stripped.length, ticks: block.ticks, isKey: block.isKey });
  }
  return seen;
}

interface MainTrack {
  track: TrackEntry;
  cues: Buffer;
  first: Seen | undefined;
  format: NalFormat | undefined;
}

function keyframesOf(
  source: ByteSource,
  header: MatroskaHeader,
  { track, cues: data, first, format }: MainTrack,
): Keyframes {
  const cues = matroskaCues(data, track.number, header);
  if (cues.length === 0) return uncertain('Matroska without cues');
  // Muxers may leave out the cue of the first keyframe.
  if (first && track.type === 1 && first.isKey && (cues[0]?.ticks ?? 0) > first.ticks)
    cues.unshift({ ticks: first.ticks, at: header.firstCluster, relative: -1 });
  const checked = checkCues(source, cues, { track: track.number, format, stripped: track.stripped });
  const of = (value: (cue: MatroskaCue) => number): Float64Array => Float64Array.from(checked.cues, value);
  return {
    times: of(({ ticks }) => (ticks * header.scale) / NANOSECONDS),
    places: of(({ at }) => at),
    isIdr: checked.isIdr,
  };
}
