/**
 * One process group from its start to its last descendant's end.
 *
 * The group is a separate session, so that one signal reaches everything the program started. It is asked to
 * end (SIGTERM, and SIGCONT in case it is stopped), and half a second later made to (SIGKILL, which ends
 * stopped processes too). The rest of the group is killed when its leader has ended. A leader that
 * the kernel does not let end, because it waits for a dead disk, is given up: callers wait for it no longer.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess, SerializationType, StdioOptions } from 'node:child_process';
import type { ProcessFault } from './failure.ts';

export interface LaunchNeeds {
  argv: readonly string[];
  cwd: string;
  env: Record<string, string>;
  stdio: StdioOptions;
  /** How the channel of a child that has one carries messages. */
  serialization?: SerializationType;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why we ended it; null when it ended by itself. */
  reason: ProcessFault | null;
}

export interface LaunchedProcess {
  child: ChildProcess;
  pid: number;
  /** Resolves once the leader is reaped and its pipes are closed, or when it was given up. Never rejects. */
  exit: Promise<Exit>;
  /** Resolves once the leader is reaped; undefined after that. */
  leaving(): Promise<void> | undefined;
  /** Ends the group; the first reason counts. */
  end(reason: ProcessFault, isGentle?: boolean): void;
}

const GRACE_MS = 400;
/** After SIGKILL, how long a process may take to go before it is given up. */
const REAP_MS = 2_000;

/** Signals a whole group; one that is gone is no error. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Gone already.
  }
}

/** Starts a group. Throws what the system says when it cannot be started at all. */
export async function launch({ argv, cwd, env, stdio, serialization = 'json' }: LaunchNeeds): Promise<LaunchedProcess> {
  const [program = '', ...args] = argv;
  const child = spawn(program, args, {
    cwd,
    env,
    stdio,
    serialization,
    detached: true,
    shell: false,
    windowsHide: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const pid = child.pid ?? 0;
  child.on('error', () => {});
  let reason: ProcessFault | null = null;
  let grace: NodeJS.Timeout | undefined;
  let reaping: NodeJS.Timeout | undefined;
  let isReaped = false;
  const left = Promise.withResolvers<void>();
  const settled = Promise.withResolvers<Exit>();
  child.once('exit', () => {
    isReaped = true;
    clearTimeout(grace);
    clearTimeout(reaping);
    signalGroup(pid, 'SIGKILL');
    // The rest in the pipes is read to its end, unless the program was ended and its output is not wanted.
    if (reason !== null) destroyPipes(child);
    left.resolve();
  });
  // With a channel that the parent has closed, `close` never comes; such a child has no pipes to wait for.
  child.once(child.channel ? 'exit' : 'close', (code, signal) => settled.resolve({ code, signal, reason }));
  const giveUp = (): void => {
    destroyPipes(child);
    if (child.connected) child.disconnect();
    child.unref();
    settled.resolve({ code: null, signal: 'SIGKILL', reason });
  };
  const kill = (): void => {
    signalGroup(pid, 'SIGKILL');
    reaping ??= setTimeout(giveUp, REAP_MS);
  };
  const end = (why: ProcessFault, isGentle = true): void => {
    if (reason !== null) return;
    reason = why;
    // A descendant in another session may hold the pipes open after the leader's end.
    if (isReaped) return destroyPipes(child);
    if (!isGentle) return kill();
    signalGroup(pid, 'SIGTERM');
    signalGroup(pid, 'SIGCONT');
    grace = setTimeout(kill, GRACE_MS);
  };
  return { child, pid, exit: settled.promise, leaving: () => (isReaped ? undefined : left.promise), end };
}

const destroyPipes = (child: ChildProcess): void => {
  for (const pipe of child.stdio) pipe?.destroy();
};
