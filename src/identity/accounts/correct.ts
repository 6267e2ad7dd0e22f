/**
 * Corrects what a clock that ran ahead has stored: a session, key or device of that future lives no longer than one of
 * now, and a proof of that future proves nothing.
 *
 * A clock before the first release is wrong itself (a machine without a battery, before it heard the time), so nothing
 * is corrected by it.
 */
import { isAhead, isPlausible } from '../../lib/clock.ts';
import { lifeOf, type Core } from '../core.ts';
import type { DeviceRow, KeyRow, SessionRow, Step } from '../types.ts';

/** The steps that correct stored times; none, as long as no clock ran ahead. */
export function corrections({ identities, clock }: Pick<Core, 'identities' | 'clock'>): Step[] {
  const now = clock.now();
  if (!isPlausible(now)) return [];
  return [
    ...[...identities.sessions.values()]
      .filter((row) => isSessionAhead(row, now))
      .map((row): Step => ({ put: 'session', row: session(row, now) })),
    ...[...identities.keys.values()]
      .filter(({ createdAt, lastUsedAt = 0 }) => isAhead(createdAt, now) || isAhead(lastUsedAt, now))
      .map((row): Step => ({ put: 'key', row: key(row, now) })),
    ...[...identities.devices.values()]
      .filter(({ firstSeenAt, lastSeenAt }) => isAhead(firstSeenAt, now) || isAhead(lastSeenAt, now))
      .map((row): Step => ({ put: 'device', row: device(row, now) })),
  ];
}

const isSessionAhead = ({ createdAt, lastUsedAt, provedAt }: SessionRow, now: number): boolean =>
  [createdAt, lastUsedAt, provedAt].some((at) => isAhead(at, now));

const session = (row: SessionRow, now: number): SessionRow => ({
  ...row,
  createdAt: Math.min(row.createdAt, now),
  lastUsedAt: Math.min(row.lastUsedAt, now),
  provedAt: isAhead(row.provedAt, now) ? 0 : row.provedAt,
  endsAt: Math.min(row.endsAt, now + lifeOf(row.kind, row.network, row.remembered !== undefined)),
  ...(row.remembered && { remembered: { ...row.remembered, rotatedAt: Math.min(row.remembered.rotatedAt, now) } }),
});
const key = (row: KeyRow, now: number): KeyRow => ({
  ...row,
  createdAt: Math.min(row.createdAt, now),
  expiresAt: Math.min(row.expiresAt, now + row.expiresAt - row.createdAt),
  lastUsedAt: row.lastUsedAt === undefined ? undefined : Math.min(row.lastUsedAt, now),
});
const device = (row: DeviceRow, now: number): DeviceRow => ({
  ...row,
  firstSeenAt: Math.min(row.firstSeenAt, now),
  lastSeenAt: Math.min(row.lastSeenAt, now),
});
