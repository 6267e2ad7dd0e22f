/** Descendants, threads and ports of a process, read from /proc. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

export interface RunningProcess {
  pid: number;
  /** Program and arguments. */
  command: readonly string[];
}

export function childrenOf(pid: number): RunningProcess[] {
  const children = new Map<number, RunningProcess[]>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const parent = Number(readFileSync(`/proc/${name}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[1]);
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').slice(0, -1);
      children.set(parent, [...(children.get(parent) ?? []), { pid: Number(name), command }]);
    } catch {
      // It has ended in the meantime.
    }
  }
  const below = (of: number): RunningProcess[] => (children.get(of) ?? []).flatMap((one) => [one, ...below(one.pid)]);
  return below(pid);
}

/** Conversions of video that run below a process. */
export const videoEncodersOf = (pid: number): RunningProcess[] =>
  childrenOf(pid).filter(
    ({ command: [program = '', ...args] }) => basename(program) === 'ffmpeg' && args.includes('-force_key_frames'),
  );

/** Whether every thread of a process waits for something other than a processor. */
export const isAsleep = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/task`).every((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1').includes(') S '),
  );

/** Returns the UDP ports that a process has bound, for a program that does not say which one it got. */
export function udpPortsOf(pid: number): number[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1] ?? [];
      } catch {
        // It was closed in the meantime.
        return [];
      }
    }),
  );
  const rows = readFileSync(`/proc/${pid}/net/udp`, 'latin1')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.trim().split(/ +/));
  return rows.flatMap((row) => {
    const [, port = ''] = row[1]?.split(':') ?? [];
    return sockets.has(row[9] ?? '') ? [Number.parseInt(port, 16)] : [];
  });
}
