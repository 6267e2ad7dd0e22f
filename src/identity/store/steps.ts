/** Writes the steps of a change: each puts or drops a row, records what happened, or sets or lifts a mark. */
import { appendActivity } from '../../activity/index.ts';
import type { Transaction } from '../../lib/db/index.ts';
import { Failure } from '../../lib/failure.ts';
import type { DirectoryUserRow, HouseholdRow, PasskeyRow, ServiceTokenRow, SessionRow, Step } from '../types.ts';
import type { IdentityTransaction } from './tables.ts';

/** Writes one step. A mark that is there already fails as `conflict`. */
export async function writeStep(tx: IdentityTransaction, step: Step): Promise<void> {
  if ('put' in step) return put(tx, step);
  if ('drop' in step) return drop(tx, step);
  if ('unmark' in step) {
    await tx.deleteFrom('identity_mark').where('name', '=', step.unmark).execute();
    return;
  }
  if ('audit' in step) {
    return appendActivity(tx as unknown as Transaction<never>, [step.audit], step.at);
  }
  const made = await tx
    .insertInto('identity_mark')
    .values(step.mark)
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .execute();
  if (made.length === 0) throw new Failure('conflict', 'this was done before', { reason: 'already-set-up' });
}

async function put(tx: IdentityTransaction, step: Extract<Step, { put: string }>): Promise<void> {
  if (step.put === 'profile') {
    const {
      id,
      name,
      nameKey,
      role,
      policy,
      password = null,
      totp = null,
      pin = null,
      mfaExempt,
      totpStep,
      recovery,
      preferences,
      look,
      grants = [],
      createdAt,
    } = step.row;
    const row = {
      name,
      name_key: nameKey,
      role,
      policy: JSON.stringify(policy),
      password,
      totp,
      pin,
      mfa_exempt: mfaExempt ? 1 : null,
      totp_step: totpStep,
      recovery: JSON.stringify(recovery),
      preferences: JSON.stringify(preferences),
      look: look ? JSON.stringify(look) : null,
      grants: grants.length > 0 ? JSON.stringify(grants) : null,
      created_at: createdAt,
    };
    await tx
      .insertInto('identity_profile')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  } else if (step.put === 'session') {
    await putSession(tx, step.row);
  } else if (step.put === 'key') {
    const { id, hash, name, profile, scopes, createdAt, expiresAt, lastUsedAt = null } = step.row;
    const row = {
      hash,
      name,
      profile,
      scopes: JSON.stringify(scopes),
      created_at: createdAt,
      expires_at: expiresAt,
      last_used_at: lastUsedAt,
    };
    await tx
      .insertInto('identity_key')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  } else if (step.put === 'link') {
    const { id, profile, protocol, issuer, claim, subject, label = null, createdAt } = step.row;
    const row = { profile, protocol, issuer, claim, subject, label, created_at: createdAt };
    await tx
      .insertInto('identity_link')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  } else if (step.put === 'household') {
    await putHousehold(tx, step.row);
  } else if (step.put === 'passkey') {
    await putPasskey(tx, step.row);
  } else if (step.put === 'directory-user') {
    await putDirectoryUser(tx, step.row);
  } else if (step.put === 'service-token') {
    await putServiceToken(tx, step.row);
  } else if (step.put === 'picture') {
    const { profile, bytes } = step.row;
    await tx
      .insertInto('identity_picture')
      .values({ profile, bytes })
      .onConflict((conflict) => conflict.column('profile').doUpdateSet({ bytes }))
      .execute();
  } else {
    const { id, hash, profile, name, firstSeenAt, lastSeenAt } = step.row;
    const row = { hash, profile, name, first_seen_at: firstSeenAt, last_seen_at: lastSeenAt };
    await tx
      .insertInto('identity_device')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  }
}

async function putSession(tx: IdentityTransaction, given: SessionRow): Promise<void> {
  const {
    id,
    hash,
    profile,
    device = null,
    kind,
    way,
    network,
    createdAt,
    lastUsedAt,
    provedAt,
    endsAt,
    outside,
    remembered,
    household = null,
    mayAddPasskey,
  } = given;
  const row = {
    hash,
    profile,
    device,
    kind,
    way,
    network,
    created_at: createdAt,
    last_used_at: lastUsedAt,
    proved_at: provedAt,
    ends_at: endsAt,
    outside: outside === undefined ? null : JSON.stringify(outside),
    remembered: remembered ? JSON.stringify(remembered) : null,
    household,
    may_add_passkey: mayAddPasskey ? 1 : null,
  };
  await tx
    .insertInto('identity_session')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

async function putDirectoryUser(tx: IdentityTransaction, given: DirectoryUserRow): Promise<void> {
  const { profile, userName, userNameKey, externalId = null, isActive, attributes, version, removedAt = null } = given;
  const row = {
    user_name: userName,
    user_name_key: userNameKey,
    external_id: externalId,
    is_active: Number(isActive),
    attributes: JSON.stringify(attributes),
    version,
    created_at: given.createdAt,
    changed_at: given.changedAt,
    removed_at: removedAt,
  };
  await tx
    .insertInto('identity_directory_user')
    .values({ profile, ...row })
    .onConflict((conflict) => conflict.column('profile').doUpdateSet(row))
    .execute();
}

async function putServiceToken(tx: IdentityTransaction, given: ServiceTokenRow): Promise<void> {
  const { service, hash, expiresAt, lastUsedAt = null, announcedDays = null } = given;
  const row = { hash, expires_at: expiresAt, last_used_at: lastUsedAt, announced_days: announcedDays };
  await tx
    .insertInto('identity_service_token')
    .values({ service, ...row })
    .onConflict((conflict) => conflict.column('service').doUpdateSet(row))
    .execute();
}

async function putPasskey(tx: IdentityTransaction, given: PasskeyRow): Promise<void> {
  const { id, publicKey, isSyncable, isSynced, transports, isSuspect, createdAt, lastUsedAt = null, ...plain } = given;
  const row = {
    ...plain,
    public_key: publicKey,
    is_syncable: Number(isSyncable),
    is_synced: Number(isSynced),
    transports: JSON.stringify(transports),
    is_suspect: Number(isSuspect),
    created_at: createdAt,
    last_used_at: lastUsedAt,
  };
  await tx
    .insertInto('identity_passkey')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

async function drop(tx: IdentityTransaction, step: Extract<Step, { drop: string }>): Promise<void> {
  const { id } = step;
  if (step.drop === 'profile') return dropProfile(tx, id, step.at);
  if (step.drop === 'session') await tx.deleteFrom('identity_session').where('id', '=', id).execute();
  else if (step.drop === 'key') await tx.deleteFrom('identity_key').where('id', '=', id).execute();
  else if (step.drop === 'link') await tx.deleteFrom('identity_link').where('id', '=', id).execute();
  else if (step.drop === 'picture') await tx.deleteFrom('identity_picture').where('profile', '=', id).execute();
  else if (step.drop === 'passkey') await tx.deleteFrom('identity_passkey').where('id', '=', id).execute();
  else if (step.drop === 'device') await tx.deleteFrom('identity_device').where('id', '=', id).execute();
  else {
    await tx.deleteFrom('identity_household_profile').where('household', '=', id).execute();
    await tx.deleteFrom('identity_household').where('id', '=', id).execute();
  }
}

async function putHousehold(tx: IdentityTransaction, given: HouseholdRow): Promise<void> {
  const { id, hash, name, allowed, createdAt, lastSeenAt, remembered } = given;
  const row = {
    hash,
    name,
    created_at: createdAt,
    last_seen_at: lastSeenAt,
    rotation: JSON.stringify(remembered),
  };
  await tx
    .insertInto('identity_household')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
  await tx.deleteFrom('identity_household_profile').where('household', '=', id).execute();
  for (const [place, { profile, opens }] of allowed.entries())
    await tx.insertInto('identity_household_profile').values({ household: id, profile, opens, place }).execute();
}

async function dropProfile(tx: IdentityTransaction, id: string, at: number): Promise<void> {
  for (const child of [
    'identity_session',
    'identity_key',
    'identity_device',
    'identity_link',
    'identity_passkey',
    'identity_household_profile',
    'identity_watched',
    'identity_directory_user',
    'identity_picture',
  ] as const)
    await tx.deleteFrom(child).where('profile', '=', id).execute();
  await tx.deleteFrom('identity_profile').where('id', '=', id).execute();
  const last = await tx
    .selectFrom('identity_removed')
    .select((of) => of.fn.max('seq').as('seq'))
    .executeTakeFirst();
  await tx
    .insertInto('identity_removed')
    .values({ seq: Number(last?.seq ?? 0) + 1, profile: id, at })
    .execute();
}
