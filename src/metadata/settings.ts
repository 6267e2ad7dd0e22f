/** Settings of online metadata: the service, its credential, and the language of texts. */
import {
  language,
  longText,
  providerUrlSamples,
  secret,
  setting,
  settingGroup,
  url,
  type SettingTypesOf,
} from '../config/index.ts';

const serviceGroup = settingGroup('integrations.metadata', 'Metadata provider');
const metadataGroup = settingGroup('metadata', 'Metadata');

export const metadataSettings = [
  setting({
    key: 'metadata.language',
    env: 'SERVICE_METADATA_LANGUAGE',
    group: metadataGroup,
    title: 'Language of descriptions',
    type: language,
    restart: false,
    addition: true,
    doc: 'Language in which titles, plots and pictures are requested from the metadata provider.',
    unset: 'Descriptions are in English',
    samples: () => ({ good: ['de', 'EN', 'pt-br'], bad: ['zz', 'e', 'english', 'pt_BR'] }),
  }),
  setting({
    key: 'integrations.metadata.url',
    env: 'SERVICE_METADATA_URL',
    group: serviceGroup,
    title: 'Address',
    type: url('provider'),
    restart: true,
    doc: 'API address of the metadata provider: https://api.themoviedb.org/3 for TMDB.',
    samples: providerUrlSamples,
  }),
  setting({
    key: 'integrations.metadata.image_url',
    env: 'SERVICE_METADATA_IMAGE_URL',
    group: serviceGroup,
    title: 'Address of pictures',
    type: url('provider'),
    restart: true,
    doc: "Address of the metadata provider's pictures: https://image.tmdb.org/t/p for TMDB. Unset, none are fetched.",
    samples: providerUrlSamples,
  }),
  setting({
    key: 'integrations.metadata.token',
    env: 'SERVICE_METADATA_TOKEN',
    group: serviceGroup,
    title: 'Access token',
    type: secret({ max: 4096, visible: true }),
    belongsTo: ['integrations.metadata.url'],
    restart: true,
    doc: 'Read access token or API key for the metadata provider.',
    samples: () => ({ good: ['t', longText(4096)], bad: ['a b', longText(4097), 'a\nb'] }),
  }),
] as const;

declare module '../config/setting.ts' {
  interface SettingTypes extends SettingTypesOf<typeof metadataSettings> {}
}
