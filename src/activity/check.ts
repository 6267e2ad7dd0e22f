/**
 * The task that checks the activity log, and what the last check found. The result is kept over a restart: what
 * `GET /activity/check` and the findings say is what is in the database.
 */
import type { ActivityCheck } from '../contract/activity/activity.ts';
import type { ActivityFinding } from '../contract/activity/findings.ts';
import { type Clock, iso } from '../lib/clock.ts';
import type { Database } from '../lib/db/index.ts';
import { task, type TaskDefinition } from '../lib/tasks/index.ts';
import { chainStore } from './store/chains.ts';
import { type LogCheckResult, checkStore } from './store/checks.ts';
import { verifyLog } from './verify.ts';

const DAY_MS = 86_400_000;

export interface LogCheck {
  readonly tasks: readonly TaskDefinition<never>[];
  findings(): ActivityFinding[];
  /** Returns what the last check of the log found. */
  lastCheck(): ActivityCheck;
}

export async function createLogCheck(db: Database, clock: Pick<Clock, 'now'>): Promise<LogCheck> {
  const checks = checkStore(db);
  let last: LogCheckResult | undefined = await checks.read();
  const run = async (): Promise<void> => {
    const { chains, broken } = await verifyLog(chainStore(db));
    const result: LogCheckResult = {
      checkedAt: clock.now(),
      entries: chains.reduce((sum, { count }) => sum + count, 0),
      broken: broken && { number: broken.number, at: broken.at },
    };
    await checks.replace(result);
    last = result;
  };
  return {
    tasks: [
      task({
        name: 'check-activity',
        title: 'Check the activity log',
        summary: 'Check that no entry of the activity log was changed or removed',
        every: () => DAY_MS,
        run,
      }) as TaskDefinition<never>,
    ],
    findings: () => {
      if (!last?.broken) return [];
      const values = { number: last.broken.number, checkedAt: iso(last.checkedAt) };
      const sentence =
        `The log is broken at entry ${values.number}: it was changed outside the server. ` +
        'Compare it with a backup: "npm start -- audit verify" says more.';
      return [{ level: 'error', code: 'activity-log-broken', subject: 'Activity log', sentence, values }];
    },
    lastCheck: () => {
      if (!last) return { state: 'unchecked' };
      const { entries, broken } = last;
      const checkedAt = iso(last.checkedAt);
      if (!broken) return { state: 'whole', checkedAt, entries };
      const { number, at } = broken;
      return { state: 'broken', checkedAt, entries, brokenAt: { number, ...(at !== undefined && { at: iso(at) }) } };
    },
  };
}
