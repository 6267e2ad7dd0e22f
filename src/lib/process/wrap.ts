/**
 * How a program is wrapped: pure building of the argument list, and finding out which wrappers work here.
 *
 * The order matters: niceness and limits first, so that they hold for the sandbox program too; then a network
 * namespace without any interface; then no new privileges and an end together with the server, which a change of
 * namespaces must not reset; then the sandbox; then the program.
 */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { constants as system } from 'node:os';
import { dirname } from 'node:path';
import type { Sandbox } from './types.ts';

/** Absolute paths of the wrappers that work on this system. */
export interface Tools {
  nice: string | null;
  ionice: string | null;
  prlimit: string | null;
  setpriv: string | null;
  bwrap: string | null;
  /** `unshare` with its options: what it starts has no network. For everything that runs without the sandbox. */
  offline: readonly string[] | null;
}

export interface ProcessLimits {
  /** Bytes of address space. Left out for programs that reserve far more than they use. */
  memory?: number;
  cpuSeconds?: number;
  /** Bytes of the largest file. */
  file?: number;
  /** Open files. */
  files: number;
}

export interface WrapOptions {
  /** Absolute. */
  program: string;
  args: readonly string[];
  limits: ProcessLimits;
  nice: number;
  /** Files visible in the sandbox; null runs without a sandbox. */
  view: FileView | null;
}

export interface FileView {
  /** The private folder: writable, and the working folder. Without one that is the sandbox's own /tmp. */
  folder: string | null;
  reads: readonly string[];
  writes: readonly string[];
  /** Devices, next to those that every program has. */
  devices?: readonly string[];
}

/** The usual folders of programs; the environment is not asked. */
export const USUAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Stops libraries that report their use to their maker. onnxruntime looks up the maker's host and keeps a device id in
 * the home folder, unless this is set before it is loaded; it has no option of the session for it.
 */
export const NO_REPORTS: Readonly<Record<string, string>> = { ORT_DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1' };

/** The absolute path of an executable file, or null. */
export function locate(program: string, path: string): string | null {
  const candidates = program.includes('/') ? [program] : path.split(':').map((folder) => `${folder}/${program}`);
  return candidates.find((candidate) => candidate.startsWith('/') && isExecutable(candidate)) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The whole argument list, program first. */
export function wrap(tools: Tools, { program, args, limits, nice, view }: WrapOptions): string[] {
  const out: string[] = [];
  if (nice > 0 && tools.nice) out.push(tools.nice, '-n', String(nice));
  if (nice > 0 && tools.ionice) out.push(tools.ionice, '-t', '-c', '2', '-n', '7');
  if (tools.prlimit) out.push(tools.prlimit, ...limitArgs(limits));
  const isSandboxed = tools.bwrap !== null && view !== null;
  if (tools.offline && !isSandboxed) out.push(...tools.offline);
  if (tools.setpriv) out.push(tools.setpriv, '--no-new-privs', '--pdeathsig', 'KILL');
  if (tools.bwrap && view) out.push(tools.bwrap, ...viewArgs(program, view), '--');
  out.push(program, ...args);
  return out;
}

function limitArgs({ memory, cpuSeconds, file, files }: ProcessLimits): string[] {
  const out = ['--core=0', `--nofile=${files}`];
  if (memory !== undefined) out.push(`--as=${memory}`);
  if (cpuSeconds !== undefined) out.push(`--cpu=${Math.ceil(cpuSeconds)}`);
  if (file !== undefined) out.push(`--fsize=${file}`);
  return out;
}

/** The system read-only, the given inputs read-only, the private folder writable, and no network or other process. */
function viewArgs(program: string, { folder, reads, writes, devices = [] }: FileView): string[] {
  const out = ['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL', '--ro-bind', '/usr', '/usr'];
  for (const name of ['bin', 'sbin', 'lib', 'lib32', 'lib64']) out.push('--ro-bind-try', `/${name}`, `/${name}`);
  for (const path of ['/etc/ld.so.cache', '/etc/alternatives', '/etc/fonts']) out.push('--ro-bind-try', path, path);
  out.push('--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp');
  if (!program.startsWith('/usr/') && !program.startsWith('/bin/'))
    out.push('--ro-bind', dirname(program), dirname(program));
  for (const path of reads) out.push('--ro-bind', path, path);
  for (const path of writes) out.push('--bind', path, path);
  for (const path of devices) out.push('--dev-bind-try', path, path);
  // Drivers look their device up there.
  if (devices.length > 0) out.push('--ro-bind-try', '/sys', '/sys');
  if (folder === null) out.push('--chdir', '/tmp');
  else out.push('--bind', folder, folder, '--chdir', folder);
  return out;
}

/**
 * Returns the signal that ended a program in the sandbox, which reports it as a status: 128 and its number. Null for
 * other statuses: those of ffmpeg's own errors are higher than any signal of a program that has crashed.
 */
export function signalOf(tools: Pick<Tools, 'bwrap'>, code: number | null): NodeJS.Signals | null {
  if (tools.bwrap === null || code === null || code <= 128 || code > 128 + system.signals.SIGSYS) return null;
  const names = Object.keys(system.signals) as NodeJS.Signals[];
  return names.find((name) => system.signals[name] === code - 128) ?? null;
}

/** Tries each wrapper for real with `works`, since a container may hold the program and forbid what it does. */
export async function findTools(
  path: string,
  folder: string,
  works: (argv: readonly string[]) => Promise<boolean>,
): Promise<Tools> {
  const none: Tools = { nice: null, ionice: null, prlimit: null, setpriv: null, bwrap: null, offline: null };
  const idle = locate('true', path);
  if (idle === null) return none;
  const limits: ProcessLimits = { memory: 1 << 30, cpuSeconds: 10, file: 1 << 20, files: 64 };
  const isUsable = (tools: Partial<Tools>): Promise<boolean> => {
    const view = tools.bwrap ? { folder, reads: [], writes: [] } : null;
    return works(wrap({ ...none, ...tools }, { program: idle, args: [], limits, nice: 1, view }));
  };
  const names = ['nice', 'ionice', 'prlimit', 'setpriv', 'bwrap'] as const;
  const found = names.map(async (name) => {
    const at = locate(name, path);
    return [name, at !== null && (await isUsable({ [name]: at })) ? at : null] as const;
  });
  const [offline, ...pairs] = await Promise.all([findOffline(path, (argv) => isUsable({ offline: argv })), ...found]);
  return { ...none, ...Object.fromEntries(pairs), offline };
}

/**
 * How to start a program without a network. An ordinary user needs a user namespace for it, in which capabilities
 * over the files of others are void; so a server that has any capability does without one.
 */
async function findOffline(
  path: string,
  isUsable: (argv: readonly string[]) => Promise<boolean>,
): Promise<readonly string[] | null> {
  const unshare = locate('unshare', path);
  if (unshare === null) return null;
  const argv = hasCapabilities() ? [unshare, '--net'] : [unshare, '--user', '--map-current-user', '--net'];
  return (await isUsable(argv)) ? argv : null;
}

function hasCapabilities(): boolean {
  try {
    return !/^CapEff:\s*0+$/m.test(readFileSync('/proc/self/status', 'latin1'));
  } catch {
    return true;
  }
}

export const sandboxOf = (tools: Tools): Sandbox =>
  tools.bwrap && tools.prlimit ? 'full' : tools.prlimit || tools.setpriv ? 'limits' : 'none';
