/** Rows as replies carry them. Nothing secret is in any of these shapes. */
import { FACE_COLOURS } from '../../contract/identity/faces.ts';
import type { Face, OwnProfile, Profile } from '../../contract/identity/profiles.ts';
import type { Session } from '../../contract/identity/sessions.ts';
import { iso } from '../../lib/clock.ts';
import { directoryMarkOf } from '../directory/rules.ts';
import { openingsOf } from '../household/rules.ts';
import { endOf, isRecent, RECENT, type Core } from '../core.ts';
import type { ProfileRow, SessionRow } from '../types.ts';
import { isLinked } from './sign-in-methods.ts';

/** Returns how a Profile looks. A colour that was not chosen follows from its id, so that it is always the same. */
export const faceOf = ({ id, look = {} }: Pick<ProfileRow, 'id' | 'look'>): Face => ({
  colour: look.colour ?? FACE_COLOURS[Number.parseInt(id.slice(0, 8), 16) % FACE_COLOURS.length] ?? 'slate',
  ...(look.avatar !== undefined && { avatar: look.avatar }),
  ...(look.picture !== undefined && { picture: look.picture }),
});

export const showProfile = (
  { identities, protocols }: Pick<Core, 'identities' | 'protocols'>,
  row: ProfileRow,
): Profile => ({
  id: row.id,
  name: row.name,
  role: row.role,
  face: faceOf(row),
  ...(row.preferences.language !== undefined && { language: row.preferences.language }),
  policy: row.policy,
  mfa: row.totp !== undefined,
  passkeys: identities.passkeysOf(row.id).length,
  pin: row.pin !== undefined,
  passwordless: row.password === undefined,
  linked: isLinked({ identities, protocols }, row.id),
  households: openingsOf(identities, row).length,
  mfaExempt: row.mfaExempt === true,
  ...directoryMarkOf(identities, row.id),
  createdAt: iso(row.createdAt),
});

/** Returns a Profile as it sees itself: the ids of hidden items would reveal that they exist. */
export function showOwnProfile(core: Pick<Core, 'identities' | 'protocols'>, row: ProfileRow): OwnProfile {
  const { policy, directory: __, ...shown } = showProfile(core, row);
  const { items: _, ...own } = policy;
  return { ...shown, policy: own };
}

/** Returns the name of the device of a session, or of the household device that it was opened on. */
export const deviceNameOf = ({ identities }: Core, { device, household }: SessionRow): string | undefined =>
  identities.devices.get(device ?? '')?.name ?? identities.households.get(household ?? '')?.name;

export function showSession(core: Core, row: SessionRow, current: string): Session {
  const profile = core.identities.profiles.get(row.profile);
  const device = deviceNameOf(core, row);
  return {
    id: row.id,
    profile: { id: row.profile, name: profile?.name ?? '', role: profile?.role ?? 'viewer' },
    ...(device !== undefined && { device }),
    kind: row.kind,
    way: row.way,
    remembered: row.remembered !== undefined,
    network: row.network,
    createdAt: iso(row.createdAt),
    lastUsedAt: iso(row.lastUsedAt),
    expiresAt: iso(endOf(row, core.config)),
    current: row.id === current,
    ...(isRecent(row.provedAt, core.clock.now()) && { recentUntil: iso(row.provedAt + RECENT) }),
  };
}
