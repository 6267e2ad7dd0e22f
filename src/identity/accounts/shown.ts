/** Rows as replies carry them. Nothing secret is in any of these shapes. */
import type { OwnProfile, Profile } from '../../contract/identity/profiles.ts';
import type { Session } from '../../contract/identity/sessions.ts';
import { iso } from '../../lib/clock.ts';
import { IDLE, isRecent, RECENT, type Core } from '../core.ts';
import type { ProfileRow, SessionRow } from '../types.ts';

export const showProfile = (row: ProfileRow): Profile => ({
  id: row.id,
  name: row.name,
  role: row.role,
  policy: row.policy,
  mfa: row.totp !== undefined,
  passwordless: row.password === undefined,
  createdAt: iso(row.createdAt),
});

/** Returns a Profile as it sees itself: the ids of hidden items would reveal that they exist. */
export function showOwnProfile(row: ProfileRow): OwnProfile {
  const { policy, ...shown } = showProfile(row);
  const { items: _, ...own } = policy;
  return { ...shown, policy: own };
}

/** When a session ends unless it is used. */
export const endOf = (row: SessionRow): number =>
  row.kind === 'cookie' ? Math.min(row.endsAt, row.lastUsedAt + IDLE) : row.endsAt;

export function showSession(core: Core, row: SessionRow, current: string): Session {
  const profile = core.identities.profiles.get(row.profile);
  const device = row.device === undefined ? undefined : core.identities.devices.get(row.device)?.name;
  return {
    id: row.id,
    profile: { id: row.profile, name: profile?.name ?? '', role: profile?.role ?? 'viewer' },
    ...(device !== undefined && { device }),
    kind: row.kind,
    network: row.network,
    createdAt: iso(row.createdAt),
    lastUsedAt: iso(row.lastUsedAt),
    expiresAt: iso(endOf(row)),
    current: row.id === current,
    ...(isRecent(row.provedAt, core.clock.now()) && { recentUntil: iso(row.provedAt + RECENT) }),
  };
}
