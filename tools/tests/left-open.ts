/** Names the files that left something open, from what was open after each file of a process and at its end. */

/** Status of a process whose tests have ended and that something keeps. */
export const LEFT_OPEN_STATUS = 17;

export interface OpenAfterFile {
  /** Undefined before the first: what the process itself has, such as its output. */
  file?: string;
  /** Kinds of what was open (timers, threads, sockets), each as often as there was one. */
  open: readonly string[];
}

const count = (open: readonly string[], kind: string): number => open.filter((one) => one === kind).length;

/**
 * Returns a line for each thing that is still open and that a file opened. Its file is the one after which there were
 * never fewer of its kind: a timer that starts itself again is another one each time, and belongs to the file that
 * started the first.
 */
export function leftOpen(before: readonly OpenAfterFile[], open: readonly string[]): string[] {
  return open.flatMap((kind, n) => {
    const nth = count(open.slice(0, n + 1), kind);
    const at = before.findLastIndex((one) => count(one.open, kind) < nth) + 1;
    const file = at === before.length ? 'after the last file' : before[at]?.file;
    return file === undefined ? [] : [`not ok: ${file}: ${kind} was left open`];
  });
}
