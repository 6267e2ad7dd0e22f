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
  DirectoryUserRow,
  HouseholdRow,
  KeyRow,
  LinkRow,
  MarkRow,
  PasskeyRow,
  ProfileRow,
  ServiceTokenRow,
  SessionRow,
  Step,
} from './types.ts';

type LinkIdentity = Pick<LinkRow, 'protocol' | 'issuer' | 'claim' | 'subject'>;

export interface IdentityCache {
  readonly profiles: ReadonlyMap<string, ProfileRow>;
  readonly sessions: ReadonlyMap<string, SessionRow>;
  readonly keys: ReadonlyMap<string, KeyRow>;
  readonly devices: ReadonlyMap<string, DeviceRow>;
  readonly links: ReadonlyMap<string, LinkRow>;
  readonly households: ReadonlyMap<string, HouseholdRow>;
  readonly passkeys: ReadonlyMap<string, PasskeyRow>;
  /** Users of the directory by their Profiles, those that it removed included. */
  readonly directoryUsers: ReadonlyMap<string, DirectoryUserRow>;
  /** Tokens of services by the service. */
  readonly serviceTokens: ReadonlyMap<string, ServiceTokenRow>;
  profileNamed(nameKey: string): ProfileRow | undefined;
  /** The session of a token, also of one that was rotated out or that is only offered. */
  sessionOf(hash: string): SessionRow | undefined;
  keyOf(hash: string): KeyRow | undefined;
  /** The device with this hash, as one Profile knows it, or as any does. */
  deviceOf(hash: string, profile?: string): DeviceRow | undefined;
  /** Returns the link of an identity. */
  linkOf(identity: LinkIdentity): LinkRow | undefined;
  /** The household device of a token, also of one that was rotated out or that is only offered. */
  householdOf(hash: string): HouseholdRow | undefined;
  /** Returns the passkey with the id of a credential. */
  passkeyOf(credential: string): PasskeyRow | undefined;
  /** Returns the passkeys of a Profile. */
  passkeysOf(profile: string): readonly PasskeyRow[];
  /** Returns the user of the directory with an external id, also one that was removed. */
  directoryUserOf(externalId: string): DirectoryUserRow | undefined;
  mark(name: MarkRow['name']): string | undefined;
  apply(steps: readonly Step[]): void;
}

/** A text that differs for different identities, whatever is in their parts. */
const keyOfIdentity = ({ protocol, issuer, claim, subject }: LinkIdentity): string =>
  JSON.stringify([protocol, issuer, claim, subject]);
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

/** Devices by their hashes, under one of which there may be several Profiles. */
function createDeviceRows() {
  const rows = new Map<string, DeviceRow>();
  /** Ids by Profile. */
  const byHash = new Map<string, Map<string, string>>();
  return {
    rows,
    put: (row: DeviceRow): void => {
      rows.set(row.id, row);
      byHash.set(row.hash, (byHash.get(row.hash) ?? new Map<string, string>()).set(row.profile, row.id));
    },
    drop: (id: string): void => {
      const row = rows.get(id);
      rows.delete(id);
      if (!row) return;
      const same = byHash.get(row.hash);
      same?.delete(row.profile);
      if (same?.size === 0) byHash.delete(row.hash);
    },
    of: (hash: string, profile?: string): DeviceRow | undefined => {
      const ids = byHash.get(hash);
      return rows.get((profile === undefined ? ids?.values().next().value : ids?.get(profile)) ?? '');
    },
  };
}

/** Passkeys by their credentials and by their Profiles, which each request asks for. */
function createPasskeyRows() {
  const indexed = createIndexedRows<PasskeyRow>(({ credential }) => [credential]);
  /** Made again after a change. */
  let byProfile: Map<string, PasskeyRow[]> | undefined;
  return {
    rows: indexed.rows,
    of: indexed.of,
    put: (row: PasskeyRow): void => {
      indexed.put(row);
      byProfile = undefined;
    },
    drop: (id: string): void => {
      indexed.drop(id);
      byProfile = undefined;
    },
    ofProfile: (profile: string): readonly PasskeyRow[] =>
      (byProfile ??= Map.groupBy(indexed.rows.values(), (row) => row.profile)).get(profile) ?? [],
  };
}

/** Users of the directory by their Profiles and by their external ids. */
function createDirectoryRows() {
  const indexed = createIndexedRows<DirectoryUserRow & { id: string }>(({ externalId }) =>
    externalId === undefined ? [] : [externalId],
  );
  return { ...indexed, put: (row: DirectoryUserRow): void => indexed.put({ ...row, id: row.profile }) };
}

/** Returns the steps that lead to what was loaded. */
const stepsOf = (loaded: IdentityRows): Step[] => [
  ...loaded.profiles.map((row): Step => ({ put: 'profile', row })),
  ...loaded.sessions.map((row): Step => ({ put: 'session', row })),
  ...loaded.keys.map((row): Step => ({ put: 'key', row })),
  ...loaded.devices.map((row): Step => ({ put: 'device', row })),
  ...loaded.links.map((row): Step => ({ put: 'link', row })),
  ...loaded.households.map((row): Step => ({ put: 'household', row })),
  ...loaded.passkeys.map((row): Step => ({ put: 'passkey', row })),
  ...loaded.directoryUsers.map((row): Step => ({ put: 'directory-user', row })),
  ...loaded.serviceTokens.map((row): Step => ({ put: 'service-token', row })),
  ...loaded.marks.map((mark): Step => ({ mark })),
];

export function createIdentityCache(loaded: IdentityRows): IdentityCache {
  const profiles = new Map<string, ProfileRow>();
  const sessions = createIndexedRows<SessionRow>(hashesOf);
  const keys = createIndexedRows<KeyRow>(({ hash }) => [hash]);
  const devices = createDeviceRows();
  const links = createIndexedRows<LinkRow>((row) => [keyOfIdentity(row)]);
  const households = createIndexedRows<HouseholdRow>(hashesOf);
  const passkeys = createPasskeyRows();
  const directoryUsers = createDirectoryRows();
  const serviceTokens = new Map<string, ServiceTokenRow>();
  const names = new Map<string, string>();
  const marks = new Map<string, string>();

  const put = (step: Extract<Step, { put: string }>): void => {
    if (step.put === 'session') sessions.put(step.row);
    else if (step.put === 'link') links.put(step.row);
    else if (step.put === 'household') households.put(step.row);
    else if (step.put === 'passkey') passkeys.put(step.row);
    // Pictures are read when they are asked for.
    else if (step.put === 'picture') return;
    else if (step.put === 'directory-user') directoryUsers.put(step.row);
    else if (step.put === 'service-token') serviceTokens.set(step.row.service, step.row);
    else if (step.put === 'profile') {
      const before = profiles.get(step.row.id);
      if (before) names.delete(before.nameKey);
      profiles.set(step.row.id, step.row);
      names.set(step.row.nameKey, step.row.id);
    } else if (step.put === 'key') keys.put(step.row);
    else devices.put(step.row);
  };
  const dropProfile = (id: string): void => {
    for (const row of [...sessions.rows.values()]) if (row.profile === id) sessions.drop(row.id);
    for (const row of [...keys.rows.values()]) if (row.profile === id) keys.drop(row.id);
    for (const row of [...devices.rows.values()]) if (row.profile === id) devices.drop(row.id);
    for (const row of [...links.rows.values()]) if (row.profile === id) links.drop(row.id);
    for (const row of [...passkeys.rows.values()]) if (row.profile === id) passkeys.drop(row.id);
    for (const row of [...households.rows.values()])
      households.put({ ...row, allowed: row.allowed.filter(({ profile }) => profile !== id) });
    directoryUsers.drop(id);
    names.delete(profiles.get(id)?.nameKey ?? '');
    profiles.delete(id);
  };
  const drops = {
    profile: dropProfile,
    session: sessions.drop,
    key: keys.drop,
    device: devices.drop,
    link: links.drop,
    household: households.drop,
    passkey: passkeys.drop,
    picture: () => {},
  };

  const identities: IdentityCache = {
    profiles,
    sessions: sessions.rows,
    keys: keys.rows,
    devices: devices.rows,
    links: links.rows,
    households: households.rows,
    passkeys: passkeys.rows,
    passkeyOf: passkeys.of,
    passkeysOf: passkeys.ofProfile,
    directoryUsers: directoryUsers.rows,
    directoryUserOf: directoryUsers.of,
    serviceTokens,
    householdOf: households.of,
    profileNamed: (nameKey) => profiles.get(names.get(nameKey) ?? ''),
    sessionOf: sessions.of,
    keyOf: keys.of,
    deviceOf: devices.of,
    linkOf: (identity) => links.of(keyOfIdentity(identity)),
    mark: (name) => marks.get(name),
    apply: (steps) => {
      for (const step of steps) {
        if ('put' in step) put(step);
        else if ('drop' in step) drops[step.drop](step.id);
        else if ('mark' in step) marks.set(step.mark.name, step.mark.text);
        else if ('unmark' in step) marks.delete(step.unmark);
      }
    },
  };
  identities.apply(stepsOf(loaded));
  return identities;
}
