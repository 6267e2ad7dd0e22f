/** Texts that settings accept and refuse. Each declaration names its own; tests try all of them. */

export interface SettingSamples {
  good: readonly string[];
  bad: readonly string[];
}

export const longText = (length: number): string => 'x'.repeat(length);
export const booleanSamples = (): SettingSamples => ({
  good: ['true', 'false', '1', '0'],
  bad: ['yes', 'TRUE', 'on', '2', 'truefalse', 'constructor'],
});
export const pathSamples = (): SettingSamples => ({
  good: ['/media', '/a/b/', '/a/../b', '/with space', '/ünï'],
  bad: ['media', './media', '../x', '~/x', '/a\u0000b', '/a\nb', `/${longText(4096)}`],
});
export const programSamples = (): SettingSamples => ({
  good: ['ffmpeg', 'ffmpeg-7.1', '/usr/bin/ffmpeg', '/opt/my tools/x'],
  bad: ['-version', './ffmpeg', 'bin/ffmpeg', 'a b', 'a;b', '$(x)', '..', '.hidden', 'x\u0000'],
});
export const providerUrlSamples = (): SettingSamples => ({
  good: [
    'https://api.example.org',
    'https://api.example.org:8443/v1?a=b',
    'http://127.0.0.1:9000',
    'http://localhost:9000/x',
    'http://[::1]:9000',
    `https://example.org/${longText(2028)}`,
  ],
  bad: [
    'http://example.org',
    'http://192.168.1.2',
    'http://127.0.0.1.example.org',
    'ftp://example.org',
    'https://',
    'https:example.org',
    'https:///example.org',
    '//example.org',
    'example.org',
    '/path',
    'https://u:p@example.org',
    'https://u@example.org',
    'https://@example.org',
    'https://example.org/#top',
    'https://example.org#',
    'https://exa mple.org',
    'https://example.org/\\x',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://[::1',
    'https://example.org:99999',
    `https://example.org/${longText(2029)}`,
  ],
});
export const httpsUrlSamples = (): SettingSamples => ({
  good: ['https://example.org/a'],
  bad: ['http://127.0.0.1/a', 'http://localhost/a', ...providerUrlSamples().bad],
});
export const addressSamples = (): SettingSamples => ({
  good: ['127.0.0.1:38128', ':8443', '0.0.0.0:0', '[::]:80', '[::1]:65535', 'localhost:1', 'media.home:8096'],
  bad: [
    '38128',
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:65536',
    '127.0.0.1:-1',
    '127.0.0.1:08',
    '::1:80',
    '[127.0.0.1]:80',
    '[::1',
    '1.2.3.4.5:80',
    '256.1.1.1:80',
    'a b:80',
    'http://x:80',
    ':80:80',
    'x:8e1',
  ],
});
export const shortTextSamples = (): SettingSamples => ({
  good: ['x', longText(512)],
  bad: ['a\u0000b', 'a\nb', longText(5000)],
});
export const keySamples = (): SettingSamples => ({
  good: ['k', longText(512)],
  bad: ['a b', 'a\tb', 'é', longText(513)],
});
export const retentionSamples = (): SettingSamples => ({
  good: ['8760h', '1s', '1h30m', '1.5h', '90m'],
  bad: ['0', '0s', '-1h', '1', '1d', '1y', 'h', '1 h', '1h 30m', '10000000000h', '1h30', 'one hour', '1e3s', '999ms'],
});

export const choiceSamples =
  (...good: string[]) =>
  (): SettingSamples => ({
    good,
    bad: ['other', good[0]?.toUpperCase() ?? '', `${good[0]}!`, 'toString', '__proto__'],
  });

const trusted = (over: Record<string, unknown>): string =>
  JSON.stringify({
    provider: 'dns_a',
    domain: 'home',
    token: longText(32),
    address: '192.168.1.10',
    termsAccepted: true,
    ...over,
  });
const { provider: _, ...older } = JSON.parse(trusted({})) as Record<string, unknown>;
const library = (over: Record<string, unknown>): Record<string, unknown> => ({
  name: 'Films',
  path: '/media/films',
  kind: 'movies',
  ...over,
});

export const trustedHttpsSamples = (): SettingSamples => ({
  good: [
    trusted({}),
    JSON.stringify(older),
    trusted({ address: ' 10.0.0.1 ' }),
    trusted({ address: '::ffff:172.16.0.1' }),
    trusted({ token: longText(128) }),
    trusted({ provider: 'dns_b', domain: 'home.example.dedyn.io', token: longText(16) }),
    trusted({ provider: 'dns_b', domain: 'a.b', token: longText(512) }),
  ],
  bad: [
    '{}',
    '[]',
    '"x"',
    'null',
    'not json',
    `${trusted({})}x`,
    trusted({}).replace('{', '{"domain":"other",'),
    '{'.repeat(2000),
    trusted({ extra: 1 }),
    trusted({ provider: 'dns_c' }),
    trusted({ provider: '' }),
    trusted({ provider: null }),
    trusted({ domain: 'Home' }),
    trusted({ domain: 'home.duckdns.org' }),
    trusted({ domain: '' }),
    trusted({ domain: '-home' }),
    trusted({ domain: longText(64) }),
    trusted({ provider: 'dns_b', domain: 'home' }),
    trusted({ provider: 'dns_b', domain: 'Home.dedyn.io' }),
    trusted({ provider: 'dns_b', domain: 'home.dedyn.io.' }),
    trusted({ token: longText(31) }),
    trusted({ token: longText(129) }),
    trusted({ token: `${longText(31)} ` }),
    trusted({ provider: 'dns_b', domain: 'a.b', token: longText(15) }),
    trusted({ provider: 'dns_b', domain: 'a.b', token: longText(513) }),
    trusted({ address: '8.8.8.8' }),
    trusted({ address: '127.0.0.1' }),
    trusted({ address: '169.254.1.1' }),
    trusted({ address: '100.64.0.1' }),
    trusted({ address: '172.32.0.1' }),
    trusted({ address: '192.168.01.1' }),
    trusted({ address: 'fd00::1' }),
    trusted({ address: '192.168.1' }),
    trusted({ address: 3232235786 }),
    trusted({ termsAccepted: false }),
    trusted({ termsAccepted: 'true' }),
    trusted({ termsAccepted: undefined }),
  ],
});
export const librarySamples = (): SettingSamples => ({
  good: [
    JSON.stringify([library({})]),
    JSON.stringify([library({ name: 'Tab\u2028: "quoted" \\ # é 🎬', path: '/m/{a}: [b]' })], null, '\t'),
    JSON.stringify([library({}), library({ name: 'Shows', path: '/media/shows', kind: 'shows' })]),
    JSON.stringify([library({}), library({ name: 'B', path: '/media/films2' })]),
    JSON.stringify([library({ path: '/process' })]),
    JSON.stringify([
      library({ language: 'DE', country: 'de', nfo: false, internet: false, ignored: ['*.tmp', 'Old'] }),
    ]),
    JSON.stringify([library({ language: '', country: '', nfo: true, internet: true, ignored: [] })]),
    ...['music', 'audiobooks', 'books', 'photos', 'mixed'].map((kind) => JSON.stringify([library({ kind })])),
  ],
  bad: [
    '[]',
    '{}',
    'films',
    '["/media"]',
    '[null]',
    '[{"name":"a","path":"/a","path":"/b","kind":"mixed"}]',
    '['.repeat(50_000),
    JSON.stringify([library({ kind: 'games' })]),
    JSON.stringify([library({ language: 'english' })]),
    JSON.stringify([library({ country: 'DE' })]),
    JSON.stringify([library({ nfo: 'no' })]),
    ...['', '*', 'a/b', 'a\nb', longText(129)].map((name) => JSON.stringify([library({ ignored: [name] })])),
    JSON.stringify([library({ kind: undefined })]),
    JSON.stringify([library({ name: '' })]),
    JSON.stringify([library({ name: ' ' })]),
    JSON.stringify([library({ name: longText(65) })]),
    JSON.stringify([library({ name: 'a\nb' })]),
    JSON.stringify([library({ path: 'media' })]),
    JSON.stringify([library({ path: '/a\u0000' })]),
    JSON.stringify([library({ path: '/proc' })]),
    JSON.stringify([library({ path: '/sys/x' })]),
    JSON.stringify([library({ path: '/media/../dev' })]),
    JSON.stringify([library({ extra: true })]),
    JSON.stringify([library({}), library({ path: '/other' })]),
    JSON.stringify([library({}), library({ name: 'FILMS', path: '/other' })]),
    JSON.stringify([library({}), library({ name: 'B' })]),
    JSON.stringify([library({}), library({ name: 'B', path: '/media/films/new' })]),
    JSON.stringify([library({}), library({ name: 'B', path: '/media' })]),
    JSON.stringify([library({}), library({ name: 'B', path: '/' })]),
    JSON.stringify([library({}), library({ name: 'B', path: '/media/x/../films/y' })]),
    JSON.stringify(Array.from({ length: 101 }, (_, n) => library({ name: `n${n}`, path: `/m/${n}` }))),
  ],
});
