/**
 * Files: written whole or not at all, read with a bound, and in a library never through a link.
 *
 * A `Place` is an absolute path among the server's own folders, or `inside(root, relative)` for media, where
 * `openRoot` has opened the library's folder and every call goes through the I/O pool. Errors of the system
 * come out as Failures that may be shown; the original is their cause.
 */
export { writable, readFailure as readable } from './files/failure.ts';
export { inRoot as inside, openRoot } from './files/root.ts';
export type { RootLocation as Inside, FileLocation as Place, Root } from './files/root.ts';
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
export type { FolderEntry as Entry, FileStat, Folder, EntryKind as Kind, OpenFile } from './files/read.ts';
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
export type { FolderWatch as Watch } from './files/watch.ts';
export { removeFolder } from './files/remove.ts';
export { isUsableDevice, isWritableFolder } from './files/access.ts';
