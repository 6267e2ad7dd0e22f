/**
 * What a downloaded subtitle must be before it is put in place: readable, long enough, in the right language, and of a
 * length that can belong to the video. Then its timing: confirmed by the audio, or else a strong match.
 *
 * Reading never fails here for what stands in the bytes; that is a refusal with its reason.
 */
import { Failure } from '../../lib/failure.ts';
import { type Cue, detectHearingImpaired, detectLanguage, plainText, readSubtitle, type ReadSubtitle } from '../engine/index.ts';
import { type Ask, type Downloaded, MOST_SUBTITLE } from '../providers/provider.ts';
import { isAcceptableUnverified } from './choose.ts';
import type { Evidence, Scored } from './evidence.ts';
import { score } from './score.ts';

export type CheckReason = 'unreadable' | 'too-few' | 'language' | 'timing' | 'unverified';

export type Checked =
  | {
      accepted: true;
      read: ReadSubtitle;
      /** As the content shows, not as the provider says. */
      hearingImpaired: boolean;
      /** The score with what the content showed; the evidence in full. */
      score: number;
      evidence: readonly Evidence[];
      match: Scored['match'];
      isVerified: boolean;
    }
  | { accepted: false; reason: CheckReason; detail: string };

/** Says whether cues fit the speech of the video: `unknown` when there is no usable audio. */
export type Verify = (cues: readonly Cue[], signal: AbortSignal) => Promise<{ outcome: 'fits' | 'misfits' | 'unknown'; detail: string }>;

export interface CheckNeeds {
  ask: Ask;
  scored: Scored;
  verify?: Verify;
}

/** Cues a minute that speech has at least, over a whole video. Quiet films have about two. */
const FEWEST_A_MINUTE = 0.5;
/** Seconds by which a last line may stand after the end: containers round, and credits are cut. */
const AFTER_END = 10;
/** A text that ends before this part of the video is half of it. Shorter than this many seconds nothing can be said. */
const LEAST_PART = 0.5;
const LONG_ENOUGH = 600;
const SURE = 0.9;
const SAMPLE = 60_000;

const refuse = (reason: CheckReason, detail: string): Checked => ({ accepted: false, reason, detail });

export async function check({ bytes, name }: Pick<Downloaded, 'bytes' | 'name'>, { ask, scored, verify }: CheckNeeds, signal: AbortSignal): Promise<Checked> {
  if (bytes.byteLength > MOST_SUBTITLE) return refuse('unreadable', 'the subtitle is too large');
  const read = await readOrReason(bytes, { name, ask });
  if (typeof read === 'string') return refuse('unreadable', read);
  const cues = read.document.cues.filter((cue) => plainText(cue.spans).trim() !== '');
  const faulty = lengthFault(cues, ask);
  if (faulty) return faulty;

  const language = await detectLanguage(sampleOf(cues), ask.language);
  if (language.agrees === false && language.reliable && language.confidence >= SURE) return refuse('language', 'the text is in another language');

  const impaired = detectHearingImpaired(cues).is;
  const seen = score({ ...scored.candidate, hearingImpaired: impaired }, ask);
  const evidence: Evidence[] = [...seen.evidence];
  if (language.agrees === true) evidence.push({ kind: 'language', points: 0, detail: 'the text is in the language asked for' });

  const timing = verify ? await verify(cues, signal) : undefined;
  if (timing?.outcome === 'misfits') return refuse('timing', timing.detail);
  const isVerified = timing?.outcome === 'fits';
  if (isVerified) evidence.push({ kind: 'timing', points: 0, detail: timing.detail });
  else {
    if (!isAcceptableUnverified(scored)) return refuse('unverified', 'only a strong release match is taken while the timing is unverified');
    evidence.push({ kind: 'unverified', points: 0, detail: 'the timing was not compared with the audio' });
  }
  return { accepted: true, read, hearingImpaired: impaired, score: seen.score, evidence, match: scored.match, isVerified };
}

async function readOrReason(bytes: Uint8Array, { name, ask }: { name: string; ask: Ask }): Promise<ReadSubtitle | string> {
  const extension = /\.([a-z0-9]{2,5})$/i.exec(name)?.[1]?.toLowerCase();
  try {
    return await readSubtitle(bytes, {
      language: ask.language,
      ...(extension === undefined ? {} : { extension }),
      ...(ask.fps === undefined ? {} : { frameRate: ask.fps }),
    });
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

/** Whether these cues can belong to a video of that length at all. */
function lengthFault(cues: readonly Cue[], ask: Ask): Checked | undefined {
  if (cues.length === 0) return refuse('too-few', 'the subtitle has no text');
  if (ask.duration === undefined || ask.duration <= 0) return undefined;
  const starts = cues.map((cue) => cue.start / 1000).sort((a, b) => a - b);
  if (ask.forced !== true && cues.length < Math.floor((ask.duration / 60) * FEWEST_A_MINUTE)) return refuse('too-few', 'the subtitle has too few lines for this video');
  // An advertisement is sometimes hung far behind the end; one such line says nothing about the others.
  const last = starts.at(-1) ?? 0;
  const before = starts.at(-2) ?? last;
  const end = last > ask.duration + AFTER_END && before <= ask.duration && last - before > LONG_ENOUGH ? before : last;
  if (end > ask.duration + AFTER_END) return refuse('timing', 'the subtitle is longer than the video');
  if (ask.forced !== true && ask.duration >= LONG_ENOUGH && end < ask.duration * LEAST_PART) return refuse('timing', 'the subtitle ends long before the video');
  return undefined;
}

/** Enough text for the detector, from the whole length: opening credits are often in another language. */
function sampleOf(cues: readonly Cue[]): string {
  const step = Math.max(1, Math.floor(cues.length / 1_500));
  return cues.filter((_, at) => at % step === 0).map((cue) => plainText(cue.spans)).join('\n').slice(0, SAMPLE);
}
