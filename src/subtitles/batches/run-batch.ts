/**
 * Tries due items one after the other, until the limit is reached, no provider may be asked, or the time is up.
 *
 * A failed attempt is a result, never an exception; only a cancelled signal is thrown. Each attempt is recorded before
 * the next one begins, so an interrupted run continues where it stopped.
 */
import type { FailureReason } from '../../contract/failures.ts';
import type { WantedSubtitle } from '../../contract/subtitles/states.ts';
import { crashPoint } from '../../lib/crash.ts';
import { failedFor, Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import type { Fetching } from '../fetching/fetch.ts';
import { isNotNeeded } from '../fetching/preconditions.ts';
import { isEmptyHanded } from '../fetching/search.ts';
import type { ProviderSet } from '../providers/provider-set.ts';
import {
  countMissing,
  UPGRADE_INTERVAL_MS,
  type DueSubtitle,
  type DueNeeds,
  dueSubtitles,
  type DueScope,
} from './due.ts';

export type AttemptOutcome = 'written' | 'upgraded' | 'kept' | 'nothing' | 'refused' | 'failed' | 'skipped';
export interface AttemptResult extends WantedSubtitle {
  id: string;
  outcome: AttemptOutcome;
  /** Sentence fragment for people. */
  reason?: string;
  /** Code of the failure. Missing if it took too long or an unexpected error occurred. */
  failure?: FailureReason;
}
export interface BatchReport {
  results: AttemptResult[];
  /** Set if no provider may be asked, with the time until one may. */
  stopped?: { retryAfterSeconds: number | undefined };
  /** The first failure, as a request for that item would have received it. */
  failure?: Failure;
}

export interface BatchRunNeeds extends DueNeeds {
  fetching: Fetching;
  providers: ProviderSet;
  log: Log;
}
export interface BatchRun extends DueScope {
  /** Maximum number of attempts. */
  limit: number;
  withUpgrades: boolean;
  /** Time in milliseconds after which no further attempt begins. */
  timeLimitMs: number;
  /** Called after each attempt. */
  progress?(done: BatchReport, of: number): Promise<void>;
}

/** Time limit of one attempt. Analysing the audio of a long film takes minutes. */
const ATTEMPT_MS = 15 * 60_000;

export async function runBatch(needs: BatchRunNeeds, running: BatchRun, signal: AbortSignal): Promise<BatchReport> {
  const { providers } = needs;
  const report: BatchReport = { results: [] };
  const began = performance.now();
  const knowsHashes = providers.configured().some(({ name }) => name === 'subtitles_c');
  const hasProviders = providers.configured().length > 0;
  const due = running.progress ? await countMissing(needs, running) : 0;
  for await (const pick of dueSubtitles(needs, running, {
    withUpgrades: running.withUpgrades && hasProviders,
    knowsHashes,
  })) {
    signal.throwIfAborted();
    if (report.results.length >= running.limit || performance.now() - began > running.timeLimitMs) break;
    if (hasProviders) {
      const { isAny, nextRetry } = await providers.available(true);
      if (!isAny) {
        report.stopped = {
          retryAfterSeconds:
            nextRetry === undefined ? undefined : Math.max(1, Math.ceil((nextRetry - needs.now()) / 1000)),
        };
        break;
      }
      // Skips an item about which no provider may be asked now.
      if ((await providers.usable({ ...pick, item: pick.id }, true)).providers.length === 0) continue;
    }
    report.results.push(await attempt(needs, pick, { report, signal }));
    crashPoint('subtitles.maintain.tried');
    await running.progress?.(report, Math.max(due, report.results.length));
  }
  return report;
}

/** Whether only this item was in the way: others may be fetched. */
export const isOfOneFile = (error: unknown): boolean => failedFor(error, 'file-unavailable');

async function attempt(
  needs: BatchRunNeeds,
  { id, language, role, kind }: DueSubtitle,
  { report, signal }: { report: BatchReport; signal: AbortSignal },
): Promise<AttemptResult> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]);
  const about = { item: id, language, role };
  try {
    if (kind === 'missing') {
      await needs.fetching.fetch({ id, language, role, isAutomatic: true }, within);
      return { id, language, role, outcome: 'written' };
    }
    await needs.upkeep.postponeUpgrades([{ ...about, until: needs.now() + UPGRADE_INTERVAL_MS[kind] }]);
    crashPoint('subtitles.maintain.looked');
    await needs.fetching.upgrade(about, within);
    return { id, language, role, outcome: 'upgraded' };
  } catch (error) {
    signal.throwIfAborted();
    const result = { id, language, role, ...failedResult(needs, error, { id, kind, isLate: within.aborted }) };
    if (result.outcome === 'failed' && error instanceof Failure) report.failure ??= error;
    // After a local obstacle the item is paused, so that other items come first.
    if (
      kind === 'missing' &&
      result.outcome === 'failed' &&
      !(error instanceof Failure && error.kind === 'unavailable' && !isOfOneFile(error))
    )
      await needs.providers.ended(about, 'blocked');
    return result;
  }
}

function failedResult(
  { log }: BatchRunNeeds,
  error: unknown,
  { id, kind, isLate }: { id: string; kind: DueSubtitle['kind']; isLate: boolean },
): Pick<AttemptResult, 'outcome' | 'reason' | 'failure'> {
  if (isLate) return { outcome: 'failed', reason: 'it took too long' };
  if (!(error instanceof Failure)) {
    log.fault('subtitles.attempt-broke', error, { item: id });
    return { outcome: 'failed', reason: 'an unexpected error occurred; see the log' };
  }
  const why = { reason: error.message, failure: error.reason };
  if (isNotNeeded(error) || error.kind === 'missing')
    return { outcome: kind === 'missing' ? 'skipped' : 'kept', ...why };
  if (!failedFor(error, 'none-offered', 'none-trusted')) return { outcome: 'failed', ...why };
  if (kind !== 'missing') return { outcome: 'kept', ...why };
  return { outcome: isEmptyHanded(error) ? 'nothing' : 'refused', ...why };
}
