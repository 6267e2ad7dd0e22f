/**
 * Judges the items that are due, one film at a time: as the task `audit`, and single ones after they were fixed.
 *
 * A judgement is recorded as soon as its film is done, so a run that was cancelled or cut off continues with the next
 * film. It waits while something is played or a person waits for the speech of a video, and interrupts the film that
 * it is at.
 */
import type { TaskRemark } from '../../contract/ops/task-remarks.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { CatalogBackground } from '../../catalog/index.ts';
import { MISFITS } from '../../contract/subtitles/audit.ts';
import { untilAborted } from '../../lib/coalesce.ts';
import { Failure } from '../../lib/failure.ts';
import { createLock } from '../../lib/lock.ts';
import type { Log } from '../../lib/log.ts';
import { type JsonValue, runPiece, type TaskContext } from '../../lib/tasks/index.ts';
import type { AuditStore } from '../store/audits.ts';
import type { InventoryStore } from '../store/inventory.ts';
import type { InventoryRow } from '../store/rows.ts';
import { judgeItem, type JudgeNeeds } from './judge.ts';

export interface RunNeeds extends JudgeNeeds {
  catalog: JudgeNeeds['catalog'] & Pick<CatalogBackground, 'libraries'>;
  audits: AuditStore;
  inventory: Pick<InventoryStore, 'tracks' | 'row'>;
  /** Brings the inventory up to date with the catalogue. */
  catchUp(): Promise<void>;
  /** Returns why no film is judged now: something is played, or a person waits for the speech of a video. */
  waitsFor(): TaskRemark | undefined;
  /** Called after judgements were recorded. */
  announce(): void;
  log: Log;
  /** Interval in which `waitsFor` is asked about a single item, in milliseconds. Shortened by tests. */
  everyMs?: number | undefined;
}

export interface AuditRun {
  run(
    context: Pick<
      TaskContext<{ library?: string | undefined }>,
      'input' | 'saved' | 'save' | 'progress' | 'signal' | 'piece'
    >,
  ): Promise<void>;
  /** Judges one item, if it is due. */
  judge(item: string, signal: AbortSignal): Promise<void>;
}

type RunPiece = TaskContext<unknown>['piece'];

const ITEMS_PER_READ = 20;
/** Maximum number of films of one run, and the time that it works on them. What is left is judged by the next run. */
const MAX_FILMS = 500;
const MAX_RUN_MS = 8 * 3_600_000;
/** Listening to the longest film takes a few minutes. A hanging disk would block forever. */
const FILM_TIMEOUT_MS = 20 * 60_000;
const EVERY_MS = 1_000;

export function createAuditRun(needs: RunNeeds): AuditRun {
  const { audits, catalog, waitsFor, announce, log, everyMs = EVERY_MS } = needs;
  /** One film at a time, for the task and for single items. */
  const turn = createLock();
  const libraries = (): string[] => catalog.libraries().flatMap(({ id, isOnline }) => (isOnline ? [id] : []));

  /** Runs the judgement of a single item while the server is not needed for something else. */
  const whenQuiet = (signal: AbortSignal): RunPiece => {
    const quiet = async (): Promise<void> => {
      while (waitsFor() !== undefined) await pause(everyMs, undefined, { signal });
    };
    return (work) => runPiece({ turn: quiet, waitsFor, lookMs: everyMs, signal }, work);
  };
  /** Judges the texts of an item. Returns the number of misfits, undefined if it cannot be judged now. */
  const judgeRow = async (row: InventoryRow, piece: RunPiece, signal: AbortSignal): Promise<number | undefined> => {
    const judge = async (until: AbortSignal) => {
      const known = await audits.of([row.id]);
      return judgeItem(needs, { row, known }, AbortSignal.any([until, AbortSignal.timeout(FILM_TIMEOUT_MS)]));
    };
    try {
      const found = await piece((until) => turn.run(() => judge(until), until));
      signal.throwIfAborted();
      if (!(await audits.judged(row.id, found))) return undefined;
      if (found.length > 0) announce();
      return found.filter(({ verdict }) => (MISFITS as readonly string[]).includes(verdict)).length;
    } catch (error) {
      signal.throwIfAborted();
      // The next run tries it again.
      if (error instanceof Failure) log.warn('subtitles.not-audited', { item: row.id, reason: error.reason });
      else log.fault('subtitles.not-audited', error, { item: row.id });
      return undefined;
    }
  };

  return {
    run: async ({ input, saved, save, progress, signal, piece }) => {
      // The inventory follows a scan some seconds later, and the films of that scan are meant too.
      await untilAborted(needs.catchUp(), signal);
      const inScope = (): string[] => libraries().filter((id) => input.library === undefined || id === input.library);
      const state = stateFrom(saved);
      const left = await audits.countDue(inScope());
      const total = state.films + left;
      let workedMs = 0;
      const timed: RunPiece = (work) =>
        piece(async (until) => {
          const began = performance.now();
          return work(until).finally(() => (workedMs += performance.now() - began));
        });
      const report = (): void =>
        progress(total === 0 ? 1 : Math.min(1, state.films / total), ...remarksOf(state, total));
      report();
      for (;;) {
        const rows = await audits.due({ after: state.after, limit: ITEMS_PER_READ, libraries: inScope() });
        for (const row of rows) {
          if (state.films >= MAX_FILMS || workedMs > MAX_RUN_MS) return;
          const misfits = await judgeRow(row, timed, signal);
          state.after = row.id;
          state.films += 1;
          state.misfits += misfits ?? 0;
          state.skipped += misfits === undefined ? 1 : 0;
          await save({ ...state });
          report();
        }
        if (rows.length < ITEMS_PER_READ) break;
      }
      progress(1, ...remarksOf(state, total));
    },
    judge: async (item, signal) => {
      const row = await needs.inventory.row(item);
      if (row?.unaudited === 1 && libraries().includes(row.library)) await judgeRow(row, whenQuiet(signal), signal);
    },
  };
}

interface RunState {
  /** The last item that was looked at. */
  after: string;
  films: number;
  misfits: number;
  /** Films that could not be judged this time. */
  skipped: number;
}

const SavedState = z
  .object({ after: z.string(), films: z.int().min(0), misfits: z.int().min(0), skipped: z.int().min(0) })
  .catch({ after: '', films: 0, misfits: 0, skipped: 0 });
const stateFrom = (saved: JsonValue | undefined): RunState => ({ ...SavedState.parse(saved) });

function remarksOf({ films, misfits, skipped }: RunState, total: number): TaskRemark[] {
  if (total === 0) return [{ reason: 'nothing-new', values: {} }];
  return [
    { reason: 'videos-of', values: { done: films, total } },
    ...(misfits === 0 ? [] : [{ reason: 'misfits' as const, values: { count: misfits } }]),
    ...(skipped === 0 ? [] : [{ reason: 'not-checked' as const, values: { count: skipped } }]),
  ];
}
