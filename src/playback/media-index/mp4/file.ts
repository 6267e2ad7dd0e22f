/** Makes the index of an MP4 or QuickTime file, fragmented or not: the complete sample table of each track. */
import { payload } from '../../../lib/media/boxes.ts';
import { type ByteSource, Uncertain, uncertain } from '../../../lib/media/source.ts';
import { BadFragment, readDefaults, type SampleDefaults, sampleRuns } from '../../cmaf/runs.ts';
import { type FirstPicture, hasLengths, keyframeKind, type NalFormat } from '../codec/idr.ts';
import { createGapFinder } from '../gaps.ts';
import { planSegments } from '../segments.ts';
import { checkKeyframes } from '../spread.ts';
import { bandwidthOf, positionOf, sizeOf, timeOfSample } from '../table.ts';
import type { IndexData, Keyframes, IndexObstacle, SampleTable, TrackData } from '../types.ts';
import { applyEdits } from './edit.ts';
import { isProtected, type SampleEntry, sampleEntryOf } from './entry.ts';
import { type Movie, type Mp4Track, readMovie } from './movie.ts';
import { MAX_SAMPLES, type Mp4Samples } from './samples.ts';
import { readTables } from './tables.ts';

interface Indexed {
  data: TrackData;
  table: SampleTable;
  nal: NalFormat | undefined;
}

/** Seconds between the places at which a file without video is divided. */
const AUDIO_KEY_STEP = 1;

export function mp4Index(source: ByteSource): IndexData {
  const movie = readMovie(source);
  // A cover may be a separate track before the film.
  const pictures = movie.tracks.filter(({ kind }) => kind === 'video');
  const main = pictures.find((track) => readEntry(source, track) !== undefined) ?? pictures[0] ?? movie.tracks[0];
  if (main === undefined) return uncertain('a movie without video or sound');
  const chosen = movie.tracks.filter((track) => track === main || track.kind === 'audio');
  const samples = chosen.map((track) => readTables(track.stbl, { source, isVideo: track.kind === 'video' }));
  if (movie.mvex) addFragments(source, movie, chosen, samples);
  if (samples.reduce((sum, { count }) => sum + count, 0) > MAX_SAMPLES) uncertain('too many samples');
  const indexed = chosen.map((track, i) => indexOf(source, movie, track, samples[i]));
  const place = chosen.indexOf(main);
  const duration = Math.max(0, ...indexed.map(({ data, table }) => (table.end - data.priming) / data.timescale));
  const leading = indexed[place];
  if (leading === undefined || !(duration > 0)) return uncertain('a movie without a duration');
  const keyframes = main.kind === 'video' ? keyframesOf(source, leading) : seekPointsOf(leading);
  if (main.kind === 'video' && leading.table.keys) leading.table.keys = Uint32Array.from(keyframes.places);
  const { segments, keys } = planSegments(keyframes, duration, leading.nal?.codec === 'h264');
  const lastStart = segments.at(-1)?.start ?? 0;
  const tracks = indexed.map(({ data, table }) => ({
    ...data,
    ...(main.kind === 'video' && data.kind === 'audio' && hasGaps(table, data, lastStart) && { hasGaps: true }),
    bandwidth: bandwidthOf(table, data, { segments, keys, keyframes }),
  }));
  return {
    duration,
    tracks,
    main: place,
    keyframes,
    obstacles: [],
    layout: { kind: 'tables', tables: indexed.map(({ table }) => table) },
  };
}

function indexOf(source: ByteSource, movie: Movie, track: Mp4Track, samples: Mp4Samples | undefined): Indexed {
  const { kind, timescale, stream, edits } = track;
  const entry = readEntry(source, track);
  const { table, priming, isObstacle } = applyEdits(samples?.table() ?? uncertain('a track without samples'), {
    edits,
    kind,
    timescale,
    movieTimescale: movie.timescale,
  });
  const obstacles: IndexObstacle[] = entry ? [] : [isProtected(source, track.stsd) ? 'protected' : 'codec'];
  if (entry?.nal && !hasLengths(entry.nal, firstSample(source, table))) obstacles.push('codec');
  if (isObstacle) obstacles.push('edit-list');
  if (table.count === 0) obstacles.push('empty');
  const shown = track.width > 0 && track.height > 0 ? { width: track.width, height: track.height } : {};
  const { bytes, nal, codec = 'unknown', ...facts } = entry ?? {};
  const data: TrackData = {
    stream,
    kind,
    timescale,
    priming,
    frameSize: 0,
    codec,
    ...facts,
    ...(kind === 'video' && shown),
    ...(bytes && { entry: bytes }),
    obstacles,
  };
  return { data, table, nal };
}

const FIRST_BYTES = 16 * 1024;

function firstSample(source: ByteSource, table: SampleTable): FirstPicture | undefined {
  const size = table.count > 0 ? sizeOf(table, 0) : 0;
  return size === 0 ? undefined : { bytes: source.upTo(positionOf(table, 0), Math.min(size, FIRST_BYTES)), size };
}

/** A description that is not understood leaves its track to be converted. */
function readEntry(source: ByteSource, track: Mp4Track): SampleEntry | undefined {
  try {
    return sampleEntryOf(source, track.stsd, track.kind);
  } catch (error) {
    if (!(error instanceof Uncertain) && !(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** Adds the samples of every fragment. */
function addFragments(
  source: ByteSource,
  { mvex, fragments }: Movie,
  chosen: readonly Mp4Track[],
  samples: readonly Mp4Samples[],
): void {
  const defaults = new Map<number, SampleDefaults>();
  const decodeTimes = new Map<number, number>();
  const byId = new Map(chosen.map(({ id }, i) => [id, samples[i]]));
  try {
    if (mvex) readDefaults(payload(source, mvex), defaults);
    for (const [id, own] of byId) decodeTimes.set(id, own?.end ?? 0);
    for (const { at, size, head } of fragments) {
      for (const { track, offset, samples: added } of sampleRuns(source.at(at + head, size - head), {
        defaults,
        decodeTimes,
        position: at,
      })) {
        const own = byId.get(track);
        if (own === undefined) continue;
        const first = own.count;
        for (const { dts, cts, ...sample } of added) own.add({ time: dts + cts, ...sample });
        own.place(first, at + offset, own.count);
      }
    }
  } catch (error) {
    if (error instanceof BadFragment) uncertain(error.message);
    throw error;
  }
}

function keyframesOf(source: ByteSource, { data, table, nal }: Indexed): Keyframes {
  const marked = table.keys ?? Uint32Array.from({ length: table.count }, (_, i) => i);
  const { isIdr, unfit } = checkKeyframes(nal?.codec === 'h264' ? marked.length : 0, true, (key) => {
    const sample = marked[key] ?? 0;
    const at = positionOf(table, sample);
    return (
      nal &&
      keyframeKind(nal, sizeOf(table, sample), (offset, length) =>
        source.upTo(at + offset, Math.min(length, sizeOf(table, sample) - offset)),
      )
    );
  });
  const dropped = new Set(unfit);
  const isKept = (_: number, key: number): boolean => !dropped.has(key);
  const keys = marked.filter(isKept);
  return {
    times: Float64Array.from(keys, (key) => timeOfSample(table, key) / data.timescale),
    places: Float64Array.from(keys),
    isIdr: nal?.codec === 'h264' ? isIdr.filter(isKept) : new Uint8Array(keys.length).fill(1),
  };
}

function seekPointsOf({ data, table }: Indexed): Keyframes {
  const places: number[] = [];
  const times: number[] = [];
  for (let i = 0; i < table.count; i += 1) {
    const time = Math.max(0, (timeOfSample(table, i) - data.priming) / data.timescale);
    const last = times.at(-1);
    if (last !== undefined && time - last < AUDIO_KEY_STEP) continue;
    places.push(i);
    times.push(time);
  }
  return {
    times: Float64Array.from(times),
    places: Float64Array.from(places),
    isIdr: new Uint8Array(places.length).fill(1),
  };
}

function hasGaps(table: SampleTable, { timescale, priming }: TrackData, lastStart: number): boolean {
  const gaps = createGapFinder();
  for (let i = 0; i < table.count; i += 1) gaps.add((timeOfSample(table, i) - priming) / timescale);
  return table.count > 0 && gaps.hasGap(lastStart);
}

/** Whether the first boxes are those of a file of this family. */
export const isMp4 = (source: ByteSource): boolean => {
  const head = source.upTo(0, 8);
  return (
    head.length === 8 &&
    ['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot', 'styp'].includes(head.toString('latin1', 4, 8))
  );
};
