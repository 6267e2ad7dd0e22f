/** The catalogue's long work: scans, the purge of what has long been gone, and the cache of pictures. */
import { z } from 'zod';
import type { Config } from '../config/index.ts';
import { Id } from '../contract/kernel/common.ts';
import { type Clock, isAhead } from '../lib/clock.ts';
import type { TaskRemark } from '../contract/ops/task-remarks.ts';
import { task, type TaskDefinition, type TaskContext } from '../lib/tasks/index.ts';
import type { ScanReport } from './core/scan/library.ts';
import type { LibraryTable } from './store/tables.ts';

const DAY_MS = 86_400_000;
/** Files that were missing for this long while their library was online are forgotten. */
const GRACE_MS = 30 * DAY_MS;
/** Scans side by side. The schedule and the watcher start one of them, and three that look for changes. */
const SCANS_AT_ONCE = 5;
const OWN_SCANS = 1;
const OWN_CHANGE_SCANS = 3;

export interface TaskNeeds {
  clock: Clock;
  /** Milliseconds between two scans; undefined when they are off. */
  every(): number | undefined;
  libraries(): readonly LibraryTable[];
  scan(
    library: LibraryTable,
    options: { isFull: boolean; progress(part: number, remark: TaskRemark): void },
    signal: AbortSignal,
  ): Promise<ScanReport>;
  purge(before: number): Promise<number>;
  clearArt(): Promise<void>;
  forgetHistory(): Promise<void>;
}

/**
 * `scan` looks at every file, on request; `scan-changes` trusts the times of folders, and looks at
 * everything once a day.
 */
export function catalogTasks(needs: TaskNeeds): readonly TaskDefinition<never>[] {
  const run = async (
    context: TaskContext<{ library?: string | undefined }>,
    isFull: (library: LibraryTable) => boolean,
  ) => {
    const wanted = needs
      .libraries()
      .filter(({ id }) => context.input.library === undefined || id === context.input.library);
    const sum = { added: 0, changed: 0, moved: 0, missing: 0 };
    let away = 0;
    for (const [i, library] of wanted.entries()) {
      context.signal.throwIfAborted();
      const progress = (part: number, remark: TaskRemark) => context.progress((i + part) / wanted.length, remark);
      const report = await needs.scan(library, { isFull: isFull(library), progress }, context.signal);
      if (report.isOnline) for (const key of ['added', 'changed', 'moved', 'missing'] as const) sum[key] += report[key];
      else away++;
    }
    if (wanted.length === 0) return context.progress(1, { reason: 'no-library', values: {} });
    const remarks: TaskRemark[] = [];
    if (away < wanted.length) remarks.push({ reason: 'scanned', values: sum });
    if (away > 0) remarks.push({ reason: 'libraries-away', values: { count: away } });
    context.progress(1, ...remarks);
  };
  const input = z.strictObject({ library: Id.optional() });
  return [
    task({
      name: 'scan',
      title: 'Scan all libraries',
      summary: 'Look at every file of the libraries',
      atOnce: SCANS_AT_ONCE,
      ownAtOnce: OWN_SCANS,
      isBeforeHeavy: true,
      input,
      run: (context) => run(context, () => true),
    }),
    task({
      name: 'scan-changes',
      title: 'Scan for changes',
      summary: 'Look for changes in the libraries',
      atOnce: SCANS_AT_ONCE,
      ownAtOnce: OWN_CHANGE_SCANS,
      isBeforeHeavy: true,
      input,
      every: needs.every,
      run: (context) =>
        run(
          context,
          ({ last_full }) =>
            last_full === null || isAhead(last_full, needs.clock.now()) || needs.clock.now() - last_full > DAY_MS,
        ),
    }),
    task({
      name: 'purge',
      title: 'Clean up',
      summary: 'Forget files that have been gone for thirty days, and expired history',
      every: () => DAY_MS,
      run: async ({ progress }) => {
        const purged = await needs.purge(needs.clock.now() - GRACE_MS);
        await needs.forgetHistory();
        progress(1, { reason: 'forgotten', values: { count: purged } });
      },
    }),
    task({
      name: 'clear-cache',
      title: 'Clear the picture cache',
      summary: 'Delete resized pictures; they are recreated when needed',
      run: () => needs.clearArt(),
    }),
  ] as unknown as readonly TaskDefinition<never>[];
}

/** Returns the milliseconds between two scans; undefined if scheduled scans are off. */
export function scanInterval(config: Config): number | undefined {
  const chosen = config.get('scanning.frequency') ?? 'default';
  const fixed = { off: undefined, '5m': 300_000, '15m': 900_000, '1h': 3_600_000 } as const;
  if (chosen !== 'default') return fixed[chosen];
  const interval = config.get('scanning.interval');
  return interval > 0 ? interval : undefined;
}
