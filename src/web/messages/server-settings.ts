/** Words of the server's settings, by their keys. Empty in English, which the server says itself. */
import { area } from './catalogue.ts';
import type { SettingText } from './server.ts';

interface SettingTexts {
  settings: Readonly<Record<string, SettingText>>;
  /** Titles of the groups. */
  groups: Readonly<Record<string, string>>;
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
      import('./de/server-settings.ts').then(
        ({ settingTextsGerman, settingGroupsGerman, converterGerman, absentAcceleratorGerman }) => ({
          settings: settingTextsGerman,
          groups: settingGroupsGerman,
          converter: converterGerman,
          absentAccelerator: absentAcceleratorGerman,
        }),
      ),
  },
  (loaded) => (settingTexts = loaded),
);
