/**
 * Files: written whole or not at all, read with a bound, and in a library never through a link.
 *
 * A `FileLocation` is an absolute path among the server's own folders, or `inRoot(root, relative)` for media, where
 * `openRoot` has opened the library's folder and every call goes through the I/O pool. Errors of the system
 * come out as Failures that may be shown; the original is their cause.
 */
export { writable, readFailure } from './files/failure.ts';
export { inRoot, openRoot } from './files/root.ts';
export type { RootLocation, FileLocation, Root } from './files/root.ts';
export {
  freeSpace,
  isThere,
  listFolder,
  openFolder,
  openForReading,
  readBounded,
  readPart,
  statFile,
} from './files/read.ts';
export type { FolderEntry, FileStat, Folder, EntryKind, OpenFile } from './files/read.ts';
export {
  ensurePrivateFolder,
  HIDDEN_SUFFIX,
  hideFile,
  isStray,
  removeFile,
  renameExclusive,
  sweepStray,
  writeWhole,
} from './files/write.ts';
export type { WriteOptions } from './files/write.ts';
export { createKeptFiles, unchanging } from './files/kept.ts';
export type { KeptFiles } from './files/kept.ts';
export { createCacheFolder } from './files/cache-folder.ts';
export type { CacheFolder, CacheFolderNeeds } from './files/cache-folder.ts';
export { watchFolder } from './files/watch.ts';
export type { FolderWatch } from './files/watch.ts';
export { removeFolder } from './files/remove.ts';
export { isUsableDevice, isWritableFolder, makePrivate } from './files/access.ts';
