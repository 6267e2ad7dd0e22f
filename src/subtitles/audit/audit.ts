/**
 * The timing audit: finds subtitles that are out of time or in another language, and fixes those that can be moved.
 *
 * It runs on demand, and after scans while `subtitles.audit` is on. It changes nothing by itself.
 */
import { z } from 'zod';
import type { ParsedInput } from '../../contract/kernel/endpoint.ts';
import { Id } from '../../contract/kernel/common.ts';
import type { TaskRemark } from '../../contract/ops/task-remarks.ts';
import type { subtitleAudit as endpoints } from '../../contract/subtitles/audit.ts';
import type { Config } from '../../config/index.ts';
import type { Bus } from '../../lib/bus.ts';
import { debounce } from '../../lib/coalesce.ts';
import { task, type TaskDefinition } from '../../lib/tasks/index.ts';
import type { RunningWork } from '../running-work.ts';
import { type AuditFixes, createFixes, type FixNeeds } from './fixes.ts';
import { reportAudit, type ReportNeeds } from './report.ts';
import { createAuditRun, type RunNeeds } from './run.ts';

export interface AuditNeeds
  extends Omit<RunNeeds, 'waitsFor'>, Omit<FixNeeds, 'judgeSoon'>, Omit<ReportNeeds, 'isAutomatic'> {
  audits: RunNeeds['audits'];
  inventory: RunNeeds['inventory'] & FixNeeds['inventory'];
  catalog: RunNeeds['catalog'] & FixNeeds['catalog'];
  installing: RunNeeds['installing'] & ReportNeeds['installing'];
  speech: RunNeeds['speech'] & { isAwaited(): boolean };
  config: Pick<Config, 'get' | 'on'>;
  bus: Pick<Bus, 'on'>;
  running: RunningWork;
  /** How long the catalogue must be quiet before the audit begins. Shortened by tests. */
  calm?: { quietMs: number; mostMs: number };
}

export interface Audit extends AuditFixes {
  list(query: ParsedInput<typeof endpoints.list>): ReturnType<typeof reportAudit>;
  tasks: readonly TaskDefinition<never>[];
  /** The audit waits while this returns true. */
  yieldTo(isPlaying: () => boolean): void;
  /** Marks judgements of earlier methods, and begins the audit after scans. Returns a function that stops it. */
  follow(begin: (task: string) => void): Promise<() => void>;
}

const DAY_MS = 86_400_000;
/** Time for files that are still being copied to arrive. */
const QUIET_TIME = { quietMs: 5 * 60_000, mostMs: 30 * 60_000 };
const AUDIT_TASK = {
  name: 'audit',
  title: 'Check subtitle timing',
  summary: 'Listen to each video once, and check whether its subtitles are in time and in their language',
} as const;

export function createAudit(needs: AuditNeeds): Audit {
  const { audits, config, bus, speech, running, log } = needs;
  let isPlaying = (): boolean => false;
  const waitsFor = (): TaskRemark | undefined =>
    isPlaying()
      ? { reason: 'waiting-for-playback', values: {} }
      : speech.isAwaited()
        ? { reason: 'waiting-for-speech', values: {} }
        : undefined;
  const run = createAuditRun({ ...needs, waitsFor });
  const isAutomatic = (): boolean => config.get('subtitles.audit');
  const judgeSoon = (item: string): void =>
    void running
      .run(running.signal, (until) => run.judge(item, until))
      .catch((error: unknown) => running.signal.aborted || log.fault('subtitles.not-audited', error, { item }));

  const fixes = createFixes({ ...needs, judgeSoon });
  return {
    ...fixes,
    fix: (asked, signal) => running.run(signal, (until) => fixes.fix(asked, until)),
    undo: (asked, signal) => running.run(signal, (until) => fixes.undo(asked, until)),
    list: (query) => reportAudit({ ...needs, isAutomatic }, query),
    tasks: [
      task({
        ...AUDIT_TASK,
        input: z.strictObject({ library: Id.optional() }),
        every: () => (isAutomatic() ? DAY_MS : undefined),
        heavy: { waitsFor },
        run: (context) => run.run(context),
      }),
    ] as unknown as readonly TaskDefinition<never>[],
    yieldTo: (playing) => void (isPlaying = playing),
    follow: async (begin) => {
      await audits.markOutdated();
      const look = async (): Promise<void> => {
        const libraries = needs.libraries().flatMap(({ id, isOnline }) => (isOnline ? [id] : []));
        if (isAutomatic() && (await audits.countDue(libraries)) > 0) begin(AUDIT_TASK.name);
      };
      const nudges = debounce(
        () => void look().catch((error: unknown) => log.fault('subtitles.audit-not-begun', error)),
        needs.calm ?? QUIET_TIME,
      );
      const stops = [bus.on('catalog.changed', nudges.ask), config.on('subtitles.audit', nudges.ask), nudges.stop];
      nudges.ask();
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
