/**
 * A folder of media as the server holds it: everything in it is named by a path relative to it, and no
 * symbolic link inside is followed.
 *
 * Each component of a relative path is opened with O_NOFOLLOW from the folder before it, through the open
 * descriptor (`/proc/self/fd/N/name`), so a folder that is swapped for a link under our hands is not walked
 * into. Where there is no `/proc`, each component is looked at before and compared by device and inode after.
 * Calls go through the library's I/O limit, so a disk that hangs does not delay other libraries.
 */
import { constants, existsSync } from 'node:fs';
import { Failure } from '../failure.ts';
import { unlimitedIo } from '../io-pool.ts';
import type { LibraryIo } from '../io-pool.ts';
import { readFailure } from './failure.ts';
import { close, fstat, letGo, lstat, open } from './calls.ts';

/** An open library folder. `path` is for ffmpeg and the log, never for a reply. */
export interface Root {
  readonly path: string;
  readonly fd: number;
  readonly dev: number;
  readonly io: LibraryIo;
  close(): Promise<void>;
}

/** A file or folder below a root, named by `/`-separated components; `''` is the root itself. */
export interface RootLocation {
  readonly root: Root;
  readonly relative: string;
}

/** Location of a file: an absolute path among the server's own folders, or a place inside a root. */
export type FileLocation = string | RootLocation;

export const inRoot = (root: Root, relative: string): RootLocation => ({ root, relative });

const HAS_PROC = existsSync('/proc/self/fd');
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Non-blocking, so that opening a FIFO that has no writer does not hold a thread. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens a library folder. The path itself comes from the configuration, so links in it are followed. */
export async function openRoot(path: string, io: LibraryIo = unlimitedIo): Promise<Root> {
  try {
    const fd = await io.run(() => open(path, constants.O_RDONLY | constants.O_DIRECTORY), letGo);
    const { dev } = await io.run(() => fstat(fd));
    return { path, fd, dev, io, close: () => close(fd) };
  } catch (error) {
    throw readFailure(error);
  }
}

/** The components of a relative path. Refuses what could lead out of the root. */
export function components(relative: string): readonly string[] {
  if (relative === '') return [];
  const parts = relative.split('/');
  const isBad =
    relative.includes('\0') ||
    parts.length > 64 ||
    parts.some((part) => part === '' || part === '.' || part === '..' || Buffer.byteLength(part) > 255);
  if (isBad) throw new Failure('invalid', 'not a path inside the library', { reason: 'outside-library' });
  return parts;
}

/** An open folder on the way, and how to name something in it. */
export interface OpenFolder {
  readonly fd: number;
  /** Returns the path by which the system reaches `name` in this open folder. */
  at(name: string): string;
  release(): void;
}

const held = (fd: number, path: string, isOurs: boolean): OpenFolder => ({
  fd,
  at: (name) => (HAS_PROC ? `/proc/self/fd/${fd}/${name}` : `${path}/${name}`),
  release: () => {
    if (isOurs) letGo(fd);
  },
});

/** Opens the folder named by `parts` and holds it; the caller releases it. */
export async function hold(root: Root, parts: readonly string[]): Promise<OpenFolder> {
  let here = held(root.fd, root.path, false);
  let path = root.path;
  for (const part of parts) {
    const from = here;
    path = `${path}/${part}`;
    const name = path;
    try {
      const fd = await root.io.run(() => openSame(from.at(part), FOLDER), letGo);
      here = held(fd, name, true);
    } finally {
      from.release();
    }
  }
  return here;
}

/** Opens `name` in a held folder for reading, without following a link and without waiting for a writer. */
export const openIn = (root: Root, folder: OpenFolder, name: string): Promise<number> =>
  root.io.run(() => openSame(folder.at(name), READ), letGo);

async function openSame(path: string, flags: number): Promise<number> {
  if (HAS_PROC) return open(path, flags);
  const before = await lstat(path);
  const fd = await open(path, flags);
  const after = await fstat(fd);
  if (before.dev === after.dev && before.ino === after.ino) return fd;
  letGo(fd);
  throw Object.assign(new Error('changed while it was opened'), { code: 'ELOOP' });
}

/** Splits a path into its folder and its last name; fails for the root itself. */
export function splitLast(relative: string): { folder: readonly string[]; name: string } {
  const parts = components(relative);
  const name = parts.at(-1);
  if (name === undefined) throw new Failure('invalid', 'not a file inside the library', { reason: 'outside-library' });
  return { folder: parts.slice(0, -1), name };
}
