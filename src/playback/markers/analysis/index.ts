/**
 * Detects intros and credits: by audio that the episodes of a season share, and by the pictures at the end of a film.
 *
 * One analysis at a time, in the background. It waits while something is played, reads a season again only when one of
 * its files is new or replaced, and keeps the markers that an Owner set or removed.
 */
import { z } from 'zod';
import { type CatalogBackground, hasChanges, type Subject, withPutOff } from '../../../catalog/index.ts';
import { Id } from '../../../contract/kernel/common.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Failure } from '../../../lib/failure.ts';
import type { Ffmpeg } from '../../../lib/ffmpeg/index.ts';
import type { Log } from '../../../lib/log.ts';
import { type Processes, ProcessFailure } from '../../../lib/process.ts';
import { type HeavyWork, task, type TaskDefinition, type TaskContext, waitsWhile } from '../../../lib/tasks/index.ts';
import type { MarkerStore } from '../store.ts';
import { createGroupAnalysis } from './group-analysis.ts';
import { createGroups, type EpisodeGroup, type AnalysisRequest } from './groups.ts';
import type { MatchLimits } from './match.ts';

export interface AnalysisNeeds {
  catalog: Pick<CatalogBackground, 'seasons' | 'subject' | 'root' | 'changedSince' | 'goneSince' | 'isOnline'>;
  store: MarkerStore;
  ffmpeg: Pick<Ffmpeg, 'extractAudio' | 'keyPictures'>;
  processes: Pick<Processes, 'run' | 'startHelper' | 'locate'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** The server's folder for data that can be rebuilt (`paths.cache`). */
  cache: string;
  /** `binaries.fpcalc` */
  program: string;
  /** Whether something is being played: the analysis waits meanwhile. */
  isPlaying(): boolean;
  limits?: MatchLimits;
}

export interface AnalysisStatus {
  state: 'idle' | 'running' | 'waiting' | 'unavailable';
  done: number;
  total: number;
  suggested: number;
  error?: string;
}
export interface MarkerAnalysis {
  status(): Promise<AnalysisStatus>;
  /** Throws `Failure('missing')` if the item does not exist, and `Failure('conflict')` if fpcalc is not installed. */
  check(wanted: AnalysisRequest): Promise<void>;
  /** Whether the catalogue has changed since the last analysis. */
  isDue(): Promise<boolean>;
  task: TaskDefinition<AnalysisRequest>;
  close(): Promise<void>;
}

interface RunState {
  isWaiting: boolean;
  done: number;
  total: number;
}

export const ANALYSIS_TASK = 'marker-analysis';
const GONE_AT_ONCE = 200;

export function createMarkerAnalysis(needs: AnalysisNeeds): MarkerAnalysis {
  const { catalog, store, processes, program, log, isPlaying } = needs;
  const groups = createGroups({ catalog });
  const analysis = createGroupAnalysis({ ...needs, groups });
  /** The runs that have not ended: one of the server, and one that a person asked for. */
  const runs: RunState[] = [];
  let last: RunState = { isWaiting: false, done: 0, total: 0 };

  const missing = (): string | undefined =>
    processes.locate(program) === null ? 'fpcalc is not installed, so intros and credits cannot be found' : undefined;
  /** Returns the items whose library was away. */
  const runAll = async (
    all: readonly EpisodeGroup[],
    { progress, signal, turn: nextTurn }: Pick<TaskContext<AnalysisRequest>, 'progress' | 'signal' | 'turn'>,
    { now, isForced }: { now: RunState; isForced: boolean },
  ): Promise<Subject[]> => {
    const turn = async (): Promise<void> => {
      now.isWaiting = true;
      await nextTurn();
      now.isWaiting = false;
    };
    now.total = all.reduce((sum, { items }) => sum + items.length, 0);
    let before = 0;
    const away = collectAway(log);
    for (const group of all) {
      await turn();
      const analysed = (): void => {
        now.done++;
        progress(now.done / now.total, { reason: 'videos-of', values: { done: now.done, total: now.total } });
      };
      try {
        await analysis.analyse(group, { isForced, turn, analysed }, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof Failure) || isProgramMissing(error)) throw error;
        away.add(await groups.subjects(group), error.message);
      }
      before += group.items.length;
      now.done = before;
    }
    progress(
      1,
      now.total === 0 ? { reason: 'nothing-new', values: {} } : { reason: 'videos', values: { count: now.total } },
    );
    return away.items;
  };

  const run = async (context: TaskContext<AnalysisRequest>): Promise<void> => {
    const reason = missing();
    if (reason !== undefined) throw new Failure('conflict', reason, { reason: 'analysis-not-possible' });
    const now: RunState = { isWaiting: false, done: 0, total: 0 };
    runs.push(now);
    try {
      const { item, show, library } = context.input;
      if ((item ?? show ?? library) !== undefined) {
        await runAll(await groups.wanted(context.input, context.signal), context, { now, isForced: true });
        return;
      }
      const cursor = await store.cursor('markers');
      const changes = await groups.changedSince(cursor, undefined, context.signal);
      const gone = await catalog.goneSince(cursor.gone, GONE_AT_ONCE);
      const away = await runAll(changes.groups, context, { now, isForced: false });
      await store.follow(
        'markers',
        { ...withPutOff(changes.position, away), gone: gone.at(-1)?.change ?? cursor.gone },
        gone.map(({ id }) => id),
      );
    } finally {
      runs.splice(runs.indexOf(now), 1);
      last = now;
    }
  };

  return {
    status: async () => {
      const error = missing();
      const running = runs.at(-1);
      const { done, total } = running ?? last;
      const state = error !== undefined ? 'unavailable' : !running ? 'idle' : running.isWaiting ? 'waiting' : 'running';
      return {
        state,
        done,
        total,
        suggested: await store.countSuggested(),
        ...(error !== undefined && { error }),
      };
    },
    check: async ({ item, show }) => {
      const reason = missing();
      if (reason !== undefined) throw new Failure('conflict', reason, { reason: 'analysis-not-possible' });
      if (item !== undefined || show !== undefined) await groups.wanted({ item, show }, new AbortController().signal);
    },
    isDue: async () => {
      if (missing() !== undefined) return false;
      const cursor = await store.cursor('markers');
      return (await hasChanges(catalog, cursor)) || (await catalog.goneSince(cursor.gone, 1)).length > 0;
    },
    task: analysisTask(run, { waitsFor: waitsWhile(isPlaying, 'waiting-for-playback') }),
    close: () => analysis.close(),
  };
}

const analysisTask = (run: TaskDefinition<AnalysisRequest>['run'], heavy: HeavyWork) =>
  task<AnalysisRequest>({
    name: ANALYSIS_TASK,
    title: 'Find intros and credits',
    summary: 'Find the intros and credits of new videos',
    input: z.strictObject({ item: Id.optional(), show: Id.optional(), library: Id.optional() }),
    // A person who asks for one item does not wait for all others.
    atOnce: 2,
    ownAtOnce: 1,
    heavy,
    run,
  });

const isProgramMissing = (error: Failure): boolean => error instanceof ProcessFailure && error.fault === 'missing';

/** Collects items that could not be analysed now. Logs each reason once: all items of a library may have the same. */
export function collectAway(log: Pick<Log, 'warn'>) {
  const items: Subject[] = [];
  const logged = new Set<string>();
  return {
    items,
    add: (group: readonly Subject[], reason: string): void => {
      items.push(...group);
      const [first] = group;
      const key = `${first?.library} ${reason}`;
      if (!logged.has(key)) log.warn('markers.not-analysed', { library: first?.library, item: first?.id, reason });
      logged.add(key);
    },
  };
}
