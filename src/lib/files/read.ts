/**
 * Reading: bounded, only ordinary files and folders, and inside a library without following any link.
 */
import { constants } from 'node:fs';
import type { Dirent, Stats } from 'node:fs';
import { Failure } from '../failure.ts';
import { unlimitedIo } from '../io-pool.ts';
import type { LibraryIo } from '../io-pool.ts';
import { close, fstat, letGo, lstat, open, readAt, readdir, readdirBytes, statfs } from './calls.ts';
import { readFailure } from './failure.ts';
import { components, hold, openIn, splitLast } from './root.ts';
import type { OpenFolder, FileLocation, Root } from './root.ts';

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface FileStat {
  kind: EntryKind;
  size: number;
  /** Milliseconds, with a fraction. */
  mtimeMs: number;
  ctimeMs: number;
  ino: number;
  dev: number;
  mode: number;
}

export interface FolderEntry {
  /** The name. Bytes that are not UTF-8 show as U+FFFD, and the entry is odd. */
  name: string;
  kind: EntryKind;
  /** The name is not valid UTF-8, so the entry can be reported but not opened. */
  isOdd: boolean;
}

/** A file open for reading ranges. */
export interface OpenFile {
  readonly fd: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly dev: number;
  /** Fills `into` from byte `position` of the file. Returns the number of bytes read, 0 at the end. */
  read(into: Uint8Array, position: number): Promise<number>;
  /**
   * Fails as `conflict` when its size or time are no longer those that it was opened with, because of a write into it.
   */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A folder held open, for walking a library: everything is reached through the open folder, no path is walked twice.
 */
export interface Folder {
  readonly mtimeMs: number;
  readonly ino: number;
  readonly dev: number;
  entries(): Promise<FolderEntry[]>;
  stat(name: string): Promise<FileStat>;
  openFile(name: string): Promise<OpenFile>;
  openFolder(name: string): Promise<Folder>;
  close(): Promise<void>;
}

const kindOf = (of: Stats | Dirent | Dirent<Buffer>): EntryKind =>
  of.isFile() ? 'file' : of.isDirectory() ? 'folder' : of.isSymbolicLink() ? 'link' : 'other';

const statFrom = (s: Stats): FileStat => ({
  kind: kindOf(s),
  size: s.size,
  mtimeMs: s.mtimeMs,
  ctimeMs: s.ctimeMs,
  ino: s.ino,
  dev: s.dev,
  mode: s.mode & 0o7777,
});

const shown = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw readFailure(error);
  }
};

/** Returns the stat of a path without following a link; for a link, that of the link itself. */
export async function statFile(place: FileLocation): Promise<FileStat> {
  if (typeof place === 'string') return statFrom(await shown(lstat(place)));
  const { root } = place;
  if (place.relative === '') return statFrom(await shown(root.io.run(() => fstat(root.fd))));
  const { folder, name } = splitLast(place.relative);
  return shown(withFolder(root, folder, async (at) => statFrom(await root.io.run(() => lstat(at.at(name))))));
}

/** Whether anything, a link too, has this name. */
export async function isThere(place: FileLocation): Promise<boolean> {
  try {
    await statFile(place);
    return true;
  } catch (error) {
    if (error instanceof Failure && error.kind === 'missing') return false;
    throw error;
  }
}

/** The entries of a folder, in the order of the file system. */
export async function listFolder(place: FileLocation): Promise<FolderEntry[]> {
  if (typeof place === 'string') return shown(entriesAt(place, unlimitedIo));
  const folder = await openFolder(place);
  return folder.entries().finally(() => folder.close());
}

/** Holds a folder of a library open. The caller closes it. */
export async function openFolder(place: Exclude<FileLocation, string>): Promise<Folder> {
  const { root } = place;
  const at = await shown(hold(root, components(place.relative)));
  return folderOf(root, at);
}

async function folderOf(root: Root, at: OpenFolder): Promise<Folder> {
  try {
    const { mtimeMs, ino, dev } = await root.io.run(() => fstat(at.fd));
    return {
      mtimeMs,
      ino,
      dev,
      entries: () => shown(entriesAt(at.at('.'), root.io)),
      stat: async (name) => shown(root.io.run(() => lstat(at.at(oneName(name)))).then(statFrom)),
      openFile: async (name) => shown(openHeld(root, at, oneName(name))),
      openFolder: async (name) =>
        folderOf(root, await shown(hold({ ...root, fd: at.fd, path: at.at('.') }, [oneName(name)]))),
      close: () => Promise.resolve(at.release()),
    };
  } catch (error) {
    at.release();
    throw readFailure(error);
  }
}

const oneName = (name: string): string => splitLast(name.includes('/') ? '' : name).name;

async function entriesAt(path: string, io: LibraryIo): Promise<FolderEntry[]> {
  const list = await io.run(() => readdir(path));
  if (!list.some((entry) => entry.name.includes('\uFFFD')))
    return list.map((entry) => ({ name: entry.name, kind: kindOf(entry), isOdd: false }));
  const exact = await io.run(() => readdirBytes(path));
  return exact.map((entry) => {
    const name = entry.name.toString('utf8');
    return { name, kind: kindOf(entry), isOdd: !Buffer.from(name, 'utf8').equals(entry.name) };
  });
}

/** Opens a file for reading. Only an ordinary file: a link, folder, FIFO or device is refused. */
export async function openForReading(place: FileLocation): Promise<OpenFile> {
  if (typeof place === 'string') return shown(openPlain(place));
  const { folder, name } = splitLast(place.relative);
  return shown(withFolder(place.root, folder, (at) => openHeld(place.root, at, name)));
}

const openPlain = async (path: string): Promise<OpenFile> =>
  fileOf(await open(path, constants.O_RDONLY | constants.O_NONBLOCK), unlimitedIo);
const openHeld = async (root: Root, at: OpenFolder, name: string): Promise<OpenFile> =>
  fileOf(await openIn(root, at, name), root.io);

async function fileOf(fd: number, io: LibraryIo): Promise<OpenFile> {
  try {
    const s = await io.run(() => fstat(fd));
    if (!s.isFile()) throw new Failure('conflict', 'not an ordinary file', { reason: 'not-an-ordinary-file' });
    const { size, mtimeMs, ino, dev } = s;
    let isOpen = true;
    return {
      fd,
      size,
      mtimeMs,
      ino,
      dev,
      read: (into, position) => shown(io.run(() => readAt(fd, into, 0, into.length, position))),
      check: async () => {
        const now = await shown(io.run(() => fstat(fd)));
        if (now.size !== size || now.mtimeMs !== mtimeMs)
          throw new Failure('conflict', 'the file was changed while it was read', { reason: 'changed' });
      },
      close: async () => {
        if (!isOpen) return;
        isOpen = false;
        await close(fd);
      },
    };
  } catch (error) {
    letGo(fd);
    throw error;
  }
}

/** The whole of a file, refused when it is over `mostBytes` or grows past it while it is read. */
export async function readBounded(place: FileLocation, mostBytes: number): Promise<Buffer> {
  const file = await openForReading(place);
  try {
    const tooLarge = (): Failure => new Failure('conflict', 'the file is too large', { reason: 'file-too-large' });
    if (file.size > mostBytes) throw tooLarge();
    // One byte more than it said, to notice that it grew; files of the system say 0 and are read in steps.
    let buffer = Buffer.allocUnsafe(Math.min(mostBytes, Math.max(file.size, 4095)) + 1);
    for (let length = 0; ;) {
      const got = await file.read(buffer.subarray(length), length);
      length += got;
      if (length > mostBytes) throw tooLarge();
      if (got === 0) return buffer.subarray(0, length);
      if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(mostBytes + 1, buffer.length * 2));
    }
  } finally {
    await file.close();
  }
}

/** Returns `length` bytes of an open file from `position`, or as many as there are. */
export async function readPart(file: Pick<OpenFile, 'read'>, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const got = await file.read(bytes.subarray(filled), position + filled);
    if (got === 0) break;
    filled += got;
  }
  return bytes.subarray(0, filled);
}

/** Bytes that may still be written to the disk of a folder, and its size. */
export async function freeSpace(place: FileLocation): Promise<{ free: number; total: number }> {
  const ask = (path: string): Promise<{ free: number; total: number }> =>
    statfs(path).then((s) => ({ free: s.bavail * s.bsize, total: s.blocks * s.bsize }));
  if (typeof place === 'string') return shown(ask(place));
  return shown(withFolder(place.root, components(place.relative), (at) => place.root.io.run(() => ask(at.at('.')))));
}

/** Does something in a held folder of a root and lets go of it. */
export async function withFolder<T>(
  root: Root,
  folder: readonly string[],
  work: (at: OpenFolder) => Promise<T>,
): Promise<T> {
  const at = await hold(root, folder);
  try {
    return await work(at);
  } finally {
    at.release();
  }
}
