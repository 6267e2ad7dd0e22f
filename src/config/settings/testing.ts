/** Texts that each setting accepts and refuses: the rows of the tests, and an exact list of what was thought of. */
import type { SettingKey } from './index.ts';

interface Samples {
  good: readonly string[];
  bad: readonly string[];
}

const long = (length: number): string => 'x'.repeat(length);
const booleans: Samples = { good: ['true', 'false', '1', '0'], bad: ['yes', 'TRUE', 'on', '2', 'truefalse', 'constructor'] };
const paths: Samples = { good: ['/media', '/a/b/', '/a/../b', '/with space', '/ünï'], bad: ['media', './media', '../x', '~/x', '/a\u0000b', '/a\nb', `/${long(4096)}`] };
const programs: Samples = { good: ['ffmpeg', 'ffmpeg-7.1', '/usr/bin/ffmpeg', '/opt/my tools/x'], bad: ['-version', './ffmpeg', 'bin/ffmpeg', 'a b', 'a;b', '$(x)', '..', '.hidden', 'x\u0000'] };
const providerUrls: Samples = {
  good: ['https://api.example.org', 'https://api.example.org:8443/v1?a=b', 'http://127.0.0.1:9000', 'http://localhost:9000/x', 'http://[::1]:9000', `https://example.org/${long(2028)}`],
  bad: ['http://example.org', 'http://192.168.1.2', 'http://127.0.0.1.example.org', 'ftp://example.org', 'https://', 'https:example.org', 'https:///example.org', '//example.org', 'example.org', '/path', 'https://u:p@example.org', 'https://u@example.org', 'https://@example.org', 'https://example.org/#top', 'https://example.org#', 'https://exa mple.org', 'https://example.org/\\x', 'javascript:alert(1)', 'file:///etc/passwd', 'https://[::1', 'https://example.org:99999', `https://example.org/${long(2029)}`],
};
const httpsUrls: Samples = { good: ['https://example.org/a'], bad: ['http://127.0.0.1/a', 'http://localhost/a', ...providerUrls.bad] };
const addresses: Samples = {
  good: ['127.0.0.1:38128', ':8443', '0.0.0.0:0', '[::]:80', '[::1]:65535', 'localhost:1', 'media.home:8096'],
  bad: ['38128', '127.0.0.1', '127.0.0.1:', '127.0.0.1:65536', '127.0.0.1:-1', '127.0.0.1:08', '::1:80', '[127.0.0.1]:80', '[::1', '1.2.3.4.5:80', '256.1.1.1:80', 'a b:80', 'http://x:80', ':80:80', 'x:8e1'],
};
const freely: Samples = { good: ['x', long(512)], bad: ['a\u0000b', 'a\nb', long(5000)] };
const keys: Samples = { good: ['k', long(512)], bad: ['a b', 'a\tb', 'é', long(513)] };
const retention: Samples = { good: ['8760h', '1s', '1h30m', '1.5h', '90m'], bad: ['0', '0s', '-1h', '1', '1d', '1y', 'h', '1 h', '1h 30m', '10000000000h', '1h30', 'one hour', '1e3s', '999ms'] };

const choice = (...good: string[]): Samples => ({ good, bad: ['other', good[0]?.toUpperCase() ?? '', `${good[0]}!`, 'toString', '__proto__'] });

const trusted = (over: Record<string, unknown>): string =>
  JSON.stringify({ provider: 'dns_a', domain: 'home', token: long(32), address: '192.168.1.10', termsAccepted: true, ...over });
const { provider: _, ...older } = JSON.parse(trusted({})) as Record<string, unknown>;
const library = (over: Record<string, unknown>): Record<string, unknown> => ({ name: 'Films', path: '/media/films', kind: 'movies', ...over });

export const SAMPLES: Readonly<Record<SettingKey, Samples>> = {
  listen: addresses,
  'tls.enabled': booleans,
  'tls.hosts': {
    good: ['[]', '["media.home"]', '["192.168.1.2","::1","Media.Home"]', JSON.stringify(Array.from({ length: 32 }, (_, n) => `h${n}.home`))],
    bad: ['media.home', '{}', '[1]', '[""]', '["a b"]', '["*.home"]', '["a","A"]', '["https://a"]', '["-a.home"]', '["a..b"]', '["1.2.3"]', '[', JSON.stringify(Array.from({ length: 33 }, (_, n) => `h${n}.home`))],
  },
  'tls.dns_a': {
    good: [trusted({}), JSON.stringify(older), trusted({ address: ' 10.0.0.1 ' }), trusted({ address: '::ffff:172.16.0.1' }), trusted({ token: long(128) }), trusted({ provider: 'dns_b', domain: 'home.example.dedyn.io', token: long(16) }), trusted({ provider: 'dns_b', domain: 'a.b', token: long(512) })],
    bad: [
      '{}', '[]', '"x"', 'null', 'not json', `${trusted({})}x`, trusted({}).replace('{', '{"domain":"other",'), '{'.repeat(2000), trusted({ extra: 1 }),
      trusted({ provider: 'dns_c' }), trusted({ provider: '' }), trusted({ provider: null }),
      trusted({ domain: 'Home' }), trusted({ domain: 'home.duckdns.org' }), trusted({ domain: '' }), trusted({ domain: '-home' }), trusted({ domain: long(64) }),
      trusted({ provider: 'dns_b', domain: 'home' }), trusted({ provider: 'dns_b', domain: 'Home.dedyn.io' }), trusted({ provider: 'dns_b', domain: 'home.dedyn.io.' }),
      trusted({ token: long(31) }), trusted({ token: long(129) }), trusted({ token: `${long(31)} ` }), trusted({ provider: 'dns_b', domain: 'a.b', token: long(15) }), trusted({ provider: 'dns_b', domain: 'a.b', token: long(513) }),
      trusted({ address: '8.8.8.8' }), trusted({ address: '127.0.0.1' }), trusted({ address: '169.254.1.1' }), trusted({ address: '100.64.0.1' }), trusted({ address: '172.32.0.1' }), trusted({ address: '192.168.01.1' }), trusted({ address: 'fd00::1' }), trusted({ address: '192.168.1' }), trusted({ address: 3232235786 }),
      trusted({ termsAccepted: false }), trusted({ termsAccepted: 'true' }), trusted({ termsAccepted: undefined }),
    ],
  },
  'paths.media': paths,
  'paths.data': paths,
  'paths.cache': paths,
  'binaries.ffmpeg': programs,
  'binaries.ffprobe': programs,
  'binaries.fpcalc': programs,
  'server.name': { good: ['Living room', 'é'.repeat(64), '🎬'.repeat(64)], bad: [long(65), 'a\nb', 'a\u007fb'] },
  'supporter.activation_url': providerUrls,
  'supporter.url': providerUrls,
  'security.require_mfa': booleans,
  'auth.url': providerUrls,
  libraries: {
    good: [JSON.stringify([library({})]), JSON.stringify([library({ name: 'Tab\u2028: "quoted" \\ # é 🎬', path: '/m/{a}: [b]' })], null, '\t'), JSON.stringify([library({}), library({ name: 'Shows', path: '/media/shows', kind: 'shows' })]), JSON.stringify([library({}), library({ name: 'B', path: '/media/films2' })]), JSON.stringify([library({ path: '/process' })]), ...['music', 'audiobooks', 'books', 'photos', 'mixed'].map((kind) => JSON.stringify([library({ kind })]))],
    bad: [
      '[]', '{}', 'films', '["/media"]', '[null]', '[{"name":"a","path":"/a","path":"/b","kind":"mixed"}]', '['.repeat(50_000), JSON.stringify([library({ kind: 'games' })]), JSON.stringify([library({ kind: undefined })]), JSON.stringify([library({ name: '' })]), JSON.stringify([library({ name: ' ' })]), JSON.stringify([library({ name: long(65) })]), JSON.stringify([library({ name: 'a\nb' })]),
      JSON.stringify([library({ path: 'media' })]), JSON.stringify([library({ path: '/a\u0000' })]), JSON.stringify([library({ path: '/proc' })]), JSON.stringify([library({ path: '/sys/x' })]), JSON.stringify([library({ path: '/media/../dev' })]), JSON.stringify([library({ extra: true })]),
      JSON.stringify([library({}), library({ path: '/other' })]), JSON.stringify([library({}), library({ name: 'FILMS', path: '/other' })]), JSON.stringify([library({}), library({ name: 'B' })]),
      JSON.stringify([library({}), library({ name: 'B', path: '/media/films/new' })]), JSON.stringify([library({}), library({ name: 'B', path: '/media' })]), JSON.stringify([library({}), library({ name: 'B', path: '/' })]), JSON.stringify([library({}), library({ name: 'B', path: '/media/x/../films/y' })]),
      JSON.stringify(Array.from({ length: 101 }, (_, n) => library({ name: `n${n}`, path: `/m/${n}` }))),
    ],
  },
  'playback.mode': choice('automatic', 'direct', 'compatible'),
  'playback.autoplay': booleans,
  'playback.subtitles': choice('on', 'off'),
  'playback.auto_skip': { good: ['[]', '["intro"]', '["intro","recap","commercial","outro","credits"]'], bad: ['intro', '["intro","intro"]', '["song"]', '[1]', '{}', '[["intro"]]'] },
  'playback.remote_bitrate': { good: ['100000', '8000000', '1000000000'], bad: ['0', '8', '99999', '1000000001', '-8000000', '8e6', '8M', '8000000.5', ' 8000000', '08000000'] },
  'transcoding.quality': choice('automatic', 'speed', 'quality'),
  'transcoding.accelerator': choice('none', 'auto', 'vaapi', 'qsv', 'cuda', 'videotoolbox', 'rkmpp', 'v4l2m2m', 'amf', 'mf'),
  'transcoding.codec': choice('auto', 'h264', 'hevc', 'av1', 'vp9'),
  'transcoding.tone_map': booleans,
  'subtitles.language': { good: ['en', 'deu', 'EN', 'en-GB', 'pt-br'], bad: ['zz', 'e', 'engl', 'zzz', 'e1', 'english', 'pt_BR'] },
  'scanning.interval': { good: ['10m', '0', '0s', '1s'], bad: ['1ms', '-10m', '10', 'ten', '10 m'] },
  'scanning.frequency': choice('default', 'off', '5m', '15m', '1h'),
  'dlna.url': { good: ['http://192.168.1.2:38128', 'https://media.home'], bad: ['192.168.1.2', 'ftp://192.168.1.2', 'http://u:p@192.168.1.2', 'http://192.168.1.2/#x', `http://a/${long(2048)}`] },
  'dlna.enabled': booleans,
  'backup.directory': paths,
  'backup.key': { good: [long(16), long(4096), 'correct horse battery staple', 'é'.repeat(16)], bad: [long(15), long(4097), `${long(16)}\n`, 'é'.repeat(15)] },
  'backup.interval': { good: ['24h', '0', '1m'], bad: ['59s', '-24h', '1d'] },
  'backup.retention': { good: ['1', '7', '10000'], bad: ['0', '-1', '1.5', '07', '1e3', '10001', 'all', '+7', '99999999999999999999'] },
  'logging.level': choice('debug', 'info', 'warn', 'error'),
  'logging.audit_retention': retention,
  'logging.playback_retention': retention,
  'remote.proxy_token': { good: [long(16), long(512)], bad: [long(15), long(513), `${long(16)} `] },
  'remote.mode': choice('off', 'https'),
  'remote.gateway': booleans,
  'remote.dns_a_domain': { good: ['home', 'a-1', long(63)], bad: ['Home', 'home.duckdns.org', '-a', 'a-', long(64), 'a_b', 'é'] },
  'remote.dns_a_token': { good: [long(32), long(128)], bad: [long(31), long(129), `${long(32)} `] },
  'remote.listen': addresses,
  'integrations.metadata.url': providerUrls,
  'integrations.metadata.image_url': providerUrls,
  'integrations.metadata.token': { good: ['t', long(4096)], bad: ['a b', long(4097), 'a\nb'] },
  'integrations.media_compat.enabled': booleans,
  'integrations.home_automation.enabled': booleans,
  'integrations.subtitles_a.url': providerUrls,
  'integrations.subtitles_a.api_key': keys,
  'integrations.subtitles_b.url': providerUrls,
  'integrations.subtitles_b.api_key': keys,
  'integrations.subtitles_b.personal_use': booleans,
  'integrations.subtitles_c.url': providerUrls,
  'integrations.subtitles_c.api_key': keys,
  'integrations.subtitles_c.username': { good: ['me', 'some one'], bad: ['a\nb', long(257)] },
  'integrations.subtitles_c.password': { good: ['p', 'pass word é'], bad: ['a\nb', long(1025)] },
  'integrations.oidc.issuer': providerUrls,
  'integrations.oidc.client_id': freely,
  'integrations.oidc.client_secret': freely,
  'integrations.oidc.redirect_url': providerUrls,
  'integrations.oidc.identity_claim': { good: ['sub', 'https://example.org/claims/id'], bad: [long(129), 'a\nb'] },
  'integrations.saml.metadata_url': providerUrls,
  'integrations.saml.metadata_xml': { good: ['<md:EntityDescriptor/>', '<a>\n\t<b/>\r\n</a>', long(262_144)], bad: [long(262_145), '<a>\u0000</a>', '<a>\u001b</a>'] },
  'integrations.saml.identity_attribute': { good: ['NameID', 'urn:oid:0.9.2342.19200300.100.1.3'], bad: [long(257), 'a\nb'] },
  'integrations.scim.token': { good: [long(32), long(256)], bad: [long(31), long(257), `${long(32)} `, 'é'.repeat(40)] },
  'integrations.scim.token_expires_at': {
    good: ['2030-01-31T12:00:00Z', '2030-01-31t12:00:00z', '2028-02-29T23:59:59.123456789+02:00', '2030-01-31T12:00:00-11:30'],
    bad: ['2030-01-31', '2030-01-31 12:00:00Z', '2030-01-31T12:00:00', '2030-02-30T12:00:00Z', '2029-02-29T12:00:00Z', '2030-13-01T12:00:00Z', '2030-01-31T24:00:00Z', '2030-01-31T12:60:00Z', '2030-01-31T12:00:00+24:00', 'tomorrow', '1900000000'],
  },
  'integrations.mcp.resource_url': { good: ['https://example.org/mcp', 'https://example.org/a/mcp'], bad: ['https://example.org/', 'https://example.org/mcp/', 'https://example.org/x?/mcp', 'https://example.org/mcp?x', 'https://example.org/amcp', ...httpsUrls.bad] },
  'integrations.mcp.authorization_server': httpsUrls,
  'integrations.mcp.introspection_url': httpsUrls,
  'integrations.mcp.client_id': freely,
  'integrations.mcp.client_secret': freely,
  'integrations.webhook.url': providerUrls,
  'integrations.webhook.token': { good: ['t', long(1024)], bad: ['a b', 'a\nb', long(1025)] },
  'binaries.tesseract': programs,
  'binaries.whisper': programs,
  'subtitles.transcription_model': { good: ['/models/ggml-small.bin', 'small'], bad: ['-m', '--model', 'a\u0000b', long(1025)] },
  'subtitles.transcription_architecture': choice('tiny', 'base', 'small', 'medium', 'large.v1', 'large.v2', 'large.v3', 'large.v3.turbo', 'tiny.en', 'base.en', 'small.en', 'medium.en'),
  'database.url': { good: ['postgres://u:p@db:5432/matinee', 'postgresql://db/matinee?sslmode=require'], bad: ['mysql://db/x', 'db:5432', '/var/lib/x.sqlite', 'https://db/x', `postgres://${long(5000)}`] },
};
