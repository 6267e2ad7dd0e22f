/**
 * The ear of a fetch: compares a downloaded text with the timing of what is said in the video, and moves it where that
 * is certain. A text track inside the video is exact and costs one pass; else it is the speech of its audio.
 *
 * What cannot be heard is said so and never guessed; a text is moved only as a whole, by what aligning found.
 */
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import type { Heard } from '../choosing/check.ts';
import type { Evidence } from '../choosing/evidence.ts';
import type { Ear } from '../choosing/take.ts';
import type { Track } from '../store/rows.ts';
import type { Embedded } from '../editing/embedded.ts';
import { referenceIn } from '../editing/sync.ts';
import type { Alignment } from '../../cues/align/types.ts';
import type { Cue } from '../../cues/index.ts';
import { tracksIn } from '../inventory/item.ts';
import type { Speech } from '../../speech/index.ts';
import type { Reader } from '../worker/types.ts';
import type { Ready } from './judge.ts';

export interface ListenNeeds {
  speech: Pick<Speech, 'curve' | 'align' | 'alignToCues'>;
  embedded: Embedded;
  reader: Reader;
  log: Log;
}

/** Seconds. In less there are too few lines to be sure of anything. */
const SHORTEST = 90;
/** Decoding and comparing the longest film takes a minute or two; a disk that hangs takes for ever. */
const LONGEST_MS = 10 * 60_000;
/** Part of the audio, 0 to 1, in which somebody surely speaks. */
const LEAST_SPEECH = 0.01;
const SURE = 128;

/** `isBackground`: nobody waits for it, and whoever does comes first. */
export function createEar(
  needs: ListenNeeds,
  ready: Pick<Ready, 'subject' | 'file' | 'root' | 'about'>,
  isBackground = false,
): Ear {
  const { speech, log } = needs;
  const { subject, file, root, about } = ready;
  const spoken = { file, root };
  const isLongEnough = (file.info?.duration ?? 0) >= SHORTEST;
  const track = referenceIn(tracksIn(subject, file), about.language, undefined);
  let hasAudio = file.info?.streams.some(({ type }) => type === 'audio') === true;
  let isHeard = false;
  let reference: Promise<readonly Cue[] | undefined> | undefined;

  /** Undefined when it failed for a reason of the media or of the moment, with whether it is the media's. */
  const trying = async <T>(
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<{ value: T } | { isMedia: boolean }> => {
    try {
      return { value: await work(AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)])) };
    } catch (error) {
      signal.throwIfAborted();
      log.fault('subtitles.not-heard', error, { item: about.item });
      return { isMedia: error instanceof Failure && error.kind === 'conflict' };
    }
  };
  /** The cues of a text track inside, which are right. */
  const inside = (signal: AbortSignal): Promise<readonly Cue[] | undefined> =>
    (reference ??= readTrack(needs, { ready, track, trying, signal }));

  const byAudio = async (spokenCues: readonly Cue[], signal: AbortSignal): Promise<Heard> => {
    if (!hasAudio) return { outcome: 'unknown', detail: 'the video has no audio to compare the timing with' };
    const found = await trying((within) => speech.align(spoken, spokenCues, { isBackground, signal: within }), signal);
    if ('value' in found) return heard(found.value, 'the speech');
    hasAudio &&= !found.isMedia;
    return {
      outcome: 'unknown',
      detail: 'the audio could not be compared with',
      ...(!found.isMedia && { isForNow: true }),
    };
  };

  return {
    canHear: async (signal) => {
      if (!isLongEnough) return false;
      if (isHeard || (await inside(signal)) !== undefined) return true;
      if (!hasAudio) return false;
      const found = await trying((within) => speech.curve(spoken, { isBackground, signal: within }), signal);
      if ('value' in found)
        isHeard =
          found.value.speech.reduce((sum, one) => sum + Number(one >= SURE), 0) >=
          LEAST_SPEECH * found.value.speech.length;
      if ('value' in found || found.isMedia) hasAudio = isHeard;
      return isHeard;
    },
    verify: async (delivered, signal) => {
      if (!isLongEnough)
        return { outcome: 'unknown', detail: 'the video is too short to compare the timing with its audio' };
      const cues = await inside(signal);
      if (cues) {
        const found = await trying((within) => speech.alignToCues(delivered, cues, { signal: within }), signal);
        const answer = 'value' in found ? heard(found.value, 'the text inside the video') : undefined;
        // That track may be of something else: only the audio says that nothing fits.
        if (answer?.outcome === 'fits' || answer?.outcome === 'moved') return answer;
      }
      return byAudio(delivered, signal);
    },
  };
}

interface Reading {
  ready: Pick<Ready, 'file' | 'root'>;
  track: Track | undefined;
  trying<T>(
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<{ value: T } | { isMedia: boolean }>;
  signal: AbortSignal;
}

async function readTrack(
  { embedded, reader }: ListenNeeds,
  { ready: { file, root }, track, trying, signal }: Reading,
): Promise<readonly Cue[] | undefined> {
  if (!track) return undefined;
  const found = await trying(async (within) => {
    return reader.cues(await embedded.read({ file, root, track }, within), within);
  }, signal);
  return 'value' in found ? found.value : undefined;
}

function heard(found: Alignment, what: string): Heard {
  const evidence = found.evidence.map(({ detail }): Evidence => ({ kind: 'timing', points: 0, detail }));
  if (found.outcome === 'fits') return { outcome: 'fits', detail: `the lines fit ${what} as they are`, evidence };
  if (found.outcome === 'refused') {
    const outcome = found.reason === 'mismatch' ? 'misfits' : 'unknown';
    return { outcome, detail: `the timing could not be confirmed: ${found.sentence}`, evidence };
  }
  const { cues: _cues, ...alignment } = found;
  return { outcome: 'moved', detail: `${howMoved(found)} to fit ${what}`, evidence, alignment };
}

/** `moved by −1.24 s`, in several parts or at another speed where it is so. */
function howMoved({ ratio, segments }: Pick<Alignment, 'ratio' | 'segments'>): string {
  const shifts = segments.map(({ offset }) => `${offset < 0 ? '−' : '+'}${(Math.abs(offset) / 1000).toFixed(2)} s`);
  const speed = ratio === 1 ? '' : `stretched to ${(ratio * 100).toFixed(2)} % and `;
  return `${speed}moved by ${shifts.join(', then ')}`;
}
