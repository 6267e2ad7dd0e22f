/**
 * Extras of playback: markers, their analysis, and preview pictures. Their work in
 * the background begins some time after a scan has found something, one thing at a time.
 */
import type { Catalog, CatalogBackground, PlayableFile } from '../catalog/index.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import type { Task as ShownTask } from '../contract/ops/operations.ts';
import type { PlaybackFinding } from '../contract/playback/findings.ts';
import type { Bus } from '../lib/bus.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../lib/db/index.ts';
import { debounce } from '../lib/coalesce.ts';
import type { Ffmpeg } from '../lib/ffmpeg/index.ts';
import type { Log } from '../lib/log.ts';
import type { Processes } from '../lib/process.ts';
import type { TaskDefinition } from '../lib/tasks/index.ts';
import { ANALYSIS_TASK, createMarkerAnalysis, type MarkerAnalysis } from './markers/analysis/index.ts';
import { createMarkers, type Markers } from './markers/index.ts';
import { createSuggestions, type Suggestions } from './markers/suggestions.ts';
import { createMarkerStore } from './markers/store.ts';
import { createWalkBackground, WALK_TASK } from './media-index/walk/background.ts';
import type { Rendition } from './rendition.ts';
import { createLoudnessBackground, LOUDNESS_TASK } from './loudness/background.ts';
import { createTrickplayBackground, TRICKPLAY_TASK } from './trickplay/background.ts';
import { createTrickplay, type Trickplay } from './trickplay/index.ts';

/** Load of playback, for background work. */
export interface BackgroundLoad {
  isPlaying(): boolean;
  /** Whether video is converted in software. */
  isConverting(): boolean;
  /** Returns the video of a file as it can be copied, undefined where it cannot. */
  copiedVideo(file: PlayableFile, signal: AbortSignal): Promise<Rendition | undefined>;
  /** Makes the index of a file that has none, unless that was done. Fails as `unavailable` while it cannot be read. */
  walk(file: PlayableFile, options: { progress?(part: number): void }, signal: AbortSignal): Promise<void>;
  hasRoomForIndexes(): Promise<boolean>;
}

export interface ExtraNeeds {
  db: Database;
  bus: Pick<Bus, 'on'>;
  catalog: Catalog;
  /** For the work in the background. */
  unfiltered: CatalogBackground;
  ffmpeg: Ffmpeg;
  processes: Processes;
  clock: Clock;
  log: Log;
  /** The server's folder for data that can be rebuilt (`paths.cache`). */
  cache: string;
  /** `binaries.fpcalc` */
  fpcalc: string;
  /** Load of playback; a function, because playback needs the markers first. */
  background(): BackgroundLoad;
  /** Puts a task in the queue. `askedBy` is the id of the Profile that asked for it. */
  startTask(name: string, input?: unknown, askedBy?: string): Promise<ShownTask>;
  /** Whether a task of this name waits for its start. */
  isQueued(name: string): Promise<boolean>;
}

export interface Extras {
  markers: Markers;
  suggestions: Suggestions;
  analysis: MarkerAnalysis & {
    /** Starts the analysis as a task. Fails as `check` does, and as `throttled` if the caller has too many tasks. */
    begin(
      by: Principal,
      wanted: { item?: string | undefined; show?: string | undefined; library?: string | undefined },
    ): Promise<ShownTask>;
  };
  trickplay: Trickplay;
  tasks: readonly TaskDefinition<never>[];
  /** Findings for Owners. */
  findings(): PlaybackFinding[];
  /** Begins work in the background after a start and after changes of the catalogue. */
  start(quiet?: { quietMs: number; mostMs: number }): void;
  close(): Promise<void>;
}

/** A scan that finds many files is waited for. */
const QUIET = { quietMs: 60_000, mostMs: 15 * 60_000 };

export function createExtras({ background, fpcalc, startTask, isQueued, unfiltered, ...needs }: ExtraNeeds): Extras {
  const { bus, log } = needs;
  const store = createMarkerStore(needs.db);
  const markers = createMarkers({ ...needs, store });
  const trickplay = createTrickplay({
    ...needs,
    isConverting: () => background().isConverting(),
    copiedVideo: (...args) => background().copiedVideo(...args),
  });
  const pictures = createTrickplayBackground({
    catalog: unfiltered,
    store,
    trickplay,
    isConverting: () => background().isConverting(),
    log,
  });
  const walks = createWalkBackground({
    catalog: unfiltered,
    store,
    log,
    walk: (...args) => background().walk(...args),
    hasRoom: () => background().hasRoomForIndexes(),
  });
  const analysis = createMarkerAnalysis({
    ...needs,
    catalog: unfiltered,
    store,
    program: fpcalc,
    isPlaying: () => background().isPlaying(),
  });
  const loudness = createLoudnessBackground({
    ...needs,
    catalog: unfiltered,
    isPlaying: () => background().isPlaying(),
  });
  let stop = (): void => {};

  const look = async (): Promise<void> => {
    if (await analysis.isDue()) await startTask(ANALYSIS_TASK);
    if (await walks.isDue()) await startTask(WALK_TASK);
    if (await pictures.isDue()) await startTask(TRICKPLAY_TASK);
    if (await loudness.isDue()) await startTask(LOUDNESS_TASK);
  };
  return {
    markers,
    suggestions: createSuggestions({ ...needs, store }),
    trickplay,
    analysis: {
      ...analysis,
      status: async () => {
        const status = await analysis.status();
        return status.state === 'idle' && (await isQueued(ANALYSIS_TASK)) ? { ...status, state: 'waiting' } : status;
      },
      begin: async (by, wanted) => {
        await analysis.check(wanted);
        return startTask(
          ANALYSIS_TASK,
          Object.fromEntries(Object.entries(wanted).filter(([, id]) => id !== undefined)),
          by.profile,
        );
      },
    },
    tasks: [analysis.task, walks.task, pictures.task, loudness.task] as unknown as readonly TaskDefinition<never>[],
    findings: () => {
      const why = trickplay.trouble();
      return why === undefined
        ? []
        : [
            {
              level: 'warning',
              code: 'previews-not-kept',
              subject: 'playback',
              sentence: `Preview pictures cannot be kept on the disk (${why}). Playback continues without new ones.`,
              values: { why },
            },
          ];
    },
    start: (quiet = QUIET) => {
      const changed = debounce(
        () => void look().catch((error: unknown) => log.fault('playback.background', error)),
        quiet,
      );
      const unlisten = bus.on('catalog.changed', changed.ask);
      stop = () => {
        unlisten();
        changed.stop();
      };
      // Handles files that came while the server was off.
      changed.ask();
    },
    close: async () => {
      stop();
      await Promise.all([trickplay.close(), analysis.close()]);
    },
  };
}
