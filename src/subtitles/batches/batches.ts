/**
 * Batches of limited size: fetching what is missing, and maintenance, on request, daily, and some minutes after items
 * were added.
 *
 * One batch runs at a time. A request during another batch fails at once; the server's own batch is queued. The server
 * starts batches only when a language and a provider are configured.
 */
import { z } from 'zod';
import { Id } from '../../contract/kernel/common.ts';
import type { Given } from '../../contract/kernel/endpoint.ts';
import type { subtitles as endpoints } from '../../contract/subtitles/library.ts';
import { debounce } from '../../lib/coalesce.ts';
import type { Bus } from '../../lib/bus.ts';
import { crashPoint } from '../../lib/crash.ts';
import { Failure, restated } from '../../lib/failure.ts';
import { createLock } from '../../lib/lock.ts';
import { type JsonValue, task, type TaskDefinition, type TaskContext } from '../../lib/tasks/index.ts';
import { countMissing } from './pick.ts';
import { type Outcome, type Ran, run, type Running, type RunNeeds } from './run.ts';

export interface Batches {
  fetchWanted(
    asked: Given<typeof endpoints.fetchWanted>,
    signal: AbortSignal,
  ): Promise<z.input<typeof endpoints.fetchWanted.result>>;
  maintain(
    asked: Given<typeof endpoints.maintain>,
    signal: AbortSignal,
  ): Promise<z.input<typeof endpoints.maintain.result>>;
  tasks: readonly TaskDefinition<never>[];
  /**
   * Begins upkeep by itself when it has been quiet for a while after the start or a change. Returns a function that
   * stops it.
   */
  follow(begin: (name: string) => void): () => void;
}

export interface BatchNeeds extends RunNeeds {
  bus: Pick<Bus, 'on'>;
  /** How long it is quiet before upkeep begins by itself; tests shorten it. */
  calm?: { quietMs: number; mostMs: number };
}

const DEFAULT_LIMIT = 10;
/** A caller waits for the result. */
const ANSWER_MS = 5 * 60_000;
const DAY = 86_400_000;
/** Attempts of one run of upkeep, and of a run for everything that is wanted. */
const UPKEEP = 50;
const EVERYTHING = 1_000;
const UPKEEP_MS = 2 * 3_600_000;
const EVERYTHING_MS = 12 * 3_600_000;
/** Files that are still being copied in, or that come with their own subtitles, get this time first. */
const CALM = { quietMs: 5 * 60_000, mostMs: 30 * 60_000 };
const BUSY = 'a batch of subtitles is running already';

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

const count = ({ results }: Ran, outcome: Outcome): number => results.filter((one) => one.outcome === outcome).length;

export function createBatches(needs: BatchNeeds): Batches {
  const turn = createLock();
  const configured = (): boolean => needs.languages().length > 0 && needs.providers.configured().length > 0;

  /** Runs a requested batch at once, or refuses it. */
  const asked = async (
    { language, limit = DEFAULT_LIMIT }: { language?: string | undefined; limit?: number | undefined },
    isBettering: boolean,
    signal: AbortSignal,
  ): Promise<Ran> => {
    const languages = language === undefined ? needs.languages() : [language];
    if (languages.length === 0) throw noLanguageConfiguredFailure();
    const release = turn.take();
    if (!release) throw new Failure('conflict', BUSY, { reason: 'batch-running' });
    try {
      return orFail(await run(needs, { languages, limit, isBettering, longestMs: ANSWER_MS }, signal));
    } finally {
      release();
    }
  };

  const byItself = async (
    context: TaskContext<{ library?: string | undefined }>,
    { limit, longestMs, isBettering }: Pick<Running, 'limit' | 'longestMs' | 'isBettering'>,
  ): Promise<void> => {
    if (!configured()) {
      context.progress(
        1,
        needs.languages().length === 0 ? 'no subtitle language is configured' : 'no subtitle provider is configured',
      );
      return;
    }
    const before = leftIn(context.saved);
    const left = Math.min(before ?? limit, limit);
    await turn.run(async () => {
      if (isBettering) await needs.upkeep.tidy();
      const progress = async (ran: Ran, of: number): Promise<void> => {
        context.progress(Math.min(1, ran.results.length / Math.max(1, of)), sentence(ran));
        await context.save({ left: Math.max(0, left - ran.results.length) });
        crashPoint('subtitles.maintain.saved');
      };
      const ran = await run(
        needs,
        { languages: needs.languages(), library: context.input.library, limit: left, longestMs, isBettering, progress },
        context.signal,
      );
      // An obstacle of one item (a film in parts, a read-only folder) is reported in its row and does not fail the run.
      if (ran.stopped || ran.failure?.kind === 'unavailable') orFail(ran);
      context.progress(1, sentence(ran));
    }, context.signal);
  };

  const empty = z.strictObject({});
  const input = z.strictObject({ library: Id.optional() });
  return {
    fetchWanted: async (given, signal) => {
      const ran = await asked(given, false, signal);
      return {
        attempted: ran.results.length,
        written: count(ran, 'written'),
        failed: count(ran, 'failed'),
        results: ran.results,
      };
    },
    maintain: async (given, signal) => {
      const ran = await asked(given, true, signal);
      return {
        attempted: ran.results.length,
        added: count(ran, 'written'),
        upgraded: count(ran, 'upgraded'),
        failed: count(ran, 'failed'),
        results: ran.results,
      };
    },
    tasks: [
      task({
        ...FETCH_WANTED,
        input,
        run: (context) => byItself(context, { limit: EVERYTHING, longestMs: EVERYTHING_MS, isBettering: false }),
      }),
      task({
        ...UPKEEP_TASK,
        input: empty as z.ZodType<{ library?: string | undefined }>,
        every: () => (configured() ? DAY : undefined),
        run: (context) => byItself(context, { limit: UPKEEP, longestMs: UPKEEP_MS, isBettering: true }),
      }),
    ] as unknown as readonly TaskDefinition<never>[],
    follow: (begin) => {
      const look = async (): Promise<void> => {
        if (!configured() || turn.isHeld || !(await needs.providers.available(true)).isAny) return;
        if ((await countMissing(needs, { languages: needs.languages(), limit: 1 })) > 0) begin('subtitle-upkeep');
      };
      const nudges = debounce(
        () => void look().catch((error: unknown) => needs.log.fault('subtitles.upkeep-not-begun', error)),
        needs.calm ?? CALM,
      );
      const stop = needs.bus.on('catalog.changed', nudges.ask);
      // Covers items that were added while the server was off, or before there was a provider.
      nudges.ask();
      return () => {
        stop();
        nudges.stop();
      };
    },
  };
}

const leftIn = (saved: JsonValue | undefined): number | undefined => {
  const left = typeof saved === 'object' && saved !== null && 'left' in saved ? saved.left : undefined;
  return typeof left === 'number' && Number.isSafeInteger(left) && left >= 0 ? left : undefined;
};

/** Nothing came of it, and not for want of trying. */
function orFail(ran: Ran): Ran {
  if (count(ran, 'written') + count(ran, 'upgraded') > 0) return ran;
  const failed = ran.results.find(({ outcome }) => outcome === 'failed');
  if (failed) {
    const message = failed.reason ?? 'nothing could be fetched';
    throw ran.failure?.kind === 'unavailable'
      ? restated(ran.failure, { message })
      : new Failure('unavailable', message, { reason: 'nothing-fetched' });
  }
  if (ran.results.length === 0 && ran.stopped) {
    const { retryAfterSeconds } = ran.stopped;
    throw new Failure('unavailable', 'the subtitle providers are not to be asked again yet', {
      reason: 'providers-failing',
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }
  return ran;
}

function sentence(ran: Ran): string {
  const parts = (
    [
      ['written', 'fetched'],
      ['upgraded', 'bettered'],
      ['nothing', 'not found'],
      ['refused', 'not trusted'],
      ['kept', 'kept as they are'],
      ['failed', 'failed'],
    ] as const
  ).flatMap(([outcome, word]) => {
    const n = count(ran, outcome);
    return n === 0 ? [] : [`${n} ${word}`];
  });
  const end = ran.stopped ? ['the providers are to be left alone for now'] : [];
  return [...(parts.length === 0 ? ['nothing is due'] : parts), ...end].join(', ');
}

const noLanguageConfiguredFailure = (): Failure =>
  new Failure('conflict', 'no subtitle language is configured, and none was given', {
    reason: 'no-language-configured',
  });
