/**
 * Makes the preview pictures of one file: ffmpeg decodes keyframes in pieces of ten minutes, at the size of a picture,
 * and they are put on sheets here.
 *
 * Between two pieces the work waits while it should, so that it never holds a place among the programs for longer than
 * a second or two. Decoding only what the index of the file chooses takes a third of the time of all keyframes.
 */
import type { PlayableFile } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import type { Ffmpeg, KeyPictureShape, KeyPicturesRequest, Media } from '../../lib/ffmpeg/index.ts';
import { ProcessFailure } from '../../lib/process.ts';
import { videoOf } from '../plan/support.ts';
import type { Rendition, SegmentSpan } from '../rendition.ts';
import { createChooser, neededTimes } from './choose.ts';
import { createComposer } from './compose.ts';
import { geometryOf, secondsBetweenPictures, SHEET } from './geometry.ts';
import { packPictures } from './pack.ts';

/** Seconds of the file that one run of ffmpeg decodes. */
const PIECE_S = 600;
/** Keyframes that one run decodes when they are cut out of the file. */
const PIECE_PICTURES = 60;
/** Keyframes of a file that are looked at: two a second for a day and more. */
const MAX_KEYFRAMES = 200_000;
/** Pictures of a chapter are made for at most so many chapters. */
const MAX_CHAPTERS = 500;
/** Longer files are recordings that never ended, or damaged. */
const MAX_DURATION_S = 48 * 3600;
/** Pieces that may fail one after the other before the file is given up. */
const MAX_FAILED = 3;

/** Reason of a Failure whose video cannot be decoded, now or later. */
export const UNDECODABLE_VIDEO = 'undecodable';
const noPictures = (cause?: unknown): Failure =>
  new Failure('conflict', 'no pictures can be made of this video', { reason: UNDECODABLE_VIDEO }, { cause });

export interface MakeRequest {
  file: PlayableFile;
  media: Media;
  /** The video of the file as it can be copied, where it can: then only the keyframes that are needed are decoded. */
  video: Rendition | undefined;
  /** Resolves when the next piece may begin. */
  turn(signal: AbortSignal): Promise<void>;
  progress(part: number): void;
}

export async function makePictures(
  ffmpeg: Pick<Ffmpeg, 'keyPictures'>,
  { file, media, video, turn, progress }: MakeRequest,
  signal: AbortSignal,
): Promise<Buffer> {
  const { info } = file;
  const geometry = geometryOf(info);
  const duration = Math.min(info?.duration ?? 0, MAX_DURATION_S);
  if (!info || !geometry || duration <= 0)
    throw new Failure('missing', 'this item has no video', { reason: 'no-video' });
  const { width, height, rotation } = geometry;
  const starts = info.chapters.slice(0, MAX_CHAPTERS).map(({ start }) => start);
  const wanted = { step: secondsBetweenPictures(duration), chapters: starts };
  const chooser = createChooser(wanted);
  const composer = createComposer({ width, height, chapters: starts.length });
  const hdr = videoOf(info)?.hdr;
  const shape = { width, height, ...(hdr && { hdr }) };
  const spans = video?.keyframes?.slice(0, MAX_KEYFRAMES);
  // A player turns the picture of the file; what is cut out of it does not say how.
  /** Why the file could not be read while its keyframes were cut out: ffmpeg only sees that its input ended. */
  const reading: { error?: unknown } = {};
  const pieces =
    video && spans && rotation === 0
      ? cutPieces(video, spans, { wanted, shape, reading, signal })
      : filePieces(media, duration, shape);
  let failed = 0;
  for (const [i, piece] of pieces.entries()) {
    await turn(signal);
    signal.throwIfAborted();
    try {
      for await (const { time, luma, pixels } of ffmpeg.keyPictures(piece(), signal)) {
        const chosen = chooser.take(time, luma);
        if (chosen.isTile || chosen.chapters.length > 0) await composer.add(pixels, time, chosen);
      }
      failed = 0;
    } catch (error) {
      signal.throwIfAborted();
      if (reading.error instanceof Failure) throw reading.error;
      if (!isOfFile(error) || ++failed >= MAX_FAILED) throw isOfFile(error) ? noPictures(error) : error;
    }
    progress((i + 1) / pieces.length);
  }
  const { sheets, times, chapters } = await composer.end();
  if (times.length === 0) throw noPictures();
  return packPictures({ width, height, columns: SHEET, times, duration, sheets, chapters });
}

type Piece = () => KeyPicturesRequest;

/** The keyframes of ten minutes at a time. */
function filePieces(media: Media, duration: number, shape: KeyPictureShape): Piece[] {
  return Array.from({ length: Math.ceil(duration / PIECE_S) }, (_, n): Piece => () => ({
    media,
    from: n * PIECE_S,
    length: Math.min(PIECE_S, duration - n * PIECE_S) + 1,
    ...shape,
  }));
}

/** The keyframes that are needed, cut out of the file, some dozens at a time. */
function cutPieces(
  video: Rendition,
  spans: readonly SegmentSpan[],
  {
    wanted,
    shape,
    reading,
    signal,
  }: {
    wanted: Parameters<typeof neededTimes>[1];
    shape: KeyPictureShape;
    reading: { error?: unknown };
    signal: AbortSignal;
  },
): Piece[] {
  const needed = neededTimes(
    spans.map(({ start }) => start),
    wanted,
  ).flatMap((isNeeded, n) => (isNeeded ? [n] : []));
  const fragments = async function* (numbers: readonly number[]): AsyncGenerator<Uint8Array> {
    try {
      yield await video.init(signal);
      for (const n of numbers) {
        const { bytes } = (await video.keyframe?.(n, signal)) ?? { bytes: new Uint8Array() };
        if (bytes instanceof Uint8Array) yield bytes;
        else yield* bytes;
      }
    } catch (error) {
      reading.error = error;
      throw error;
    }
  };
  return Array.from({ length: Math.ceil(needed.length / PIECE_PICTURES) }, (_, i): Piece => () => ({
    fragments: fragments(needed.slice(i * PIECE_PICTURES, (i + 1) * PIECE_PICTURES)),
    ...shape,
  }));
}

const isOfFile = (error: unknown): boolean =>
  error instanceof ProcessFailure && ['exit', 'signal', 'quiet', 'timeout', 'output', 'aborted'].includes(error.fault);
