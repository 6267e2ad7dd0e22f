/**
 * Tries the items that are due, one after the other, until the limit is reached, no provider may be asked, or time is
 * up.
 *
 * The result of an attempt is a row, never an exception; only a cancelled signal is thrown. Each attempt is recorded
 * before the next one begins, so an interrupted run continues where it was.
 */
import { crashPoint } from '../../lib/crash.ts';
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import type { Fetching } from '../fetching/fetch.ts';
import { isNotNeeded } from '../fetching/judge.ts';
import { isEmptyHanded } from '../fetching/search.ts';
import type { ProviderSet } from '../providers/provider-set.ts';
import { countMissing, LOOK_AGAIN, type Pick1, type PickNeeds, picks, type Wanted } from './pick.ts';

export type Outcome = 'written' | 'upgraded' | 'kept' | 'nothing' | 'refused' | 'failed' | 'skipped';
export interface Result {
  id: string;
  language: string;
  outcome: Outcome;
  reason?: string;
}
export interface Ran {
  results: Result[];
  /** Time when a provider may be asked again, when none may be now. */
  stopped?: { retryAfterSeconds: number | undefined };
  /** The first failure, as a request for that item would have received it. */
  failure?: Failure;
}

export interface RunNeeds extends PickNeeds {
  fetching: Fetching;
  providers: ProviderSet;
  log: Log;
}
export interface Running extends Wanted {
  /** Attempts at most. */
  limit: number;
  isBettering: boolean;
  /** Milliseconds after which nothing more is begun. */
  longestMs: number;
  /** Told after each attempt. */
  progress?(done: Ran, of: number): Promise<void>;
}

/** One attempt alone: listening to a long film takes its time, but not for ever. */
const ATTEMPT_MS = 15 * 60_000;

export async function run(needs: RunNeeds, running: Running, signal: AbortSignal): Promise<Ran> {
  const { providers } = needs;
  const ran: Ran = { results: [] };
  const began = performance.now();
  const knowsHashes = providers.configured().some(({ name }) => name === 'subtitles_c');
  const hasProviders = providers.configured().length > 0;
  const due = running.progress ? await countMissing(needs, running) : 0;
  for await (const pick of picks(needs, running, { isBettering: running.isBettering && hasProviders, knowsHashes })) {
    signal.throwIfAborted();
    if (ran.results.length >= running.limit || performance.now() - began > running.longestMs) break;
    if (hasProviders) {
      const { isAny, nextRetry } = await providers.available(true);
      if (!isAny) {
        ran.stopped = {
          retryAfterSeconds:
            nextRetry === undefined ? undefined : Math.max(1, Math.ceil((nextRetry - needs.now()) / 1000)),
        };
        break;
      }
      // No provider may be asked about this item now: it is not due.
      if ((await providers.usable({ item: pick.id, language: pick.language }, true)).providers.length === 0) continue;
    }
    ran.results.push(await attempt(needs, pick, { ran, signal }));
    crashPoint('subtitles.maintain.tried');
    await running.progress?.(ran, Math.max(due, ran.results.length));
  }
  return ran;
}

async function attempt(
  needs: RunNeeds,
  { id, language, kind }: Pick1,
  { ran, signal }: { ran: Ran; signal: AbortSignal },
): Promise<Result> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]);
  const about = { item: id, language };
  try {
    if (kind === 'missing') {
      await needs.fetching.fetch({ id, language, isAutomatic: true }, within);
      return { id, language, outcome: 'written' };
    }
    await needs.upkeep.looked([{ ...about, until: needs.now() + LOOK_AGAIN[kind] }]);
    crashPoint('subtitles.maintain.looked');
    await needs.fetching.upgrade(about, within);
    return { id, language, outcome: 'upgraded' };
  } catch (error) {
    signal.throwIfAborted();
    const result = { id, language, ...told(needs, error, { id, kind, isLate: within.aborted }) };
    if (result.outcome === 'failed' && error instanceof Failure) ran.failure ??= error;
    // A local obstacle: other items first.
    if (
      kind === 'missing' &&
      result.outcome === 'failed' &&
      !(error instanceof Failure && error.kind === 'unavailable')
    )
      await needs.providers.ended(about, 'blocked');
    return result;
  }
}

function told(
  { log }: RunNeeds,
  error: unknown,
  { id, kind, isLate }: { id: string; kind: Pick1['kind']; isLate: boolean },
): Pick<Result, 'outcome' | 'reason'> {
  if (isLate) return { outcome: 'failed', reason: 'it took too long' };
  if (!(error instanceof Failure)) {
    log.fault('subtitles.attempt-broke', error, { item: id });
    return { outcome: 'failed', reason: 'something unexpected went wrong; the log says where' };
  }
  const reason = error.message;
  if (isNotNeeded(error) || error.kind === 'missing')
    return { outcome: kind === 'missing' ? 'skipped' : 'kept', reason };
  if (error.reason !== 'none-trusted') return { outcome: 'failed', reason };
  if (kind !== 'missing') return { outcome: 'kept', reason };
  return { outcome: isEmptyHanded(error) ? 'nothing' : 'refused', reason };
}
