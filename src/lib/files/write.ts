/**
 * Writes files so that a crash, a full disk or a failing call leaves the old content or the new, never a part.
 *
 * A file is written next to its destination under a name that is recognised as a leftover, forced to the disk, and
 * renamed over it; then the folder is forced too, so that an acknowledged write survives a power cut. A
 * leftover of a killed process is removed by the owner of the folder.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { basename, dirname } from 'node:path';
import { crashPoint } from '../crash.ts';
import { Failure } from '../failure.ts';
import { unlimitedIo } from '../io-pool.ts';
import type { LibraryIo } from '../io-pool.ts';
import * as calls from './calls.ts';
import { codeOf, writable } from './failure.ts';
import { hold, splitLast, components } from './root.ts';
import type { OpenFolder, FileLocation } from './root.ts';
import { listFolder } from './read.ts';

export interface WriteOptions {
  /**
   * Permission bits of a new file (default 0600 for the server's own, 0644 inside a library). A file that is replaced
   * keeps its own.
   */
  mode?: number;
  /** Throws `Failure('conflict')` if the name is taken, instead of replacing it. */
  exclusive?: boolean;
  /** False: a power cut may lose the file, but never leaves a part. For files that can be rebuilt. */
  isDurable?: boolean;
  /** Called before the rename, when everything is written. Throwing refuses the write. */
  check?: () => Promise<void> | void;
}

const OWN = "the server's own folder";
const STRAY = /^\.matinee-[0-9a-f]{16}\.part$/;
/** Returns whether a name is that of a file left behind by a killed writer. */
export const isStray = (name: string): boolean => STRAY.test(name);
const newStray = (): string => `.matinee-${randomBytes(8).toString('hex')}.part`;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** The open folder of a location, and the name in it. */
interface OpenParent {
  folder: OpenFolder;
  name: string;
  io: LibraryIo;
  isOwn: boolean;
}

async function openParent(place: FileLocation): Promise<OpenParent> {
  if (typeof place !== 'string') {
    const { folder, name } = splitLast(place.relative);
    return { folder: await hold(place.root, folder), name, io: place.root.io, isOwn: false };
  }
  const path = dirname(place);
  const fd = await calls.open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  return {
    folder: { fd, at: (name) => `${path}/${name}`, release: () => calls.letGo(fd) },
    name: basename(place),
    io: unlimitedIo,
    isOwn: true,
  };
}

async function inParentFolder<T>(place: FileLocation, work: (parent: OpenParent) => Promise<T>): Promise<T> {
  try {
    const parent = await openParent(place);
    try {
      return await work(parent);
    } finally {
      parent.folder.release();
    }
  } catch (error) {
    throw writable(error, typeof place === 'string' ? OWN : undefined);
  }
}

/**
 * Writes a file completely, or leaves it unchanged. Once it resolves, the content survives a power cut, unless
 * `isDurable` is false.
 */
export const writeWhole = (
  place: FileLocation,
  bytes: Uint8Array | string,
  options: WriteOptions = {},
): Promise<void> =>
  inParentFolder(place, async (parent) => {
    const { folder, name, io } = parent;
    const path = (): string => folder.at(name);
    const temporary = newStray();
    try {
      await writeTemporary(parent, temporary, typeof bytes === 'string' ? Buffer.from(bytes) : bytes, options);
      await options.check?.();
      if (options.exclusive === true) {
        const hasBoth = await linkOrRename(parent, temporary, name);
        crashPoint('files.create.linked', path);
        // The file exists under its name; a leftover that cannot be removed is swept later.
        if (hasBoth) await io.run(() => calls.unlink(folder.at(temporary))).catch(() => {});
        crashPoint('files.create.done', path);
      } else {
        await io.run(() => calls.rename(folder.at(temporary), folder.at(name)));
        crashPoint('files.write.renamed', path);
      }
    } catch (error) {
      await calls.unlink(folder.at(temporary)).catch(() => {});
      throw error;
    }
    if (options.isDurable !== false) await io.run(() => calls.syncFolder(folder.fd));
    crashPoint('files.write.done', path);
  });

/**
 * Error codes of file systems without hard links (exFAT, many network shares), or without them for files of another
 * user.
 */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/**
 * Links a file under a name that must be free. True: it has both names now. False: hard links are not supported, and it
 * was renamed right after a check, which is the safest way there.
 */
async function linkOrRename({ folder, io }: OpenParent, from: string, to: string): Promise<boolean> {
  try {
    await io.run(() => calls.link(folder.at(from), folder.at(to)));
    return true;
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error))) throw error;
    const isFree = await io
      .run(() => calls.lstat(folder.at(to)))
      .then(
        () => false,
        (absent: unknown) => codeOf(absent) === 'ENOENT',
      );
    if (!isFree)
      throw new Failure('conflict', 'a file of that name already exists', { reason: 'file-exists' }, { cause: error });
    await io.run(() => calls.rename(folder.at(from), folder.at(to)));
    return false;
  }
}

async function writeTemporary(
  { folder, name, io, isOwn }: OpenParent,
  temporary: string,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<void> {
  const before = await io
    .run(() => calls.lstat(folder.at(name)))
    .catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    });
  if (before !== null && options.exclusive === true)
    throw new Failure('conflict', 'a file of that name already exists', { reason: 'file-exists' });
  if (before !== null && !before.isFile())
    throw new Failure('conflict', 'not an ordinary file', { reason: 'not-an-ordinary-file' });
  const mode = before ? before.mode & 0o777 : (options.mode ?? (isOwn ? 0o600 : 0o644));
  const path = (): string => folder.at(name);
  const fd = await io.run(() => calls.openToWrite(folder.at(temporary), CREATE, mode), calls.letGo);
  try {
    crashPoint('files.write.opened', path);
    // The mode that open was given is cut by the umask; a replaced file keeps its own exactly.
    if (before) await io.run(() => calls.fchmod(fd, mode));
    await io.run(() => calls.writeAll(fd, bytes));
    crashPoint('files.write.written', path);
    if (options.isDurable !== false) await io.run(() => calls.fsync(fd));
    crashPoint('files.write.synced', path);
  } finally {
    await calls.close(fd);
  }
}

/**
 * Renames a file so that nothing is ever overwritten: fails as `conflict` when `to` is taken. A crash leaves
 * the old name, both, or the new one. Only inside one folder: `to` is a name, not a path.
 */
export const renameExclusive = (place: FileLocation, to: string): Promise<void> =>
  inParentFolder(place, async (parent) => {
    const { folder, name, io } = parent;
    const [target] = components(to);
    if (target === undefined || target !== to)
      throw new Failure('invalid', 'not a file name', { reason: 'not-a-name' });
    const before = await io.run(() => calls.lstat(folder.at(name)));
    if (!before.isFile()) throw new Failure('conflict', 'not an ordinary file', { reason: 'not-an-ordinary-file' });
    const hasBoth = await linkOrRename(parent, name, target);
    crashPoint('files.hide.linked');
    try {
      if (hasBoth) await io.run(() => calls.unlink(folder.at(name)));
    } catch (error) {
      await calls.unlink(folder.at(target)).catch(() => {});
      throw error;
    }
    crashPoint('files.hide.done');
    await io.run(() => calls.syncFolder(folder.fd));
  });

/** The suffix of a hidden file, which no scanner or player takes for media. */
export const HIDDEN_SUFFIX = '.hidden';

/** Hides a file as `<name>.hidden`; an existing one is never overwritten. Returns the new name. */
export async function hideFile(place: FileLocation): Promise<string> {
  const name = basename(typeof place === 'string' ? place : place.relative);
  const hidden = `${name}${HIDDEN_SUFFIX}`;
  await renameExclusive(place, hidden);
  return hidden;
}

/** Removes a file (or a link itself). One that is not there is no error. */
export const removeFile = (place: FileLocation): Promise<void> =>
  inParentFolder(place, async ({ folder, name, io }) => {
    try {
      await io.run(() => calls.unlink(folder.at(name)));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      throw error;
    }
    await io.run(() => calls.syncFolder(folder.fd));
  });

/**
 * Removes what killed writers left in a folder. Returns the number of files. Only for folders with no writer at work.
 */
export async function sweepStray(folder: FileLocation): Promise<number> {
  let swept = 0;
  for (const entry of await listFolder(folder)) {
    if (entry.kind !== 'file' || !isStray(entry.name)) continue;
    const { name } = entry;
    await removeFile(
      typeof folder === 'string'
        ? `${folder}/${name}`
        : { root: folder.root, relative: folder.relative === '' ? name : `${folder.relative}/${name}` },
    );
    swept += 1;
  }
  return swept;
}

/** Makes a folder of the server's own that only it can enter, with its parents; tightens one that is there. */
export async function ensurePrivateFolder(path: string): Promise<void> {
  try {
    await makeFolder(path);
    const fd = await calls.open(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await calls.fchmod(fd, 0o700);
    } finally {
      await calls.close(fd);
    }
  } catch (error) {
    throw writable(error, OWN);
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await calls.mkdir(path, 0o700);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await calls.mkdir(path, 0o700);
  }
}
