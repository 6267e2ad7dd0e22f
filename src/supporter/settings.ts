/** Settings of supporters. */
import { providerUrlSamples, setting, settingGroup, type SettingTypesOf, url } from '../config/index.ts';

const supporterGroup = settingGroup('supporter', 'Supporters');

export const supporterSettings = [
  setting({
    key: 'supporter.activation_url',
    env: 'SERVICE_SUPPORTER_ACTIVATION_URL',
    group: supporterGroup,
    title: 'Activation address',
    type: url('provider'),
    default: 'https://supporters.matinee.example/activate',
    restart: true,
    doc: 'Endpoint that recognises a supporter. Support unlocks nothing.',
    samples: providerUrlSamples,
  }),
  setting({
    key: 'supporter.url',
    env: 'SERVICE_SUPPORT_URL',
    group: supporterGroup,
    title: 'Support page',
    type: url('provider'),
    default: 'https://supporters.matinee.example/subtitles/monthly',
    restart: true,
    doc: 'Page where a household can support the subtitles every month.',
    samples: providerUrlSamples,
  }),
] as const;

declare module '../config/setting.ts' {
  interface SettingTypes extends SettingTypesOf<typeof supporterSettings> {}
}
