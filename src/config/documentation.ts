/** Writes docs/settings.md from the declarations, so that the guide and the server agree. */
import type { AnySetting } from './setting.ts';
import type { SettingSet } from './setting-set.ts';

const HEAD = `# Settings

Every setting has a key, used in the YAML file and by the API, and an environment variable. The strongest source wins: environment, then YAML, then what an Owner saved in the dashboard, then the default. What YAML or the environment sets is shown in the dashboard and cannot be changed there. Blank means unset.

The YAML file is the one that \`SERVICE_CONFIG_FILE\` names, or \`service.yaml\` in the data folder. It starts with \`version: 1\` and nests keys:

\`\`\`yaml
version: 1
playback:
  mode: automatic
libraries:
  - { name: Films, path: /media/films, kind: movies }
backup:
  key_file: secrets/backup.key
\`\`\`

In YAML a list is a YAML list; in the environment it is a JSON list. A secret may be read from a file: in YAML by its key with \`_file\` appended (a path relative to the YAML file's folder, unless it is absolute), in the environment by its variable with \`_FILE\` appended. The file is an ordinary file of at most 16 KiB; the line break after the secret is ignored. A secret and its file cannot both be set. Do not keep secrets in the YAML file itself.

Unknown keys, unknown variables that start with \`SERVICE_\`, and values that do not fit stop the start with status 2 and one line for each fault. \`npm start -- config check [FILE]\` does the same checks and starts nothing; it does not read what an Owner saved.

Durations are written like \`10m\`, \`8760h\` or \`1h30m\`. A setting marked *restart* takes effect at the next start; the others at once. A secret is never shown again once it is saved.

A secret is sent only to the host it was entered for. When an address is changed or reset so that it names another host, port or scheme, the secrets that belong to it are removed and the reply lists them in \`cleared\`; another path at the same host keeps them. When the environment or YAML changes such an address while the server is stopped, a secret that was saved for another host is left out until the address names that host again. An address whose secret comes from YAML or the environment can only be moved to another host there, together with the secret.
`;

const TAIL = `
## Settings that go together

- \`dlna.enabled\` needs \`dlna.url\`.
- Trusted HTTPS at home (\`tls.dns_a\`) needs \`tls.enabled\` and cannot be used together with \`remote.mode\` https.
- \`remote.gateway\` needs \`remote.mode\` https and \`remote.proxy_token\`.
- \`remote.mode\` https needs \`remote.dns_a_domain\`, \`remote.dns_a_token\`, and an \`auth.url\` of exactly \`https://<remote.dns_a_domain>.duckdns.org\`.
- \`integrations.media_compat.enabled\` needs trusted HTTPS at home.
- \`integrations.subtitles_b\` needs its key and \`personal_use\`; \`integrations.subtitles_c\` its key, user name and password.
- \`integrations.oidc\` needs issuer, client_id and redirect_url. \`integrations.saml\` takes metadata_url or metadata_xml, not both.
- \`integrations.scim\` needs its token and a time in the future at which that token ends, at most 90 days away when it is saved.
- A library with entries in \`subtitles.wanted\` wants exactly these, and one with an entry without a language wants none. The other entries are wanted in all other libraries, after \`subtitles.language\`.
- \`integrations.mcp\` needs all five of its settings. \`integrations.webhook.token\` needs the URL.

In YAML and the environment an incomplete set is a fault. In the dashboard a set may be filled in step by step, and its feature stays off until the set is complete.

## Trusted HTTPS at home

\`tls.dns_a\` is one secret JSON object:

| Member | Rule |
|---|---|
| \`provider\` | \`dns_a\` (DuckDNS, also when left out) or \`dns_b\` (deSEC) |
| \`domain\` | for \`dns_a\` a lowercase subdomain label, for \`dns_b\` a lowercase full host name |
| \`token\` | the provider's token: 32 to 128 characters for \`dns_a\`, 16 to 512 for \`dns_b\` |
| \`address\` | the server's private IPv4 address |
| \`termsAccepted\` | \`true\`: the certificate authority's subscriber agreement is accepted |
`;

/** The whole document, ending with a line end. */
export function settingsTable({ all }: SettingSet): string {
  const rows = all.map((one) => {
    const needsRestart = one.restart ? 'yes' : 'no';
    const cells = [nameOf(one), `\`${one.env}\``, cell(one.type.says), defaultOf(one), needsRestart, docOf(one)];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    HEAD,
    '## All settings',
    '',
    '| Key | Variable | Value | Default | Restart | What it is for |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    'Settings marked *added* are our own additions to the set above. Those marked *not in use yet* belong to ' +
      'features that this version does not have: they are checked and kept, the dashboard hides them, and the ' +
      'diagnostics report any that are set.',
    TAIL,
  ].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
/** A setting that nothing reads yet says so. */
const docOf = ({ doc, type, until, page, unit, unset }: AnySetting): string =>
  cell(
    [
      until !== undefined && `*Not in use yet: ${until}.*`,
      doc,
      unit && `${unit.size} is 1 ${unit.name}.`,
      unset !== undefined && `Blank means ${unsetOf(type, unset)}.`,
      page !== undefined && `Get it at ${page}.`,
    ]
      .filter((part) => typeof part === 'string')
      .join(' '),
  );
const unsetOf = ({ allowed }: AnySetting['type'], unset: string): string =>
  unset === 'true' ? 'yes' : allowed?.includes(unset) === true ? `\`${unset}\`` : `"${unset}"`;
const nameOf = ({ key, addition }: AnySetting): string => (addition ? `\`${key}\` *added*` : `\`${key}\``);
const defaultOf = (one: AnySetting): string => (one.default === '' ? '' : `\`${cell(one.default)}\``);
