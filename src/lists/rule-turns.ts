/**
 * Limits what the evaluation of rules costs others. A Profile has one evaluation at a time, and after one that took
 * long it pauses for the same time, so that it has at most half of the processor. Rules with 50 conditions on titles
 * take half a second with 100,000 items, in slices.
 */
import type { Clock } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import { createSlots } from '../lib/limit.ts';
import { createKeyedLock } from '../lib/lock.ts';

/** Maximum number of evaluations that wait for one Profile: pages of the dashboard ask for up to 30 at once. */
export const MAX_RULE_TURNS = 100;
/** Shorter evaluations need no pause. */
const MIN_PAUSED_MS = 20;
const MAX_PAUSE_MS = 2_000;

export type RuleTurns = <R>(profile: string, work: () => Promise<R>) => Promise<R>;

/** `pause` waits for so many milliseconds. */
export function createRuleTurns(clock: Pick<Clock, 'monotonic'>, pause: (ms: number) => Promise<void>): RuleTurns {
  const locks = createKeyedLock();
  const slots = createSlots();
  return async (profile, work) => {
    const release = slots.take(profile, MAX_RULE_TURNS);
    if (!release)
      throw new Failure('unavailable', 'too many rules are evaluated for this profile', { reason: 'too-busy' });
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof work>>>();
    const turn = locks.run(profile, async () => {
      const since = clock.monotonic();
      try {
        resolve(await work());
      } catch (error) {
        reject(error);
      } finally {
        release();
      }
      const took = clock.monotonic() - since;
      if (took >= MIN_PAUSED_MS) await pause(Math.min(took, MAX_PAUSE_MS));
    });
    turn.catch(reject);
    return promise;
  };
}
