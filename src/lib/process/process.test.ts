/** Programs are bounded, told apart in failure, and gone afterwards. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { until } from '../../../test/until.ts';
import { openForReading } from '../files.ts';
import { createProcesses, INPUT_PATH, ProcessFailure, SECOND_INPUT_PATH } from '../process.ts';
import type { Command, Processes } from '../process.ts';
import { quietLog } from './testing.ts';

const sh = (script: string): Command => ({ program: 'sh', args: ['-c', script], timeoutMs: 60_000 });
const isRunning = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
/** The command line of a process as the kernel has it; empty for what has ended or is none. */
function commandOf(process: string): string {
  try {
    return readFileSync(`/proc/${process}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
const why = (fault: string) => (error: unknown) => error instanceof ProcessFailure && error.fault === fault;

async function world(t: TestContext, most?: number): Promise<{ processes: Processes; temporary: string }> {
  const base = mkdtempSync(join(tmpdir(), 'process-'));
  const temporary = join(base, 'tmp');
  const processes = await createProcesses({ log: quietLog, temporary, ...(most === undefined ? {} : { most }) });
  t.after(async () => {
    await processes.close();
    rmSync(base, { recursive: true, force: true });
  });
  return { processes, temporary };
}

test('output, input, a private folder and a fixed environment', async (t) => {
  const { processes, temporary } = await world(t);
  const { stdout } = await processes.run({
    ...sh('cat; pwd; touch here; ls; env | cut -d= -f1 | sort | tr "\\n" " "'),
    input: Buffer.from('given\n'),
  });
  const [given, folder, file, names] = stdout.toString().split('\n');
  assert.equal(given, 'given');
  assert.ok(folder?.startsWith(temporary));
  assert.equal(file, 'here');
  assert.equal(
    names?.replace(/\b(OLDPWD|PWD|SHLVL|_) /g, ''),
    'DO_NOT_TRACK HOME LANG MALLOC_ARENA_MAX ORT_DISABLE_TELEMETRY PATH TMPDIR ',
  );
  assert.deepEqual(readdirSync(temporary), []);
});

test('input that comes in pieces is asked for as it is read, and ends with the program', async (t) => {
  const { processes } = await world(t);
  let [asked, isEnded] = [0, false];
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (; ; asked++) yield Buffer.alloc(64 * 1024, 0x61);
    } finally {
      isEnded = true;
    }
  };
  const { stdout } = await processes.run({ ...sh('head -c 300000 | wc -c'), input: pieces() });
  assert.equal(stdout.toString().trim(), '300000');
  await until('the end of the pieces', () => isEnded);
  assert.ok(asked < 40, `${asked} pieces were asked for`);
  const few = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one ');
    yield Buffer.from('two');
  };
  assert.equal((await processes.run({ ...sh('cat'), input: few() })).stdout.toString(), 'one two');
});

test('a program whose input fails is ended', async (t) => {
  const { processes } = await world(t);
  const broken = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one');
    throw new Error('the disk is gone');
  };
  await assert.rejects(processes.run({ ...sh('cat; sleep 60'), input: broken() }), why('aborted'));
});

test('what it says on standard error is heard as it comes', async (t) => {
  const { processes } = await world(t);
  const heard: string[] = [];
  // It continues only after the first word was read.
  const running = await processes.start({
    ...sh('echo one >&2; while [ ! -e go ]; do sleep 0.01; done; echo two >&2'),
    hear: (chunk) => void heard.push(chunk.toString()),
  });
  running.stdout.resume();
  await until('the first word', () => heard.length === 1);
  writeFileSync(join(running.folder ?? assert.fail(), 'go'), '');
  assert.equal((await running.done).stderr, 'one\ntwo\n');
  assert.equal(heard.join(''), 'one\ntwo\n');
});

test('arguments are never read by a shell', async (t) => {
  const { processes } = await world(t);
  const { stdout } = await processes.run({
    program: 'printf',
    args: ['%s', '$(id);`id`; rm -rf "x"'],
    timeoutMs: 60_000,
  });
  assert.equal(stdout.toString(), '$(id);`id`; rm -rf "x"');
});

test('each kind of failure is told', async (t) => {
  const { processes } = await world(t);
  await assert.rejects(processes.run({ program: 'no-such-program', args: [], timeoutMs: 1000 }), (error: unknown) => {
    assert.ok(error instanceof ProcessFailure);
    assert.deepEqual(
      [error.fault, error.message, error.kind],
      ['missing', 'no-such-program is not installed', 'unavailable'],
    );
    return true;
  });
  await assert.rejects(processes.run(sh('echo one >&2; echo two >&2; exit 3')), (error: unknown) => {
    assert.ok(error instanceof ProcessFailure);
    assert.deepEqual([error.fault, error.code, error.lines], ['exit', 3, ['one', 'two']]);
    assert.equal(error.message, 'sh failed');
    return true;
  });
  await assert.rejects(processes.run({ ...sh('sleep 60'), timeoutMs: 100 }), why('timeout'));
  await assert.rejects(processes.run({ ...sh('echo a; sleep 60'), quietMs: 100 }), why('quiet'));
  await assert.rejects(processes.run({ ...sh('yes'), outputLimit: 1000 }), why('output'));
  await assert.rejects(processes.run(sh('kill -9 $$')), why('signal'));
  await assert.rejects(processes.run(sh('sleep 60'), AbortSignal.timeout(100)), why('aborted'));
  await assert.rejects(processes.run(sh('true'), AbortSignal.abort()), why('aborted'));
});

test('limits hold on memory, processor, file size, open files and cores', async (t) => {
  const { processes } = await world(t);
  if (processes.sandbox() === 'none') return assert.equal(processes.locate('prlimit'), null);
  const { stdout } = await processes.run({
    ...sh('ulimit -v; ulimit -t; ulimit -f; ulimit -n; ulimit -c; grep NoNewPrivs /proc/self/status'),
    memoryLimit: 1 << 30,
    cpuSeconds: 7,
    fileLimit: 1 << 20,
  });
  assert.deepEqual(stdout.toString().trim().split(/\s+/), ['1048576', '7', '2048', '64', '0', 'NoNewPrivs:', '1']);
  await assert.rejects(
    processes.run({
      program: 'dd',
      args: ['if=/dev/zero', 'of=big', 'bs=1M', 'count=2'],
      timeoutMs: 60_000,
      fileLimit: 1 << 20,
    }),
    ProcessFailure,
  );
});

test('processes that a program started end with it, even after success or when they ignore signals', async (t) => {
  const { processes } = await world(t);
  // In the sandbox a program sees other process numbers, so it is recognized by its time.
  const time = `300.${process.pid}`;
  const isThere = () => readdirSync('/proc').some((name) => commandOf(name) === `sleep\0${time}\0`);
  await processes.run(sh(`sleep ${time} >/dev/null 2>&1 & until grep -qa '^sleep' /proc/$!/cmdline; do :; done`));
  await until('the end of what it started', () => !isThere());
  const leave = new AbortController();
  const deaf = await processes.start(sh('trap "" TERM; echo up; while :; do sleep 1; done'), leave.signal);
  await new Promise((resolve) => deaf.stdout.once('data', resolve));
  leave.abort();
  await assert.rejects(deaf.done, why('aborted'));
  assert.ok(!isRunning(deaf.pid));
});

test('stopped children are ended and reaped by close', async (t) => {
  const { processes, temporary } = await world(t, 12);
  const all = await Promise.all(
    Array.from({ length: 10 }, () => processes.start({ ...sh('echo up; sleep 300; true'), priority: 'playback' })),
  );
  await Promise.all(all.map(({ stdout }) => new Promise((resolve) => stdout.once('data', resolve))));
  for (const { pid } of all) process.kill(-pid, 'SIGSTOP');
  const ends = Promise.allSettled(all.map(({ done }) => done));
  await processes.close();
  for (const end of await ends) assert.ok(end.status === 'rejected' && why('closed')(end.reason));
  assert.deepEqual(
    all.filter(({ pid }) => existsSync(`/proc/${pid}`)),
    [],
    'no zombie either',
  );
  assert.deepEqual(readdirSync(temporary), []);
  await assert.rejects(processes.run(sh('true')), why('closed'));
});

test('a streamed output is whole, slows its program down, and ends it when its reader leaves', async (t) => {
  const { processes, temporary } = await world(t);
  const whole = await processes.start(sh('head -c 3000000 /dev/zero'));
  let length = 0;
  for await (const chunk of whole.stdout) {
    length += (chunk as Buffer).length;
    if (length < 1_000_000) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.equal(length, 3_000_000);

  // A silent one, started later with a longer limit, is ended for it while one that cannot write more continues.
  const slow = await processes.start({ ...sh('yes'), quietMs: 1_500 });
  await until('a full pipe', () => slow.stdout.readableLength > 0);
  await assert.rejects(processes.run({ ...sh('sleep 60'), quietMs: 2_500 }), why('quiet'));
  assert.ok(isRunning(slow.pid), 'a slow reader is no silence');
  const { stdout } = slow;
  stdout.destroy();
  await assert.rejects(slow.done, why('aborted'));
  assert.deepEqual(readdirSync(temporary), []);

  const failing = await processes.start(sh('echo part; exit 1'));
  await assert.rejects(async () => {
    for await (const _ of failing.stdout);
  }, why('exit'));
});

test('extra pipes each have their own bytes', async (t) => {
  const { processes } = await world(t);
  const { stdout, pipes, done } = await processes.start({
    ...sh('echo one; echo three >&3; echo four >&4'),
    extraPipes: 2,
  });
  const texts = await Promise.all(
    [stdout, ...pipes].map(async (pipe) => Buffer.concat(await pipe.toArray()).toString()),
  );
  assert.deepEqual(texts, ['one\n', 'three\n', 'four\n']);
  await done;
});

test('playback goes first and the bound holds', async (t) => {
  const { processes } = await world(t, 2);
  const order: string[] = [];
  const hold = await Promise.all([1, 2].map(() => processes.start(sh('while [ ! -e go ]; do sleep 0.01; done'))));
  const letGo = (n: number) => writeFileSync(join(hold[n]?.folder ?? '', 'go'), '');
  assert.equal(processes.stats().running, 2);
  const named = (name: string, priority: 'background' | 'interactive' | 'playback') =>
    processes.run({ ...sh('true'), priority }).then(() => order.push(name));
  const [background, interactive, playback] = [
    named('background', 'background'),
    named('interactive', 'interactive'),
    named('playback', 'playback'),
  ];
  await playback;
  assert.deepEqual(order, ['playback'], 'beyond the bound, and nothing else is');
  letGo(0);
  await interactive;
  letGo(1);
  await Promise.all([background, ...hold.map((run) => run.done)]);
  assert.deepEqual(order, ['playback', 'interactive', 'background']);
});

test('folders that an earlier server left are swept at the start', async (t) => {
  const base = mkdtempSync(join(tmpdir(), 'process-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  writeFileSync(join(base, 'run-abc'), 'left');
  const processes = await createProcesses({ log: quietLog, temporary: base });
  assert.deepEqual(readdirSync(base), []);
  await processes.close();
});

test('a program that its reader holds is not silent, however long, and keeps no other from starting', async (t) => {
  const { processes } = await world(t, 1);
  // Each writes far more than fits into the pipes, and would be ended after two seconds without output.
  const held = await Promise.all(
    [1, 2, 3].map(() => processes.start({ ...sh('head -c 8000000 /dev/zero'), quietMs: 2_000, isHeldByReader: true })),
  );
  await until('full pipes', () => held.every(({ stdout }) => stdout.readableLength > 0));
  await assert.rejects(
    processes.run({ ...sh('sleep 60'), quietMs: 3_000 }),
    why('quiet'),
    'the one turn of the queue is free',
  );
  assert.ok(held.every(({ pid }) => isRunning(pid)));
  for (const { stdout, done } of held) {
    let length = 0;
    for await (const chunk of stdout) length += (chunk as Buffer).length;
    assert.equal(length, 8_000_000);
    await done;
  }
});

test('programs held by their readers have a separate limit', async (t) => {
  const base = mkdtempSync(join(tmpdir(), 'process-'));
  const processes = await createProcesses({ log: quietLog, temporary: join(base, 'tmp'), mostHeld: 1 });
  t.after(async () => {
    await processes.close();
    rmSync(base, { recursive: true, force: true });
  });
  const one = await processes.start({ ...sh('sleep 300'), isHeldByReader: true });
  await assert.rejects(processes.start({ ...sh('true'), isHeldByReader: true }), why('busy'));
  one.stop();
});

test('a second file is reached by its descriptor, before the extra pipes', async (t) => {
  const { processes, temporary } = await world(t);
  for (const name of ['one', 'two']) writeFileSync(join(temporary, name), `${name}\n`);
  const opened = (name: string) => () => openForReading(join(temporary, name));
  const { stdout, pipes, done } = await processes.start({
    ...sh(`cat ${INPUT_PATH}; cat ${SECOND_INPUT_PATH} >&4`),
    openInput: opened('one'),
    openSecondInput: opened('two'),
    extraPipes: 1,
  });
  assert.deepEqual(
    await Promise.all([stdout, ...pipes].map(async (pipe) => String(Buffer.concat(await pipe.toArray())))),
    ['one\n', 'two\n'],
  );
  await done;
});

test('what a short program says is whole, however long closing its input takes', async (t) => {
  const { processes, temporary } = await world(t);
  writeFileSync(join(temporary, 'one'), 'one\n');
  const openInput = async () => {
    const file = await openForReading(join(temporary, 'one'));
    // Longer than the program runs: Node drops the output of one that has ended and is not read yet.
    return { fd: file.fd, close: async () => (await new Promise((resolve) => setTimeout(resolve, 300)), file.close()) };
  };
  assert.equal(String((await processes.run({ ...sh(`cat ${INPUT_PATH}`), openInput })).stdout), 'one\n');
});
