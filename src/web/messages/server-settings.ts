/** Words of the server's settings, by their keys. Empty in English, which the server says itself. */
import { area } from './catalogue.ts';
import type { SettingText } from './server.ts';

interface SettingTexts {
  settings: Readonly<Record<string, SettingText>>;
  /** Titles of the groups. */
  groups: Readonly<Record<string, string>>;
}
export let settingTexts: SettingTexts = { settings: {}, groups: {} };
area<SettingTexts>(
  {
    en: () => Promise.resolve({ settings: {}, groups: {} }),
    de: () =>
      import('./de/server-settings.ts').then(({ settingTextsGerman, settingGroupsGerman }) => ({
        settings: settingTextsGerman,
        groups: settingGroupsGerman,
      })),
  },
  (loaded) => (settingTexts = loaded),
);
