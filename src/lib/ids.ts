/** Identifiers: 64 random bits as 16 lowercase hex characters, so that none can be guessed from another. */
import { randomFillSync } from 'node:crypto';

const BYTES = 8;
/**
 * Random bytes for the next 128 identifiers: every request has one, and one call for all of them costs as much as for
 * one.
 */
const pool = Buffer.alloc(128 * BYTES);
let used = pool.length;

export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const id = pool.toString('hex', used, used + BYTES);
  // An identifier that has been given out stays nowhere in the pool.
  pool.fill(0, used, (used += BYTES));
  return id;
}
export const isId = (text: string): boolean => /^[0-9a-f]{16}$/.test(text);
