/**
 * One crash: a server is made to die at a point, driven there, started again, and looked over. The server that was
 * looked over is the one that dies next, so that each crash costs one start.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, WAIT_LIMIT_MS } from '../until.ts';
import type { CrashOrder } from './arm.ts';
import type { CrashPoint } from '../../src/lib/crash.ts';
import type { Child } from './child.ts';
import { damage } from './damage.ts';
import { type Household, Unexpected } from './household.ts';

/** Drives a server that answers. It ends by the death of the server, or has done everything. */
export type Drive = (house: Household, child: Child) => Promise<void>;

export interface Crash {
  at: CrashPoint;
  nth?: number;
  fault?: string;
  env?: Record<string, string>;
  drive: Drive;
}

const ordersOf = (house: Household): string => join(house.home, 'crash-orders.json');

/** Arms a point of a running server, which was started with `CRASH_ORDERS`. */
export async function arm(child: Child, orders: string, order: CrashOrder): Promise<void> {
  const times = (): number => child.output().split('crash.armed').length;
  const before = times();
  writeFileSync(orders, JSON.stringify(order));
  process.kill(child.pid, 'SIGUSR2');
  await until('the server to be armed', () => times() > before);
}

/** Whether the server died at the point; false when everything was done without passing it. */
export async function crash(house: Household, { at, nth = 1, fault, env = {}, drive }: Crash): Promise<boolean> {
  const running = left.get(house);
  left.delete(house);
  if (running) await arm(running, ordersOf(house), { at, nth });
  const child = running ?? (await house.start({ crash: { at, nth }, env, ...(fault === undefined ? {} : { fault }) }));
  const end = await driven(house, child, drive);
  // With everything answered, the server may still be dying behind its last answer: it is asked to stop, and either
  // does so or passes the point on its way. What cut a request off is its death, which is waited for.
  if (end === 'whole') await child.stop();
  const { code, signal } = await Promise.race([child.ended, late(child)]);
  if (end === 'whole' && signal === null && code === 0) return false;
  assert.equal(signal, 'SIGKILL', `at ${at} it ended with ${String(code)}: ${child.output()}`);
  return true;
}

/** Fails when a server lives on behind a request that it did not answer, which is no crash. */
const late = (child: Child): Promise<never> =>
  new Promise(
    (_, reject) =>
      void setTimeout(
        () => reject(new Error(`a request was cut off, and the server lives: ${child.output()}`)),
        WAIT_LIMIT_MS,
      ).unref(),
  );

/** Whether all of it was answered. A request that fails because the server died is what was waited for. */
export async function driven(house: Household, child: Child, drive: Drive): Promise<'whole' | 'cut'> {
  try {
    if (!(await child.ready)) return 'cut';
    await drive(house, child);
    return 'whole';
  } catch (error) {
    if (error instanceof Unexpected) throw error;
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    return 'cut';
  }
}

/** Servers that were looked over and run on. */
const left = new WeakMap<Household, Child>();

/** Looks a household over as `restarted` does and leaves its server running, as the one that the next `crash` kills. */
export async function lookedOver(house: Household, { drive }: { drive?: Drive } = {}): Promise<string[]> {
  const child = await house.start({ env: { CRASH_ORDERS: ordersOf(house) } });
  if (!(await child.ready)) return [`it does not start again: ${child.output()}`];
  left.set(house, child);
  if (drive) await drive(house, child);
  return damage(house, child);
}

/** Starts the household again, drives it further where that is wanted, says what is wrong, and stops it. */
export async function restarted(
  house: Household,
  { fault, drive }: { fault?: string | undefined; drive?: Drive } = {},
): Promise<string[]> {
  // One that was left running is stopped as its keeper would stop it.
  const running = left.get(house);
  left.delete(house);
  if (running) assert.equal(await running.stop(), 0, running.output());
  const child = await house.start(fault === undefined ? {} : { fault });
  if (!(await child.ready)) return [`it does not start again: ${child.output()}`];
  if (drive) await drive(house, child);
  const found = await damage(house, child);
  const code = await child.stop();
  if (code !== 0) found.push(`it stopped with ${String(code)}`);
  return found;
}
