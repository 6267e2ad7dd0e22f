/**
 * Runs the programs of a test run. Each has its own process group, which is killed when the program ends or is
 * out of time, so that nothing it started is left. All share one folder for temporary files, one for compiled code
 * and one for what test files prepare for each other (test/prepared.ts); all are gone after the run.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');
const NAME = 'matinee-run-';
const OWN = mkdtempSync(join(tmpdir(), `${NAME}${process.pid}-`));
/** Room for the temporary files of a run: more than four times what one has taken. */
const ROOM_BYTES = 6 * 1024 ** 3;
const isInMemory = mountMemory();
const FOLDERS = {
  TMPDIR: join(OWN, 'tmp'),
  NODE_COMPILE_CACHE: join(OWN, 'compiled'),
  PREPARED_FOLDER: join(ROOT, 'dist', `prepared-${process.pid}`),
};
// Some tests have a program run as another user, who must be let through.
chmodSync(OWN, 0o711);
for (const folder of Object.values(FOLDERS)) mkdirSync(folder, { recursive: true });
removeLeftOvers();

/**
 * Puts the folder of the run into memory if that is free and root may mount. Tests that kill a server in each of its
 * writes take half of their CPU time on a disk.
 */
function mountMemory(): boolean {
  if (process.getuid?.() !== 0 || process.availableMemory() < 2 * ROOM_BYTES) return false;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${ROOM_BYTES}`, 'tmpfs', OWN]).status === 0;
}

/** A file that is still open keeps its memory until the program that opened it ends. */
function unmount(folder: string): void {
  spawnSync('umount', ['--lazy', folder]);
}

/** Removes what runs left that were killed. */
function removeLeftOvers(): void {
  const isLeft = (pid: string | undefined) => pid !== undefined && !isAlive(Number(pid));
  const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });
  for (const name of readdirSync(join(ROOT, 'dist')))
    if (isLeft(/^prepared-(\d+)$/.exec(name)?.[1])) remove(join(ROOT, 'dist', name));
  if (!isInMemory) return;
  for (const line of readFileSync('/proc/self/mounts', 'utf8').split('\n')) {
    const folder = line.split(' ')[1] ?? '';
    if (!folder.startsWith(join(tmpdir(), NAME)) || !isLeft(/-(\d+)-\w+$/.exec(folder)?.[1])) continue;
    unmount(folder);
    remove(folder);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const running = new Set<number>();
process.on('exit', () => {
  for (const pid of running) end(pid);
  if (isInMemory) unmount(OWN);
  for (const folder of [OWN, FOLDERS.PREPARED_FOLDER]) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

/** Runs a program and keeps its output. `code` is null when it was out of time. */
export function execute(
  program: string,
  args: readonly string[],
  ms: number,
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...FOLDERS, ...env, NODE_TEST_CONTEXT: undefined, FORCE_COLOR: '0' },
    });
    const parts: Buffer[] = [];
    for (const from of [child.stdout, child.stderr]) from.on('data', (part: Buffer) => parts.push(part));
    running.add(child.pid ?? 0);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      end(child.pid);
    }, ms);
    child.on('error', (error) => parts.push(Buffer.from(`${error.message}\n`)));
    child.on('exit', () => end(child.pid));
    child.on('close', (code) => {
      clearTimeout(timer);
      running.delete(child.pid ?? 0);
      resolve({ code: isLate ? null : (code ?? 1), output: Buffer.concat(parts).toString() });
    });
  });
}

function end(pid: number | undefined): void {
  if (pid === undefined || pid === 0) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended already.
  }
}
