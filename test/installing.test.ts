/**
 * The commands install what they need on any system, and say the true cause where they cannot.
 *
 * `bin/needs.sh` runs in a folder with stand-ins for npm, the package manager and the Node that npm brings, and sees no
 * other programs than those listed here. `tools/bare-debian.sh` does the same with the real ones.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const USUAL =
  'bash sh awk cat chmod cut df dirname env find getconf grep head ln mkdir ' +
  'mktemp paste readlink rm sed sha256sum tail touch uname uniq xargs';
const OPTIONAL_HERE = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] };
const BROUGHT = 'node_modules/node-linux-here/bin/node';

/** A folder with the real commands of bin/, and a PATH with usual programs, `node` and those that a test puts there. */
async function makeMachine(t: TestContext) {
  const home = await mkdtemp(join(tmpdir(), 'matinee-machine-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const put = async (name: string, text: string | Buffer) => {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text);
    await chmod(join(home, name), 0o755);
  };
  for (const name of ['bin', 'tools/runtime', '.npmrc'])
    await cp(join(ROOT, name), join(home, name), { recursive: true });
  await mkdir(join(home, 'programs'));
  for (const name of USUAL.split(' '))
    await symlink(
      execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
      join(home, 'programs', name),
    );
  await symlink(process.execPath, join(home, 'programs/node'));
  await put('package.json', '{"type":"module"}');
  await put('package-lock.json', '{"packages":{"":{}}}');
  await put('tools/runtime/package.json', '{"version":"99.1.2"}');
  await put('programs/id', '#!/bin/sh\necho 1000\n');
  return {
    home,
    put,
    /** npm, which brings a Node without a link to it, as npm 9 does, and writes down how it was called. */
    putNpm: ({ version = '9.2.0', onCi = '', brought = `#!/bin/sh\nexec ${process.execPath} "$@"\n` } = {}) =>
      put(
        'programs/npm',
        '#!/bin/sh\n' +
          `case $1 in --version) echo ${version}; exit ;; config) echo "the setting $3"; exit ;; esac\n` +
          `echo "$(node -p process.version) $*" >>npm.log\n${onCi}\n` +
          `mkdir -p ${dirname(BROUGHT)} && cat >${BROUGHT} <<'END' && chmod 755 ${BROUGHT}\n${brought}END\n`,
      ),
    calls: () => (existsSync(join(home, 'npm.log')) ? readFileSync(join(home, 'npm.log'), 'utf8') : ''),
    run: (...command: string[]) => {
      const [program = '', ...args] = command;
      const { status, stdout, stderr } = spawnSync(program, args, {
        cwd: home,
        encoding: 'utf8',
        env: { PATH: join(home, 'programs'), HOME: home, TMPDIR: home },
      });
      return { status, output: `${stdout}${stderr}` };
    },
  };
}
const NEED_MODULES = ['bash', '-c', '. bin/needs.sh; need_modules && echo "running: $(node -p 1)"'];

test('packages of npm are installed without their scripts, for the Node that comes with them', async (t) => {
  const machine = await makeMachine(t);
  await machine.putNpm();
  const { status, output } = machine.run(...NEED_MODULES);
  assert.equal(status, 0, output);
  assert.match(output, /running: 1/);
  const [version, command, ...options] = machine.calls().trim().split(' ');
  assert.equal(version, 'v99.1.2', 'npm takes the packages for that version');
  assert.equal(command, 'ci');
  for (const option of ['--ignore-scripts', '--include=dev', '--include=optional']) assert.ok(options.includes(option));
  assert.equal(
    readlinkSync(join(machine.home, 'node_modules/.bin/node')),
    `../${BROUGHT.replace('node_modules/', '')}`,
  );
  // An npm ci by hand runs no scripts either.
  assert.match(await readFile(join(ROOT, '.npmrc'), 'utf8'), /^ignore-scripts=true$/m);
});

test('`bin/start` runs on the Node that npm brought, also without the link that npm 9 deletes', async (t) => {
  const machine = await makeMachine(t);
  await machine.put(BROUGHT, '#!/bin/sh\necho "brought: $*"\n');
  const { output } = machine.run('bin/start', 'config', 'check');
  assert.match(output, /^brought: src\/main\.ts config check$/m);
});

test('what an older npm has left out is installed, what is for other systems is not missed', async (t) => {
  const machine = await makeMachine(t);
  await machine.putNpm();
  const there = { 'node_modules/one': { version: '1.0.0' } };
  await machine.put('node_modules/one/package.json', '{}');
  await machine.put('node_modules/.package-lock.json', JSON.stringify({ packages: there }));
  const lock = (native: object) =>
    machine.put('package-lock.json', JSON.stringify({ packages: { '': {}, ...there, 'node_modules/native': native } }));
  for (const other of [{ cpu: ['elsewhere'] }, { os: ['elsewhere'] }, { libc: ['musl'] }]) {
    await lock({ ...OPTIONAL_HERE, ...other });
    assert.equal(machine.run(...NEED_MODULES).status, 0);
    assert.equal(machine.calls(), '');
  }
  await lock(OPTIONAL_HERE);
  assert.equal(machine.run(...NEED_MODULES).status, 0);
  assert.match(machine.calls(), / ci /);
});

test('where nothing may be installed, the commands name the command for it before they do anything', async (t) => {
  const machine = await makeMachine(t);
  await machine.putNpm();
  await machine.put('programs/ldconfig', '#!/bin/sh\n');
  await machine.put('programs/apt-get', '#!/bin/sh\nexit 1\n');
  const apt = /As root: apt-get update && apt-get install --no-install-recommends (.*)/;
  const named = (command: string) => {
    const { status, output } = machine.run(command);
    assert.equal(status, 1, output);
    return apt.exec(output)?.[1]?.split(' ') ?? assert.fail(output);
  };
  const server = ['libatomic1', 'ffmpeg', 'libchromaprint-tools', 'tesseract-ocr'];
  assert.deepEqual(named('bin/demo').slice(0, 4), server);
  for (const name of [...server, 'chromium', 'mkvtoolnix']) assert.ok(named('bin/test').includes(name), name);
  assert.ok(named('bin/install').includes('bubblewrap'));
  await rm(join(machine.home, 'programs/apt-get'));
  await machine.put('programs/dnf', '#!/bin/sh\nexit 1\n');
  const dnf = 'dnf install libatomic ffmpeg-free chromaprint-tools tesseract tesseract-langpack-eng';
  assert.ok(machine.run('bin/demo').output.includes(`As root: ${dnf}`), machine.run('bin/demo').output);
  assert.equal(machine.calls(), '', 'npm is not called');
});

test('what the package manager refuses is shown', async (t) => {
  const machine = await makeMachine(t);
  await machine.put('programs/id', '#!/bin/sh\necho 0\n');
  await machine.put('programs/ldconfig', '#!/bin/sh\n');
  await machine.put('programs/apt-get', '#!/bin/sh\necho "Reading lists"; echo "E: no space left"; exit 100\n');
  assert.match(machine.run('bin/demo').output, /could not be installed:\nE: no space left\n/);
});

/** Codes with which npm fails, each with the sentence that explains it. */
const FAULTS: readonly (readonly [code: string, sentence: RegExp])[] = [
  ['ENOTFOUND', /registry could not be reached \(ENOTFOUND\): the setting registry/],
  ['ECONNREFUSED', /could not be reached \(ECONNREFUSED\)/],
  ['E503', /could not be reached \(E503\)/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /certificate of the npm registry is not trusted/],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /npm config set cafile FILE/],
  ['ENOSPC', /The disk is full: the packages need 1 GB in /],
  ['EACCES', /npm may not write here \(EACCES\)/],
  ['EINTEGRITY', /npm ci failed \(EINTEGRITY\): its own message is above/],
];

test('a failure of npm is explained, below its own message', async (t) => {
  const machine = await makeMachine(t);
  for (const prefix of ['npm ERR!', 'npm error'])
    for (const [code, sentence] of FAULTS) {
      const said = `${prefix} code ${code}`;
      await machine.putNpm({ onCi: `echo '${said}' >&2; exit 1` });
      const { status, output } = machine.run(...NEED_MODULES);
      assert.equal(status, 1);
      assert.match(output, sentence);
      assert.ok(output.indexOf(said) >= 0 && output.indexOf(said) < output.search(sentence), output);
    }
  assert.ok(!existsSync(join(machine.home, 'node_modules/.installed')), 'it is tried again');
  await machine.putNpm({ version: '6.14.4' });
  assert.match(machine.run(...NEED_MODULES).output, /npm 6\.14\.4 is too old: install npm 9 or later/);
  await rm(join(machine.home, 'programs/npm'));
  await machine.put('programs/dnf', '');
  assert.match(machine.run(...NEED_MODULES).output, /npm is missing\. As root: dnf install nodejs npm$/m);
});

test('the commands say why the Node that npm brought does not start', async (t) => {
  const machine = await makeMachine(t);
  await machine.put('programs/apt-get', '');
  const loader = (text: string) => `#!/bin/sh\necho '${BROUGHT}: ${text}' >&2\nexit 127\n`;
  const foreign = Buffer.from(await readFile(process.execPath)).subarray(0, 4096);
  foreign.writeUInt16LE(0xf3f3, 18);
  const library = 'error while loading shared libraries: libatomic.so.1: cannot open shared object file';
  const causes: readonly (readonly [brought: string | Buffer, sentence: RegExp])[] = [
    [loader(library), /needs the library libatomic\.so\.1, which is missing\. As root: apt-get .* libatomic1$/m],
    [
      loader("/lib/libc.so.6: version `GLIBC_2.28'\\'' not found"),
      /needs glibc 2\.28 or later, and this system has glibc/,
    ],
    [foreign, /for another processor than this/],
    ['#!/nowhere/loader\n', /does not start on this system, which has no loader for it|has musl instead/],
    ['#!/bin/sh\nexit 132\n', /does not start:\n.* ended without a message/],
  ];
  for (const [brought, sentence] of causes) {
    await machine.putNpm();
    await machine.put(BROUGHT, brought);
    await machine.put('node_modules/.package-lock.json', '{"packages":{}}');
    const { status, output } = machine.run(...NEED_MODULES);
    assert.equal(status, 1, output);
    assert.match(output, sentence);
  }
});

test('the guides name every package that the server needs, for Debian and for Fedora', async (t) => {
  const machine = await makeMachine(t);
  const list = 'ca-certificates git nodejs npm $(printf "%s\\n" "${SERVER_NEEDS[@]#*=}" bubblewrap | uniq)';
  for (const manager of ['apt-get', 'dnf']) {
    await machine.put(`programs/${manager}`, '');
    const { output } = machine.run('bash', '-c', `. bin/needs.sh; install_command ${list}`);
    const command = output.trim().split('&& ').at(-1) ?? '';
    assert.ok((await readFile(join(ROOT, 'README.md'), 'utf8')).includes(`\n${command}\n`), command);
    await rm(join(machine.home, `programs/${manager}`));
  }
});
