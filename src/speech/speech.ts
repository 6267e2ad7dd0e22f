/**
 * Detects where people speak in a video, and aligns cues to it.
 *
 * Detection and alignment run in helper processes, which end with the last caller that waits for them. A track is
 * decoded once for all callers, and its curve is cached on disk for as long as the bytes of the video are the same.
 */
import type { z } from 'zod';
import type { PlayableFile } from '../catalog/index.ts';
import type { workbench as endpoints } from '../contract/subtitles/workbench.ts';
import type { Clock } from '../lib/clock.ts';
import { createSharedWork, type WorkContext } from '../lib/coalesce.ts';
import { Failure } from '../lib/failure.ts';
import type { Ffmpeg, Media } from '../lib/ffmpeg/index.ts';
import { inRoot, type Root } from '../lib/files.ts';
import type { Log } from '../lib/log.ts';
import type { Processes } from '../lib/process.ts';
import { curveOf, settle } from '../cues/align/align.ts';
import type { Alignment } from '../cues/align/types.ts';
import { timesOf } from '../cues/align/blocks.ts';
import type { Reference } from '../cues/align/verdict.ts';
import { type Cue, inOrder } from '../cues/cue.ts';
import { createAligner } from './aligner.ts';
import { createCurveCache, type KeptCurve } from './curve-cache.ts';
import { createAudioListener } from './audio-listener.ts';
import type { DetectorName } from './messages.ts';
import { downsample } from './downsample.ts';
import { bindToVideo, isStillBound, type VideoBinding } from './video-binding.ts';
import { audioTrackFor } from './audio-track.ts';

export interface SpeechNeeds {
  processes: Pick<Processes, 'startHelper'>;
  ffmpeg: Pick<Ffmpeg, 'extractAudio' | 'probe'>;
  /** The server's cache folder: curves are kept below `speech/` in it. */
  cache: string;
  clock: Clock;
  log: Log;
  /** Replaced by tests. */
  modules?: { listen?: URL; align?: URL };
  deadlineMs?: number;
}

/** A file, and the language whose audio track is preferred when there are several. */
export interface SpeechSource {
  file: PlayableFile;
  root: Root;
  language?: string | undefined;
}
export interface ListeningOptions {
  /** Called with the finished part, 0 to 1. */
  progress?(part: number): void;
  /** No person waits for the result: requests that a person waits for run first. */
  isBackground?: boolean;
  signal: AbortSignal;
}

/** A curve of 100 values a second. */
export interface SpeechCurve {
  /** The detector that was used: the light one where the neural one cannot run. */
  detector: DetectorName;
  /** In seconds. */
  duration: number;
  /** Probability of speech, 0 to 255. */
  speech: Uint8Array;
  /** Loudest sample, 0 to 255. */
  level: Uint8Array;
}

export interface Speech {
  /**
   * Returns the curve from the cache, or analyses the whole track. Throws `Failure('conflict')` when the file has no
   * audio that can be read, and `Failure('unavailable')` where no detector can run.
   */
  curve(spoken: SpeechSource, listening: ListeningOptions): Promise<SpeechCurve>;
  /** Compares cues with the speech, in a helper process. Throws what `curve` throws. */
  align(spoken: SpeechSource, cues: readonly Cue[], listening: ListeningOptions): Promise<Alignment>;
  /** Compares cues with a curve that `curve` returned, in a helper process. */
  alignToCurve(curve: SpeechCurve, cues: readonly Cue[], listening: ListeningOptions): Promise<Alignment>;
  /** Compares cues with others whose timing is right, such as a text track inside the video, in a helper process. */
  alignToCues(cues: readonly Cue[], reference: readonly Cue[], listening: ListeningOptions): Promise<Alignment>;
  /**
   * Returns the curve between two times in seconds, downsampled to at most 1,024 values. Throws what `curve` throws.
   */
  audio(
    spoken: SpeechSource,
    part: { from?: number | undefined; to?: number | undefined },
    listening: ListeningOptions,
  ): Promise<z.input<typeof endpoints.audio.result>>;
  /** Returns whether the audio of an item is being analysed or is queued; undefined when neither. */
  stateOf(item: string): ListeningState | undefined;
  /** Whether a person waits for the analysis of a track. */
  isAwaited(): boolean;
  close(): Promise<void>;
}

/** `behind` is the item whose audio is being analysed now. */
export type ListeningState = { state: 'listening'; progress: number } | { state: 'waiting'; behind: string };

/** Share of the progress that is given to the analysis when cues are compared after it. */
const ANALYSIS_PART = 0.9;

export function createSpeech(needs: SpeechNeeds): Speech {
  const { processes, log, deadlineMs } = needs;
  const deadline = deadlineMs === undefined ? {} : { deadlineMs };
  const aligner = createAligner({
    processes,
    log,
    ...deadline,
    ...(needs.modules?.align && { module: needs.modules.align }),
  });
  const curves = createCurves({ ...needs, ...deadline });
  const { curve } = curves;

  const compare = async (
    cues: readonly Cue[],
    reference: Reference,
    { values, signal }: { values: Uint8Array; signal: AbortSignal },
  ): Promise<Alignment> => {
    const ordered = inOrder(cues);
    return settle(ordered, await aligner.find({ times: timesOf(ordered), curve: values, reference }, signal));
  };

  const alignToCurve: Speech['alignToCurve'] = ({ detector, speech }, cues, { signal }) =>
    compare(cues, detector === 'light' ? 'light' : 'speech', { values: speech, signal });

  return {
    curve,
    async align(source, cues, { progress = () => {}, isBackground = false, signal }) {
      const found = await curve(source, { progress: (part) => progress(part * ANALYSIS_PART), isBackground, signal });
      const alignment = await alignToCurve(found, cues, { signal });
      progress(1);
      return alignment;
    },
    alignToCurve,
    alignToCues: (cues, reference, { signal }) => compare(cues, 'cues', { values: curveOf(reference), signal }),
    audio: async (source, part, options) => downsample(await curve(source, options), part),
    stateOf: curves.stateOf,
    isAwaited: curves.isAwaited,
    async close() {
      curves.close();
      await Promise.all([curves.listener.close(), aligner.close()]);
    },
  };
}

/** Makes curves: one analysis for all callers that ask for the same track, and a cache behind it. */
function createCurves({ processes, ffmpeg, log, clock, deadlineMs, modules, cache: folder }: SpeechNeeds) {
  const cache = createCurveCache({ folder: `${folder}/speech`, log });
  const listener = createAudioListener({
    processes,
    ffmpeg,
    log,
    ...(deadlineMs !== undefined && { deadlineMs }),
    ...(modules?.listen && { module: modules.listen }),
  });
  const sharing = createSharedWork<KeptCurve>();
  /** Progress by item; undefined while it is queued. When two tracks of one item are analysed, the last one counts. */
  const underWay = new Map<string, { part: number | undefined }>();
  /** Number of people's requests that wait for an analysis. */
  let awaited = 0;

  const analyse = async (
    source: SpeechSource,
    { binding, track, progress, isAwaited, signal }: WorkContext & { binding: VideoBinding; track: number | 'best' },
  ): Promise<KeptCurve> => {
    const { file, root } = source;
    const media = inRoot(root, file.relative);
    const since = clock.monotonic();
    const zero = file.info?.container === 'mpegts' ? await startOf(ffmpeg, media, signal) : 0;
    const own: { part: number | undefined } = { part: undefined };
    underWay.set(file.item, own);
    const made = await listener
      .listen(
        {
          media,
          ...(track !== 'best' && { stream: track }),
          zero,
          seconds: file.info?.duration,
          progress: (part) => {
            own.part = part;
            progress(part);
          },
          isFirst: isAwaited,
          begun: () => void (own.part = 0),
        },
        signal,
      )
      .finally(() => {
        if (underWay.get(file.item) === own) underWay.delete(file.item);
      });
    log.info('speech.heard', {
      seconds: Math.round(made.speech.length / 100),
      tookMs: Math.round(clock.monotonic() - since),
    });
    // A file that was written to in the meantime is not the one that was bound.
    if (await isStillBound(binding, source).catch(() => false)) await cache.write(binding.key, made);
    return made;
  };

  const curve: Speech['curve'] = async (source, { progress = () => {}, isBackground = false, signal }) => {
    signal.throwIfAborted();
    const track = audioTrackFor(source.file.info, source.language);
    if (track === undefined) throw new Failure('conflict', 'this video has no audio', { reason: 'no-audio-track' });
    const binding = await bindToVideo({ file: source.file, root: source.root, track });
    const analysed = async (): Promise<KeptCurve> => {
      awaited += isBackground ? 0 : 1;
      try {
        return await sharing.join(binding.key, {
          work: (context) => analyse(source, { binding, track, ...context }),
          progress,
          isBackground,
          signal,
        });
      } finally {
        awaited -= isBackground ? 0 : 1;
      }
    };
    const kept = (await cache.read(binding.key)) ?? (await analysed());
    progress(1);
    return { duration: kept.speech.length / 100, ...kept };
  };

  const stateOf: Speech['stateOf'] = (item) => {
    const own = underWay.get(item);
    if (own?.part !== undefined) return { state: 'listening', progress: own.part };
    const now = [...underWay].find(([, { part }]) => part !== undefined);
    return own && now && { state: 'waiting', behind: now[0] };
  };
  return { curve, stateOf, isAwaited: () => awaited > 0, listener, close: sharing.close };
}

/** Returns the time at which a file begins, in seconds on its own clock; transport streams begin anywhere. */
async function startOf(ffmpeg: Pick<Ffmpeg, 'probe'>, media: Media, signal: AbortSignal): Promise<number> {
  const { format } = await ffmpeg.probe(media, signal);
  const start = Number(format.start_time ?? 0);
  return Number.isFinite(start) && start > 0 ? start : 0;
}
