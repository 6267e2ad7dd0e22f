/**
 * Rules between settings. They judge a whole result: at every start, and before every save.
 *
 * Some settings only make sense together. An Owner saves them one at a time, so a set that an Owner
 * has not finished is no fault: the feature stays off. The same set in YAML or the environment is a
 * fault, because its author can finish it there.
 */
import type { Fault } from './faults.ts';
import { settingLabel } from './faults.ts';
import type { SettingsView } from './layers.ts';
import type { SettingKey } from './setting.ts';
import { isInside } from './types/libraries.ts';
import { DNS_A_ZONE } from './types/trusted-https.ts';

export interface RuleBreach {
  fault: Fault;
  /** The setting at fault, then those it conflicts with or misses. */
  keys: readonly [SettingKey, ...SettingKey[]];
}

export interface Occasion {
  now: number;
  /** The keys being saved; left out at a start. */
  saving?: ReadonlySet<SettingKey>;
}

type Rule = (
  view: SettingsView,
  occasion: Occasion,
) => readonly (readonly [reason: string, key: SettingKey, ...others: SettingKey[]])[];

const DAY_MS = 86_400_000;
const LONGEST_SCIM_MS = 90 * DAY_MS;

/**
 * Every fault of a result, in the order of the rules; `broken` leaves out what turns on a value that could not be read.
 */
export const judgeWhole = (view: SettingsView, occasion: Occasion, broken: readonly Fault[]): RuleBreach[] => {
  const unknown = new Set(broken.map((fault) => fault.broken));
  return rulesBrokenBy(view, occasion).filter(({ keys }) => !keys.some((key) => unknown.has(key)));
};

/** Every fault of a result whose values are all readable, in the order of the rules. */
export const rulesBrokenBy = (view: SettingsView, occasion: Occasion): RuleBreach[] =>
  RULES.flatMap((rule) => rule(view, occasion)).map(([reason, key, ...others]) => ({
    fault: { where: settingLabel(view.setting(key)), reason },
    keys: [key, ...others],
  }));

const dlna: Rule = (view) =>
  view.get('dlna.enabled') === true && view.get('dlna.url') === undefined
    ? [['needs dlna.url', 'dlna.enabled', 'dlna.url']]
    : [];

const trustedHttps: Rule = (view) => {
  if (view.get('tls.dns_a') === undefined) return [];
  return [
    ...(view.get('tls.enabled') ? [] : [['needs tls.enabled', 'tls.dns_a', 'tls.enabled'] as const]),
    ...(view.get('remote.mode') === 'https'
      ? [['cannot be used together with remote.mode https', 'tls.dns_a', 'remote.mode'] as const]
      : []),
  ];
};

/** The server's own folders hold no media: in a library, keys and the database could be played and downloaded. */
const ownFolders: Rule = (view) =>
  (['paths.data', 'paths.cache'] as const)
    .filter((key) => view.get('libraries')?.some(({ path }) => isInside(path, view.get(key))))
    .map((key) => [`must not have a library inside ${key}`, 'libraries', key] as const);

const gateway: Rule = (view) =>
  view.get('remote.gateway')
    ? [
        ...(view.get('remote.mode') === 'https'
          ? []
          : [['needs remote.mode https', 'remote.gateway', 'remote.mode'] as const]),
        ...(view.get('remote.proxy_token') === undefined
          ? [['needs remote.proxy_token', 'remote.gateway', 'remote.proxy_token'] as const]
          : []),
      ]
    : [];

const remote: Rule = (view) => {
  if (view.get('remote.mode') !== 'https') return [];
  const domain = view.get('remote.dns_a_domain');
  const url = view.get('auth.url');
  // The address follows from the domain, so without a domain any address will do.
  const isExact = domain === undefined ? url !== undefined : url === `https://${domain}.${DNS_A_ZONE}`;
  return [
    ...(domain === undefined
      ? [['https needs remote.dns_a_domain', 'remote.mode', 'remote.dns_a_domain'] as const]
      : []),
    ...(view.get('remote.dns_a_token') === undefined
      ? [['https needs remote.dns_a_token', 'remote.mode', 'remote.dns_a_token'] as const]
      : []),
    ...(isExact
      ? []
      : [
          [
            `must be exactly https://<remote.dns_a_domain>.${DNS_A_ZONE} when remote.mode is https`,
            'auth.url',
            'remote.mode',
            'remote.dns_a_domain',
          ] as const,
        ]),
  ];
};

const mediaCompat: Rule = (view) =>
  view.get('integrations.media_compat.enabled') && view.get('tls.dns_a') === undefined
    ? [['needs trusted HTTPS in tls.dns_a', 'integrations.media_compat.enabled', 'tls.dns_a']]
    : [];

const saml: Rule = (view) =>
  view.get('integrations.saml.metadata_url') !== undefined && view.get('integrations.saml.metadata_xml') !== undefined
    ? [
        [
          'cannot be used together with integrations.saml.metadata_url',
          'integrations.saml.metadata_xml',
          'integrations.saml.metadata_url',
        ],
      ]
    : [];

const scimExpiry: Rule = (view, { now, saving }) => {
  const key = 'integrations.scim.token_expires_at';
  const expires = view.get(key);
  if (expires === undefined) return [];
  // A saved time that has passed since must not keep the server from starting: the token is merely over.
  const isJudged = saving ? saving.has(key) || saving.has('integrations.scim.token') : view.source(key) !== 'owner';
  if (isJudged && expires <= now) return [['must be in the future', key]];
  return saving?.has(key) === true && expires > now + LONGEST_SCIM_MS ? [['must be at most 90 days away', key]] : [];
};

/** Settings that need others. `needs` names them when any of `when` is set. */
const together =
  (when: readonly SettingKey[], needs: readonly SettingKey[] = when): Rule =>
  (view) => {
    const given = when.filter((key) => isGiven(view, key));
    const missing = needs.filter((key) => !isGiven(view, key));
    const [first] = given.filter((key) => view.source(key) === 'environment' || view.source(key) === 'yaml');
    return first === undefined || missing.length === 0 ? [] : [[`needs ${missing.join(', ')}`, first, ...missing]];
  };

/** Set, and for a statement of consent also true. */
const isGiven = (view: SettingsView, key: SettingKey): boolean =>
  view.get(key) !== undefined && view.get(key) !== false;

const MCP: readonly SettingKey[] = [
  'integrations.mcp.resource_url',
  'integrations.mcp.authorization_server',
  'integrations.mcp.introspection_url',
  'integrations.mcp.client_id',
  'integrations.mcp.client_secret',
];
const OIDC: readonly SettingKey[] = [
  'integrations.oidc.issuer',
  'integrations.oidc.client_id',
  'integrations.oidc.redirect_url',
];

const RULES: readonly Rule[] = [
  ownFolders,
  trustedHttps,
  remote,
  gateway,
  dlna,
  mediaCompat,
  together(['integrations.subtitles_b.api_key'], ['integrations.subtitles_b.personal_use']),
  together([
    'integrations.subtitles_c.api_key',
    'integrations.subtitles_c.username',
    'integrations.subtitles_c.password',
  ]),
  together([...OIDC, 'integrations.oidc.client_secret'], OIDC),
  saml,
  together(['integrations.scim.token', 'integrations.scim.token_expires_at']),
  scimExpiry,
  together(MCP),
  together(['integrations.webhook.token'], ['integrations.webhook.url']),
];
