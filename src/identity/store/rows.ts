/** Turns rows of the tables into the values that identity works with: JSON parsed, null as undefined. */
import type { Preferences } from '../../contract/identity/accounts.ts';
import type { Policy } from '../../contract/identity/profiles.ts';
import type { Role, Scope, Service } from '../../contract/kernel/endpoint.ts';
import type {
  DeviceRow,
  Grant,
  DirectoryUserRow,
  HouseholdProfile,
  HouseholdRow,
  KeyRow,
  LinkRow,
  ChosenFace,
  Network,
  OutsideSession,
  PasskeyRow,
  ProfileRow,
  Rotation,
  ServiceTokenRow,
  SessionRow,
} from '../types.ts';
import type { IdentityTables } from './tables.ts';

const some = <T>(value: T | null): T | undefined => value ?? undefined;

export const profileOf = (row: IdentityTables['identity_profile']): ProfileRow => ({
  id: row.id,
  name: row.name,
  nameKey: row.name_key,
  role: row.role as Role,
  policy: JSON.parse(row.policy) as Policy,
  password: some(row.password),
  totp: some(row.totp),
  ...(row.pin !== null && { pin: row.pin }),
  ...(row.mfa_exempt === 1 && { mfaExempt: true as const }),
  totpStep: row.totp_step,
  recovery: JSON.parse(row.recovery) as string[],
  preferences: JSON.parse(row.preferences) as Preferences,
  ...(row.look !== null && { look: JSON.parse(row.look) as ChosenFace }),
  ...(row.grants !== null && { grants: JSON.parse(row.grants) as Grant[] }),
  createdAt: row.created_at,
});
export const sessionOf = (row: IdentityTables['identity_session']): SessionRow => ({
  id: row.id,
  hash: row.hash,
  profile: row.profile,
  device: some(row.device),
  kind: row.kind as SessionRow['kind'],
  way: row.way as SessionRow['way'],
  network: row.network as Network,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  provedAt: row.proved_at,
  endsAt: row.ends_at,
  outside: row.outside === null ? undefined : (JSON.parse(row.outside) as OutsideSession),
  ...(row.remembered !== null && { remembered: JSON.parse(row.remembered) as Rotation }),
  ...(row.household !== null && { household: row.household }),
  ...(row.may_add_passkey === 1 && { mayAddPasskey: true }),
});
export const linkOf = (row: IdentityTables['identity_link']): LinkRow => ({
  id: row.id,
  profile: row.profile,
  protocol: row.protocol as LinkRow['protocol'],
  issuer: row.issuer,
  claim: row.claim,
  subject: row.subject,
  label: some(row.label),
  createdAt: row.created_at,
});
export const passkeyOf = (row: IdentityTables['identity_passkey']): PasskeyRow => ({
  id: row.id,
  profile: row.profile,
  credential: row.credential,
  publicKey: row.public_key,
  counter: row.counter,
  isSyncable: row.is_syncable === 1,
  isSynced: row.is_synced === 1,
  transports: JSON.parse(row.transports) as string[],
  host: row.host,
  name: row.name,
  isSuspect: row.is_suspect === 1,
  createdAt: row.created_at,
  lastUsedAt: some(row.last_used_at),
});
export const keyOf = (row: IdentityTables['identity_key']): KeyRow => ({
  id: row.id,
  hash: row.hash,
  name: row.name,
  profile: row.profile,
  scopes: JSON.parse(row.scopes) as Scope[],
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: some(row.last_used_at),
});
export const deviceOf = (row: IdentityTables['identity_device']): DeviceRow => ({
  id: row.id,
  hash: row.hash,
  profile: row.profile,
  name: row.name,
  firstSeenAt: row.first_seen_at,
  lastSeenAt: row.last_seen_at,
});
export const householdOf = (
  row: IdentityTables['identity_household'],
  allowed: readonly IdentityTables['identity_household_profile'][],
): HouseholdRow => ({
  id: row.id,
  hash: row.hash,
  name: row.name,
  allowed: allowed
    .filter(({ household }) => household === row.id)
    .map(({ profile, opens }) => ({ profile, opens: opens as HouseholdProfile['opens'] })),
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  remembered: JSON.parse(row.rotation) as Rotation,
});
export const directoryUserOf = (row: IdentityTables['identity_directory_user']): DirectoryUserRow => ({
  profile: row.profile,
  userName: row.user_name,
  userNameKey: row.user_name_key,
  externalId: some(row.external_id),
  isActive: row.is_active === 1,
  attributes: JSON.parse(row.attributes) as Record<string, unknown>,
  version: row.version,
  createdAt: row.created_at,
  changedAt: row.changed_at,
  removedAt: some(row.removed_at),
});
export const serviceTokenOf = (row: IdentityTables['identity_service_token']): ServiceTokenRow => ({
  service: row.service as Service,
  hash: row.hash,
  expiresAt: row.expires_at,
  lastUsedAt: some(row.last_used_at),
  announcedDays: some(row.announced_days),
});
