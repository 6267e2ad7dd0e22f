/**
 * Cursors of lists. A cursor holds the sort keys of the last row of a page and is bound to the query that
 * produced it, so the next page begins after that row whatever came or went in between.
 *
 * Format: base64url of a 12-byte digest followed by the position as JSON. The digest covers the query and the
 * position; a cursor that was altered, cut short or taken from another list or query does not verify.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Failure } from '../failure.ts';

const DIGEST_BYTES = 12;
/** Keeps cursors apart from those of later formats. */
const FORMAT = 'cursor-1';

const digest = (query: unknown, position: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([FORMAT, query, position]))
    .digest()
    .subarray(0, DIGEST_BYTES);
const refused = (): Failure =>
  new Failure('invalid', 'cursor: expected one from the previous page of the same list and query', {
    reason: 'cursor',
  });

/**
 * Returns the cursor for the rows after `position`. `query` is everything that decides which rows there are and how
 * they are sorted.
 */
export function encodeCursor(query: unknown, position: readonly (string | number | null)[]): string {
  const json = JSON.stringify(position);
  return Buffer.concat([digest(query, json), Buffer.from(json)]).toString('base64url');
}

/**
 * Returns the position that a cursor holds. Throws `Failure('invalid')` with reason `cursor` unless it was made for
 * this query, byte for byte.
 */
export function decodeCursor<T extends z.ZodType>(query: unknown, cursor: string, shape: T): z.output<T> {
  const bytes = Buffer.from(cursor, 'base64url');
  const json = bytes.toString('utf8', DIGEST_BYTES);
  if (
    bytes.length <= DIGEST_BYTES ||
    bytes.toString('base64url') !== cursor ||
    !digest(query, json).equals(bytes.subarray(0, DIGEST_BYTES))
  )
    throw refused();
  const position = shape.safeParse(parsed(json));
  if (!position.success) throw refused();
  return position.data;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw refused();
  }
}
