/**
 * Makes the preview pictures of one file: ffmpeg decodes keyframes in pieces of ten minutes, at the size of a picture,
 * and they are put on sheets here.
 *
 * Between two pieces the work waits while it should, so that it never holds a place among the programs for longer than
 * a second or two. Decoding only what the index of the file chooses takes a third of the time of all keyframes.
 */
import type { PlayableFile } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import type { Ffmpeg, KeyPicture, Media } from '../../lib/ffmpeg/index.ts';
import { ProcessFailure } from '../../lib/process.ts';
import { createChooser } from './choose.ts';
import { createComposer } from './compose.ts';
import { geometryOf, stepOf, SHEET } from './geometry.ts';
import { packPictures } from './pack.ts';

/** Seconds of the file that one run of ffmpeg decodes. */
const PIECE_S = 600;
/** Pictures of a chapter are made for at most so many chapters. */
const MAX_CHAPTERS = 500;
/** Longer files are recordings that never ended, or damaged. */
const MAX_DURATION_S = 48 * 3600;
/** Pieces that may fail one after the other before the file is given up. */
const MAX_FAILED = 3;

export const NO_PICTURES = 'no pictures can be made of this video';

export interface MakeRequest {
  file: PlayableFile;
  media: Media;
  /** Resolves when the next piece may begin. */
  turn(signal: AbortSignal): Promise<void>;
  progress(part: number): void;
}

export async function makePictures(ffmpeg: Pick<Ffmpeg, 'keyPictures'>, { file, media, turn, progress }: MakeRequest, signal: AbortSignal): Promise<Buffer> {
  const { info } = file;
  const geometry = geometryOf(info);
  const duration = Math.min(info?.duration ?? 0, MAX_DURATION_S);
  if (!info || !geometry || duration <= 0) throw new Failure('missing', 'this item has no video');
  const { width, height } = geometry;
  const starts = info.chapters.slice(0, MAX_CHAPTERS).map(({ start }) => start);
  const chooser = createChooser({ step: stepOf(duration), chapters: starts });
  const composer = createComposer({ width, height, chapters: starts.length });
  const hdr = info.streams.find(({ type, cover }) => type === 'video' && !cover)?.hdr;
  let failed = 0;
  for (let from = 0; from < duration; from += PIECE_S) {
    await turn(signal);
    signal.throwIfAborted();
    try {
      const piece = { from, length: Math.min(PIECE_S, duration - from) + 1 };
      for await (const picture of ffmpeg.keyPictures({ media, ...piece, width, height, ...(hdr && { hdr }) }, signal)) await take(picture);
      failed = 0;
    } catch (error) {
      signal.throwIfAborted();
      if (!isOfFile(error) || ++failed >= MAX_FAILED) throw isOfFile(error) ? new Failure('conflict', NO_PICTURES, {}, { cause: error }) : error;
    }
    progress(Math.min(1, (from + PIECE_S) / duration));
  }
  const { sheets, times, chapters } = await composer.end();
  if (times.length === 0) throw new Failure('conflict', NO_PICTURES);
  return packPictures({ width, height, columns: SHEET, times, duration, sheets, chapters });

  async function take({ time, luma, pixels }: KeyPicture): Promise<void> {
    const chosen = chooser.take(time, luma);
    if (chosen.isTile || chosen.chapters.length > 0) await composer.add(pixels, time, chosen);
  }
}

const isOfFile = (error: unknown): boolean => error instanceof ProcessFailure && ['exit', 'signal', 'quiet', 'timeout', 'output'].includes(error.reason);
