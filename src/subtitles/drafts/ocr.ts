/**
 * Reading subtitles that are pictures: Blu-ray's PGS and DVD's VobSub, beside the video or inside it, with tesseract.
 *
 * Gives cues with the pictures' exact times and how sure each word is. Pictures are decoded, prepared and read in
 * small batches, several at a time, so a whole film costs the memory of its bytes. What cannot be read is told and
 * never made up; notes of songs are told by their shape; slant and colour are not known. Changes nothing anywhere.
 */
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { PlayableFile, Subject } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import type { Root } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import type { Processes } from '../../lib/process.ts';
import {
  type Cue,
  linesIn,
  type Picture,
  type Pixels,
  prepare,
  spansOf,
  type SubtitleDocument,
  type Warning,
  usualLetter,
  withoutFades,
  withoutNotes,
} from '../../cues/index.ts';
import { pictureTrackFor, loadPictures, type PictureTrack } from './picture-track.ts';
import { type RecognisedLine, joinLines } from './recognised-text.ts';
import { createTesseract, type Tesseract } from './tesseract.ts';

export type { PictureTrack } from './picture-track.ts';

export interface OcrNeeds {
  processes: Pick<Processes, 'run'>;
  ffmpeg: Pick<Ffmpeg, 'extractPictures' | 'probe'>;
  /** The program, as the settings have it. */
  tesseract: () => string;
  log: Log;
}
export interface OcrRequest {
  file: PlayableFile;
  root: Root;
  /** A BCP 47 tag. */
  language: string;
  /** 0 to 1. */
  progress?(part: number): void;
  signal: AbortSignal;
}
export interface OcrResult {
  document: SubtitleDocument;
  /** The words of all cues in order; `cue` is the cue's index. Confidence is 0 to 1. */
  words: { cue: number; text: string; confidence: number }[];
}
export interface Ocr {
  /** The track that `read` should take for a language, or undefined when there are no such pictures. */
  fitting(subject: Subject, file: PlayableFile, language: string): PictureTrack | undefined;
  /** Fails as `conflict`, with what to install, when tesseract or its data for the language is missing. */
  check(language: string, signal: AbortSignal): Promise<void>;
  /** Reads a whole track. Fails as `check` does, and as `conflict` when there is nothing in it that can be read. */
  read(track: PictureTrack, reading: OcrRequest): Promise<OcrResult>;
}

/** A start of tesseract takes as long as ten pictures; more than this at once only delays the progress. */
const BATCH = { pages: 40, pixels: 8_000_000 } as const;
/** What taking the track out of its container is of the whole. */
const LOADING = 0.2;
/** ms between two pictures with the same text that count as one. */
const SEAM = 10;
/** How sure a note is that was told by its shape. */
const SHAPED = 0.9;
/** Pictures that are measured before all are read. */
const SAMPLE = 20;
const SAMPLE_PIXELS = 1_000_000;
/** Of the others it is not known how large the screen is that they were drawn for. */
const HAS_PLACES: readonly string[] = ['sup', 'vobsub', 'hdmv_pgs_subtitle', 'dvd_subtitle'];

export function createOcr({ processes, ffmpeg, tesseract: program, log }: OcrNeeds): Ocr {
  const tesseract = createTesseract({ processes, program });
  return {
    fitting: pictureTrackFor,
    check: async (language, signal) => void (await tesseract.model(language, signal)),
    async read(track, { file, root, language, progress = () => {}, signal }) {
      const model = await tesseract.model(language, signal);
      const loaded = await loadPictures(
        track,
        { ffmpeg, file, root, language, progress: (part) => progress(part * LOADING) },
        signal,
      );
      signal.throwIfAborted();
      progress(LOADING);
      const pictures = withoutFades(loaded.pictures);
      const lines = await readAll(
        pictures,
        { tesseract, model, progress: (part) => progress(LOADING + part * (1 - LOADING)) },
        signal,
      );
      const recognised = assembled(pictures, lines, {
        notes: loaded.notes,
        hasPlaces: HAS_PLACES.includes(track.format),
      });
      const { cues } = recognised.document;
      log.info('subtitles.pictures-read', {
        format: track.format,
        pictures: pictures.length,
        cues: cues.length,
        model,
      });
      if (cues.length === 0)
        throw new Failure('conflict', 'no text could be read in these pictures', { reason: 'no-text-recognised' });
      return recognised;
    },
  };
}

interface OcrRun {
  tesseract: Tesseract;
  model: string;
  progress(part: number): void;
}

/** The lines of each picture. As many batches at a time as there are processors; one that fails stops all. */
async function readAll(pictures: readonly Picture[], work: OcrRun, signal: AbortSignal): Promise<RecognisedLine[][]> {
  const out: RecognisedLine[][] = pictures.map(() => []);
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const workers = Math.min(availableParallelism(), pictures.length);
  const most = Math.min(BATCH.pages, Math.ceil((pictures.length * 1.5) / workers));
  const letter = await letterIn(pictures, signal);
  let [next, done] = [0, 0];
  const take = async (): Promise<{ batch: Piece[]; taken: Set<number> }> => {
    const batch: Piece[] = [];
    const taken = new Set<number>();
    for (let pixels = 0; next < pictures.length && batch.length < most && pixels < BATCH.pixels;) {
      either.throwIfAborted();
      const at = next++;
      const page = prepare((pictures[at] as Picture).pixels(), letter);
      for (const line of page ? linesIn(page) : []) {
        batch.push({ at, ...withoutNotes(line) });
        pixels += line.pixels.length;
      }
      taken.add(at);
      // Preparing takes some ms a picture; others want to go on meanwhile.
      await setImmediate();
    }
    return { batch, taken };
  };
  const worker = async (): Promise<void> => {
    while (next < pictures.length) {
      const { batch, taken } = await take();
      const pages = batch.flatMap(({ page }) => page ?? []);
      const read = pages.length === 0 ? [] : await work.tesseract.recognise(pages, work.model, either);
      for (const piece of batch) out[piece.at]?.push(...sung(piece, piece.page ? (read.shift() ?? []) : []));
      done += taken.size;
      work.progress(done / pictures.length);
    }
  };
  const ends = await Promise.allSettled(
    Array.from({ length: workers }, () =>
      worker().catch((error: unknown) => {
        stop.abort(error);
        throw error;
      }),
    ),
  );
  if (ends.some(({ status }) => status === 'rejected')) throw stop.signal.reason;
  return out;
}

/** A line of a picture: without the notes that stood at its ends. */
type Piece = { at: number } & ReturnType<typeof withoutNotes>;

/** What was read, with the notes that were told by their shape. */
function sung({ before, after }: Piece, lines: readonly RecognisedLine[]): RecognisedLine[] {
  const note = { text: '♪', confidence: SHAPED };
  if (!before && !after) return [...lines];
  const all = lines.length > 0 ? lines : [[]];
  return all.map((line, n) => [
    ...(before && n === 0 ? [note] : []),
    ...line,
    ...(after && n === all.length - 1 ? [note] : []),
  ]);
}

/** The height of the letters, from pictures spread over the whole track. */
async function letterIn(pictures: readonly Picture[], signal: AbortSignal): Promise<number | undefined> {
  const some: Pixels[] = [];
  const step = Math.max(1, Math.floor(pictures.length / SAMPLE));
  for (let at = step >> 1; at < pictures.length && some.length < SAMPLE; at += step) {
    const picture = pictures[at];
    if (picture && picture.width * picture.height < SAMPLE_PIXELS) some.push(picture.pixels());
    signal.throwIfAborted();
    await setImmediate();
  }
  return usualLetter(some);
}

/** Cues and words out of what was read. */
function assembled(
  pictures: readonly Picture[],
  lines: readonly RecognisedLine[][],
  { notes, hasPlaces }: { notes: readonly string[]; hasPlaces: boolean },
): OcrResult {
  const cues: Cue[] = [];
  const words: OcrResult['words'] = [];
  const warnings: Warning[] = notes.map((note) => ({ code: 'bad-line', line: 0, message: note }));
  let lastText = '';
  for (const [n, picture] of pictures.entries()) {
    const read = lines[n] ?? [];
    const text = joinLines(read);
    if (text === '') {
      warnings.push({
        code: 'empty-cue',
        line: n + 1,
        message: `no text could be read in the picture at ${clock(picture.start)}`,
      });
      continue;
    }
    const last = cues.at(-1);
    if (last && text === lastText && picture.start >= last.end && picture.start - last.end <= SEAM) {
      cues[cues.length - 1] = { ...last, end: picture.end };
      continue;
    }
    lastText = text;
    for (const word of read.flat()) words.push({ cue: cues.length, ...word });
    cues.push({
      start: picture.start,
      end: picture.end,
      spans: spansOf(text),
      ...(hasPlaces && isAtTop(picture) && { placement: { anchor: 8 } }),
    });
  }
  return { document: { format: 'srt', cues, warnings: warnings.slice(0, 1_000) }, words };
}

/** In the upper third of its frame, where it is put to spare what stands below. */
const isAtTop = ({ y, height, frame }: Picture): boolean =>
  y + height / 2 < frame.height * 0.35 && y + height < frame.height / 2;

function clock(ms: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`;
}
