/**
 * Compares a downloaded subtitle with the speech of the video, and moves it if the evidence is clear. A text track
 * inside the video is exact and takes one pass; without it, the audio is analysed.
 *
 * An unclear result is reported as unknown, never guessed. A subtitle is only moved as a whole, by the alignment that
 * was found.
 */
import type { TimingReference } from '../../contract/subtitles/timing-moves.ts';
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import type { TimingResult } from '../choosing/check.ts';
import type { ScoreEvidence } from '../choosing/evidence.ts';
import type { AudioCheck } from '../choosing/download.ts';
import type { InventoryTrack } from '../store/rows.ts';
import type { EmbeddedTexts } from '../editing/embedded.ts';
import { referenceIn } from '../editing/sync.ts';
import type { Alignment } from '../../cues/align/types.ts';
import type { Cue } from '../../cues/index.ts';
import { tracksIn } from '../inventory/item.ts';
import type { Speech } from '../../speech/index.ts';
import type { SubtitleReader } from '../worker/types.ts';
import type { FetchTarget } from './preconditions.ts';

export interface AudioCheckNeeds {
  speech: Pick<Speech, 'curve' | 'align' | 'alignToCues'>;
  embedded: EmbeddedTexts;
  reader: SubtitleReader;
  log: Log;
}

/** Shortest video that is checked, in seconds. A shorter one has too few lines for a reliable result. */
export const MIN_DURATION_SECONDS = 90;
/** Decoding and comparing the longest film takes a minute or two. A hanging disk would block forever. */
const CHECK_TIMEOUT_MS = 10 * 60_000;
/** Share of the audio, 0 to 1, that must clearly be speech. */
const MIN_SPEECH_SHARE = 0.01;
const CLEAR_SPEECH = 128;

/** `isBackground`: no user waits for the result, so requests of users come first. */
export function createAudioCheck(
  needs: AudioCheckNeeds,
  ready: Pick<FetchTarget, 'subject' | 'file' | 'root' | 'about'>,
  isBackground = false,
): AudioCheck {
  const { speech, log } = needs;
  const { subject, file, root, about } = ready;
  const audio = { file, root };
  const isLongEnough = (file.info?.duration ?? 0) >= MIN_DURATION_SECONDS;
  const track = referenceIn(tracksIn(subject, file), about.language, undefined);
  let hasAudio = file.info?.streams.some(({ type }) => type === 'audio') === true;
  let hasClearSpeech = false;
  let reference: Promise<readonly Cue[] | undefined> | undefined;

  /** Runs a step with a time limit. If it fails, returns whether the media is at fault. */
  const attempt = async <T>(
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<{ value: T } | { isMedia: boolean }> => {
    try {
      return { value: await work(AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)])) };
    } catch (error) {
      signal.throwIfAborted();
      log.fault('subtitles.not-timingResult', error, { item: about.item });
      return { isMedia: error instanceof Failure && error.kind === 'conflict' };
    }
  };
  /** Returns the cues of a text track inside the video, whose times are exact. */
  const embeddedCues = (signal: AbortSignal): Promise<readonly Cue[] | undefined> =>
    (reference ??= readTrack(needs, { ready, track, attempt, signal }));

  const verifyByAudio = async (cuesOfText: readonly Cue[], signal: AbortSignal): Promise<TimingResult> => {
    if (!hasAudio) return { outcome: 'unknown', why: { reason: 'no-audio', values: {} } };
    const found = await attempt((within) => speech.align(audio, cuesOfText, { isBackground, signal: within }), signal);
    if ('value' in found) return timingResult(found.value, 'speech');
    hasAudio &&= !found.isMedia;
    return {
      outcome: 'unknown',
      why: { reason: 'audio-failed', values: {} },
      ...(!found.isMedia && { isForNow: true }),
    };
  };

  return {
    hasSpeech: async (signal) => {
      if (!isLongEnough) return false;
      if (hasClearSpeech || (await embeddedCues(signal)) !== undefined) return true;
      if (!hasAudio) return false;
      const found = await attempt((within) => speech.curve(audio, { isBackground, signal: within }), signal);
      if ('value' in found)
        hasClearSpeech =
          found.value.speech.reduce((sum, one) => sum + Number(one >= CLEAR_SPEECH), 0) >=
          MIN_SPEECH_SHARE * found.value.speech.length;
      if ('value' in found || found.isMedia) hasAudio = hasClearSpeech;
      return hasClearSpeech;
    },
    verify: async (delivered, signal) => {
      if (!isLongEnough) return { outcome: 'unknown', why: { reason: 'video-too-short', values: {} } };
      const cues = await embeddedCues(signal);
      if (cues) {
        const found = await attempt((within) => speech.alignToCues(delivered, cues, { signal: within }), signal);
        const answer = 'value' in found ? timingResult(found.value, 'text') : undefined;
        // The track may be of something else. Only the audio decides that nothing fits.
        if (answer?.outcome === 'fits' || answer?.outcome === 'moved') return answer;
      }
      return verifyByAudio(delivered, signal);
    },
  };
}

interface Reading {
  ready: Pick<FetchTarget, 'file' | 'root'>;
  track: InventoryTrack | undefined;
  attempt<T>(
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<{ value: T } | { isMedia: boolean }>;
  signal: AbortSignal;
}

async function readTrack(
  { embedded, reader }: AudioCheckNeeds,
  { ready: { file, root }, track, attempt, signal }: Reading,
): Promise<readonly Cue[] | undefined> {
  if (!track) return undefined;
  const found = await attempt(async (within) => {
    return reader.cues(await embedded.read({ file, root, track }, within), within);
  }, signal);
  return 'value' in found ? found.value : undefined;
}

function timingResult(found: Alignment, reference: TimingReference): TimingResult {
  const evidence = found.evidence.map((one): ScoreEvidence => ({ ...one, kind: 'timing', points: 0 }));
  if (found.outcome === 'fits')
    return { outcome: 'fits', why: { reason: 'fits-as-is', values: { reference } }, evidence };
  if (found.outcome === 'refused') {
    const outcome = found.reason === 'mismatch' ? 'misfits' : 'unknown';
    return { outcome, why: { reason: 'unconfirmed', values: { refusal: found.refusal } }, evidence };
  }
  const { cues: _cues, ...alignment } = found;
  const shifts = found.segments.map(({ offset }) => Math.round(offset)).join(' ');
  return {
    outcome: 'moved',
    why: { reason: 'moved', values: { reference, ratio: found.ratio, shifts } },
    evidence,
    alignment,
  };
}
