/**
 * Values that can be bound to a query, the same for both engines: null, finite numbers, bigints, text, bytes, and
 * flags, which become 0 and 1. Anything else is a mistake of ours, found here rather than by one engine only.
 */

export type BoundValue = null | number | bigint | string | Uint8Array;

function bound(value: unknown): BoundValue {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null || typeof value === 'string' || typeof value === 'bigint' || value instanceof Uint8Array)
    return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new TypeError(`a ${typeof value} cannot be stored: make it text or a number first`);
}

export const plain = (values: readonly unknown[]): BoundValue[] => values.map(bound);

/** A whole number that the database holds in 64 bits, as a JavaScript number; throws rather than round. */
export function exact(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a stored number is too large to be read exactly');
  return value;
}

/** Parses PostgreSQL's numeric: sums of whole numbers, which stay exact, and averages, which need not. */
export const numeric = (text: string): number => (/^-?\d+$/.test(text) ? exact(text) : Number(text));

/** How PostgreSQL's types are read, by their object id (pg_type.dat): int8 and numeric. */
export const PARSERS: Readonly<Record<number, (text: string) => number>> = { 20: exact, 1700: numeric };
