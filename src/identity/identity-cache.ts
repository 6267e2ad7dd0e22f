/**
 * The identity cache: everything that a request is checked against, in memory.
 *
 * It is loaded at start and changes only by the steps of a committed transaction, so it always agrees with the
 * database. Looking a credential up costs a hash and two map reads.
 */
import type { IdentityRows } from './store/store.ts';
import type { DeviceRow, KeyRow, MarkRow, ProfileRow, SessionRow, Step } from './types.ts';

export interface IdentityCache {
  readonly profiles: ReadonlyMap<string, ProfileRow>;
  readonly sessions: ReadonlyMap<string, SessionRow>;
  readonly keys: ReadonlyMap<string, KeyRow>;
  readonly devices: ReadonlyMap<string, DeviceRow>;
  profileNamed(nameKey: string): ProfileRow | undefined;
  sessionOf(hash: string): SessionRow | undefined;
  keyOf(hash: string): KeyRow | undefined;
  /** The device with this hash, as one Profile knows it, or as any does. */
  deviceOf(hash: string, profile?: string): DeviceRow | undefined;
  mark(name: MarkRow['name']): string | undefined;
  apply(steps: readonly Step[]): void;
}

export function createIdentityCache(loaded: IdentityRows): IdentityCache {
  const profiles = new Map<string, ProfileRow>();
  const sessions = new Map<string, SessionRow>();
  const keys = new Map<string, KeyRow>();
  const devices = new Map<string, DeviceRow>();
  const names = new Map<string, string>();
  const sessionHashes = new Map<string, string>();
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
      const before = sessions.get(step.row.id);
      if (before) sessionHashes.delete(before.hash);
      sessions.set(step.row.id, step.row);
      sessionHashes.set(step.row.hash, step.row.id);
    } else if (step.put === 'key') {
      keys.set(step.row.id, step.row);
      keyHashes.set(step.row.hash, step.row.id);
    } else {
      devices.set(step.row.id, step.row);
      deviceHashes.set(
        step.row.hash,
        (deviceHashes.get(step.row.hash) ?? new Map<string, string>()).set(step.row.profile, step.row.id),
      );
    }
  };
  const dropSession = (id: string): void => {
    sessionHashes.delete(sessions.get(id)?.hash ?? '');
    sessions.delete(id);
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
  const dropProfile = (id: string): void => {
    for (const row of [...sessions.values()]) if (row.profile === id) dropSession(row.id);
    for (const row of [...keys.values()]) if (row.profile === id) dropKey(row.id);
    for (const row of [...devices.values()]) if (row.profile === id) dropDevice(row.id);
    names.delete(profiles.get(id)?.nameKey ?? '');
    profiles.delete(id);
  };
  const drops = { profile: dropProfile, session: dropSession, key: dropKey, device: dropDevice };

  const identities: IdentityCache = {
    profiles,
    sessions,
    keys,
    devices,
    profileNamed: (nameKey) => profiles.get(names.get(nameKey) ?? ''),
    sessionOf: (hash) => sessions.get(sessionHashes.get(hash) ?? ''),
    keyOf: (hash) => keys.get(keyHashes.get(hash) ?? ''),
    deviceOf: (hash, profile) => {
      const ids = deviceHashes.get(hash);
      return devices.get((profile === undefined ? ids?.values().next().value : ids?.get(profile)) ?? '');
    },
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
  for (const { name, text } of loaded.marks) marks.set(name, text);
  return identities;
}
