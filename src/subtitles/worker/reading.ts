/** Reads, examines and converts whole subtitles. Pure, and the same in every process. */
import type {
  CueNumbers,
  ConvertRequest,
  DocumentRequest,
  Examination,
  ExamineRequest,
  FileCheck,
  Naming,
  SubtitleInput,
} from './types.ts';
import { isSpoken } from '../../cues/align/blocks.ts';
import { Failure } from '../../lib/failure.ts';
import {
  changeCues,
  type Cue,
  decodeText,
  detectFormat,
  detectHearingImpaired,
  detectLanguage,
  type Format,
  inOrder,
  plainText,
  readSubtitle,
  readText,
  type SubtitleDocument,
  toAss,
  toSrt,
  toVtt,
} from '../../cues/index.ts';

/**
 * Number of cues sampled to detect the language, spread over the whole length because opening credits are often in
 * another language.
 */
const SAMPLE_CUES = 1_500;
const SAMPLE_LENGTH = 60_000;

export async function convertSubtitle({ bytes, to, from, options }: ConvertRequest): Promise<Uint8Array> {
  const document =
    from === undefined
      ? (await readSubtitle(bytes, options)).document
      : readText(new TextDecoder().decode(bytes), from);
  return Buffer.from(to === 'vtt' ? toVtt(document) : toAss(document));
}

export async function examineSubtitle({ bytes, options, cut, alignment }: ExamineRequest): Promise<Examination> {
  const { document: whole } = await readSubtitle(bytes, options);
  const read = cut ? { ...whole, cues: cuesWithin(whole.cues, cut) } : whole;
  const document = alignment?.outcome === 'moved' ? changeCues(read, { timing: { alignment } }).document : read;
  const written = document.cues.filter((cue) => plainText(cue.spans).trim() !== '');
  return {
    format: document.format,
    cues: inOrder(document.cues),
    starts: Float64Array.from(written, ({ start }) => start).sort(),
    language: await detectLanguage(sampleOf(written), options.language),
    isForImpaired: detectHearingImpaired(written).is,
    srt: Buffer.from(toSrt(document)),
  };
}

const cuesWithin = (cues: readonly Cue[], { from, to }: NonNullable<ExamineRequest['cut']>): Cue[] =>
  cues.flatMap((cue) =>
    cue.end > from && cue.start < to
      ? [{ ...cue, start: Math.max(0, cue.start - from), end: Math.min(to, cue.end) - from }]
      : [],
  );

export const readDocument = async ({ bytes, options }: DocumentRequest): Promise<SubtitleDocument> =>
  (await readSubtitle(bytes, options)).document;

export const readCues = async ({ bytes, extension }: SubtitleInput): Promise<Cue[]> =>
  inOrder((await readSubtitle(bytes, { extension })).document.cues);

export async function detectedFormat({ bytes, extension }: Naming): Promise<Format | undefined> {
  return detectFormat((await decodeText(bytes)).text, extension);
}

/** Returns why a file cannot be read, or, of one with a cue with text, whether it is for the hard of hearing. */
export async function checkFile({ bytes, extension }: SubtitleInput): Promise<FileCheck> {
  try {
    const { document } = await readSubtitle(bytes, { extension });
    const written = document.cues.filter((cue) => plainText(cue.spans).trim() !== '');
    if (written.length > 0) return { isForImpaired: detectHearingImpaired(written).is };
    return { unreadable: (await decodeText(bytes)).text.trim() === '' ? 'empty' : 'no-cues' };
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'invalid') throw error;
    if (error.reason === 'subtitle-over-limit') return { unreadable: 'too-large' };
    return { unreadable: error.reason === 'format-unknown' ? 'not-a-subtitle' : 'damaged' };
  }
}

function sampleOf(cues: readonly Cue[]): string {
  const step = Math.max(1, Math.floor(cues.length / SAMPLE_CUES));
  return cues
    .filter((_, at) => at % step === 0)
    .map((cue) => plainText(cue.spans))
    .join('\n')
    .slice(0, SAMPLE_LENGTH);
}

export const numbersFromCues = (cues: readonly Cue[]): CueNumbers => ({
  starts: Float64Array.from(cues, ({ start }) => start),
  ends: Float64Array.from(cues, ({ end }) => end),
  spoken: Uint8Array.from(cues, (cue) => (isSpoken(cue) ? 1 : 0)),
});

const WORDS: Cue['spans'] = [{ kind: 'text', text: 'words' }];

/** Returns cues whose times and speech equal the numbers, for comparisons. */
export const cuesFromNumbers = ({ starts, ends, spoken }: CueNumbers): Cue[] =>
  Array.from(starts, (start, n) => ({ start, end: ends[n] ?? start, spans: spoken[n] === 1 ? WORDS : [] }));
