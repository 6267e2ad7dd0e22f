/**
 * Checks a downloaded subtitle before it is installed: readable, long enough, in the right language, and of a length
 * that can belong to the video. Then its timing: confirmed by the audio, or else a strong match.
 *
 * Bytes that cannot be read are a refusal with its reason, never an exception.
 */
import { Failure } from '../../lib/failure.ts';
import type { UnappliedAlignment } from '../../cues/align/types.ts';
import type { Cue, Format } from '../../cues/index.ts';
import { type Ask, type Downloaded, MOST_SUBTITLE } from '../providers/provider.ts';
import { readHere } from '../worker/reader.ts';
import type { Examined, Examining, Reader } from '../worker/types.ts';
import { isAcceptableUnverified } from './choose.ts';
import type { Evidence, Scored } from './evidence.ts';
import { readRelease } from './release.ts';
import { score } from './score.ts';

export type CheckReason = 'unreadable' | 'too-few' | 'language' | 'timing' | 'unverified';

export type Checked =
  | {
      accepted: true;
      /** Format of the file as it was delivered. */
      format: Format;
      /** As it is to be installed: SRT, with its times moved where the audio showed that they are off. */
      srt: Uint8Array;
      /** As the content shows, not as the provider says. */
      hearingImpaired: boolean;
      /** The score with what the content showed; the evidence in full. */
      score: number;
      evidence: readonly Evidence[];
      match: Scored['match'];
      isVerified: boolean;
    }
  | {
      accepted: false;
      reason: CheckReason;
      detail: string;
      /** It will be as wrong tomorrow. Otherwise only the listening failed. */
      isForGood: boolean;
    };

/**
 * Says whether a text fits the speech of the video, as it is or moved as a whole: `unknown` when there is no usable
 * audio or no clear answer, with `isForNow` when another try may bring one.
 */
export type Verify = (cues: readonly Cue[], signal: AbortSignal) => Promise<Heard>;
export type Heard = { detail: string; evidence?: readonly Evidence[] } & (
  | { outcome: 'fits' | 'misfits' }
  | { outcome: 'moved'; alignment: UnappliedAlignment }
  | { outcome: 'unknown'; isForNow?: boolean }
);

export interface CheckNeeds {
  ask: Ask;
  scored: Scored;
  /** Nothing may be changed in the file, so it has to fit as it is. */
  asDelivered?: boolean;
  verify?: Verify;
  /** Reads the file, a large one in another process. */
  reader?: Pick<Reader, 'examine'>;
}

/** Cues a minute that speech has at least, over a whole video. Quiet films have about two. */
const FEWEST_A_MINUTE = 0.5;
/** Seconds by which the last line may exceed the video: containers round, and credits are cut. */
const AFTER_END = 10;
/** A text that ends before this part of the video is half of it. Shorter than this many seconds nothing can be said. */
const LEAST_PART = 0.5;
const LONG_ENOUGH = 600;
const SURE = 0.9;
/**
 * A text for another frame rate is up to a twentieth longer, and cuts differ by a minute; listening shows whether it is
 * that.
 */
const LONGER = { part: 1.05, seconds: 60 };
/** Fewer lines than these prove nothing about the timing of a whole video. */
const FEW_TO_HEAR = 8;

const refuse = (reason: CheckReason, detail: string, isForGood = true): Checked => ({
  accepted: false,
  reason,
  detail,
  isForGood,
});

export async function check(
  { bytes, name, archive }: Pick<Downloaded, 'bytes' | 'name' | 'archive'>,
  { ask, scored, asDelivered = false, verify, reader = readHere }: CheckNeeds,
  signal: AbortSignal,
): Promise<Checked> {
  if (bytes.byteLength > MOST_SUBTITLE) return refuse('unreadable', 'the subtitle is too large');
  const examining = examiningOf(bytes, { name, ask });
  const read = await examinedOrReason(reader, examining, signal);
  if (typeof read === 'string') return refuse('unreadable', read);
  const faulty = lengthFault(read.starts, ask, verify !== undefined && !asDelivered);
  if (faulty) return faulty;

  const { language, isForImpaired: impaired } = read;
  if (language.agrees === false && language.reliable && language.confidence >= SURE)
    return refuse('language', 'the text is in another language');

  const seen = score(
    {
      ...scored.candidate,
      hearingImpaired: impaired,
      ...(archive && { releases: releasesOf(name, archive, { scored, ask }) }),
    },
    ask,
  );
  const timing = await heard(read.cues, { written: read.starts.length, ask, scored: seen, verify }, signal);
  if (timing.outcome === 'misfits') return refuse('timing', timing.detail);
  if (timing.outcome === 'moved' && asDelivered)
    return refuse('timing', 'its timing is off, and files of this provider must stay as they were delivered');
  const installed =
    timing.outcome === 'moved' ? await reader.examine({ ...examining, alignment: timing.alignment }, signal) : read;
  const late = lengthFault(installed.starts, ask, false);
  if (late) return late;
  const isVerified = timing.outcome !== 'unknown';
  if (!isVerified && !isAcceptableUnverified(seen))
    return refuse(
      'unverified',
      'only a strong release match is taken while the timing is unverified',
      timing.outcome === 'unknown' && timing.isForNow !== true,
    );
  const evidence: Evidence[] = [
    ...seen.evidence,
    ...(language.agrees === true
      ? [{ kind: 'language' as const, points: 0, detail: 'the text is in the language asked for' }]
      : []),
    { kind: isVerified ? 'timing' : 'unverified', points: 0, detail: timing.detail },
    ...(timing.evidence ?? []),
  ];
  return {
    accepted: true,
    format: read.format,
    srt: installed.srt,
    hearingImpaired: impaired,
    score: seen.score,
    evidence,
    match: seen.match,
    isVerified,
  };
}

/**
 * What an archive of several says about itself is about the whole of it: an entry that is signed by a group says itself
 * what it is of. Any other is of what the archive is of, and at least of the episode that it names.
 */
function releasesOf(
  name: string,
  { subtitles }: { subtitles: number },
  { scored: { candidate }, ask }: Pick<CheckNeeds, 'scored' | 'ask'>,
): readonly string[] {
  const isSigned = subtitles > 1 && readRelease(name, ask.kind).group !== undefined;
  return isSigned ? [name] : [name, ...candidate.releases];
}

/** Nothing is listened to where it would prove nothing, or where the file, its release and its ids agree already. */
async function heard(
  cues: readonly Cue[],
  { written, ask, scored, verify }: { written: number; ask: Ask; scored: Scored; verify: Verify | undefined },
  signal: AbortSignal,
): Promise<Heard> {
  if (scored.match === 'exact')
    return { outcome: 'fits', detail: 'made for this file: its hash, its release and its ids agree' };
  if (ask.forced === true || written < FEW_TO_HEAR)
    return { outcome: 'unknown', detail: 'too few lines to compare their timing with the audio' };
  return verify ? verify(cues, signal) : { outcome: 'unknown', detail: 'the timing was not compared with the audio' };
}

function examiningOf(bytes: Uint8Array, { name, ask }: { name: string; ask: Ask }): Examining {
  const extension = /\.([a-z0-9]{2,5})$/i.exec(name)?.[1]?.toLowerCase();
  return {
    bytes,
    options: {
      language: ask.language,
      ...(extension !== undefined && { extension }),
      ...(ask.fps !== undefined && { frameRate: ask.fps }),
    },
  };
}

/** Returns the reason if the bytes are at fault; throws if they could not be examined now. */
async function examinedOrReason(
  reader: Pick<Reader, 'examine'>,
  examining: Examining,
  signal: AbortSignal,
): Promise<Examined | string> {
  try {
    return await reader.examine(examining, signal);
  } catch (error) {
    if (error instanceof Failure && error.kind === 'invalid') return error.message;
    throw error;
  }
}

/** Whether these cues can belong to a video of that length at all; where their timing may still be moved, nearly. */
function lengthFault(startsMs: Float64Array, ask: Ask, isMovable: boolean): Checked | undefined {
  if (startsMs.length === 0) return refuse('too-few', 'the subtitle has no text');
  if (ask.duration === undefined || ask.duration <= 0) return undefined;
  const starts = startsMs.map((start) => start / 1000);
  if (ask.forced !== true && starts.length < Math.floor((ask.duration / 60) * FEWEST_A_MINUTE))
    return refuse('too-few', 'the subtitle has too few lines for this video');
  // An advertisement is sometimes hung far behind the end; one such line says nothing about the others.
  const last = starts.at(-1) ?? 0;
  const before = starts.at(-2) ?? last;
  const end = last > ask.duration + AFTER_END && before <= ask.duration && last - before > LONG_ENOUGH ? before : last;
  const most = isMovable ? ask.duration * LONGER.part + LONGER.seconds : ask.duration + AFTER_END;
  if (end > most) return refuse('timing', 'the subtitle is longer than the video');
  if (ask.forced !== true && ask.duration >= LONG_ENOUGH && end < ask.duration * LEAST_PART)
    return refuse('timing', 'the subtitle ends long before the video');
  return undefined;
}
