/**
 * Repeatable random numbers: the same every time, and other ones on request. `CHANCE=random bin/test unit`
 * tries other input, and `CHANCE=12345` is one of those runs again. Whoever draws from it says its
 * seed in the name of the test, so that the log alone is enough.
 */
const asked = process.env['CHANCE'] ?? '20261121';
export const SEED = asked === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(asked);
if (!Number.isSafeInteger(SEED)) throw new Error(`CHANCE is a whole number or "random", and not ${asked}`);

/** Numbers from 0 to under 1 (a linear congruential generator, as in Numerical Recipes). */
export function chance(seed = SEED): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
