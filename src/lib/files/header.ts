/**
 * Synchronous reading of a few bytes of a file, for helper processes that look at headers.
 *
 * Promise: only an ordinary file is opened, the last link of the path is not followed, a pipe never
 * blocks the opening, and the file is closed whatever `read` does. A read from a dead share blocks
 * the whole process, so only a helper that may be killed uses this.
 */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Fills `into` from byte `offset`; gives how many bytes there were. */
export type ReadHeaderAt = (into: Uint8Array, offset: number) => number;

/** Calls `read` with the size and the bytes of a file. Undefined when it cannot be opened or read. */
export function withHeaderFile<T>(path: string, read: (size: number, at: ReadHeaderAt) => T): T | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return undefined;
    return read(stat.size, (into, offset) => readWhole(fd, into, offset));
  } catch (error) {
    if (isOfTheSystem(error)) return undefined;
    throw error;
  } finally {
    closeSync(fd);
  }
}

const readWhole = (fd: number, into: Uint8Array, offset: number): number => {
  let length = 0;
  while (length < into.length) {
    const got = readSync(fd, into, length, into.length - length, offset + length);
    if (got === 0) break;
    length += got;
  }
  return length;
};

const isOfTheSystem = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && typeof error.syscall === 'string';
