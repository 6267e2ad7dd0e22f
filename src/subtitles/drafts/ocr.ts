/**
 * Reads picture subtitles with tesseract: Blu-ray PGS and DVD VobSub, next to the video or inside it.
 *
 * Returns cues with the exact times of the pictures and the confidence of each word. Pictures are decoded, prepared and
 * read in small batches, several at a time, so a whole film needs little more memory than its bytes. Unreadable
 * pictures are reported and their text is never invented. Musical notes are recognised by their shape; italics and
 * colours are not. Writes no files.
 */
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { PlayableFile, Subject } from '../../catalog/index.ts';
import { type DraftNote, draftText } from '../../contract/subtitles/draft-notes.ts';
import { Failure } from '../../lib/failure.ts';
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import type { Root } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import type { Processes } from '../../lib/process.ts';
import {
  type Cue,
  findLines,
  type Picture,
  type Pixels,
  prepare,
  spansOf,
  type SubtitleDocument,
  type Warning,
  usualLetter,
  withinPixelLimit,
  withoutFades,
  withoutNotes,
} from '../../cues/index.ts';
import { pictureTrackFor, loadPictures, type PictureTrack } from './picture-track.ts';
import { clearestReading, type RecognisedLine, joinLines } from './recognised-text.ts';
import { createTesseract, type Tesseract } from './tesseract.ts';

export type { PictureTrack } from './picture-track.ts';

export interface OcrNeeds {
  processes: Pick<Processes, 'run'>;
  ffmpeg: Pick<Ffmpeg, 'extractPictures' | 'probe'>;
  /** Returns the configured program. */
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
  /** Words of all cues in order. `cue` is the index of the cue, and the confidence is 0 to 1. */
  words: { cue: number; text: string; confidence: number }[];
  /** Warnings of the document, for the draft. */
  notes: DraftNote[];
}
export interface Ocr {
  /** Returns the picture track to read for a language; undefined if there is none. */
  fitting(subject: Subject, file: PlayableFile, language: string): PictureTrack | undefined;
  /**
   * Throws `Failure('conflict')`, with the package to install, if tesseract or its data for the language is missing.
   */
  check(language: string, signal: AbortSignal): Promise<void>;
  /** Reads a whole track. Throws as `check` does, and `Failure('conflict')` if nothing in it can be read. */
  read(track: PictureTrack, reading: OcrRequest): Promise<OcrResult>;
}

/** Limits of a batch. Starting tesseract takes as long as ten pictures, and larger batches only delay the progress. */
const BATCH = { pages: 40, pixels: 8_000_000 } as const;
/** Share of the progress for extracting the track, 0 to 1. */
const EXTRACTION_SHARE = 0.2;
/** Maximum gap in milliseconds between two pictures with the same text that become one cue. */
const MAX_GAP_MS = 10;
/** Confidence of a musical note recognised by its shape. */
const NOTE_CONFIDENCE = 0.9;
/** Number of pictures measured before all are read. */
const SAMPLE_PICTURES = 20;
const SAMPLE_PIXELS = 1_000_000;
/** Formats whose screen size is known. For others the position of a picture has no meaning. */
const FORMATS_WITH_POSITION: readonly string[] = ['sup', 'vobsub', 'hdmv_pgs_subtitle', 'dvd_subtitle'];

export function createOcr({ processes, ffmpeg, tesseract: program, log }: OcrNeeds): Ocr {
  const tesseract = createTesseract({ processes, program });
  return {
    fitting: pictureTrackFor,
    check: async (language, signal) => void (await tesseract.model(language, signal)),
    async read(track, { file, root, language, progress = () => {}, signal }) {
      const model = await tesseract.model(language, signal);
      const loaded = await loadPictures(
        track,
        { ffmpeg, file, root, language, progress: (part) => progress(part * EXTRACTION_SHARE) },
        signal,
      );
      signal.throwIfAborted();
      progress(EXTRACTION_SHARE);
      const all = withoutFades(loaded.pictures);
      const pictures = withinPixelLimit(all);
      const lines = await readAll(
        pictures,
        { tesseract, model, progress: (part) => progress(EXTRACTION_SHARE + part * (1 - EXTRACTION_SHARE)) },
        signal,
      );
      const recognised = toCues(pictures, lines, {
        notes: [
          ...loaded.notes.map((values): DraftNote => ({ reason: 'picture-defect', values: { ...values } })),
          ...(pictures.length < all.length ? [leftOut(all.length - pictures.length)] : []),
        ],
        hasPositions: FORMATS_WITH_POSITION.includes(track.format),
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

const leftOut = (count: number): DraftNote => ({ reason: 'pictures-left-out', values: { count } });

interface OcrRun {
  tesseract: Tesseract;
  model: string;
  progress(part: number): void;
}

/**
 * Returns the lines of each picture. Runs as many batches at a time as there are processors; a failed one stops all.
 */
async function readAll(pictures: readonly Picture[], work: OcrRun, signal: AbortSignal): Promise<RecognisedLine[][]> {
  const out: RecognisedLine[][] = pictures.map(() => []);
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const workers = Math.min(availableParallelism(), pictures.length);
  const maxPages = Math.min(BATCH.pages, Math.ceil((pictures.length * 1.5) / workers));
  const letter = await letterHeight(pictures, signal);
  let [next, done] = [0, 0];
  const nextBatch = async (): Promise<{ batch: LinePicture[]; taken: Set<number> }> => {
    const batch: LinePicture[] = [];
    const taken = new Set<number>();
    for (let pixels = 0; next < pictures.length && batch.length < maxPages && pixels < BATCH.pixels;) {
      either.throwIfAborted();
      const at = next++;
      for (const [way, page] of prepare((pictures[at] as Picture).pixels(), letter).entries()) {
        for (const line of findLines(page)) {
          batch.push({ at, way, ...withoutNotes(line) });
          pixels += line.pixels.length;
        }
      }
      taken.add(at);
      // Preparing takes some milliseconds per picture, so other work gets a turn.
      await setImmediate();
    }
    return { batch, taken };
  };
  const worker = async (): Promise<void> => {
    while (next < pictures.length) {
      const { batch, taken } = await nextBatch();
      const pages = batch.flatMap(({ page }) => page ?? []);
      const read = pages.length === 0 ? [] : await work.tesseract.recognise(pages, work.model, either);
      const pieces = batch.map((piece) => ({
        ...piece,
        lines: withNotes(piece, piece.page ? (read.shift() ?? []) : []),
      }));
      for (const at of taken) {
        const own = pieces.filter((piece) => piece.at === at);
        const ways = [...new Set(own.map(({ way }) => way))];
        out[at] = clearestReading(ways.map((way) => own.flatMap((piece) => (piece.way === way ? piece.lines : []))));
      }
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

/** A line of a picture as prepared in one of the possible ways, without musical notes at its ends. */
type LinePicture = { at: number; way: number } & ReturnType<typeof withoutNotes>;

/** Returns the recognised lines, with the notes that were cut off. */
function withNotes({ before, after }: LinePicture, lines: readonly RecognisedLine[]): RecognisedLine[] {
  const note = { text: '♪', confidence: NOTE_CONFIDENCE };
  if (!before && !after) return [...lines];
  const all = lines.length > 0 ? lines : [[]];
  return all.map((line, n) => [
    ...(before && n === 0 ? [note] : []),
    ...line,
    ...(after && n === all.length - 1 ? [note] : []),
  ]);
}

/** Returns the usual height of letters, from pictures spread over the whole track. */
async function letterHeight(pictures: readonly Picture[], signal: AbortSignal): Promise<number | undefined> {
  const some: Pixels[] = [];
  const step = Math.max(1, Math.floor(pictures.length / SAMPLE_PICTURES));
  for (let at = step >> 1; at < pictures.length && some.length < SAMPLE_PICTURES; at += step) {
    const picture = pictures[at];
    if (picture && picture.width * picture.height < SAMPLE_PIXELS) some.push(picture.pixels());
    signal.throwIfAborted();
    await setImmediate();
  }
  return usualLetter(some);
}

/** Builds cues and words from the recognised lines. */
function toCues(
  pictures: readonly Picture[],
  lines: readonly RecognisedLine[][],
  { notes: found, hasPositions }: { notes: readonly DraftNote[]; hasPositions: boolean },
): OcrResult {
  const cues: Cue[] = [];
  const words: OcrResult['words'] = [];
  const notes = [...found];
  const warnings: Warning[] = found.map((note) => ({ code: 'bad-line', line: 0, message: fragmentOf(note) }));
  let lastText = '';
  for (const [n, picture] of pictures.entries()) {
    const read = lines[n] ?? [];
    const text = joinLines(read);
    if (text === '') {
      const note: DraftNote = { reason: 'picture-without-text', values: { at: clock(picture.start) } };
      notes.push(note);
      warnings.push({ code: 'empty-cue', line: n + 1, message: fragmentOf(note) });
      continue;
    }
    const last = cues.at(-1);
    if (last && text === lastText && picture.start >= last.end && picture.start - last.end <= MAX_GAP_MS) {
      cues[cues.length - 1] = { ...last, end: picture.end };
      continue;
    }
    lastText = text;
    for (const word of read.flat()) words.push({ cue: cues.length, ...word });
    cues.push({
      start: picture.start,
      end: picture.end,
      spans: spansOf(text),
      ...(hasPositions && isAtTop(picture) && { placement: { anchor: 8 } }),
    });
  }
  return { document: { format: 'srt', cues, warnings: warnings.slice(0, 1_000) }, words, notes };
}

/** Returns a note as the warnings of a document are written: in lower case, without a full stop. */
function fragmentOf(note: DraftNote): string {
  const sentence = draftText([note]);
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1, -1)}`;
}

/** Whether a picture is in the upper third of its frame, where text is put to keep something below visible. */
const isAtTop = ({ y, height, frame }: Picture): boolean =>
  y + height / 2 < frame.height * 0.35 && y + height < frame.height / 2;

function clock(ms: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`;
}
