/**
 * Batches of limited size: fetching what is missing, and maintenance, on request, daily, and some minutes after items
 * were added.
 *
 * One batch runs at a time. A request during another batch fails at once; the server's own batch is queued. A task lets
 * others run between two attempts. The server starts batches only when a language and a provider are configured.
 */
import type { TaskRemark } from '../../contract/ops/task-remarks.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { Id } from '../../contract/kernel/common.ts';
import type { ParsedInput } from '../../contract/kernel/endpoint.ts';
import type { subtitles as endpoints } from '../../contract/subtitles/library.ts';
import { debounce, untilAborted } from '../../lib/coalesce.ts';
import type { Bus } from '../../lib/bus.ts';
import { crashPoint } from '../../lib/crash.ts';
import { Failure, restated } from '../../lib/failure.ts';
import { createLock } from '../../lib/lock.ts';
import { type JsonValue, task, type TaskDefinition, type TaskContext } from '../../lib/tasks/index.ts';
import type { PartFinder } from '../parts/part-catalog.ts';
import { itemOfKey } from '../parts/part-keys.ts';
import type { WantedSource } from '../wanted.ts';
import { countMissing } from './due.ts';
import {
  type AttemptOutcome,
  type BatchReport,
  isOfOneFile,
  runBatch,
  type BatchRun,
  type BatchRunNeeds,
} from './run-batch.ts';

export interface Batches {
  fetchWanted(
    runRequested: ParsedInput<typeof endpoints.fetchWanted>,
    signal: AbortSignal,
  ): Promise<z.input<typeof endpoints.fetchWanted.result>>;
  maintain(
    runRequested: ParsedInput<typeof endpoints.maintain>,
    signal: AbortSignal,
  ): Promise<z.input<typeof endpoints.maintain.result>>;
  tasks: readonly TaskDefinition<never>[];
  /**
   * Begins upkeep by itself when it has been quiet for a while after the start or a change. Returns a function that
   * stops it.
   */
  follow(begin: (name: string) => void): () => void;
}

export interface BatchesNeeds extends BatchRunNeeds {
  wanted: WantedSource;
  finder: Pick<PartFinder, 'keysOf'>;
  bus: Pick<Bus, 'on'>;
  /** Brings the inventory up to date with the catalogue, which takes a minute after a large library was added. */
  catchUp(): Promise<void>;
  /** How long the catalogue must be quiet before upkeep begins. Shortened by tests. */
  calm?: { quietMs: number; mostMs: number };
}

const DEFAULT_LIMIT = 10;
/** Time limit of a requested batch, whose caller waits for the result. */
const REQUEST_TIMEOUT_MS = 5 * 60_000;
/** How long a requested batch waits for the inventory. After that it works with what the inventory has. */
const CATCH_UP_MS = 20_000;
const DAY_MS = 86_400_000;
/** Maximum number of attempts of one run of upkeep, and of a run for all missing subtitles. */
const MAX_UPKEEP_ATTEMPTS = 50;
const MAX_FETCH_ATTEMPTS = 1_000;
const UPKEEP_TIMEOUT_MS = 2 * 3_600_000;
const FETCH_TIMEOUT_MS = 12 * 3_600_000;
/** Time for files that are still being copied, or that come with their own subtitles, to arrive. */
const QUIET_TIME = { quietMs: 5 * 60_000, mostMs: 30 * 60_000 };
const BUSY = 'another batch of subtitles is running';

const FETCH_WANTED = {
  name: 'fetch-wanted',
  title: 'Fetch missing subtitles',
  summary: 'Fetch the subtitles that are missing',
} as const;
const UPKEEP_TASK = {
  name: 'subtitle-upkeep',
  title: 'Subtitle upkeep',
  summary: 'Fetch some of the subtitles that are missing, and look for better ones',
} as const;

const count = ({ results }: BatchReport, outcome: AttemptOutcome): number =>
  results.filter((one) => one.outcome === outcome).length;

export function createBatches(needs: BatchesNeeds): Batches {
  const turn = createLock();
  const configured = (): boolean => needs.wanted.all().length > 0 && needs.providers.configured().length > 0;

  /** Runs a requested batch at once, or refuses it. */
  const runRequested = async (
    { language, limit = DEFAULT_LIMIT }: { language?: string | undefined; limit?: number | undefined },
    withUpgrades: boolean,
    signal: AbortSignal,
  ): Promise<BatchReport> => {
    if (language === undefined && needs.wanted.all().length === 0) throw noLanguageConfiguredFailure();
    const release = turn.take();
    if (!release) throw new Failure('conflict', BUSY, { reason: 'batch-running' });
    try {
      await Promise.race([untilAborted(needs.catchUp(), signal), pause(CATCH_UP_MS, undefined, { ref: false })]);
      return throwIfNothingWritten(
        await runBatch(needs, { language, limit, withUpgrades, timeLimitMs: REQUEST_TIMEOUT_MS }, signal),
      );
    } finally {
      release();
    }
  };

  /**
   * Takes the turn of a task, first its place and then that among batches: one that has to wait for its place keeps no
   * person's batch from running.
   */
  const takeTurn = async (context: Pick<TaskContext<unknown>, 'turn' | 'signal'>): Promise<() => void> => {
    await context.turn();
    return turn.acquire(context.signal);
  };
  const runAsTask = async (
    context: TaskContext<{ library?: string | undefined }>,
    { limit, timeLimitMs, withUpgrades }: Pick<BatchRun, 'limit' | 'timeLimitMs' | 'withUpgrades'>,
  ): Promise<void> => {
    if (!configured()) {
      const reason = needs.wanted.all().length === 0 ? 'no-subtitle-language' : 'no-subtitle-provider';
      context.progress(1, { reason, values: {} });
      return;
    }
    const before = leftIn(context.saved);
    const left = Math.min(before ?? limit, limit);
    let release = await takeTurn(context);
    try {
      await untilAborted(needs.catchUp(), context.signal);
      if (withUpgrades) await needs.upkeep.deleteOrphans();
      const progress = async (report: BatchReport, of: number): Promise<void> => {
        context.progress(Math.min(1, report.results.length / Math.max(1, of)), ...remarksOf(report));
        await context.save({ left: Math.max(0, left - report.results.length) });
        crashPoint('subtitles.maintain.saved');
        // A person's batch may run now, and other work in the background.
        release();
        release = await takeTurn(context);
      };
      const { library } = context.input;
      const batch = { library, limit: left, timeLimitMs, withUpgrades, progress };
      const report = await runBatch(needs, batch, context.signal);
      // An obstacle of one item (a film in parts, a read-only folder) is reported in its row and does not fail the run.
      if (report.stopped || (report.failure?.kind === 'unavailable' && !isOfOneFile(report.failure)))
        throwIfNothingWritten(report);
      context.progress(1, ...remarksOf(report));
    } finally {
      release();
    }
  };

  const empty = z.strictObject({});
  const input = z.strictObject({ library: Id.optional() });
  return {
    fetchWanted: async (given, signal) => {
      const report = await runRequested(given, false, signal);
      return {
        attempted: report.results.length,
        written: count(report, 'written'),
        failed: count(report, 'failed'),
        results: await namedResults(needs, report),
      };
    },
    maintain: async (given, signal) => {
      const report = await runRequested(given, true, signal);
      return {
        attempted: report.results.length,
        added: count(report, 'written'),
        upgraded: count(report, 'upgraded'),
        failed: count(report, 'failed'),
        results: await namedResults(needs, report),
      };
    },
    tasks: [
      task({
        ...FETCH_WANTED,
        input,
        heavy: {},
        run: (context) =>
          runAsTask(context, { limit: MAX_FETCH_ATTEMPTS, timeLimitMs: FETCH_TIMEOUT_MS, withUpgrades: false }),
      }),
      task({
        ...UPKEEP_TASK,
        input: empty as z.ZodType<{ library?: string | undefined }>,
        every: () => (configured() ? DAY_MS : undefined),
        heavy: {},
        run: (context) =>
          runAsTask(context, { limit: MAX_UPKEEP_ATTEMPTS, timeLimitMs: UPKEEP_TIMEOUT_MS, withUpgrades: true }),
      }),
    ] as unknown as readonly TaskDefinition<never>[],
    follow: (begin) => beginWhenQuiet(needs, { mayRun: () => configured() && !turn.isHeld, begin }),
  };
}

/**
 * Begins upkeep when the catalogue has been quiet for a while and subtitles are missing. Returns a function that ends
 * this.
 */
function beginWhenQuiet(
  needs: BatchesNeeds,
  { mayRun, begin }: { mayRun(): boolean; begin(name: string): void },
): () => void {
  const look = async (): Promise<void> => {
    if (!mayRun() || !(await needs.providers.available(true)).isAny) return;
    if ((await countMissing(needs, { limit: 1 })) > 0) begin(UPKEEP_TASK.name);
  };
  const nudges = debounce(
    () => void look().catch((error: unknown) => needs.log.fault('subtitles.upkeep-not-begun', error)),
    needs.calm ?? QUIET_TIME,
  );
  const stop = needs.bus.on('catalog.changed', nudges.ask);
  // Covers items that were added while the server was off, or before there was a provider.
  nudges.ask();
  return () => {
    stop();
    nudges.stop();
  };
}

/** Returns the results as the API names their items: a part of a film by its number. */
const namedResults = ({ finder }: BatchesNeeds, { results }: BatchReport) =>
  Promise.all(
    results.map(async (result) => {
      const id = itemOfKey(result.id);
      const parts = await finder.keysOf(id);
      const part = parts.find(({ key }) => key === result.id)?.part;
      return { ...result, id, ...(parts.length > 1 && part !== undefined && { part }) };
    }),
  );

const leftIn = (saved: JsonValue | undefined): number | undefined => {
  const left = typeof saved === 'object' && saved !== null && 'left' in saved ? saved.left : undefined;
  return typeof left === 'number' && Number.isSafeInteger(left) && left >= 0 ? left : undefined;
};

/** Throws if the batch wrote nothing although it tried or had to stop; else returns the report. */
function throwIfNothingWritten(report: BatchReport): BatchReport {
  if (count(report, 'written') + count(report, 'upgraded') > 0) return report;
  const failed = report.results.find(({ outcome }) => outcome === 'failed');
  if (failed) {
    const message = failed.reason ?? 'nothing could be fetched';
    throw report.failure?.kind === 'unavailable'
      ? restated(report.failure, { message })
      : new Failure('unavailable', message, { reason: 'nothing-fetched' });
  }
  if (report.results.length === 0 && report.stopped) {
    const { retryAfterSeconds } = report.stopped;
    throw new Failure('unavailable', 'the subtitle providers cannot be searched again yet', {
      reason: 'providers-failing',
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }
  return report;
}

function remarksOf(report: BatchReport): TaskRemark[] {
  const parts = OUTCOMES_REPORTED.flatMap((outcome): TaskRemark[] => {
    const n = count(report, outcome);
    return n === 0 ? [] : [{ reason: `subtitles-${outcome}`, values: { count: n } }];
  });
  const first: TaskRemark[] = parts.length === 0 ? [{ reason: 'nothing-due', values: {} }] : parts;
  return report.stopped ? [...first, { reason: 'providers-paused', values: {} }] : first;
}
const OUTCOMES_REPORTED = ['written', 'upgraded', 'nothing', 'refused', 'kept', 'failed'] as const;

const noLanguageConfiguredFailure = (): Failure =>
  new Failure('conflict', 'no subtitle language is configured, and none was given', {
    reason: 'no-language-configured',
  });
