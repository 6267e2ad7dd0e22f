/**
 * Fractions with bounded terms, as ffmpeg shortens frame rates and pixel shapes.
 *
 * Promise: the closest fraction whose terms are at most `most`, by continued fractions.
 */

/** Returns `numerator / denominator` with both terms at most `most`; zeros result in zeros. */
export const reduced = (numerator: number, denominator: number, most: number): [number, number] => {
  let num = BigInt(Math.trunc(numerator));
  let den = BigInt(Math.trunc(denominator));
  const limit = BigInt(most);
  if (num <= 0n || den <= 0n) return [0, 0];
  const divisor = common(num, den);
  num /= divisor;
  den /= divisor;
  if (num <= limit && den <= limit) return [Number(num), Number(den)];
  let before: [bigint, bigint] = [0n, 1n];
  let current: [bigint, bigint] = [1n, 0n];
  while (den !== 0n) {
    let whole = num / den;
    const rest = num - den * whole;
    const next: [bigint, bigint] = [whole * current[0] + before[0], whole * current[1] + before[1]];
    if (next[0] > limit || next[1] > limit) {
      if (current[0] !== 0n) whole = (limit - before[0]) / current[0];
      if (current[1] !== 0n) whole = smaller(whole, (limit - before[1]) / current[1]);
      if (den * (2n * whole * current[1] + before[1]) > num * current[1]) {
        current = [whole * current[0] + before[0], whole * current[1] + before[1]];
      }
      break;
    }
    before = current;
    current = next;
    num = den;
    den = rest;
  }
  return [Number(current[0]), Number(current[1])];
};

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

const common = (one: bigint, other: bigint): bigint => {
  let [a, b] = [one, other];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
};
