/** Runs one of the programs that tests kill, until it is killed or ends by itself. */
import { spawn } from 'node:child_process';
import { BARE, CHEAP_START } from './bare.ts';
import { programFile, type ProgramName } from './programs.ts';

/** When a program is killed: at a crash point, or so many milliseconds after it wrote `open`. */
export type KillMoment = { point: string; nth?: number } | { afterMs: number };

/**
 * Returns how the program ended, and what it had written. Without a moment, it ends or kills itself. `fault` is one of
 * `broken.ts`.
 */
export async function runUntilKilled(
  name: ProgramName,
  args: readonly string[],
  { moment, fault }: { moment?: KillMoment; fault?: string | undefined } = {},
): Promise<{ code: number | null; signal: NodeJS.Signals | null; said: string }> {
  const file = await programFile(name, fault);
  const child = spawn(process.execPath, [...CHEAP_START, file, ...args], {
    env: {
      ...BARE,
      ...(moment && 'point' in moment && { CRASH_AT: moment.point, CRASH_NTH: String(moment.nth ?? 1) }),
      ...(fault !== undefined && { FAULT: fault }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => {
    said += bytes.toString();
    if (moment && 'afterMs' in moment && said === 'open\n') setTimeout(() => child.kill('SIGKILL'), moment.afterMs);
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(
    (resolve) => void child.once('close', (...end) => resolve(end)),
  );
  return { code, signal, said };
}
