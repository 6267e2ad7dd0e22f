/**
 * Synchronous reading of folders and of a few bytes of a file, for helper processes that look at them.
 *
 * Promise: only an ordinary file is opened, no link below the given root is followed, a pipe never
 * blocks the opening, and the file is closed whatever `read` does. A read from a dead share blocks
 * the whole process, so only a helper that may be killed uses this.
 */

import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';

/** Fills `into` from byte `offset`. Returns the number of bytes read. */
export type ReadHeaderAt = (into: Uint8Array, offset: number) => number;

const HAS_PROC = existsSync('/proc/self/fd');
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY;

/** Identity of one version of a file. */
export interface FileVersion {
  mtimeMs: number;
  ino: number;
}

/**
 * Calls `read` with the size, the bytes and the version of a file. Undefined when it cannot be opened or read. Below
 * `root`, where it is given, each folder is opened from the one above it, so that none can become a link on the way.
 */
export function withHeaderFile<T>(
  path: string,
  read: (size: number, at: ReadHeaderAt, version: FileVersion) => T,
  root?: string,
): T | undefined {
  const file = openHeaderFile(path, root);
  if (file === undefined) return undefined;
  try {
    return read(file.size, file.at, file.version);
  } catch (error) {
    if (isOfTheSystem(error)) return undefined;
    throw error;
  } finally {
    file.close();
  }
}

/** The same for a reader that is asynchronous. The file stays open until it has ended. */
export async function withHeaderFileAsync<T>(
  path: string,
  read: (size: number, at: ReadHeaderAt, version: FileVersion) => Promise<T>,
  root?: string,
): Promise<T | undefined> {
  const file = openHeaderFile(path, root);
  if (file === undefined) return undefined;
  try {
    return await read(file.size, file.at, file.version);
  } catch (error) {
    if (isOfTheSystem(error)) return undefined;
    throw error;
  } finally {
    file.close();
  }
}

interface OpenHeaderFile {
  size: number;
  at: ReadHeaderAt;
  version: FileVersion;
  close(): void;
}

function openHeaderFile(path: string, root: string | undefined): OpenHeaderFile | undefined {
  let fd: number | undefined;
  try {
    fd =
      root !== undefined && HAS_PROC && path.startsWith(`${root}/`)
        ? openBelow(root, path.slice(root.length + 1).split('/'))
        : openSync(path, READ);
    const stat = fstatSync(fd);
    if (stat.isFile()) {
      const own = fd;
      return {
        size: stat.size,
        at: (into, offset) => readWhole(own, into, offset),
        version: stat,
        close: () => closeSync(own),
      };
    }
  } catch {
    // It was removed, is a link, or may not be read.
  }
  if (fd !== undefined) closeSync(fd);
  return undefined;
}

function openBelow(root: string, parts: readonly string[]): number {
  const folder = openFolderBelow(root, parts.slice(0, -1));
  try {
    return openSync(`/proc/self/fd/${folder}/${parts.at(-1) ?? ''}`, READ);
  } finally {
    closeSync(folder);
  }
}

function openFolderBelow(root: string, parts: readonly string[]): number {
  let folder = openSync(root, FOLDER);
  for (const part of parts) {
    const above = folder;
    try {
      folder = openSync(`/proc/self/fd/${above}/${part}`, FOLDER | constants.O_NOFOLLOW);
    } finally {
      closeSync(above);
    }
  }
  return folder;
}

/** Reads folders below a root, none of which can become a link on the way. */
export interface FolderReader {
  /**
   * Calls `read` with a path that leads to the present folder, and with its stat: what is read by
   * that path cannot become that of another folder when one on the way becomes a link. Throws what the system says when
   * the folder cannot be opened.
   */
  with<T>(relative: string, read: (path: string, stat: Stats) => T): T;
  /** Closes the folders that are kept open. */
  close(): void;
}

/** Keeps the folders open that lead to the one read last: those of one request lie next to each other. */
export function createFolderReader(root: string): FolderReader {
  /** Descriptors of the root and of each part of `path` below it. */
  const open: number[] = [];
  let path: string[] = [];
  const keep = (count: number): void => {
    for (const folder of open.splice(count)) closeSync(folder);
    path = path.slice(0, Math.max(0, count - 1));
  };
  return {
    with(relative, read) {
      if (!HAS_PROC) {
        const path = relative === '' ? root : `${root}/${relative}`;
        return read(path, lstatSync(`${path}/.`));
      }
      const parts = relative === '' ? [] : relative.split('/');
      let same = 0;
      // The last part is opened again, so that a folder that was replaced since is read as it is now.
      while (same < parts.length - 1 && path[same] === parts[same]) same++;
      keep(open.length === 0 ? 0 : same + 1);
      if (open.length === 0) open.push(openSync(root, FOLDER));
      for (const part of parts.slice(same)) {
        open.push(openSync(`/proc/self/fd/${open.at(-1) ?? ''}/${part}`, FOLDER | constants.O_NOFOLLOW));
        path.push(part);
      }
      const folder = open.at(-1) ?? -1;
      return read(`/proc/self/fd/${folder}`, fstatSync(folder));
    },
    close: () => keep(0),
  };
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
