/** Puts the starter of programs together: queue, private folders, wrapping, watching, ending. */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../files/failure.ts';
import { ProcessFailure } from './failure.ts';
import { createHelper } from './helper.ts';
import { launch } from './launch.ts';
import type { Exit, LaunchedProcess } from './launch.ts';
import { createQueue } from './queue.ts';
import type { Command, Helper, OpenInput, Processes, ProcessesNeeds, RunningProcess, StartCommand } from './types.ts';
import { collect, watch } from './watch.ts';
import { findTools, locate, NO_REPORTS, sandboxOf, signalOf, USUAL_PATH, wrap } from './wrap.ts';
import type { Tools } from './wrap.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
const FOLDER = 'run-';
const MAX_HELD = 64;

/** State shared by the parts. */
interface Shop {
  needs: ProcessesNeeds;
  path: string;
  tools: Tools;
  live: Set<LaunchedProcess>;
}

/** Sweeps the temporary folder of what an earlier run left, and tries which wrappers work here, once a process. */
export async function createProcesses(needs: ProcessesNeeds): Promise<Processes> {
  const { path = USUAL_PATH, most = Math.max(2, availableParallelism()), temporary, log } = needs;
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  for (const name of await readdir(temporary))
    if (name.startsWith(FOLDER)) await rm(join(temporary, name), { recursive: true, force: true });
  const tools = await toolsOf(path, temporary);
  const shop: Shop = { needs, path, tools, live: new Set() };
  const helpers = new Set<Helper>();
  const refuse = (reason: 'busy' | 'aborted' | 'closed'): ProcessFailure =>
    new ProcessFailure('the media tools', reason);
  const queue = createQueue({ most, refuse });
  const held = createQueue({ most: needs.mostHeld ?? MAX_HELD, mostWaiting: 0, refuse });
  let isClosed = false;

  const admitted = async <T>(
    command: StartCommand,
    signal: AbortSignal | undefined,
    then: (run: Live) => Promise<T>,
  ): Promise<T> => {
    const program = locate(command.program, path);
    if (program === null) throw new ProcessFailure(command.program, 'missing');
    const leave = await (command.isHeldByReader === true
      ? held.enter('interactive', signal)
      : queue.enter(command.priority ?? 'interactive', signal));
    let live: Live;
    try {
      live = await begin(shop, command, program, signal);
    } catch (error) {
      leave();
      throw error;
    }
    // The queue may have let it in on the very moment that the server began to stop.
    if (isClosed) live.launched.end('closed');
    void live.ended.then(leave);
    return then(live);
  };

  const killAll = (): void => {
    for (const launched of shop.live) launched.end('closed', false);
  };
  process.once('exit', killAll);

  return {
    run: (command, signal) => admitted(command, signal, (live) => collectAll(live, command)),
    start: (command, signal) => admitted(command, signal, (live) => Promise.resolve(stream(live, command))),
    startHelper(helperNeeds) {
      const module = needs.helperModule?.(helperNeeds.module) ?? helperNeeds.module;
      const helper = createHelper({ ...helperNeeds, module, tools, path, temporary, log });
      helpers.add(helper);
      const close = (): Promise<void> => {
        helpers.delete(helper);
        return helper.close();
      };
      return { ...helper, close };
    },
    locate: (program) => locate(program, path),
    sandbox: () => sandboxOf(tools),
    stats: () => ({ running: queue.stats().running + held.stats().running, waiting: queue.stats().waiting }),
    async close() {
      isClosed = true;
      queue.close();
      held.close();
      const ends = [...shop.live].map((launched) => {
        launched.end('closed');
        return launched.exit;
      });
      const all = Promise.all([...ends, ...[...helpers].map((helper) => helper.close())]);
      // A process that the kernel will not let go of (a dead disk) must not hold up the stop.
      await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 900).unref())]);
      process.removeListener('exit', killAll);
    },
  };
}

/**
 * The wrappers that work here, by the path they are looked up in. What the system lets this process do does not change
 * while it runs, so a restart in place does not try them again.
 */
const triedTools = new Map<string, Promise<Tools>>();

function toolsOf(path: string, temporary: string): Promise<Tools> {
  const tried = triedTools.get(path) ?? findTools(path, temporary, isWorking(path, temporary));
  triedTools.set(path, tried);
  return tried;
}

const isWorking =
  (path: string, cwd: string) =>
  async (argv: readonly string[]): Promise<boolean> => {
    try {
      const launched = await launch({ argv, cwd, env: environment(path, cwd), stdio: ['ignore', 'ignore', 'ignore'] });
      const late = setTimeout(() => launched.end('timeout', false), 5000);
      const { code } = await launched.exit;
      clearTimeout(late);
      return code === 0;
    } catch {
      return false;
    }
  };

/** The whole environment of a program; nothing of the server's own gets in. */
function environment(path: string, folder: string, threads?: number): Record<string, string> {
  const env: Record<string, string> = {
    ...NO_REPORTS,
    PATH: path,
    LANG: 'C.UTF-8',
    HOME: folder,
    TMPDIR: folder,
    MALLOC_ARENA_MAX: '4',
  };
  if (threads !== undefined) env['OMP_THREAD_LIMIT'] = String(threads);
  return env;
}

/** A program that has begun. */
interface Live {
  program: string;
  folder: string | null;
  launched: LaunchedProcess;
  /** Once it has ended and its folder is gone. */
  ended: Promise<Exit>;
}

async function begin(shop: Shop, command: StartCommand, program: string, signal?: AbortSignal): Promise<Live> {
  const given = await command.openInput?.();
  let second: OpenInput | undefined;
  try {
    second = await command.openSecondInput?.();
    return await beginWith(shop, command, { program, given, second }, signal);
  } finally {
    // Not waited for: what a program says before its output is read is lost once it has ended.
    for (const input of [given, second])
      void input?.close().catch((error: unknown) => shop.needs.log.warn('process.close', { code: codeOf(error) }));
  }
}

/** Null where none can be made because the disk is full: a program that only writes to its pipes does without one. */
async function privateFolder({ needs: { temporary, log } }: Shop): Promise<string | null> {
  try {
    return await mkdtemp(join(temporary, FOLDER));
  } catch (error) {
    log.warn('process.no-folder', { code: codeOf(error) });
    return null;
  }
}

async function beginWith(
  shop: Shop,
  command: StartCommand,
  { program, given, second }: { program: string; given: OpenInput | undefined; second: OpenInput | undefined },
  signal?: AbortSignal,
): Promise<Live> {
  const folder = await privateFolder(shop);
  const dispose = async (): Promise<void> => {
    if (folder !== null) await rm(folder, { recursive: true, force: true }).catch(() => {});
  };
  const {
    timeoutMs,
    memoryLimit = 2 * GIB,
    cpuSeconds = (timeoutMs / 1000) * 4,
    fileLimit = 64 * MIB,
    priority = 'interactive',
  } = command;
  const argv = wrap(shop.tools, {
    program,
    args: command.args,
    limits: {
      ...(memoryLimit !== 'unlimited' && { memory: memoryLimit }),
      cpuSeconds: Math.max(1, cpuSeconds),
      file: fileLimit,
      files: 64,
    },
    nice: command.nice ?? (priority === 'background' ? 10 : 0),
    view: { folder, reads: command.reads ?? [], writes: command.writes ?? [], devices: command.devices ?? [] },
  });
  let launched: LaunchedProcess;
  try {
    const stdin = given?.fd ?? (command.input === undefined ? 'ignore' : 'pipe');
    const extra = Array.from({ length: command.extraPipes ?? 0 }, () => 'pipe' as const);
    launched = await launch({
      argv,
      cwd: folder ?? '/',
      env: environment(shop.path, folder ?? '/dev/null', command.threads),
      stdio: [stdin, 'pipe', 'pipe', ...(second ? [second.fd] : []), ...extra],
    });
  } catch (error) {
    await dispose();
    throw new ProcessFailure(command.program, 'exit', { cause: error });
  }
  shop.live.add(launched);
  const onAbort = (): void => launched.end('aborted');
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const { stdin } = launched.child;
  stdin?.on('error', () => {});
  if (stdin) feed(stdin, command.input, () => launched.end('aborted'));
  const ended = launched.exit.then(async (exit) => {
    signal?.removeEventListener('abort', onAbort);
    shop.live.delete(launched);
    await dispose();
    return { ...exit, signal: exit.signal ?? signalOf(shop.tools, exit.code) };
  });
  return { program: command.program, folder, launched, ended };
}

/** Writes the input of a program. A program that does not read all of it is no failure. */
function feed(stdin: Writable, input: Command['input'], failed: () => void): void {
  if (input === undefined || input instanceof Uint8Array) return void stdin.end(input);
  let hasFailed = false;
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* input;
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  pipeline(pieces, stdin).catch(() => {
    if (hasFailed) failed();
  });
}

function failureOf(live: Live, exit: Exit, stderr: string): ProcessFailure | null {
  const { code, signal, reason } = exit;
  if (reason === null && code === 0) return null;
  return new ProcessFailure(live.program, reason ?? (signal === null ? 'exit' : 'signal'), { code, signal, stderr });
}

async function collectAll(live: Live, command: Command): Promise<{ stdout: Buffer; stderr: string }> {
  const { launched } = live;
  const watching = watch(launched, command, () => false);
  const { stdout } = launched.child;
  if (stdout === null) throw new Error('a program without an output');
  const output = collect(stdout, command.outputLimit ?? 8 * MIB, {
    data: watching.noteLife,
    tooMuch: () => launched.end('output'),
  });
  const exit = await live.ended;
  watching.stop();
  const failure = failureOf(live, exit, watching.stderr());
  if (failure) throw failure;
  return { stdout: output(), stderr: watching.stderr() };
}

function stream(live: Live, command: StartCommand): RunningProcess {
  const { launched, folder } = live;
  const firstExtra = command.openSecondInput ? 4 : 3;
  const pipes = [1, ...Array.from({ length: command.extraPipes ?? 0 }, (_, i) => i + firstExtra)].map((fd) =>
    flow(launched, fd),
  );
  const watching = watch(launched, command, () => pipes.some((pipe) => pipe.isHeldUp()));
  let total = 0;
  let readers = pipes.length;
  for (const pipe of pipes) {
    pipe.out.once('close', () => {
      readers -= 1;
      if (readers === 0 && pipes.some(({ out }) => !out.writableFinished)) launched.end('aborted');
    });
    pipe.onData((bytes) => {
      watching.noteLife();
      total += bytes;
      if (command.outputLimit !== undefined && total > command.outputLimit) launched.end('output');
    });
  }
  const done = live.ended.then((exit) => {
    watching.stop();
    const failure = failureOf(live, exit, watching.stderr());
    for (const pipe of pipes) pipe.finish(failure);
    if (failure) throw failure;
    return { stderr: watching.stderr() };
  });
  done.catch(() => {});
  const [stdout, ...rest] = pipes.map((pipe) => pipe.out);
  if (!stdout) throw new Error('a program without an output');
  return { pid: launched.pid, stdout, folder, pipes: rest, done, stop: () => launched.end('aborted') };
}

/** One output of a program, which ends well only when the program did, and is drained when its reader leaves. */
function flow(
  launched: LaunchedProcess,
  fd: number,
): {
  out: PassThrough;
  isHeldUp(): boolean;
  onData(on: (bytes: number) => void): void;
  finish(failure: Error | null): void;
} {
  const from = launched.child.stdio[fd] as Readable;
  const out = new PassThrough({ highWaterMark: 256 * 1024 });
  let isHeldUp = false;
  let listener: (bytes: number) => void = () => {};
  // An error without a listener would end the server; the reader gets it too.
  out.on('error', () => {});
  const goOn = (): void => {
    isHeldUp = false;
    from.resume();
  };
  out.on('drain', goOn);
  out.on('close', goOn);
  from.on('error', () => {});
  from.on('data', (chunk: Buffer) => {
    listener(chunk.length);
    if (out.destroyed || out.write(chunk)) return;
    isHeldUp = true;
    from.pause();
  });
  return {
    out,
    isHeldUp: () => isHeldUp,
    onData: (on) => {
      listener = on;
    },
    finish: (failure) => {
      if (failure) out.destroy(failure);
      else out.end();
    },
  };
}
