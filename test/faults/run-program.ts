/** Runs a program of a test in a separate process, so that it can be killed; with a planted fault of `broken.ts`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BROKEN = new URL('./broken.ts', import.meta.url).href;

/** Returns the status of the program, or the signal that killed it. Its errors are shown. */
export function runProgram(program: URL, args: readonly string[], fault?: string): number | NodeJS.Signals | null {
  const { status, signal } = spawnSync(
    process.execPath,
    [...(fault === undefined ? [] : ['--import', BROKEN]), fileURLToPath(program), ...args],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...(fault !== undefined && { FAULT: fault }) },
    },
  );
  return signal ?? status;
}
