/**
 * The identity cache: everything that a request is checked against, in memory.
 *
 * It is loaded at start and changes only by the steps of a committed transaction, so it always agrees with the
 * database. Looking a credential up costs a hash and two map reads.
 */
import { hashesOf } from './devices/rotation.ts';
import type { IdentityRows } from './store/store.ts';
import type {
  DeviceRow,
  HouseholdRow,
  KeyRow,
  LinkRow,
  MarkRow,
  PasskeyRow,
  ProfileRow,
  SessionRow,
  Step,
} from './types.ts';

export interface IdentityCache {
  readonly profiles: ReadonlyMap<string, ProfileRow>;
  readonly sessions: ReadonlyMap<string, SessionRow>;
  readonly keys: ReadonlyMap<string, KeyRow>;
  readonly devices: ReadonlyMap<string, DeviceRow>;
  readonly links: ReadonlyMap<string, LinkRow>;
  readonly households: ReadonlyMap<string, HouseholdRow>;
  readonly passkeys: ReadonlyMap<string, PasskeyRow>;
  profileNamed(nameKey: string): ProfileRow | undefined;
  /** The session of a token, also of one that was rotated out or that is only offered. */
  sessionOf(hash: string): SessionRow | undefined;
  keyOf(hash: string): KeyRow | undefined;
  /** The device with this hash, as one Profile knows it, or as any does. */
  deviceOf(hash: string, profile?: string): DeviceRow | undefined;
  /** Returns the link of an identity. */
  linkOf(identity: Pick<LinkRow, 'issuer' | 'claim' | 'subject'>): LinkRow | undefined;
  /** The household device of a token, also of one that was rotated out or that is only offered. */
  householdOf(hash: string): HouseholdRow | undefined;
  /** Returns the passkey with the id of a credential. */
  passkeyOf(credential: string): PasskeyRow | undefined;
  /** Returns the passkeys of a Profile. */
  passkeysOf(profile: string): readonly PasskeyRow[];
  mark(name: MarkRow['name']): string | undefined;
  apply(steps: readonly Step[]): void;
}

/** A text that differs for different identities, whatever is in their parts. */
const keyOfIdentity = ({ issuer, claim, subject }: Pick<LinkRow, 'issuer' | 'claim' | 'subject'>): string =>
  JSON.stringify([issuer, claim, subject]);
/** Rows that are found by each of their keys: the hashes of their tokens, or an identity. */
function createIndexedRows<R extends { id: string }>(keysOf: (row: R) => readonly string[]) {
  const rows = new Map<string, R>();
  const ids = new Map<string, string>();
  const drop = (id: string): void => {
    const row = rows.get(id);
    for (const hash of row ? keysOf(row) : []) ids.delete(hash);
    rows.delete(id);
  };
  return {
    rows,
    drop,
    put: (row: R): void => {
      drop(row.id);
      rows.set(row.id, row);
      for (const hash of keysOf(row)) ids.set(hash, row.id);
    },
    of: (hash: string): R | undefined => rows.get(ids.get(hash) ?? ''),
  };
}

export function createIdentityCache(loaded: IdentityRows): IdentityCache {
  const profiles = new Map<string, ProfileRow>();
  const sessions = createIndexedRows<SessionRow>(hashesOf);
  const keys = new Map<string, KeyRow>();
  const devices = new Map<string, DeviceRow>();
  const links = createIndexedRows<LinkRow>((row) => [keyOfIdentity(row)]);
  const households = createIndexedRows<HouseholdRow>(hashesOf);
  const passkeys = createIndexedRows<PasskeyRow>(({ credential }) => [credential]);
  /** Asked on each request: the ids of each Profile's passkeys, made again after a change. */
  let byProfile: Map<string, PasskeyRow[]> | undefined;
  const names = new Map<string, string>();
  const keyHashes = new Map<string, string>();
  const deviceHashes = new Map<string, Map<string, string>>();
  const marks = new Map<string, string>();

  const put = (step: Extract<Step, { put: string }>): void => {
    if (step.put === 'profile') {
      const before = profiles.get(step.row.id);
      if (before) names.delete(before.nameKey);
      profiles.set(step.row.id, step.row);
      names.set(step.row.nameKey, step.row.id);
    } else if (step.put === 'session') {
      sessions.put(step.row);
    } else if (step.put === 'key') {
      keys.set(step.row.id, step.row);
      keyHashes.set(step.row.hash, step.row.id);
    } else if (step.put === 'link') {
      links.put(step.row);
    } else if (step.put === 'household') {
      households.put(step.row);
    } else if (step.put === 'passkey') {
      passkeys.put(step.row);
      byProfile = undefined;
    } else {
      devices.set(step.row.id, step.row);
      deviceHashes.set(
        step.row.hash,
        (deviceHashes.get(step.row.hash) ?? new Map<string, string>()).set(step.row.profile, step.row.id),
      );
    }
  };
  const dropKey = (id: string): void => {
    keyHashes.delete(keys.get(id)?.hash ?? '');
    keys.delete(id);
  };
  const dropDevice = (id: string): void => {
    const row = devices.get(id);
    devices.delete(id);
    if (!row) return;
    const same = deviceHashes.get(row.hash);
    same?.delete(row.profile);
    if (same?.size === 0) deviceHashes.delete(row.hash);
  };
  const dropPasskey = (id: string): void => {
    passkeys.drop(id);
    byProfile = undefined;
  };
  const dropProfile = (id: string): void => {
    for (const row of [...sessions.rows.values()]) if (row.profile === id) sessions.drop(row.id);
    for (const row of [...keys.values()]) if (row.profile === id) dropKey(row.id);
    for (const row of [...devices.values()]) if (row.profile === id) dropDevice(row.id);
    for (const row of [...links.rows.values()]) if (row.profile === id) links.drop(row.id);
    for (const row of [...passkeys.rows.values()]) if (row.profile === id) dropPasskey(row.id);
    for (const row of [...households.rows.values()])
      households.put({ ...row, allowed: row.allowed.filter(({ profile }) => profile !== id) });
    names.delete(profiles.get(id)?.nameKey ?? '');
    profiles.delete(id);
  };
  const drops = {
    profile: dropProfile,
    session: sessions.drop,
    key: dropKey,
    device: dropDevice,
    link: links.drop,
    household: households.drop,
    passkey: dropPasskey,
  };

  const identities: IdentityCache = {
    profiles,
    sessions: sessions.rows,
    keys,
    devices,
    links: links.rows,
    households: households.rows,
    passkeys: passkeys.rows,
    passkeyOf: passkeys.of,
    passkeysOf: (profile) =>
      (byProfile ??= Map.groupBy(passkeys.rows.values(), (row) => row.profile)).get(profile) ?? [],
    householdOf: households.of,
    profileNamed: (nameKey) => profiles.get(names.get(nameKey) ?? ''),
    sessionOf: sessions.of,
    keyOf: (hash) => keys.get(keyHashes.get(hash) ?? ''),
    deviceOf: (hash, profile) => {
      const ids = deviceHashes.get(hash);
      return devices.get((profile === undefined ? ids?.values().next().value : ids?.get(profile)) ?? '');
    },
    linkOf: (identity) => links.of(keyOfIdentity(identity)),
    mark: (name) => marks.get(name),
    apply: (steps) => {
      for (const step of steps) {
        if ('put' in step) put(step);
        else if ('drop' in step) drops[step.drop](step.id);
        else if ('mark' in step) marks.set(step.mark.name, step.mark.text);
      }
    },
  };
  for (const row of loaded.profiles) put({ put: 'profile', row });
  for (const row of loaded.sessions) put({ put: 'session', row });
  for (const row of loaded.keys) put({ put: 'key', row });
  for (const row of loaded.devices) put({ put: 'device', row });
  for (const row of loaded.links) put({ put: 'link', row });
  for (const row of loaded.households) put({ put: 'household', row });
  for (const row of loaded.passkeys) put({ put: 'passkey', row });
  for (const { name, text } of loaded.marks) marks.set(name, text);
  return identities;
}
