/**
 * The ear of a fetch: compares a downloaded text with the speech of the video, and moves it where that is certain.
 *
 * What cannot be heard is said so and never guessed; a text is moved only as a whole, by what aligning found.
 */
import type { PlayableFile } from '../../catalog/index.ts';
import { Failure } from '../../lib/failure.ts';
import type { Root } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import type { Evidence } from '../choosing/evidence.ts';
import type { Heard } from '../choosing/check.ts';
import type { Ear } from '../choosing/take.ts';
import type { Alignment } from '../engine/align/align.ts';
import { change, type SubtitleDocument } from '../engine/index.ts';
import type { Speech } from '../speech/speech.ts';

export interface ListenNeeds {
  speech: Pick<Speech, 'curve' | 'align'>;
  log: Log;
}

/** Seconds. In less there are too few lines to be sure of anything. */
const SHORTEST = 90;
/** Decoding and comparing the longest film takes a minute or two; a disk that hangs takes for ever. */
const LONGEST_MS = 10 * 60_000;
/** Part of the audio, 0 to 1, in which somebody surely speaks. */
const LEAST_SPEECH = 0.01;
const SURE = 128;

export function createEar({ speech, log }: ListenNeeds, { file, root, item }: { file: PlayableFile; root: Root; item: string }): Ear {
  const spoken = { file, root };
  const audio = file.info?.streams.some(({ type }) => type === 'audio') === true;
  const isLongEnough = (file.info?.duration ?? 0) >= SHORTEST;
  let known: boolean | undefined;

  /** Undefined when listening failed for a reason of the media or of the moment; anything else is thrown. */
  const listen = async <T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T | undefined> => {
    try {
      return await work(AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]));
    } catch (error) {
      signal.throwIfAborted();
      log.fault('subtitles.not-heard', error, { item });
      if (error instanceof Failure && error.kind === 'conflict') known = false;
      return undefined;
    }
  };

  return {
    canHear: async (signal) => {
      if (!audio || !isLongEnough) return false;
      if (known !== undefined) return known;
      const curve = await listen((within) => speech.curve(spoken, { signal: within }), signal);
      if (curve) known = curve.speech.reduce((sum, one) => sum + Number(one >= SURE), 0) >= LEAST_SPEECH * curve.speech.length;
      return known === true;
    },
    verify: async (document, signal) => {
      if (!audio) return { outcome: 'unknown', detail: 'the video has no audio to compare the timing with' };
      if (!isLongEnough) return { outcome: 'unknown', detail: 'the video is too short to compare the timing with its audio' };
      const found = known === false ? undefined : await listen((within) => speech.align(spoken, document.cues, { signal: within }), signal);
      if (found) return heard(document, found);
      return { outcome: 'unknown', detail: 'the audio could not be compared with', ...(known !== false && { isForNow: true }) };
    },
  };
}

function heard(document: SubtitleDocument, found: Alignment): Heard {
  const evidence = found.evidence.map(({ detail }): Evidence => ({ kind: 'timing', points: 0, detail }));
  if (found.outcome === 'fits') return { outcome: 'fits', detail: 'the lines fit the speech as they are', evidence };
  if (found.outcome === 'refused') {
    const outcome = found.reason === 'mismatch' ? 'misfits' : 'unknown';
    return { outcome, detail: `the timing could not be confirmed: ${found.sentence}`, evidence };
  }
  return { outcome: 'moved', detail: howMoved(found), evidence, document: change(document, { timing: { alignment: found } }).document };
}

/** `moved by −1.24 s to fit the speech`, in three parts or at another speed where it is so. */
function howMoved({ ratio, segments }: Pick<Alignment, 'ratio' | 'segments'>): string {
  const shifts = segments.map(({ offset }) => `${offset < 0 ? '−' : '+'}${(Math.abs(offset) / 1000).toFixed(2)} s`);
  const speed = ratio === 1 ? '' : `played at ${(ratio * 100).toFixed(2)} % of its length and `;
  return `${speed}moved by ${shifts.join(', then ')} to fit the speech`;
}
