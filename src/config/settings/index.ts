/** Every setting, in the order in which the user guide and the API list them. */
import { refuse, type Setting, type ValueOf } from '../setting.ts';
import { integrationSettings } from './integrations.ts';
import { operationSettings } from './operations.ts';
import { playingSettings } from './playing.ts';
import { serviceSettings } from './service.ts';

const all = [...serviceSettings, ...playingSettings, ...operationSettings, ...integrationSettings] as const;

type Declared = (typeof all)[number];
export type SettingKey = Declared['key'];
/** What `config.get(key)` gives. */
export type SettingValue<K extends SettingKey> = ValueOf<Extract<Declared, { key: K }>>;
export type AnySetting = Setting<SettingKey>;

export const SETTINGS: readonly AnySetting[] = all;

const byKey: ReadonlyMap<string, AnySetting> = new Map(SETTINGS.map((one) => [one.key, one]));
const byEnv: ReadonlyMap<string, AnySetting> = new Map(SETTINGS.map((one) => [one.env, one]));
if (byKey.size !== SETTINGS.length || byEnv.size !== SETTINGS.length)
  throw new Error('two settings share a key or a variable');
for (const { key, secret, belongsTo } of SETTINGS) {
  if (belongsTo.length > 0 && (!secret || belongsTo.some((address) => byKey.get(address)?.type.kind !== 'url')))
    throw new Error(`${key}: only a secret belongs to an address`);
}

export const settingOf = (key: string): AnySetting | undefined => byKey.get(key);
export const settingOfEnv = (env: string): AnySetting | undefined => byEnv.get(env);
/** The setting of a key that is known to exist. */
export const declared = (key: SettingKey): AnySetting => byKey.get(key) ?? refuse('no such setting');
