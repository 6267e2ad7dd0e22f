/**
 * Layers of settings, from strongest to weakest: environment, YAML, what an Owner saved, the
 * built-in default. A layer holds texts that have been read and accepted; which layer wins is
 * asked here and nowhere else.
 */
import type { AnySetting, SettingKey, SettingValue } from './setting.ts';
import type { SettingSet } from './setting-set.ts';

export type SettingSource = 'default' | 'owner' | 'yaml' | 'environment';

/** Accepted texts by key. A key that is not there, or blank, leaves the next layer to say. */
export type Layer = ReadonlyMap<SettingKey, string>;

export const NOTHING_SAVED: Layer = new Map();

export interface Layers {
  readonly settings: SettingSet;
  readonly environment: Layer;
  readonly yaml: Layer;
  readonly owner: Layer;
}

/** Keys that are needed before saved settings can be read, so an Owner cannot save them. */
const OUTSIDE_ONLY: ReadonlySet<SettingKey> = new Set<SettingKey>(['paths.data', 'database.url']);

export const isOutsideOnly = (key: SettingKey): boolean => OUTSIDE_ONLY.has(key);

/** The text in force and where it comes from. Blank: not set. */
export function resolve(layers: Layers, key: SettingKey): { text: string; source: SettingSource } {
  for (const source of ['environment', 'yaml', 'owner'] as const) {
    const text = source === 'owner' && isOutsideOnly(key) ? undefined : layers[source].get(key);
    if (text !== undefined && text !== '') return { text, source };
  }
  return { text: layers.settings.declared(key).default, source: 'default' };
}

/** Whether YAML or the environment says it, so that it is read-only here. */
export const isManaged = (layers: Layers, key: SettingKey): boolean => {
  const { source } = resolve(layers, key);
  return source === 'environment' || source === 'yaml';
};

/** A settings view: what a rule or a reader sees. */
export interface SettingsView {
  get<K extends SettingKey>(key: K): SettingValue<K>;
  source(key: SettingKey): SettingSource;
  setting(key: SettingKey): AnySetting;
}

export const viewOf = (layers: Layers): SettingsView => ({
  get: (key) => read(layers.settings, key, resolve(layers, key).text),
  source: (key) => resolve(layers, key).source,
  setting: layers.settings.declared,
});

/** The value of an accepted text. */
export function read<K extends SettingKey>(settings: SettingSet, key: K, text: string): SettingValue<K> {
  // The declaration of a key carries the type of its value; the table loses it, because it holds them all.
  return (text === '' ? undefined : settings.declared(key).type.parse(text)) as SettingValue<K>;
}
