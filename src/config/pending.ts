/** Saved settings that wait for a restart: their keys, what is in force meanwhile, and the faults of a start. */
import type { Clock } from '../lib/clock.ts';
import { faultLine } from './faults.ts';
import { NOTHING_SAVED, resolve, viewOf, type Layers } from './layers.ts';
import type { Boot } from './load.ts';
import { rulesBrokenBy } from './rules.ts';
import type { AnySetting, SettingKey } from './setting.ts';

/** Texts of settings as an Owner saves them. Blank: nothing is saved. */
export type OwnerTexts = ReadonlyMap<SettingKey, string>;

export interface PendingSettingsNeeds {
  boot: Boot;
  /** Texts in force. */
  running: ReadonlyMap<SettingKey, string>;
  /** Returns the layers with everything that is saved. */
  saved(): Layers;
  clock: Clock;
}

export interface PendingSettings {
  isPending(key: SettingKey): boolean;
  pending(): SettingKey[];
  /** Returns the texts that would save the running values of the settings that wait. */
  inForce(): OwnerTexts;
  /** Returns why a start from `boot` would refuse what is saved, one line for each fault. */
  faultsFrom(boot: Boot): string[];
}

export function createPendingSettings({ boot, running, saved, clock }: PendingSettingsNeeds): PendingSettings {
  const isPending = (key: SettingKey): boolean => resolve(saved(), key).text !== running.get(key);
  const pending = (): SettingKey[] =>
    boot.layers.settings.all.filter(({ key }) => isPending(key)).map(({ key }) => key);
  const unsaved: Layers = { ...boot.layers, owner: NOTHING_SAVED };
  return {
    isPending,
    pending,
    inForce: () =>
      new Map(
        pending().map((key) => {
          const text = running.get(key) ?? '';
          return [key, text === resolve(unsaved, key).text ? '' : text];
        }),
      ),
    faultsFrom: ({ layers }) =>
      rulesBrokenBy(viewOf({ ...layers, owner: saved().owner }), { now: clock.now() }).map(({ fault }) =>
        faultLine(fault),
      ),
  };
}

/** The layers with changes of an Owner on top; a blank text removes what was saved. */
export function changedBy(layers: Layers, changes: ReadonlyMap<AnySetting, string>): Layers {
  const owner = new Map(layers.owner);
  for (const [{ key }, text] of changes) {
    if (text === '') owner.delete(key);
    else owner.set(key, text);
  }
  return { ...layers, owner };
}
