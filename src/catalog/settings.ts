/** Settings of scanning and of the watch history. */
import { RATED_COUNTRIES } from './naming/ages.ts';
import {
  choiceSamples,
  countryCodeOf,
  duration,
  oneOf,
  setting,
  settingGroup,
  type SettingTypesOf,
} from '../config/index.ts';

const metadataGroup = settingGroup('metadata', 'Metadata');

const scanningGroup = settingGroup('scanning', 'Scanning');

export const catalogSettings = [
  setting({
    key: 'scanning.interval',
    env: 'SERVICE_SCAN_INTERVAL',
    group: scanningGroup,
    title: 'Default time between scans',
    type: duration({ min: '1s', zero: true }),
    default: '10m',
    restart: true,
    doc: 'Time between two scans of the libraries, unless another is chosen.',
    samples: () => ({ good: ['10m', '0', '0s', '1s'], bad: ['1ms', '-10m', '10', 'ten', '10 m'] }),
  }),
  setting({
    key: 'scanning.frequency',
    env: 'SERVICE_SCAN_FREQUENCY',
    group: scanningGroup,
    title: 'Scan for new files',
    type: oneOf(['default', 'off', '5m', '15m', '1h']),
    restart: false,
    doc: 'How often the libraries are scanned for files that were added, changed or removed.',
    unset: 'default',
    labels: {
      default: 'Default time',
      off: 'Never',
      '5m': 'Every 5 minutes',
      '15m': 'Every 15 minutes',
      '1h': 'Every hour',
    },
    general: true,
    samples: choiceSamples('default', 'off', '5m', '15m', '1h'),
  }),
  setting({
    key: 'metadata.country',
    env: 'SERVICE_METADATA_COUNTRY',
    group: metadataGroup,
    title: 'Country for age ratings',
    type: countryCodeOf(RATED_COUNTRIES, 'the two lower-case letters of a country with age ratings'),
    restart: false,
    addition: true,
    doc:
      'Country whose certifications are meant when one names no country: PG, 12, A. Unset, such a certification is ' +
      'read in its strictest meaning of all countries.',
    unset: 'The strictest meaning of all countries',
    samples: () => ({ good: ['de', 'us', 'gb'], bad: ['DE', 'deu', 'cn', 'xx', 'germany'] }),
  }),
] as const;

declare module '../config/setting.ts' {
  interface SettingTypes extends SettingTypesOf<typeof catalogSettings> {}
}
