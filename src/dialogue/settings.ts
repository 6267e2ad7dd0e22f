/** Settings of the search in dialogue. */
import { boolean, booleanSamples, setting, settingGroup, type SettingTypesOf } from '../config/index.ts';

const searchGroup = settingGroup('search', 'Search');

export const dialogueSettings = [
  setting({
    key: 'search.dialogue',
    env: 'SERVICE_SEARCH_DIALOGUE',
    group: searchGroup,
    title: 'Search in dialogue and lyrics',
    type: boolean,
    restart: false,
    addition: true,
    doc:
      'Indexes what is said in films and sung in songs, from text subtitles and lyrics. Videos with embedded ' +
      'subtitles are read once for it, in the background. The index takes about 140 KB for each film; turning this ' +
      'off deletes it.',
    unset: 'true',
    samples: booleanSamples,
  }),
] as const;

declare module '../config/setting.ts' {
  interface SettingTypes extends SettingTypesOf<typeof dialogueSettings> {}
}
