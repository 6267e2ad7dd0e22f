/**
 * Settings of features that this version does not have. Their values are checked and kept, and do nothing. A feature's
 * settings move to its domain when it arrives.
 */
import { boolean, secret, text } from './types/basic.ts';
import { url } from './types/network.ts';
import { setting, settingGroup, type SettingTypesOf } from './setting.ts';
import { booleanSamples, httpsUrlSamples, longText, providerUrlSamples, shortTextSamples } from './samples.ts';

const dlnaGroup = settingGroup('dlna', 'DLNA');
const mediaCompatGroup = settingGroup('integrations.media_compat', 'Apps of other servers');
const homeAutomationGroup = settingGroup('integrations.home_automation', 'Home automation');
const mcpGroup = settingGroup('integrations.mcp', 'Agents');
const webhookGroup = settingGroup('integrations.webhook', 'Webhook');

export const laterSettings = [
  setting({
    key: 'dlna.url',
    env: 'SERVICE_DLNA_URL',
    group: dlnaGroup,
    title: 'DLNA address',
    type: url('home'),
    restart: true,
    doc: 'Address at which devices at home reach this server over DLNA.',
    samples: () => ({
      good: ['http://192.168.1.2:38128', 'https://media.home'],
      bad: [
        '192.168.1.2',
        'ftp://192.168.1.2',
        'http://u:p@192.168.1.2',
        'http://192.168.1.2/#x',
        `http://a/${longText(2048)}`,
      ],
    }),
    until: 'DLNA',
  }),
  setting({
    key: 'dlna.enabled',
    env: 'SERVICE_DLNA_ENABLED',
    group: dlnaGroup,
    title: 'Share over DLNA',
    type: boolean,
    restart: false,
    doc: 'Show the libraries to DLNA devices at home. Needs dlna.url.',
    samples: booleanSamples,
    until: 'DLNA',
  }),
  setting({
    key: 'integrations.media_compat.enabled',
    env: 'SERVICE_MEDIA_COMPAT_ENABLED',
    group: mediaCompatGroup,
    title: 'Let other apps connect',
    type: boolean,
    default: 'false',
    restart: false,
    doc: 'Let clients of a compatible media server connect. Needs trusted HTTPS (tls.dns_a).',
    samples: booleanSamples,
    until: 'Apps of other servers',
  }),
  setting({
    key: 'integrations.home_automation.enabled',
    env: 'SERVICE_HOME_AUTOMATION_ENABLED',
    group: homeAutomationGroup,
    title: 'Offer players to home automation',
    type: boolean,
    restart: false,
    doc: 'Offer players and what they play to home automation.',
    samples: booleanSamples,
    until: 'Home automation',
  }),
  setting({
    key: 'integrations.mcp.resource_url',
    env: 'SERVICE_MCP_RESOURCE_URL',
    group: mcpGroup,
    title: 'Public address',
    personOnly: true,
    type: url('https', { endsWith: 'mcp' }),
    restart: true,
    doc: 'Public address of the agent endpoint, ending in /mcp. All five MCP settings go together.',
    samples: () => ({
      good: ['https://example.org/mcp', 'https://example.org/a/mcp'],
      bad: [
        'https://example.org/',
        'https://example.org/mcp/',
        'https://example.org/x?/mcp',
        'https://example.org/mcp?x',
        'https://example.org/amcp',
        ...httpsUrlSamples().bad,
      ],
    }),
    until: 'Agent connections',
  }),
  setting({
    key: 'integrations.mcp.authorization_server',
    env: 'SERVICE_MCP_AUTHORIZATION_SERVER',
    group: mcpGroup,
    title: 'OAuth server',
    personOnly: true,
    type: url('https'),
    restart: true,
    doc: 'OAuth server that issues tokens to agents.',
    samples: httpsUrlSamples,
    until: 'Agent connections',
  }),
  setting({
    key: 'integrations.mcp.introspection_url',
    env: 'SERVICE_MCP_INTROSPECTION_URL',
    group: mcpGroup,
    title: 'Introspection address',
    personOnly: true,
    type: url('https'),
    restart: true,
    doc: 'Address at which that OAuth server checks tokens.',
    samples: httpsUrlSamples,
    until: 'Agent connections',
  }),
  setting({
    key: 'integrations.mcp.client_id',
    env: 'SERVICE_MCP_CLIENT_ID',
    group: mcpGroup,
    title: 'Client ID',
    personOnly: true,
    type: text({ max: 512 }),
    restart: true,
    doc: 'Client name of this server at that OAuth server.',
    samples: shortTextSamples,
    until: 'Agent connections',
  }),
  setting({
    key: 'integrations.mcp.client_secret',
    env: 'SERVICE_MCP_CLIENT_SECRET',
    group: mcpGroup,
    title: 'Client secret',
    personOnly: true,
    type: secret({ max: 1024 }),
    belongsTo: ['integrations.mcp.authorization_server', 'integrations.mcp.introspection_url'],
    restart: true,
    doc: 'Client secret of this server at that OAuth server.',
    samples: shortTextSamples,
    until: 'Agent connections',
  }),
  setting({
    key: 'integrations.webhook.url',
    env: 'SERVICE_WEBHOOK_URL',
    group: webhookGroup,
    title: 'Address',
    type: url('provider'),
    restart: true,
    doc: 'Address that receives events.',
    samples: providerUrlSamples,
    until: 'Webhooks',
  }),
  setting({
    key: 'integrations.webhook.token',
    env: 'SERVICE_WEBHOOK_TOKEN',
    group: webhookGroup,
    title: 'Access token',
    type: secret({ max: 1024, visible: true }),
    belongsTo: ['integrations.webhook.url'],
    restart: true,
    doc: 'Token that is sent with every event.',
    samples: () => ({ good: ['t', longText(1024)], bad: ['a b', 'a\nb', longText(1025)] }),
    until: 'Webhooks',
  }),
] as const;

declare module './setting.ts' {
  interface SettingTypes extends SettingTypesOf<typeof laterSettings> {}
}
