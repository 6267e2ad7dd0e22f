/** Every row of the configuration, against what it promises, and what each accepts and refuses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booleanSamples } from './samples.ts';
import { keptText, InvalidValue, setting, settingGroup } from './setting.ts';
import { settingSet } from './setting-set.ts';
import { boolean } from './types/basic.ts';
import { SETTINGS } from '../settings.ts';

/** Key, variable, default (`*`: some https address of ours), restart, secret: as every deployment relies on them. */
const PROMISED: readonly (readonly [string, string, string, boolean, boolean])[] = [
  ['listen', 'SERVICE_LISTEN', '127.0.0.1:38128', true, false],
  ['tls.enabled', 'SERVICE_TLS_ENABLED', 'true', true, false],
  ['tls.hosts', 'SERVICE_TLS_HOSTS', '', true, false],
  ['tls.dns_a', 'SERVICE_DNS_A_HTTPS', '', true, true],
  ['paths.media', 'SERVICE_MEDIA_DIR', '/media', true, false],
  ['paths.data', 'SERVICE_DATA_DIR', '/config', true, false],
  ['paths.cache', 'SERVICE_CACHE_DIR', '/cache', true, false],
  ['binaries.ffmpeg', 'SERVICE_FFMPEG', 'ffmpeg', true, false],
  ['binaries.ffprobe', 'SERVICE_FFPROBE', 'ffprobe', true, false],
  ['binaries.fpcalc', 'SERVICE_FPCALC', 'fpcalc', true, false],
  ['server.name', 'SERVICE_SERVER_NAME', '', false, false],
  ['supporter.activation_url', 'SERVICE_SUPPORTER_ACTIVATION_URL', '*', true, false],
  ['supporter.url', 'SERVICE_SUPPORT_URL', '*', true, false],
  ['security.require_mfa', 'SERVICE_REQUIRE_MFA', 'true', false, false],
  ['auth.url', 'SERVICE_AUTH_URL', '', true, false],
  ['libraries', 'SERVICE_LIBRARIES', '', false, false],
  ['playback.mode', 'SERVICE_PLAYBACK_MODE', '', false, false],
  ['playback.autoplay', 'SERVICE_AUTOPLAY', '', false, false],
  ['playback.subtitles', 'SERVICE_SUBTITLES', '', false, false],
  ['playback.auto_skip', 'SERVICE_AUTO_SKIP', '', false, false],
  ['transcoding.quality', 'SERVICE_TRANSCODE_QUALITY', '', false, false],
  ['transcoding.accelerator', 'SERVICE_TRANSCODE_ACCELERATOR', '', false, false],
  ['transcoding.codec', 'SERVICE_TRANSCODE_CODEC', '', false, false],
  ['transcoding.tone_map', 'SERVICE_TONE_MAP', '', false, false],
  ['subtitles.language', 'SERVICE_SUBTITLE_LANGUAGE', '', false, false],
  ['scanning.interval', 'SERVICE_SCAN_INTERVAL', '10m', true, false],
  ['scanning.frequency', 'SERVICE_SCAN_FREQUENCY', '', false, false],
  ['dlna.url', 'SERVICE_DLNA_URL', '', true, false],
  ['dlna.enabled', 'SERVICE_DLNA_ENABLED', '', false, false],
  ['backup.directory', 'SERVICE_BACKUP_DIR', '/backups', true, false],
  ['backup.key', 'SERVICE_BACKUP_KEY', '', true, true],
  ['backup.interval', 'SERVICE_BACKUP_INTERVAL', '24h', true, false],
  ['backup.retention', 'SERVICE_BACKUP_RETENTION', '7', true, false],
  ['logging.level', 'SERVICE_LOG_LEVEL', 'info', false, false],
  ['logging.audit_retention', 'SERVICE_AUDIT_RETENTION', '8760h', true, false],
  ['logging.playback_retention', 'SERVICE_PLAYBACK_RETENTION', '2160h', true, false],
  ['remote.proxy_token', 'SERVICE_PROXY_TOKEN', '', true, true],
  ['remote.mode', 'SERVICE_REMOTE_MODE', 'off', true, false],
  ['remote.gateway', 'SERVICE_PUBLIC_GATEWAY', 'false', true, false],
  ['remote.dns_a_domain', 'SERVICE_DNS_A_DOMAIN', '', true, false],
  ['remote.dns_a_token', 'SERVICE_DNS_A_TOKEN', '', true, true],
  ['remote.listen', 'SERVICE_REMOTE_LISTEN', ':8443', true, false],
  ['integrations.metadata.url', 'SERVICE_METADATA_URL', '', true, false],
  ['integrations.metadata.image_url', 'SERVICE_METADATA_IMAGE_URL', '', true, false],
  ['integrations.metadata.token', 'SERVICE_METADATA_TOKEN', '', true, true],
  ['integrations.media_compat.enabled', 'SERVICE_MEDIA_COMPAT_ENABLED', 'false', false, false],
  ['integrations.home_automation.enabled', 'SERVICE_HOME_AUTOMATION_ENABLED', '', false, false],
  ['integrations.subtitles_a.url', 'SERVICE_SUBTITLES_A_URL', '', true, false],
  ['integrations.subtitles_a.api_key', 'SERVICE_SUBTITLES_A_API_KEY', '', true, true],
  ['integrations.subtitles_b.url', 'SERVICE_SUBTITLES_B_URL', '*', true, false],
  ['integrations.subtitles_b.api_key', 'SERVICE_SUBTITLES_B_API_KEY', '', true, true],
  ['integrations.subtitles_b.personal_use', 'SERVICE_SUBTITLES_B_PERSONAL_USE', '', true, false],
  ['integrations.subtitles_c.url', 'SERVICE_SUBTITLES_C_URL', '*', true, false],
  ['integrations.subtitles_c.api_key', 'SERVICE_SUBTITLES_C_API_KEY', '', true, true],
  ['integrations.subtitles_c.username', 'SERVICE_SUBTITLES_C_USERNAME', '', true, true],
  ['integrations.subtitles_c.password', 'SERVICE_SUBTITLES_C_PASSWORD', '', true, true],
  ['integrations.oidc.issuer', 'SERVICE_OIDC_ISSUER', '', true, false],
  ['integrations.oidc.client_id', 'SERVICE_OIDC_CLIENT_ID', '', true, false],
  ['integrations.oidc.client_secret', 'SERVICE_OIDC_CLIENT_SECRET', '', true, true],
  ['integrations.oidc.redirect_url', 'SERVICE_OIDC_REDIRECT_URL', '', true, false],
  ['integrations.oidc.identity_claim', 'SERVICE_OIDC_IDENTITY_CLAIM', 'sub', true, false],
  ['integrations.saml.metadata_url', 'SERVICE_SAML_METADATA_URL', '', true, false],
  ['integrations.saml.metadata_xml', 'SERVICE_SAML_METADATA_XML', '', true, false],
  ['integrations.saml.identity_attribute', 'SERVICE_SAML_IDENTITY_ATTRIBUTE', 'NameID', true, false],
  ['integrations.scim.token', 'SERVICE_SCIM_TOKEN', '', true, true],
  ['integrations.scim.token_expires_at', 'SERVICE_SCIM_TOKEN_EXPIRES_AT', '', true, false],
  ['integrations.mcp.resource_url', 'SERVICE_MCP_RESOURCE_URL', '', true, false],
  ['integrations.mcp.authorization_server', 'SERVICE_MCP_AUTHORIZATION_SERVER', '', true, false],
  ['integrations.mcp.introspection_url', 'SERVICE_MCP_INTROSPECTION_URL', '', true, false],
  ['integrations.mcp.client_id', 'SERVICE_MCP_CLIENT_ID', '', true, false],
  ['integrations.mcp.client_secret', 'SERVICE_MCP_CLIENT_SECRET', '', true, true],
  ['integrations.webhook.url', 'SERVICE_WEBHOOK_URL', '', true, false],
  ['integrations.webhook.token', 'SERVICE_WEBHOOK_TOKEN', '', true, true],
  ['binaries.tesseract', 'SERVICE_TESSERACT', 'tesseract', true, false],
  ['binaries.whisper', 'SERVICE_WHISPER', 'whisper-cli', true, false],
  ['subtitles.transcription_model', 'SERVICE_TRANSCRIPTION_MODEL', '', true, false],
  ['subtitles.transcription_architecture', 'SERVICE_TRANSCRIPTION_ARCHITECTURE', 'small', true, false],
];

const byKey = (a: readonly unknown[], b: readonly unknown[]): number => (String(a[0]) < String(b[0]) ? -1 : 1);

test('the settings are those promised', () => {
  const promised = new Map(PROMISED.map((row) => [row[0], row]));
  // Additions are our own: what is promised stays as it is next to them.
  const rows = SETTINGS.all.filter(({ addition }) => !addition);
  const found = rows.map(({ key, env, restart, secret, default: text }) => [
    key,
    env,
    promised.get(key)?.[2] === '*' && text.startsWith('https://') ? '*' : text,
    restart,
    secret,
  ]);
  assert.deepEqual(found.toSorted(byKey), PROMISED.toSorted(byKey));
});

/** Titles in which people say what the key says, and groups of one word. */
const SAME_WORDS = new Set(['API key', 'Client ID', 'Client secret', 'Password', 'Subdomain', 'Libraries']);
/** Returns what makes a title unfit for people: it is the key or a part of it, or it has its alphabet. */
function faultOf(key: string, title: string): string | undefined {
  const words = (text: string): string => text.toLowerCase().replaceAll(/[._]/g, ' ');
  if (/[._]/.test(title.replace(/\.com$/, ''))) return 'it is written like a key';
  if (/(^| )[a-z]$/i.test(title)) return 'a letter stands for a name';
  if (SAME_WORDS.has(title)) return undefined;
  return words(title) === words(key.split('.').at(-1) ?? key) ||
    (title !== 'Server name' && words(title) === words(key))
    ? 'it is only the key'
    : undefined;
}

test('a title that is made from the key is found', () => {
  for (const [key, title] of [
    ['tls.dns_a', 'DNS a'],
    ['paths.data', 'Paths.data'],
    ['paths.data', 'Data'],
    ['binaries.ffmpeg', 'ffmpeg'],
    ['scanning.interval', 'Scanning interval'],
    ['security.require_mfa', 'Require_mfa'],
  ] as const)
    assert.ok(faultOf(key, title), title);
  assert.equal(faultOf('paths.data', 'Data folder'), undefined);
});

test('titles are unique in their group, and general settings say in one sentence what they are for', () => {
  const names = SETTINGS.all.map(({ group, title }) => `${group.title}: ${title}`);
  assert.deepEqual(names, [...new Set(names)]);
  const general = SETTINGS.all.filter((one) => one.general);
  assert.ok(general.length >= 8 && general.length <= 16, `${general.length} settings are general`);
  for (const { key, doc, until, key: name } of general) {
    assert.equal(until, undefined, name);
    assert.doesNotMatch(doc, /[.:?] [A-Z]|[a-z]_[a-z]|Blank/, `${key}: one plain sentence`);
    assert.ok(doc.length <= 125, `${key}: ${doc.length} characters`);
  }
});

test('each setting has a title, and a label for each value that does not speak for itself', () => {
  const UNLABELLED = new Set(['logging.level', 'subtitles.transcription_architecture']);
  for (const { key, title, group, type, labels = {}, unset, until, default: usual } of SETTINGS.all) {
    assert.match(title, /^\p{L}.{1,45}$/u, key);
    assert.equal(faultOf(key, title), undefined, `${key}: "${title}"`);
    assert.match(group.title, /^[A-Z]/, key);
    assert.equal(faultOf('', group.title), undefined, group.id);
    const isNamed = type.kind === 'boolean' || type.kind === 'country' || UNLABELLED.has(key);
    const allowed = isNamed || until !== undefined ? [] : (type.allowed ?? []);
    assert.deepEqual(Object.keys(labels), [...allowed], key);
    if (type.kind === 'enum' && unset !== undefined && /^[a-z]/.test(unset))
      assert.ok(type.allowed?.includes(unset), `${key}: ${unset} is neither a value nor words`);
    // A choice without a default names what happens while nothing is chosen.
    if (type.kind === 'enum' && usual === '') assert.ok(unset !== undefined, key);
  }
});

test('each setting says in one sentence what it is for', () => {
  for (const { key, doc, type } of SETTINGS.all) {
    assert.match(doc, /^[A-Z].*\.$/, key);
    assert.ok(type.says.length > 0, key);
  }
});

for (const { key, type, samples } of SETTINGS.all) {
  const { good, bad } = samples();
  test(`${key} accepts what fits`, () => {
    assert.ok(good.length > 0);
    for (const text of good) {
      const kept = keptText(type, text);
      assert.deepEqual(type.parse(kept), type.parse(text), 'the kept form reads back as the same value');
      assert.equal(keptText(type, kept), kept, 'the kept form is kept as it is');
    }
  });
  test(`${key} refuses what does not, without repeating it`, () => {
    assert.ok(bad.length > 0);
    for (const text of bad) {
      const refused = (error: unknown): boolean =>
        error instanceof InvalidValue &&
        /^[a-zA-Z]/.test(error.message) &&
        (text.length < 8 || !error.message.includes(text));
      assert.throws(() => type.parse(text), refused, `${key} accepted ${text.slice(0, 80)}`);
    }
  });
}

test('choices are exactly these', () => {
  const allowed = Object.fromEntries(
    SETTINGS.all.filter(({ type }) => type.kind === 'enum').map(({ key, type }) => [key, type.allowed?.join()]),
  );
  assert.deepEqual(allowed, {
    'playback.mode': 'automatic,direct,compatible',
    'playback.subtitles': 'on,off',
    'transcoding.quality': 'automatic,speed,quality',
    'transcoding.accelerator': 'none,auto,vaapi,qsv,cuda,videotoolbox,rkmpp,v4l2m2m,amf,mf',
    'transcoding.codec': 'auto,h264,hevc,av1,vp9',
    'scanning.frequency': 'default,off,5m,15m,1h',
    'logging.level': 'debug,info,warn,error',
    'remote.mode': 'off,https',
    'subtitles.transcription_architecture':
      'tiny,base,small,medium,large.v1,large.v2,large.v3,large.v3.turbo,tiny.en,base.en,small.en,medium.en',
  });
});

test('a default that its own type refuses stops the program', () => {
  const group = settingGroup('x', 'X');
  assert.throws(
    () =>
      setting({
        key: 'x',
        env: 'SERVICE_X',
        group,
        title: 'X',
        type: boolean,
        default: 'maybe',
        restart: false,
        doc: 'X.',
        samples: booleanSamples,
      }),
    InvalidValue,
  );
});

test('a set refuses keys, variables and group titles that clash', () => {
  const one = { env: 'SERVICE_A', type: boolean, restart: false, doc: 'A.', samples: booleanSamples } as const;
  const a = setting({ ...one, key: 'a', title: 'A', group: settingGroup('g', 'G') });
  assert.equal(settingSet([a]).of('a')?.env, 'SERVICE_A');
  assert.throws(() => settingSet([a, a]), /share a key/);
  assert.throws(
    () => settingSet([a, setting({ ...one, key: 'b', title: 'B', group: settingGroup('g', 'G') })]),
    /share a key or a variable/,
  );
  const other = setting({ ...one, key: 'b', env: 'SERVICE_B', title: 'B', group: settingGroup('g', 'Other') });
  assert.throws(() => settingSet([a, other]), /another title/);
});
