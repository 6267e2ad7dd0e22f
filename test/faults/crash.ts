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
  const done = driven(house, child, drive).then(() => 'done' as const);
  done.catch(() => {});
  const end = await Promise.race([child.ended, done.catch(() => 'failed' as const)]);
  if (typeof end === 'string') {
    // The answer may have been on its way while the server died behind it.
    const { signal } = await Promise.race([child.ended, new Promise<{ signal: null }>((resolve) => setTimeout(() => resolve({ signal: null }), 700))]);
    if (signal === null) await child.kill();
    await done;
    return signal === 'SIGKILL';
  }
  await done;
  assert.equal(end.signal, 'SIGKILL', child.output());
  return true;
}

/** A request that fails because the server died is what was waited for. */
export async function driven(house: Household, child: Child, drive: Drive): Promise<void> {
  try {
    if (await child.ready) await drive(house, child);
  } catch (error) {
    if (error instanceof Unexpected) throw error;
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
  }
}

/** Starts the household again, drives it further where that is wanted, says what is wrong, and stops it. */
export async function after(house: Household, { fault, drive }: { fault?: string | undefined; drive?: Drive } = {}): Promise<string[]> {
  const child = await house.start(fault === undefined ? {} : { fault });
  if (!(await child.ready)) return [`it does not start again: ${child.output()}`];
  if (drive) await drive(house, child);
  const found = await damage(house, child);
  const code = await child.stop();
  if (code !== 0) found.push(`it stopped with ${String(code)}`);
  return found;
}
