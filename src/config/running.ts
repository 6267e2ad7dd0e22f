/** Settings in force: their values for every reader, and the changes of them as listeners hear them. */
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { read, resolve, type Layers, type SettingsView } from './layers.ts';
import { rulesBrokenBy } from './rules.ts';
import type { SettingSet } from './setting-set.ts';
import type { AnySetting, SettingKey, SettingValue } from './setting.ts';

export interface RunningSettings {
  get<K extends SettingKey>(key: K): SettingValue<K>;
  /** Texts in force. */
  readonly texts: ReadonlyMap<SettingKey, string>;
  /**
   * Takes up saved settings that the running rest allows: live ones, or all of them with `isInForce`. What is not
   * allowed yet waits for the restart.
   */
  takeUp(keys: readonly AnySetting[], isInForce: boolean): void;
  on<K extends SettingKey>(key: K, listener: (value: SettingValue<K>) => void): () => void;
}

interface RunningNeeds {
  settings: SettingSet;
  /** The layers of the start. */
  start: Layers;
  /** Returns the layers with everything that is saved. */
  saved(): Layers;
  clock: Clock;
  log: Log | undefined;
}

export function createRunningSettings({ settings, start, saved, clock, log }: RunningNeeds): RunningSettings {
  const texts = new Map<SettingKey, string>(settings.all.map(({ key }) => [key, resolve(start, key).text]));
  // Settings are read on every request; their texts are not.
  const values = new Map<SettingKey, unknown>(
    settings.all.map(({ key }) => [key, read(settings, key, resolve(start, key).text)]),
  );
  const get = <K extends SettingKey>(key: K): SettingValue<K> => values.get(key) as SettingValue<K>;
  const listeners = new Map<SettingKey, Set<(value: never) => void>>();
  const view = (over?: ReadonlyMap<SettingKey, string>): SettingsView => ({
    get: (key) => read(settings, key, over?.get(key) ?? texts.get(key) ?? ''),
    source: (key) => resolve(saved(), key).source,
    setting: settings.declared,
  });
  const faultsWith = (over?: ReadonlyMap<SettingKey, string>): number =>
    rulesBrokenBy(view(over), { now: clock.now() }).length;
  const notify = (key: SettingKey): void => {
    for (const listener of listeners.get(key) ?? []) {
      try {
        listener(get(key) as never);
      } catch (error) {
        // The change is saved and in force; one listener's fault must not undo it for the others.
        log?.fault('config.listener.failed', error, { key });
      }
    }
  };

  return {
    get,
    texts,
    takeUp: (keys, isInForce) => {
      const next = new Map(
        keys.filter((one) => isInForce || !one.restart).map(({ key }) => [key, resolve(saved(), key).text]),
      );
      const changed = [...next].filter(([key, text]) => texts.get(key) !== text);
      if (changed.length === 0 || faultsWith(next) > faultsWith()) return;
      for (const [key, text] of changed) {
        texts.set(key, text);
        values.set(key, read(settings, key, text));
      }
      for (const [key] of changed) notify(key);
    },
    on: (key, listener) => {
      const own = listeners.get(key) ?? new Set();
      listeners.set(key, own);
      own.add(listener);
      return () => void own.delete(listener);
    },
  };
}
