/** Settings of certificates. All are ours, beyond the settings that every deployment has. */
import {
  addressSamples,
  boolean,
  booleanSamples,
  listenAddress,
  providerUrlSamples,
  setting,
  settingGroup,
  type SettingTypesOf,
  url,
} from '../../config/index.ts';

const remoteGroup = settingGroup('remote', 'Remote access');

export const certificateSettings = [
  setting({
    key: 'remote.terms_accepted',
    env: 'SERVICE_REMOTE_TERMS_ACCEPTED',
    group: remoteGroup,
    title: 'Accept the terms of the certificate authority',
    personOnly: true,
    addition: true,
    type: boolean,
    default: 'false',
    restart: false,
    doc:
      'Accepts the subscriber agreement of the authority that issues the certificate. Until then, no certificate ' +
      'is requested, and the server cannot be reached from outside.',
    samples: booleanSamples,
  }),
  setting({
    key: 'acme.directory',
    env: 'SERVICE_ACME_DIRECTORY',
    group: remoteGroup,
    title: 'Address of the certificate authority',
    personOnly: true,
    addition: true,
    type: url('provider'),
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    restart: true,
    doc: 'ACME directory of the authority that issues the certificate of the public name.',
    samples: providerUrlSamples,
  }),
  setting({
    key: 'acme.probe_directory',
    env: 'SERVICE_ACME_PROBE_DIRECTORY',
    group: remoteGroup,
    title: 'Address of the authority for checks',
    personOnly: true,
    addition: true,
    type: url('provider'),
    default: 'https://acme-staging-v02.api.letsencrypt.org/directory',
    restart: true,
    doc:
      'ACME directory of a test authority, which is asked to connect to the public address when an Owner checks ' +
      'remote access. No certificate is taken from it.',
    samples: providerUrlSamples,
  }),
  setting({
    key: 'acme.resolver',
    env: 'SERVICE_ACME_RESOLVER',
    group: remoteGroup,
    title: 'Name server for the proof',
    personOnly: true,
    addition: true,
    type: listenAddress,
    restart: true,
    doc:
      'Name server that is asked whether the proof for the certificate can be seen, in place of the authoritative ' +
      'ones. For networks that cannot reach those.',
    samples: addressSamples,
  }),
  setting({
    key: 'acme.dns_a_url',
    env: 'SERVICE_ACME_DNS_A_URL',
    group: remoteGroup,
    title: 'Address of the first DNS provider',
    personOnly: true,
    addition: true,
    type: url('provider'),
    default: 'https://www.duckdns.org',
    restart: true,
    doc: 'Address at which records of the first DNS provider are changed.',
    samples: providerUrlSamples,
  }),
  setting({
    key: 'acme.dns_b_url',
    env: 'SERVICE_ACME_DNS_B_URL',
    group: remoteGroup,
    title: 'Address of the second DNS provider',
    personOnly: true,
    addition: true,
    type: url('provider'),
    default: 'https://desec.io/api/v1',
    restart: true,
    doc: 'Address at which records of the second DNS provider are changed.',
    samples: providerUrlSamples,
  }),
] as const;

declare module '../../config/setting.ts' {
  interface SettingTypes extends SettingTypesOf<typeof certificateSettings> {}
}
