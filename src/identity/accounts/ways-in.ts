/** The last way in: no change of a Profile's own may leave it without one. */
import { Failure } from '../../lib/failure.ts';
import type { ProfileRow } from '../types.ts';

/** Throws `Failure('conflict')` unless a Profile, as it would be, can sign in on this server itself. */
export function requireWayIn({ password }: Pick<ProfileRow, 'password'>): void {
  if (password === undefined)
    throw new Failure('conflict', 'without it this profile could no longer sign in', { reason: 'last-way-in' });
}
