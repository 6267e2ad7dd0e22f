/** Settings of remote access. */
import {
  addressSamples,
  boolean,
  booleanSamples,
  choiceSamples,
  dnsLabel,
  listenAddress,
  longText,
  oneOf,
  secret,
  setting,
  settingGroup,
  type SettingTypesOf,
} from '../config/index.ts';

const remoteGroup = settingGroup('remote', 'Remote access');

export const remoteSettings = [
  setting({
    key: 'remote.proxy_token',
    env: 'SERVICE_PROXY_TOKEN',
    group: remoteGroup,
    title: 'Gateway token',
    personOnly: true,
    type: secret({ min: 16, max: 512, visible: true }),
    belongsTo: [],
    restart: true,
    doc:
      'Token by which the gateway proves that the address it forwards can be trusted. It is accepted only at the ' +
      'private socket of the gateway.',
    samples: () => ({ good: [longText(16), longText(512)], bad: [longText(15), longText(513), `${longText(16)} `] }),
  }),
  setting({
    key: 'remote.mode',
    env: 'SERVICE_REMOTE_MODE',
    group: remoteGroup,
    title: 'Remote access',
    personOnly: true,
    type: oneOf(['off', 'https']),
    labels: { off: 'Off', https: 'HTTPS at the public name' },
    default: 'off',
    restart: true,
    doc:
      'Remote access: a listener at the public name, over HTTPS with a certificate that browsers trust. It needs ' +
      'auth.url and the name at the DNS provider.',
    samples: choiceSamples('off', 'https'),
  }),
  setting({
    key: 'remote.gateway',
    env: 'SERVICE_PUBLIC_GATEWAY',
    group: remoteGroup,
    title: 'Use the gateway',
    personOnly: true,
    type: boolean,
    default: 'false',
    restart: true,
    doc:
      'A gateway on this machine takes the requests from outside and passes them on through a private socket. Needs ' +
      'remote.mode https and remote.proxy_token.',
    samples: booleanSamples,
  }),
  setting({
    key: 'remote.dns_a_domain',
    env: 'SERVICE_DNS_A_DOMAIN',
    group: remoteGroup,
    title: 'Subdomain',
    personOnly: true,
    type: dnsLabel,
    restart: true,
    doc: 'Subdomain at the first DNS provider for remote access.',
    samples: () => ({
      good: ['home', 'a-1', longText(63)],
      bad: ['Home', 'home.duckdns.org', '-a', 'a-', longText(64), 'a_b', 'é'],
    }),
  }),
  setting({
    key: 'remote.dns_a_token',
    env: 'SERVICE_DNS_A_TOKEN',
    group: remoteGroup,
    title: 'DNS provider token',
    personOnly: true,
    type: secret({ min: 32, max: 128, visible: true }),
    belongsTo: ['acme.dns_a_url'],
    restart: true,
    doc: 'Token of the first DNS provider for remote access.',
    samples: () => ({ good: [longText(32), longText(128)], bad: [longText(31), longText(129), `${longText(32)} `] }),
  }),
  setting({
    key: 'remote.listen',
    env: 'SERVICE_REMOTE_LISTEN',
    group: remoteGroup,
    title: 'Address and port',
    personOnly: true,
    type: listenAddress,
    default: ':8443',
    restart: true,
    doc:
      'Address and port on which the server answers requests from outside. Forward port 443 of the router to it. ' +
      'Not used with the gateway.',
    samples: addressSamples,
  }),
] as const;

declare module '../config/setting.ts' {
  interface SettingTypes extends SettingTypesOf<typeof remoteSettings> {}
}
