/** Loading from environment and YAML: precedence, secrets in files, traps, and that no fault repeats a value. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { fc } from '../../test/fast-check.ts';
import type { Environment } from './environment.ts';
import { ConfigurationRefused } from './faults.ts';
import { loadBoot, type Boot } from './load.ts';
import { SETTINGS } from '../settings.ts';

const KEY = 'correct horse battery staple';

/** Makes a separate data folder, and functions that load the configuration from it. */
async function place(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-config-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const write = async (name: string, text: string | Uint8Array): Promise<string> => (
    await writeFile(join(folder, name), text),
    join(folder, name)
  );
  const load = (env: Environment = {}): Promise<Boot> =>
    loadBoot({ settings: SETTINGS, env: { SERVICE_DATA_DIR: folder, ...env } });
  const faults = async (env: Environment = {}): Promise<string[]> => {
    try {
      await load(env);
    } catch (error) {
      if (error instanceof ConfigurationRefused) return error.lines;
      throw error;
    }
    return assert.fail('nothing was refused');
  };
  return { folder, write, load, faults, yaml: (text: string) => write('service.yaml', text) };
}

test('without anything, every default holds', async (t) => {
  const boot = await (await place(t)).load();
  assert.deepEqual(boot.get('listen'), { host: '127.0.0.1', port: 38128 });
  assert.equal(boot.get('tls.enabled'), true);
  assert.equal(boot.get('backup.interval'), 86_400_000);
  assert.equal(boot.get('playback.mode'), undefined);
  const bare = await loadBoot({
    settings: SETTINGS,
    env: {},
    readFile: () => Promise.reject(new Error('not asked')),
  }).catch((error: unknown) => error);
  assert.ok(bare instanceof ConfigurationRefused, 'a YAML file that cannot be read is a fault, not an absent one');
});

test('the environment is stronger than YAML, and blank means unset', async (t) => {
  const { yaml, load } = await place(t);
  await yaml('version: 1\nplayback:\n  mode: direct\n  subtitles: off\n  autoplay:\nserver:\n  name: ""\n');
  const boot = await load({ SERVICE_PLAYBACK_MODE: 'compatible', SERVICE_SUBTITLES: '  ', SERVICE_LISTEN: '' });
  assert.equal(boot.get('playback.mode'), 'compatible');
  assert.equal(boot.get('playback.subtitles'), 'off');
  assert.equal(boot.get('playback.autoplay'), undefined);
  assert.equal(boot.get('server.name'), undefined);
  assert.equal(boot.get('listen').port, 38128);
  assert.equal(boot.layers.yaml.has('server.name'), false, 'a blank value manages nothing');
});

test('the YAML file is the named one, or the one in the data folder', async (t) => {
  const { folder, write, load, faults } = await place(t);
  const named = await write('other.yaml', 'version: 1\nserver:\n  name: Named\n');
  assert.equal((await load({ SERVICE_CONFIG_FILE: named })).get('server.name'), 'Named');
  assert.equal((await load({ SERVICE_CONFIG_FILE: '' })).get('server.name'), undefined);
  assert.deepEqual(await faults({ SERVICE_CONFIG_FILE: join(folder, 'gone.yaml') }), [
    'SERVICE_CONFIG_FILE: names a file that is not there',
  ]);
  assert.match(
    (await faults({ SERVICE_CONFIG_FILE: folder })).join(),
    /^SERVICE_CONFIG_FILE: names what cannot be read as an ordinary file/,
  );
  await write('service.yaml', 'version: 1\nserver:\n  name: Found\n');
  assert.equal((await load()).get('server.name'), 'Found');
});

test('YAML values are read as they are written', async (t) => {
  const { yaml, load } = await place(t);
  await yaml(`version: 1
tls: { enabled: false, hosts: [media.home, 192.168.1.2] }
backup: { retention: 9 }
server: { name: 0123 }
security: { require_mfa: 0 }
integrations: { subtitles_a: { api_key: 0x10 } }
libraries:
  - name: Films
    path: /media/films
    kind: movies
`);
  const boot = await load();
  assert.equal(boot.get('tls.enabled'), false);
  assert.deepEqual(boot.get('tls.hosts'), ['media.home', '192.168.1.2']);
  assert.equal(boot.get('backup.retention'), 9);
  assert.equal(boot.get('server.name'), '0123');
  assert.equal(boot.get('security.require_mfa'), false);
  assert.equal(boot.get('integrations.subtitles_a.api_key'), '0x10');
  assert.deepEqual(boot.get('libraries'), [{ name: 'Films', path: '/media/films', kind: 'movies' }]);
});

test('trusted HTTPS may be a YAML mapping or its JSON text', async (t) => {
  const { yaml, load } = await place(t);
  const token = 'x'.repeat(32);
  const members = `{"domain":"home","token":"${token}","address":"192.168.1.9","termsAccepted":true}`;
  const wanted = { provider: 'dns_a', domain: 'home', token, address: '192.168.1.9', termsAccepted: true };
  await yaml(`version: 1\ntls:\n  dns_a: ${members}\n`);
  assert.deepEqual((await load()).get('tls.dns_a'), wanted);
  await yaml(`version: 1\ntls:\n  dns_a: '${members}'\n`);
  assert.deepEqual((await load()).get('tls.dns_a'), wanted);
});

const refusedYaml: readonly (readonly [what: string, text: string, fault: RegExp])[] = [
  ['no version', 'server:\n  name: x\n', /^version: /],
  ['another version', 'version: 2\n', /^version: /],
  ['a version in quotes', 'version: "1"\n', /^version: /],
  ['nothing', '', /mapping that starts with version: 1/],
  ['a list', '- version: 1\n', /mapping/],
  ['an unknown key', 'version: 1\nbogus: 1\n', /^bogus: is not a known key$/],
  ['an unknown nested key', 'version: 1\nplayback:\n  made: direct\n', /^playback\.made: is not a known key$/],
  ['a dotted key', 'version: 1\nplayback.mode: direct\n', /^playback\.mode: is not a known key$/],
  ['a dotted key within', 'version: 1\nintegrations:\n  oidc.issuer: https://a\n', /is not a known key$/],
  ['a key of the prototype', 'version: 1\n__proto__:\n  x: 1\n', /^__proto__: is not a known key$/],
  ['a repeated key', 'version: 1\nplayback:\n  mode: direct\n  mode: direct\n', /^playback\.mode: is there twice/],
  [
    'a repeated branch',
    'version: 1\nplayback: { mode: direct }\nplayback: { mode: direct }\n',
    /^playback: is there twice/,
  ],
  [
    'a repeated key in a list',
    'version: 1\nlibraries: [{name: a, name: b, path: /x, kind: mixed}]\n',
    /^libraries .*same key twice/,
  ],
  ['a value where keys belong', 'version: 1\nplayback: direct\n', /^playback: must hold other keys$/],
  [
    'keys where a value belongs',
    'version: 1\nlisten: { a: 1 }\n',
    /^listen \(SERVICE_LISTEN\): must be a single value$/,
  ],
  ['a list where a value belongs', 'version: 1\nserver: { name: [a] }\n', /^server\.name .*single value/],
  ['a value where a list belongs', 'version: 1\ntls: { hosts: media.home }\n', /^tls\.hosts .*YAML list/],
  ['JSON text where a list belongs', 'version: 1\ntls: { hosts: \'["media.home"]\' }\n', /^tls\.hosts .*YAML list/],
  ['a tag', 'version: 1\nserver: { name: !!str x }\n', /must not use tags/],
  ['a tag that runs code elsewhere', 'version: 1\nserver: { name: !!js/function x }\n', /YAML/],
  ['a tag of its own', 'version: 1\nserver: { name: !secret x }\n', /YAML/],
  ['YAML 1.1', '%YAML 1.1\n---\nversion: 1\nserver: { name: yes }\n', /directives/],
  ['a tag directive', '%TAG !x! tag:example.org:\n---\nversion: 1\n', /directives/],
  ['two documents', 'version: 1\n---\nversion: 1\n', /YAML/],
  ['broken YAML', 'version: 1\n  playback: [\n', /^the YAML file, line \d+: is not valid YAML/],
  ['tabs', 'version: 1\nplayback:\n\tmode: direct\n', /line 3: is not valid YAML/],
  ['a key that is a list', 'version: 1\n[a, b]: x\n', /plain text for every key/],
  ['a number for a key', 'version: 1\n7: x\n', /plain text for every key/],
  ['a merge key', 'version: 1\nplayback: &p { mode: direct }\nserver:\n  <<: *p\n', /^server\.<<: is not a known key$/],
  ['an alias to nothing', 'version: 1\nserver: { name: *nobody }\n', /YAML/],
  ['an alias inside itself', 'version: 1\nlibraries: &a [*a]\n', /too many aliases|nested too deeply/],
  ['a billion laughs', billionLaughs(), /too many/],
  ['many aliases', `version: 1\nserver: { name: &n x }\ntls: { hosts: [${'*n,'.repeat(101)}] }\n`, /too many aliases/],
  ['deep nesting', `version: 1\nlibraries: ${'['.repeat(50)}${']'.repeat(50)}\n`, /nested too deeply/],
  ['nesting that exhausts the stack', `version: 1\nlibraries: ${'['.repeat(100_000)}`, /YAML|nested too deeply/],
  [
    'too many keys',
    `version: 1\n${Array.from({ length: 20_000 }, (_, n) => `k${n}: 1`).join('\n')}\n`,
    /too many entries/,
  ],
  ['a file too large', `version: 1\n#${'x'.repeat(600_000)}\n`, /at most 512 KiB/],
  ['a file for what is no secret', 'version: 1\nserver: { name_file: x }\n', /^server\.name_file: is not allowed/],
  [
    'a secret and its file',
    `version: 1\nbackup: { key: "${KEY}", key_file: backup.key }\n`,
    /^backup\.key .*together with backup\.key_file/,
  ],
  ['a file that is a list', 'version: 1\nbackup: { key_file: [a] }\n', /^backup\.key_file: must be the path/],
];

function billionLaughs(): string {
  const rows = Array.from(
    { length: 9 },
    (_, n) => `  - &l${n + 1} [${Array.from({ length: 9 }, () => `*l${n}`).join(', ')}]`,
  );
  return `version: 1\nlibraries:\n  - &l0 [ha]\n${rows.join('\n')}\n`;
}

for (const [what, text, fault] of refusedYaml) {
  test(`YAML with ${what} is refused`, async (t) => {
    const { yaml, faults } = await place(t);
    await yaml(text);
    const lines = await faults();
    assert.ok(
      lines.some((line) => fault.test(line)),
      lines.join('\n').slice(0, 500),
    );
    assert.ok(lines.every((line) => !line.includes('\n') && line.length < 400));
  });
}

test('an alias that stays small is followed', async (t) => {
  const { yaml, load } = await place(t);
  await yaml('version: 1\npaths:\n  media: &m /srv/media\nbackup:\n  directory: *m\n');
  assert.equal((await load()).get('backup.directory'), '/srv/media');
});

test('a secret comes from a file, without the line end', async (t) => {
  const { folder, write, yaml, load } = await place(t);
  for (const end of ['', '\n', '\r\n', '\n\n']) {
    const file = await write('secret', KEY + end);
    assert.equal((await load({ SERVICE_BACKUP_KEY_FILE: file })).get('backup.key'), KEY);
  }
  await mkdir(join(folder, 'secrets'));
  await write('secrets/key', KEY);
  for (const path of ['secrets/key', './secrets/../secrets/key', join(folder, 'secrets/key')]) {
    await yaml(`version: 1\nbackup:\n  key_file: ${path}\n`);
    assert.equal((await load()).get('backup.key'), KEY);
  }
  await symlink(join(folder, 'secrets/key'), join(folder, 'link'));
  assert.equal(
    (await load({ SERVICE_BACKUP_KEY_FILE: join(folder, 'link'), SERVICE_BACKUP_KEY: '' })).get('backup.key'),
    KEY,
    'mounted secrets are often links',
  );
});

test('what is no small ordinary text file is no secret file', async (t) => {
  const { folder, write, faults } = await place(t);
  await promisify(execFile)('mkfifo', [join(folder, 'fifo')]);
  const rows: readonly (readonly [string, RegExp])[] = [
    [join(folder, 'gone'), /is not there/],
    [folder, /ordinary file/],
    [join(folder, 'fifo'), /ordinary file/],
    ['/dev/zero', /ordinary file/],
    [await write('large', 'x'.repeat(16 * 1024 + 1)), /at most 16 KiB/],
    [await write('empty', '\n'), /is empty/],
    [await write('binary', Uint8Array.of(0xff, 0xfe, 0x41)), /not text/],
    [await write('nul', `${KEY}\0`), /not text/],
    [await write('lines', `${KEY}\n${KEY}\n`), /control characters/],
  ];
  for (const [path, reason] of rows) {
    const lines = await faults({ SERVICE_BACKUP_KEY_FILE: path });
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^backup\.key \(SERVICE_BACKUP_KEY/);
    assert.match(lines[0] ?? '', reason);
  }
});

test('a secret of exactly 16 KiB is read', async (t) => {
  const { write, faults } = await place(t);
  const file = await write('secret', 'x'.repeat(16 * 1024));
  assert.match(
    (await faults({ SERVICE_BACKUP_KEY_FILE: file })).join(),
    /16 to 4096 characters/,
    'the file is read, and its text judged',
  );
});

test('a secret and its file cannot both be set, and only a secret has a file', async (t) => {
  const { write, faults } = await place(t);
  const file = await write('secret', KEY);
  assert.deepEqual(await faults({ SERVICE_BACKUP_KEY: KEY, SERVICE_BACKUP_KEY_FILE: file }), [
    'backup.key (SERVICE_BACKUP_KEY): cannot be set together with SERVICE_BACKUP_KEY_FILE',
  ]);
  assert.deepEqual(await faults({ SERVICE_LISTEN_FILE: file }), [
    'listen (SERVICE_LISTEN_FILE): is not allowed, because only a secret may come from a file',
  ]);
});

test('unknown variables of ours are refused, others are not ours', async (t) => {
  const { load, faults } = await place(t);
  await load({ PATH: '/bin', SERVICES: 'x', MY_SERVICE_LISTEN: 'x' });
  assert.deepEqual(await faults({ SERVICE_LISTN: 'x', SERVICE_: '', SERVICE_BOGUS_FILE: '/x', service_listen: 'x' }), [
    'SERVICE_: is not a known variable',
    'SERVICE_BOGUS_FILE: is not a known variable',
    'SERVICE_LISTN: is not a known variable',
  ]);
});

test('every fault is shown at once, one line each, with key and variable', async (t) => {
  const { yaml, faults } = await place(t);
  await yaml('version: 1\nbogus: x\nplayback: { mode: sideways }\nbackup: { retention: -1 }\n');
  const lines = await faults({
    SERVICE_LISTEN: 'nowhere',
    SERVICE_BOGUS: 'x',
    SERVICE_PUBLIC_GATEWAY: 'true',
    SERVICE_REMOTE_MODE: 'off',
  });
  assert.deepEqual(lines.map((line) => line.split(':')[0]).sort(), [
    'SERVICE_BOGUS',
    'backup.retention (SERVICE_BACKUP_RETENTION)',
    'bogus',
    'listen (SERVICE_LISTEN)',
    'playback.mode (SERVICE_PLAYBACK_MODE)',
    'remote.gateway (SERVICE_PUBLIC_GATEWAY)',
  ]);
});

test('a value that is bad in a weaker source is refused too', async (t) => {
  const { yaml, faults } = await place(t);
  await yaml('version: 1\nplayback: { mode: sideways }\n');
  assert.equal((await faults({ SERVICE_PLAYBACK_MODE: 'direct' })).length, 1);
});

test('before saved settings are known, only rules that they could not mend are judged', async (t) => {
  const { load, faults } = await place(t);
  await load({ SERVICE_DLNA_ENABLED: 'true' });
  await load({ SERVICE_PUBLIC_GATEWAY: 'true' });
  assert.equal((await faults({ SERVICE_PUBLIC_GATEWAY: 'true', SERVICE_REMOTE_MODE: 'off' })).length, 1);
});

test('no fault of any setting repeats the value, from the environment, YAML or a file', async (t) => {
  const { write, yaml, faults, load } = await place(t);
  const marked = fc.record({
    one: fc.constantFrom(...SETTINGS.all),
    before: fc.string({ maxLength: 20 }),
    after: fc.string({ maxLength: 20 }),
    how: fc.constantFrom('environment', 'yaml', 'file'),
  });
  await fc.assert(
    fc.asyncProperty(marked, async ({ one, before, after, how }) => {
      const value = `${before}ma\u0007rk3r-7h4t-15-53cr37${after}`;
      const parts = one.key.split('.');
      const nested = parts.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
      await yaml(JSON.stringify(how === 'yaml' ? { version: 1, ...(nested as object) } : { version: 1 }));
      const env =
        how === 'environment'
          ? { [one.env]: value.replaceAll('\0', '') }
          : how === 'file' && one.secret
            ? { [`${one.env}_FILE`]: await write('secret', value) }
            : {};
      const isTold = how === 'file' && !one.secret;
      if (isTold) return void (await load(env));
      const lines = await faults(env);
      assert.ok(lines.some((line) => line.includes(one.key)));
      assert.ok(!lines.join('\n').includes('rk3r-7h4t-15-53cr37'), lines.join('\n'));
    }),
    { numRuns: 300 },
  );
});

test('a sample that a setting refuses is refused from the environment, in one line without its value', async () => {
  const none = (): Promise<Uint8Array> =>
    import('../lib/failure.ts').then(({ Failure }) =>
      Promise.reject(new Failure('missing', 'no file', { reason: 'no-such-file' })),
    );
  for (const one of SETTINGS.all) {
    for (const text of one.samples().bad.filter((bad) => bad.trim() === bad && !bad.includes('\0'))) {
      const error: unknown = await loadBoot({ settings: SETTINGS, env: { [one.env]: text }, readFile: none }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof ConfigurationRefused, one.key);
      const own = error.lines.filter((line) => line.startsWith(`${one.key} (${one.env}): `));
      assert.equal(own.length, 1, one.key);
      assert.ok(text.length < 12 || !error.message.includes(text), one.key);
    }
  }
});
