/** Durations as Go writes them (`10m`, `8760h`, `1h30m`) and times as RFC 3339 has them. */
import { refuse, type ValueType } from '../setting.ts';

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
/** Go counts nanoseconds in 63 bits; nothing longer than this can be meant. */
const LONGEST_MS = 9_223_372_036_854;

/** Milliseconds in a Go duration that is not negative, or undefined. `0` needs no unit. */
export function durationMs(text: string): number | undefined {
  if (text === '0') return 0;
  if (text.length > 64 || !/^(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)/.test(text)) return undefined;
  let total = 0;
  let at = 0;
  for (const part of text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    if (part.index !== at) return undefined;
    at += part[0].length;
    total += Number(part[1]) * (UNITS.get(part[2] ?? '') ?? Number.NaN);
  }
  return at === text.length && total <= LONGEST_MS ? total : undefined;
}

/** A duration in milliseconds: at least `min`, or nothing at all when `zero` says that means off. */
export const duration = ({ min, zero }: { min: string; zero: boolean }): ValueType<number> => {
  const least = durationMs(min) ?? Number.NaN;
  const says = zero ? `duration of at least ${min}, or 0 for off` : `duration of at least ${min}`;
  return {
    kind: 'duration',
    says,
    parse(given) {
      const ms = durationMs(given) ?? refuse('must be a duration such as 10m, 8760h or 1h30m');
      if (!(ms >= least) && !(zero && ms === 0)) refuse(`must be a ${says}`);
      return ms;
    },
  };
};

const RFC3339 =
  /^\d{4}-\d{2}-\d{2}[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** A moment, in milliseconds since the epoch. */
export const time: ValueType<number> = {
  kind: 'time',
  says: 'RFC 3339 time such as 2030-01-31T12:00:00Z',
  parse(given) {
    const ms = RFC3339.test(given) ? Date.parse(given.toUpperCase()) : Number.NaN;
    // JavaScript rolls 31 February over into March; the calendar day must read back the same.
    const day = Date.parse(`${given.slice(0, 10)}T00:00:00Z`);
    if (Number.isNaN(ms) || Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== given.slice(0, 10))
      refuse('must be an RFC 3339 time');
    return ms;
  },
};
