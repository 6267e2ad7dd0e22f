/** A log for tests: on a separate database, with a clock that the test moves. */
import type { TestContext } from 'node:test';
import { createBus } from '../lib/bus.ts';
import type { Database } from '../lib/db/index.ts';
import { silentLog } from '../lib/log.ts';
import { createActivity, type Activity, type ActivityEvent } from './index.ts';

export const HOUR_MS = 3_600_000;
export const START_MS = Date.parse('2026-11-20T12:00:00Z');

export interface TestLog {
  activity: Activity;
  clock: { now(): number; monotonic(): number; pass(ms: number): void; set(ms: number): void };
  /** The same database opened again, as after a restart. */
  again(): Promise<TestLog>;
}

export async function openTestLog(
  t: TestContext,
  db: Database,
  {
    audit = 1_000 * HOUR_MS,
    playback = 100 * HOUR_MS,
    clock = testClock(),
  }: { audit?: number; playback?: number; clock?: TestLog['clock'] } = {},
): Promise<TestLog> {
  const activity = await createActivity({
    db,
    clock,
    bus: createBus(() => {}),
    log: silentLog,
    config: { get: (key) => (key === 'logging.audit_retention' ? audit : playback) },
  });
  t.after(() => activity.upkeep.close().catch(() => {}));
  return { activity, clock, again: () => openTestLog(t, db, { audit, playback, clock }) };
}

function testClock(): TestLog['clock'] {
  let [now, passed] = [START_MS, 0];
  return {
    now: () => now,
    monotonic: () => passed,
    pass: (ms) => {
      now += ms;
      passed += ms;
    },
    set: (ms) => void (now = ms),
  };
}

export const ADA = 'aaaaaaaaaaaaaaaa';
export const VIC = 'bbbbbbbbbbbbbbbb';
const by = { profile: ADA, via: 'session' as const, credential: 'cccccccccccccccc' };

/** Events of both chains, in turn. */
export const sampleEvents = (count: number): ActivityEvent[] =>
  Array.from({ length: count }, (_, n): ActivityEvent =>
    n % 3 === 0
      ? {
          kind: 'playback-ended',
          outcome: 'done',
          by,
          target: ADA,
          details: { way: 'direct', playback: ADA, seconds: n },
        }
      : n % 3 === 1
        ? { kind: 'setting-changed', outcome: 'done', by, details: { key: 'server.name' } }
        : { kind: 'sign-in', outcome: 'refused', profile: VIC, place: { reach: 'local', network: '10.0.0.0/24' } },
  );
