/** Work of parsers on hostile text, measured in processor time, which a busy machine hardly changes. */
import assert from 'node:assert/strict';

/** Processor time in milliseconds that is noise, whatever the text. */
const NOISE_MS = 250;

/** Returns processor milliseconds of this thread, the least of three. */
function least(work: () => unknown): number {
  return Math.min(
    ...Array.from({ length: 3 }, () => {
      const before = process.threadCpuUsage();
      work();
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1000;
    }),
  );
}

/** Checks that a text takes at most about twice as long as half of it. Quadratic work would take four times as long. */
export function assertLinear(name: string, text: string, parse: (text: string) => unknown): void {
  const half = least(() => parse(text.slice(0, text.length / 2)));
  const all = least(() => parse(text));
  assert.ok(all < Math.max(3 * half, half + NOISE_MS), `${name}: ${half} ms, twice as much ${all} ms`);
}
