/**
 * Checks a downloaded subtitle before it is installed. It must be readable, have enough lines, be in the right language
 * and have a length that can belong to the video. Then its timing must be confirmed by the audio, or the match must be
 * strong.
 *
 * Unreadable bytes are a refusal with a reason, never an exception.
 */
import {
  evidenceDetail,
  evidenceOf,
  type EvidenceReason,
  type TimingRefusal,
} from '../../contract/subtitles/evidence-reasons.ts';
import { Failure } from '../../lib/failure.ts';
import type { UnappliedAlignment } from '../../cues/align/types.ts';
import type { Cue, Format } from '../../cues/index.ts';
import { statesPart } from '../providers/episode.ts';
import { type ProviderQuery, type DownloadedFile, MAX_SUBTITLE_BYTES } from '../providers/provider.ts';
import { localReader } from '../worker/reader.ts';
import type { Examination, ExamineRequest, SubtitleReader } from '../worker/types.ts';
import { isAcceptableUnverified } from './choose.ts';
import { type Conflict, refusalByConflict, type ScoreEvidence, type ScoredCandidate } from './evidence.ts';
import { readRelease } from './release.ts';
import { score } from './score.ts';

export type CheckReason = 'unreadable' | 'too-few' | 'timing' | 'unverified' | Conflict;

export type CheckResult =
  | {
      accepted: true;
      /** Format of the delivered file. */
      format: Format;
      /** The subtitle to install: SRT, with its times moved if the audio showed that they are off. */
      srt: Uint8Array;
      /** Detected from the content, not stated by the provider. */
      hearingImpaired: boolean;
      /** The score including what the content showed, with all evidence. */
      score: number;
      evidence: readonly ScoreEvidence[];
      match: ScoredCandidate['match'];
      isVerified: boolean;
      /** Whether it was cut out of a subtitle of the whole film. */
      isCut: boolean;
    }
  | {
      accepted: false;
      reason: CheckReason;
      detail: string;
      /** Why the timing fits nowhere. */
      refusal?: TimingRefusal;
      /** Whether another check would have the same result. False if only the audio check failed. */
      isForGood: boolean;
    };

/**
 * Compares a text with the speech of the video, as it is or moved as a whole. `unknown`: there is no usable audio or no
 * clear result, with `isForNow` if another attempt may bring one.
 */
export type VerifyTiming = (cues: readonly Cue[], signal: AbortSignal) => Promise<TimingResult>;
export type TimingResult = { why: EvidenceReason; evidence?: readonly ScoreEvidence[] } & (
  | { outcome: 'fits' | 'misfits' }
  | { outcome: 'moved'; alignment: UnappliedAlignment }
  | { outcome: 'unknown'; isForNow?: boolean }
);

export interface DownloadCheckNeeds {
  ask: ProviderQuery;
  scored: ScoredCandidate;
  /** Whether a person chose it. Then a weak match is no reason to refuse it. */
  isChosen?: boolean;
  /** Whether the file must stay unchanged, so that it has to fit as it is. */
  asDelivered?: boolean;
  verify?: VerifyTiming;
  /** Reads the file; a large one in another process. */
  reader?: Pick<SubtitleReader, 'examine'>;
}

/** Minimum number of cues per minute over a whole video. Quiet films have about two. */
const MIN_CUES_PER_MINUTE = 0.5;
/** Seconds by which the last line may exceed the video, because containers round and credits are cut. */
const MAX_SECONDS_AFTER_END = 10;
/** A text that ends before this share of the video is incomplete. */
const MIN_SHARE_OF_VIDEO = 0.5;
const MIN_DURATION_FOR_SHARE = 600;
const MIN_LANGUAGE_CONFIDENCE = 0.9;
/**
 * Tolerance for a text that may still be moved: a text for another frame rate is up to a twentieth longer, and cuts
 * differ by a minute.
 */
const MOVABLE_TOLERANCE = { part: 1.05, seconds: 60 };
/** Minimum number of lines for a timing check. Fewer prove nothing about a whole video. */
const MIN_LINES_TO_COMPARE = 8;

/** Whether a text certainly is in another language than it claims. */
export const isOtherLanguage = ({ agrees, reliable, confidence }: Examination['language']): boolean =>
  agrees === false && reliable && confidence >= MIN_LANGUAGE_CONFIDENCE;

const refuse = (reason: CheckReason, detail: string, isForGood = true, refusal?: TimingRefusal): CheckResult => ({
  accepted: false,
  reason,
  detail,
  ...(refusal && { refusal }),
  isForGood,
});

export async function checkDownload(
  { bytes, name, archive }: Pick<DownloadedFile, 'bytes' | 'name' | 'archive'>,
  { ask, scored, isChosen = false, asDelivered = false, verify, reader = localReader }: DownloadCheckNeeds,
  signal: AbortSignal,
): Promise<CheckResult> {
  if (bytes.byteLength > MAX_SUBTITLE_BYTES) return refuse('unreadable', 'the subtitle is too large');
  const given = examiningOf(bytes, { name, ask });
  const delivered = await examinedOrReason(reader, given, signal);
  if (typeof delivered === 'string') return refuse('unreadable', delivered);
  // A text of a whole film is cut for a part of it, which only its speech can confirm.
  const cut = cutFor(delivered.starts, ask, [name, ...scored.candidate.releases]);
  const uncut = cut && refusalOfCut(asDelivered, verify);
  if (uncut) return uncut;
  const examining = { ...given, ...(cut && { cut }) };
  const read = cut ? await reader.examine(examining, signal) : delivered;
  const faulty = lengthFault(read.starts, ask, verify !== undefined && !asDelivered);
  if (faulty) return faulty;

  const { language, isForImpaired: impaired } = read;
  if (isOtherLanguage(language)) return refuse('language', 'the text is in another language');

  // The text may do where a regular subtitle is wanted, so the refusal is not remembered.
  if (ask.hearingImpaired === 'only' && !impaired)
    return refuse('hearing-impaired', 'the text is not for the hard of hearing', false);

  const rescored = score(
    {
      ...scored.candidate,
      hearingImpaired: impaired,
      ...(archive && { releases: releasesOf(name, archive, { scored, ask }) }),
    },
    ask,
  );
  const [conflict] = isChosen ? rescored.conflicts : [];
  if (conflict !== undefined) return refuse(conflict, refusalByConflict(conflict).error);
  const timing =
    cut && verify
      ? await verify(read.cues, signal)
      : await timingOf(read.cues, { written: read.starts.length, ask, scored: rescored, verify }, signal);
  if (cut && timing.outcome !== 'fits') return refuse('timing', UNCERTAIN_CUT, timing.outcome !== 'unknown');
  if (timing.outcome === 'misfits') return refuse('timing', evidenceDetail(timing.why), true, refusalIn(timing.why));
  if (timing.outcome === 'moved' && asDelivered)
    return refuse('timing', 'its timing is off, and files of this provider must stay as they were delivered');
  const installed =
    timing.outcome === 'moved' ? await reader.examine({ ...examining, alignment: timing.alignment }, signal) : read;
  const late = lengthFault(installed.starts, ask, false);
  if (late) return late;
  const isVerified = timing.outcome !== 'unknown';
  if (!isVerified && !isChosen && !isAcceptableUnverified(rescored))
    return refuse(
      'unverified',
      'only a strong release match is taken while the timing is unverified',
      timing.outcome === 'unknown' && timing.isForNow !== true,
    );
  const evidence: ScoreEvidence[] = [
    ...rescored.evidence,
    ...(language.agrees === true ? [evidenceOf('language', 0, { reason: languageReason(language), values: {} })] : []),
    evidenceOf(isVerified ? 'timing' : 'unverified', 0, timing.why),
    ...(cut ? [evidenceOf('timing', 0, { reason: 'cut-from-film', values: {} })] : []),
    ...(timing.evidence ?? []),
  ];
  return {
    accepted: true,
    format: read.format,
    srt: installed.srt,
    hearingImpaired: impaired,
    score: rescored.score,
    evidence,
    match: rescored.match,
    isVerified,
    isCut: cut !== undefined,
  };
}

const languageReason = ({ others }: Examination['language']): 'several-languages' | 'requested-language' =>
  others ? 'several-languages' : 'requested-language';

const refusalIn = (why: EvidenceReason): TimingRefusal | undefined =>
  why.reason === 'unconfirmed' ? why.values.refusal : undefined;

/**
 * Returns the release names of a file from an archive. In an archive with several subtitles, an entry with a release
 * group states its own release. Any other entry belongs to the releases of the archive.
 */
function releasesOf(
  name: string,
  { subtitles }: { subtitles: number },
  { scored: { candidate }, ask }: Pick<DownloadCheckNeeds, 'scored' | 'ask'>,
): readonly string[] {
  const isSigned = subtitles > 1 && readRelease(name, ask.kind).group !== undefined;
  return isSigned ? [name] : [name, ...candidate.releases];
}

/**
 * Checks the timing. The audio is not analysed if that would prove nothing, or if hash, release and ids agree already.
 */
async function timingOf(
  cues: readonly Cue[],
  {
    written,
    ask,
    scored,
    verify,
  }: { written: number; ask: ProviderQuery; scored: ScoredCandidate; verify: VerifyTiming | undefined },
  signal: AbortSignal,
): Promise<TimingResult> {
  if (scored.match === 'exact') return { outcome: 'fits', why: { reason: 'made-for-file', values: {} } };
  if (ask.forced === true || written < MIN_LINES_TO_COMPARE)
    return { outcome: 'unknown', why: { reason: 'too-few-to-compare', values: {} } };
  return verify ? verify(cues, signal) : { outcome: 'unknown', why: { reason: 'not-compared', values: {} } };
}

/** Returns how a delivered file is read: by its name, for this language and frame rate. */
export function examiningOf(bytes: Uint8Array, { name, ask }: { name: string; ask: ProviderQuery }): ExamineRequest {
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

/** Examines the file. Returns the reason if the bytes are at fault; throws if they cannot be examined now. */
async function examinedOrReason(
  reader: Pick<SubtitleReader, 'examine'>,
  examining: ExamineRequest,
  signal: AbortSignal,
): Promise<Examination | string> {
  try {
    return await reader.examine(examining, signal);
  } catch (error) {
    if (error instanceof Failure && error.kind === 'invalid') return error.message;
    throw error;
  }
}

const UNCERTAIN_CUT = 'the subtitle is for the whole film, and nothing confirms where this part of it is';

/**
 * Returns where a text is cut for a part of a film; undefined if it is not for the whole film, or the place of the part
 * in the film is not known.
 */
function cutFor(
  startsMs: Float64Array,
  ask: ProviderQuery,
  names: readonly string[],
): { from: number; to: number } | undefined {
  const { part, duration } = ask;
  if (part?.start === undefined || !duration || names.some((name) => statesPart(name, ask))) return undefined;
  const last = (startsMs.at(-1) ?? 0) / 1000;
  if (last <= duration * MOVABLE_TOLERANCE.part + MOVABLE_TOLERANCE.seconds) return undefined;
  return { from: Math.round(part.start * 1000), to: Math.round((part.start + duration) * 1000) };
}

/** Returns a refusal if a text of the whole film must not be cut. */
function refusalOfCut(asDelivered: boolean, verify: VerifyTiming | undefined): CheckResult | undefined {
  if (asDelivered)
    return refuse('timing', 'it is for the whole film, and files of this provider must stay as they were delivered');
  return verify ? undefined : refuse('timing', UNCERTAIN_CUT, false);
}

/**
 * Returns a refusal if these cues cannot belong to a video of this length. Tolerates more if their timing may still be
 * moved.
 */
function lengthFault(startsMs: Float64Array, ask: ProviderQuery, isMovable: boolean): CheckResult | undefined {
  if (startsMs.length === 0) return refuse('too-few', 'the subtitle has no text');
  if (ask.duration === undefined || ask.duration <= 0) return undefined;
  const starts = startsMs.map((start) => start / 1000);
  if (ask.forced !== true && starts.length < Math.floor((ask.duration / 60) * MIN_CUES_PER_MINUTE))
    return refuse('too-few', 'the subtitle has too few lines for this video');
  // An advertisement is sometimes added far behind the end. A single such line says nothing about the others.
  const last = starts.at(-1) ?? 0;
  const before = starts.at(-2) ?? last;
  const end =
    last > ask.duration + MAX_SECONDS_AFTER_END && before <= ask.duration && last - before > MIN_DURATION_FOR_SHARE
      ? before
      : last;
  const most = isMovable
    ? ask.duration * MOVABLE_TOLERANCE.part + MOVABLE_TOLERANCE.seconds
    : ask.duration + MAX_SECONDS_AFTER_END;
  if (end > most) return refuse('timing', 'the subtitle is longer than the video');
  if (ask.forced !== true && ask.duration >= MIN_DURATION_FOR_SHARE && end < ask.duration * MIN_SHARE_OF_VIDEO)
    return refuse('timing', 'the subtitle ends long before the video');
  return undefined;
}
