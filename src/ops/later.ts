/** Settings whose feature this version does not have yet: they are read, checked and kept, and it is said that they do nothing. */
import type { Config, SettingKey } from '../config/index.ts';
import type { Finding } from '../contract/ops/operations.ts';

const LATER: readonly { keys: readonly SettingKey[]; feature: string }[] = [
  { keys: ['tls.dns_a'], feature: 'Trusted HTTPS at home' },
  { keys: ['remote.dns_a_domain', 'remote.dns_a_token', 'remote.proxy_token'], feature: 'Access from outside' },
  { keys: ['backup.key'], feature: 'Encrypted backups' },
  { keys: ['dlna.enabled'], feature: 'DLNA' },
  { keys: ['integrations.metadata.url', 'integrations.metadata.token'], feature: 'Online metadata' },
  { keys: ['integrations.home_automation.enabled'], feature: 'Home automation' },
  { keys: ['integrations.oidc.issuer'], feature: 'Sign-in by OpenID Connect' },
  { keys: ['integrations.saml.metadata_url', 'integrations.saml.metadata_xml'], feature: 'Sign-in by SAML' },
  { keys: ['integrations.scim.token'], feature: 'SCIM' },
  { keys: ['integrations.mcp.resource_url'], feature: 'Agent connections' },
  { keys: ['integrations.webhook.url'], feature: 'The webhook' },
];

export function laterFindings(config: Config): Finding[] {
  return LATER.flatMap(({ keys, feature }): Finding[] => {
    const key = keys.find((one) => {
      const value = config.get(one);
      return value !== undefined && value !== false && value !== '';
    });
    return key === undefined
      ? []
      : [
          {
            level: 'warning',
            subject: feature,
            sentence:
              'This is configured, and this version does not have it yet. The setting is kept and does nothing.',
            setting: key,
          },
        ];
  });
}
