/** All settings of the server, found by key or by variable. */
import { refuse, type AnySetting, type Setting, type SettingKey } from './setting.ts';

export interface SettingSet {
  /** In the order in which the user guide and the API list them. */
  readonly all: readonly AnySetting[];
  of(key: string): AnySetting | undefined;
  ofEnv(variable: string): AnySetting | undefined;
  /** Returns the setting of a key that is known to exist. */
  declared(key: SettingKey): AnySetting;
}

/**
 * Throws if two settings share a key or a variable, if a group has two titles, or if a secret belongs to something else
 * than an address.
 */
export function settingSet(settings: readonly Setting[]): SettingSet {
  // The types of the domains' settings are collected in SettingTypes, so every key is one of them.
  const all = settings as readonly AnySetting[];
  const byKey: ReadonlyMap<string, AnySetting> = new Map(all.map((one) => [one.key, one]));
  const byEnv: ReadonlyMap<string, AnySetting> = new Map(all.map((one) => [one.env, one]));
  if (byKey.size !== all.length || byEnv.size !== all.length) throw new Error('two settings share a key or a variable');
  const titles = new Map(all.map(({ group }) => [group.id, group.title]));
  for (const { key, group, secret, belongsTo } of all) {
    if (titles.get(group.id) !== group.title) throw new Error(`${key}: its group has another title elsewhere`);
    if (belongsTo.length > 0 && (!secret || belongsTo.some((address) => byKey.get(address)?.type.kind !== 'url')))
      throw new Error(`${key}: only a secret belongs to an address`);
  }
  return {
    all,
    of: (key) => byKey.get(key),
    ofEnv: (variable) => byEnv.get(variable),
    declared: (key) => byKey.get(key) ?? refuse('no such setting'),
  };
}
