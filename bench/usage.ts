/** Processor time of this process with all that it started, and the load of the machine: read from /proc. */
import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';

/** Processor time is counted in hundredths of a second. */
const TICKS_PER_SECOND = 100;
/** Fields of `/proc/<pid>/stat` behind the name: its parent, and its time with that of its children that ended. */
const PARENT_FIELD = 1;
const TIME_FIELDS = [11, 12, 13, 14];

const fieldsOf = (pid: number): string[] => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
};

/** Returns the processor seconds of a process and of all that it started. Elsewhere than on Linux it returns 0. */
export function processorSeconds(root: number = process.pid): number {
  let pids: number[];
  try {
    pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return 0;
  }
  const fields = new Map(pids.map((pid) => [pid, fieldsOf(pid)]));
  const timeOf = (pid: number): number =>
    TIME_FIELDS.reduce((sum, at) => sum + Number(fields.get(pid)?.[at] ?? 0), 0) +
    pids
      .filter((one) => Number(fields.get(one)?.[PARENT_FIELD]) === pid)
      .reduce((sum, child) => sum + timeOf(child), 0);
  return timeOf(root) / TICKS_PER_SECOND;
}

export interface UsageReport<T> {
  value: T;
  seconds: number;
  /** Processor seconds and the load of the machine, for the note of a row. */
  usage: string;
}

/** Runs some work and returns how long it took. */
export async function measured<T>(work: () => T | Promise<T>): Promise<UsageReport<T>> {
  const before = processorSeconds();
  const since = performance.now();
  const value = await work();
  const seconds = (performance.now() - since) / 1000;
  const used = processorSeconds() - before;
  return { value, seconds, usage: `${used.toFixed(1)} CPU s, load ${(loadavg()[0] ?? 0).toFixed(1)}` };
}
