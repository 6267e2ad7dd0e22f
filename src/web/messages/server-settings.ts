/** Words of the server's settings, by their keys. Empty in English, which the server says itself. */
import { area } from './catalogue.ts';
import type { SettingText } from './server.ts';

interface SettingTexts {
  settings: Readonly<Record<string, SettingText>>;
  /** Titles of the groups. */
  groups: Readonly<Record<string, string>>;
  /** Features that settings wait for, by their English names. */
  features?: Readonly<Record<string, string>>;
  /** Says which accelerator converts video now, or that the processor does. */
  converter?: (accelerator: string | undefined) => string;
  /** Says that an accelerator is not on this machine. */
  absentAccelerator?: string;
}
export let settingTexts: SettingTexts = { settings: {}, groups: {} };
area<SettingTexts>(
  {
    en: () => Promise.resolve({ settings: {}, groups: {} }),
    de: () =>
      Promise.all([import('./de/server-settings.ts'), import('./de/server-setting-groups.ts')]).then(
        ([{ settingTextsGerman }, groups]) => ({
          settings: settingTextsGerman,
          groups: groups.settingGroupsGerman,
          features: groups.laterFeaturesGerman,
          converter: groups.converterGerman,
          absentAccelerator: groups.absentAcceleratorGerman,
        }),
      ),
  },
  (loaded) => (settingTexts = loaded),
);
