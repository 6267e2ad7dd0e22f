/**
 * Where people speak in a video, and bringing cues to it.
 *
 * Listening and comparing run in processes of their own: this one only passes samples on, and both end with their
 * last asker. A track is listened to once, whoever asks how often; the curve is kept on disk as long as the video's
 * bytes are the same.
 */
import type { z } from 'zod';
import type { PlayableFile } from '../../catalog/index.ts';
import type { workbench as endpoints } from '../../contract/subtitles/workbench.ts';
import type { Clock } from '../../lib/clock.ts';
import { createSharedWork, type WorkContext } from '../../lib/coalesce.ts';
import { Failure } from '../../lib/failure.ts';
import type { Ffmpeg, Media } from '../../lib/ffmpeg/index.ts';
import { inside, type Root } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import type { Processes } from '../../lib/process.ts';
import { curveOf, settle } from '../../cues/align/align.ts';
import type { Alignment } from '../../cues/align/types.ts';
import { timesOf } from '../../cues/align/blocks.ts';
import type { Reference } from '../../cues/align/verdict.ts';
import { type Cue, inOrder } from '../../cues/index.ts';
import { createAligner } from './aligner.ts';
import { type Bound, boundTo, createCurveCache, isSame, type KeptCurve } from './cache.ts';
import { createListener } from './listen.ts';
import type { DetectorName } from './messages.ts';
import { thinned } from './thin.ts';
import { trackFor } from './tracks.ts';

export interface SpeechNeeds {
  processes: Pick<Processes, 'startHelper'>;
  ffmpeg: Pick<Ffmpeg, 'extractAudio' | 'probe'>;
  /** The server's cache folder: curves are kept below `speech/` in it. */
  cache: string;
  clock: Clock;
  log: Log;
  /** Tests put other processes in. */
  modules?: { listen?: URL; align?: URL };
  deadlineMs?: number;
}

/** Which audio: the file, and the language whose track is taken when there are several. */
export interface Spoken {
  file: PlayableFile;
  root: Root;
  language?: string | undefined;
}
export interface Listening {
  /** 0 to 1. */
  progress?(part: number): void;
  /** Nobody waits for it: whoever does comes first. */
  isBackground?: boolean;
  signal: AbortSignal;
}

/** 100 values a second. */
export interface SpeechCurve {
  /** What heard it; the light one stands in where the neural one cannot run. */
  detector: DetectorName;
  /** Seconds. */
  duration: number;
  /** How likely somebody speaks, 0 to 255. */
  speech: Uint8Array;
  /** Loudest sample, 0 to 255. */
  level: Uint8Array;
}

export interface Speech {
  /**
   * From the cache, or by listening to the whole track. Fails as `conflict` when the file has no audio that can be
   * read, and as `unavailable` where no detector can run.
   */
  curve(spoken: Spoken, listening: Listening): Promise<SpeechCurve>;
  /** Compares cues with the speech, outside this process. Fails like `curve`. */
  align(spoken: Spoken, cues: readonly Cue[], listening: Listening): Promise<Alignment>;
  /** Compares cues with others whose timing is right, such as a text track inside the video, outside this process. */
  alignToCues(cues: readonly Cue[], reference: readonly Cue[], listening: Listening): Promise<Alignment>;
  /** The curve thinned to at most 1,024 places of a part, in seconds. Fails like `curve`. */
  audio(
    spoken: Spoken,
    part: { from?: number | undefined; to?: number | undefined },
    listening: Listening,
  ): Promise<z.input<typeof endpoints.audio.result>>;
  /** Whether the audio of an item is being listened to, or waits for that of another one. */
  stateOf(item: string): ListeningState | undefined;
  close(): Promise<void>;
}

/** `behind` is the item whose audio is listened to now. */
export type ListeningState = { state: 'listening'; progress: number } | { state: 'waiting'; behind: string };

/** Of the whole, what listening takes when cues are compared after it. */
const LISTENING_PART = 0.9;

export function createSpeech(needs: SpeechNeeds): Speech {
  const { processes, ffmpeg, log, clock, deadlineMs } = needs;
  const cache = createCurveCache({ folder: `${needs.cache}/speech`, log });
  const deadline = deadlineMs === undefined ? {} : { deadlineMs };
  const listener = createListener({
    processes,
    ffmpeg,
    log,
    ...deadline,
    ...(needs.modules?.listen && { module: needs.modules.listen }),
  });
  const aligner = createAligner({
    processes,
    log,
    ...deadline,
    ...(needs.modules?.align && { module: needs.modules.align }),
  });
  const sharing = createSharedWork<KeptCurve>();
  /** What is listened to or waits, by item: more than one track of it is rare, and then the last one is told. */
  const underWay = new Map<string, { part: number | undefined }>();

  const make = async (
    spoken: Spoken,
    { bound, track, progress, isAwaited, signal }: WorkContext & { bound: Bound; track: number | 'best' },
  ): Promise<KeptCurve> => {
    const { file, root } = spoken;
    const media = inside(root, file.relative);
    const since = clock.monotonic();
    const zero = file.info?.container === 'mpegts' ? await startOf(ffmpeg, media, signal) : 0;
    const own: { part: number | undefined } = { part: undefined };
    underWay.set(file.item, own);
    const told = (part: number): void => {
      own.part = part;
      progress(part);
    };
    const made = await listener
      .listen(
        {
          media,
          ...(track !== 'best' && { stream: track }),
          zero,
          seconds: file.info?.duration,
          progress: told,
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
    // A file that was written to meanwhile is not what was bound.
    if (await isSame(bound, spoken).catch(() => false)) await cache.write(bound.key, made);
    return made;
  };

  const curve: Speech['curve'] = async (spoken, { progress = () => {}, isBackground = false, signal }) => {
    signal.throwIfAborted();
    const track = trackFor(spoken.file.info, spoken.language);
    if (track === undefined) throw new Failure('conflict', 'this video has no audio');
    const bound = await boundTo({ file: spoken.file, root: spoken.root, track });
    const kept =
      (await cache.read(bound.key)) ??
      (await sharing.join(bound.key, {
        work: (share) => make(spoken, { bound, track, ...share }),
        progress,
        isBackground,
        signal,
      }));
    progress(1);
    return { duration: kept.speech.length / 100, ...kept };
  };

  const compare = async (
    cues: readonly Cue[],
    reference: Reference,
    { curve: of, signal }: { curve: Uint8Array; signal: AbortSignal },
  ): Promise<Alignment> => {
    const ordered = inOrder(cues);
    return settle(ordered, await aligner.find({ times: timesOf(ordered), curve: of, reference }, signal));
  };

  return {
    curve,
    async align(spoken, cues, { progress = () => {}, isBackground = false, signal }) {
      const heard = await curve(spoken, { progress: (part) => progress(part * LISTENING_PART), isBackground, signal });
      const alignment = await compare(cues, heard.detector === 'light' ? 'light' : 'speech', {
        curve: heard.speech,
        signal,
      });
      progress(1);
      return alignment;
    },
    alignToCues: (cues, reference, { signal }) => compare(cues, 'cues', { curve: curveOf(reference), signal }),
    audio: async (spoken, part, listening) => thinned(await curve(spoken, listening), part),
    stateOf: (item) => {
      const own = underWay.get(item);
      if (own?.part !== undefined) return { state: 'listening', progress: own.part };
      const now = [...underWay].find(([, { part }]) => part !== undefined);
      return own && now && { state: 'waiting', behind: now[0] };
    },
    async close() {
      sharing.close();
      await Promise.all([listener.close(), aligner.close()]);
    },
  };
}

/** The time on its own clock at which a file begins; transport streams begin anywhere. */
async function startOf(ffmpeg: Pick<Ffmpeg, 'probe'>, media: Media, signal: AbortSignal): Promise<number> {
  const { format } = await ffmpeg.probe(media, signal);
  const start = Number(format.start_time ?? 0);
  return Number.isFinite(start) && start > 0 ? start : 0;
}
