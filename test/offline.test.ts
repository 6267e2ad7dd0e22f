/**
 * No helper and no program reaches for the network, and no helper writes a file: all of them are started under strace,
 * which sees attempts that fail as well, so it does not matter whether this machine has a network.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SETTINGS } from '../src/settings.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** A helper is a Node process under the permission model. */
const HELPER = /^execve\("[^"]*\/node", .*"--permission"/;
/** The sandbox makes a network without a way out, and turns its loopback on, before it becomes the program. */
const SANDBOX = /^execve\("[^"]*\/bwrap"/;
const TURNS_ON = /^socket\(AF_NETLINK, .*NETLINK_ROUTE|^sendto\(\d+, \[?\{nlmsg_len=/;

interface Watched {
  /** The last program that the process became, and the call. */
  by: string;
  call: string;
}

interface Outcome {
  helpers: string[];
  programs: string[];
  network: Watched[];
  written: Watched[];
}

async function watch(t: TestContext, mode: string): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'offline-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const trace = join(folder, 'trace');
  const strace = [
    '-f',
    '-qq',
    '--seccomp-bpf',
    '--pidns-translation',
    '-e',
    'trace=%network,%process,openat,open,creat,mkdir,mkdirat',
    '-e',
    'signal=none',
    '-s',
    '400',
    '-o',
    trace,
  ];
  const { stdout } = await promisify(execFile)(
    'strace',
    [...strace, process.execPath, fileURLToPath(new URL('offline/drive.ts', import.meta.url)), folder, mode],
    { cwd: ROOT },
  );
  return { ...(JSON.parse(stdout) as Pick<Outcome, 'helpers' | 'programs'>), ...judged(readFileSync(trace, 'utf8')) };
}

/** Reads the trace: which calls reach for a network, and which of a helper make a file. */
function judged(trace: string): Pick<Outcome, 'network' | 'written'> {
  const programOf = new Map<string, string>();
  const network: Watched[] = [];
  const written: Watched[] = [];
  for (const line of trace.split('\n')) {
    const [, thread = '', call = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const program = programOf.get(thread) ?? '';
    const made = /(?:^|<\.\.\. )(?:clone3?|v?fork)\b.* = (\d+)(?: \/\* (\d+) in .*\*\/)?$/.exec(call);
    // A sandbox has separate numbers.
    const child = made?.[2] ?? made?.[1];
    if (child !== undefined) programOf.set(child, program);
    else if (call.startsWith('execve(') && !call.includes(' = -1 ')) programOf.set(thread, call);
    else if (SANDBOX.test(program) && TURNS_ON.test(call)) continue;
    else if (/^(?:socket\(AF_(?!UNIX)|connect\(|sendto\(.*sa_family|sendmmsg\()/.test(call))
      network.push({ by: program, call });
    else if (
      HELPER.test(program) &&
      /^(?:creat|mkdir|mkdirat)\(|^open(?:at)?\(.*O_(?:CREAT|WRONLY|RDWR)/.test(call) &&
      !call.includes('"/dev/null"')
    )
      written.push({ by: program, call });
  }
  return { network, written };
}

test('no helper and no program reaches for the network, and no helper writes a file', async (t) => {
  const { helpers, programs, network, written } = await watch(t, 'every');
  assert.deepEqual(network, []);
  assert.deepEqual(written, []);

  const modules: string[] = [];
  for await (const file of glob('src/**/*.ts', { cwd: ROOT })) {
    const isHelper = /^ {0,2}serveHelper\(/m.test(readFileSync(join(ROOT, file), 'utf8'));
    if (isHelper && !/testing|\.test\.ts$/.test(file)) modules.push(file.slice('src/'.length));
  }
  assert.deepEqual(helpers, modules.sort(), 'every module that serves as a helper has to be started by drive.ts');
  const binaries = SETTINGS.all.map(({ key }) => key).filter((key) => key.startsWith('binaries.'));
  const started = (key: string): boolean =>
    programs.some((program) => program.startsWith(key.slice('binaries.'.length)));
  assert.deepEqual(
    binaries.filter((key) => !started(key)),
    [],
    'every program that can be configured has to be started by drive.ts',
  );
});

test('a lookup, a connection and a device id are seen', async (t) => {
  const { network, written } = await watch(t, 'planted');
  const reached = (call: RegExp): boolean =>
    network.some((one) => call.test(one.call) && one.by.includes(process.execPath));
  assert.deepEqual(
    [
      reached(/connect\(.*htons\(53\)|connect\(.*(?:nscd|resolve)/),
      reached(/connect\(.*htons\(9\), sin_addr=inet_addr\("127\.0\.0\.1"\)/),
    ],
    [true, true],
  );
  assert.ok(
    written.some(({ call }) => call.includes('Microsoft')),
    'the library that reports its use, where it is not told to be silent',
  );
});
