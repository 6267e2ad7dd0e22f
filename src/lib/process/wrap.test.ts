/** The wrappers come in the right order, and the guarantees of the sandbox hold on this machine. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createProcesses } from '../process.ts';
import { createQueue } from './queue.ts';
import { quietLog } from './testing.ts';
import { findTools, locate, sandboxOf, signalOf, USUAL_PATH, wrap } from './wrap.ts';
import type { Tools, WrapOptions } from './wrap.ts';

const ALL: Tools = {
  nice: '/usr/bin/nice',
  ionice: '/usr/bin/ionice',
  prlimit: '/usr/bin/prlimit',
  setpriv: '/usr/bin/setpriv',
  bwrap: '/usr/bin/bwrap',
  offline: ['/usr/bin/unshare', '--net'],
};
const NONE: Tools = { nice: null, ionice: null, prlimit: null, setpriv: null, bwrap: null, offline: null };
const COMMAND: WrapOptions = {
  program: '/opt/whisper/whisper-cli',
  args: ['-f', '/m/a.wav'],
  nice: 10,
  limits: { memory: 1000, cpuSeconds: 1.5, file: 0, files: 64 },
  view: { folder: '/t/run-1', reads: ['/m/a.wav'], writes: ['/out'] },
};

test('a status of the sandbox is the signal that ended the program', () => {
  const signals = (tools: Tools) => [137, 139, 134, 1, 128, 183, 255, null].map((code) => signalOf(tools, code));
  assert.deepEqual(signals(ALL), ['SIGKILL', 'SIGSEGV', 'SIGABRT', null, null, null, null, null]);
  assert.deepEqual(new Set(signals({ ...ALL, bwrap: null })), new Set([null]), 'without it a status is a status');
});

test('golden wrapping', () => {
  assert.deepEqual(wrap(ALL, COMMAND), [
    '/usr/bin/nice',
    '-n',
    '10',
    '/usr/bin/ionice',
    '-t',
    '-c',
    '2',
    '-n',
    '7',
    '/usr/bin/prlimit',
    '--core=0',
    '--nofile=64',
    '--as=1000',
    '--cpu=2',
    '--fsize=0',
    '/usr/bin/setpriv',
    '--no-new-privs',
    '--pdeathsig',
    'KILL',
    '/usr/bin/bwrap',
    '--unshare-all',
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    '--ro-bind',
    '/usr',
    '/usr',
    ...['bin', 'sbin', 'lib', 'lib32', 'lib64'].flatMap((name) => ['--ro-bind-try', `/${name}`, `/${name}`]),
    ...['/etc/ld.so.cache', '/etc/alternatives', '/etc/fonts'].flatMap((path) => ['--ro-bind-try', path, path]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    '--ro-bind',
    '/opt/whisper',
    '/opt/whisper',
    '--ro-bind',
    '/m/a.wav',
    '/m/a.wav',
    '--bind',
    '/out',
    '/out',
    '--bind',
    '/t/run-1',
    '/t/run-1',
    '--chdir',
    '/t/run-1',
    '--',
    '/opt/whisper/whisper-cli',
    '-f',
    '/m/a.wav',
  ]);
  assert.deepEqual(wrap({ ...ALL, nice: null, ionice: null, prlimit: null, bwrap: null }, COMMAND), [
    '/usr/bin/unshare',
    '--net',
    '/usr/bin/setpriv',
    '--no-new-privs',
    '--pdeathsig',
    'KILL',
    '/opt/whisper/whisper-cli',
    '-f',
    '/m/a.wav',
  ]);
  assert.deepEqual(wrap(NONE, COMMAND), ['/opt/whisper/whisper-cli', '-f', '/m/a.wav']);
  assert.deepEqual(
    wrap({ ...NONE, nice: '/usr/bin/nice', bwrap: '/usr/bin/bwrap' }, { ...COMMAND, nice: 0, view: null }),
    ['/opt/whisper/whisper-cli', '-f', '/m/a.wav'],
  );
  assert.deepEqual(
    [sandboxOf(ALL), sandboxOf({ ...ALL, bwrap: null }), sandboxOf({ ...NONE, setpriv: '/s' }), sandboxOf(NONE)],
    ['full', 'limits', 'limits', 'none'],
  );
});

test('programs are found on the given path only, and must be files that run', () => {
  assert.equal(locate('sh', '/nowhere'), null);
  assert.equal(locate('../bin/sh', '/usr/bin'), null);
  assert.equal(locate('/', '/usr/bin'), null);
  assert.equal(locate('/etc/passwd', '/usr/bin'), null);
  assert.match(locate('sh', '/nowhere:/bin') ?? '', /sh$/);
});

test('the sandbox that is reported is the one that is there', async (t) => {
  const base = mkdtempSync(join(tmpdir(), 'wrap-'));
  const processes = await createProcesses({ log: quietLog, temporary: join(base, 'tmp') });
  t.after(async () => {
    await processes.close();
    rmSync(base, { recursive: true, force: true });
  });
  mkdirSync(join(base, 'media'));
  for (const name of ['given', 'other']) writeFileSync(join(base, 'media', name), name);
  const given = join(base, 'media/given');
  const { stdout } = await processes.run({
    program: 'sh',
    args: [
      '-c',
      `cat ${given}; echo; ls ${join(base, 'media')} | wc -l; (echo x > ${given}) 2>/dev/null; cat ${given}; ` +
        'echo; tail -n +3 /proc/net/dev | wc -l',
    ],
    reads: [given],
    timeoutMs: 10_000,
  });
  const [first, names, second, networks] = stdout
    .toString()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  assert.equal(first, 'given');
  const isFull = processes.sandbox() === 'full';
  assert.equal(names, isFull ? '1' : '2');
  assert.equal(second, isFull ? 'given' : 'x');
  const runs = (argv: readonly string[]): Promise<boolean> =>
    Promise.resolve(spawnSync(argv[0] ?? '', argv.slice(1)).status === 0);
  const { offline } = await findTools(USUAL_PATH, base, runs);
  if (isFull || offline !== null) assert.equal(networks, '1', 'only the loopback');
});

test('the queue: priorities, room, abort, bound and close', async () => {
  const refuse = (reason: string): Error => new Error(reason);
  const queue = createQueue({ most: 2, mostWaiting: 2, refuse });
  const first = await queue.enter('background');
  const background = queue.enter('background');
  const interactive = await queue.enter('interactive');
  const playback = await queue.enter('playback');
  assert.deepEqual(queue.stats(), { running: 3, waiting: 1 }, 'playback may go beyond, background may not fill it');
  const cancel = new AbortController();
  const cancelled = queue.enter('interactive', cancel.signal);
  await assert.rejects(queue.enter('background'), /busy/);
  cancel.abort();
  await assert.rejects(cancelled, /aborted/);
  await assert.rejects(queue.enter('playback', cancel.signal), /aborted/);
  for (const leave of [first, first, interactive, playback]) leave();
  const leave = await background;
  assert.deepEqual(queue.stats(), { running: 1, waiting: 0 }, 'a slot given back twice counts once');
  const late = queue.enter('background');
  queue.close();
  await assert.rejects(late, /closed/);
  await assert.rejects(queue.enter('playback'), /closed/);
  leave();
  assert.equal(queue.stats().running, 0);
});
