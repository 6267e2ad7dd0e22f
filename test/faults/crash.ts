/** One crash: the server is started so that it dies at a point, driven there, started again, and looked over. */
import assert from 'node:assert/strict';
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

/** Whether the server died at the point; false when everything was done without passing it. */
export async function crash(house: Household, { at, nth = 1, fault, env = {}, drive }: Crash): Promise<boolean> {
  const child = await house.start({ crash: { at, nth }, env, ...(fault === undefined ? {} : { fault }) });
  const end = await driven(house, child, drive);
  // With everything answered, the server may still be dying behind its last answer: it is asked to stop, and either
  // does so or passes the point on its way. What cut a request off is its death, which is waited for.
  if (end === 'whole') await child.stop();
  const { code, signal } = await Promise.race([child.ended, late(child)]);
  if (end === 'whole' && signal === null && code === 0) return false;
  assert.equal(signal, 'SIGKILL', `at ${at} it ended with ${String(code)}: ${child.output()}`);
  return true;
}

const LATE_MS = 60_000;
/** Fails when a server lives on behind a request that it did not answer, which is no crash. */
const late = (child: Child): Promise<never> =>
  new Promise(
    (_, reject) =>
      void setTimeout(
        () => reject(new Error(`a request was cut off, and the server lives: ${child.output()}`)),
        LATE_MS,
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

/** Starts the household again, drives it further where that is wanted, says what is wrong, and stops it. */
export async function after(
  house: Household,
  { fault, drive }: { fault?: string | undefined; drive?: Drive } = {},
): Promise<string[]> {
  const child = await house.start(fault === undefined ? {} : { fault });
  if (!(await child.ready)) return [`it does not start again: ${child.output()}`];
  if (drive) await drive(house, child);
  const found = await damage(house, child);
  const code = await child.stop();
  if (code !== 0) found.push(`it stopped with ${String(code)}`);
  return found;
}
