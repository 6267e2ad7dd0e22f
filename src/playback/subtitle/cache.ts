/**
 * Subtitles that were extracted from a file or converted. A file of the cache is named by everything it was made from,
 * so a changed video has other names and the old files go with time.
 */
import { createHash } from 'node:crypto';
import { type CacheFolder, type CacheFolderNeeds, createCacheFolder } from '../../lib/files.ts';

/** Source of a cached file. Any change of it leads to another name. */
export interface SubtitleSource {
  root: string;
  relative: string;
  size: number;
  mtimeMs: number;
  ino: number;
}

export type SubtitleCache = Pick<CacheFolder, 'get' | 'put'>;

const MIB = 1024 ** 2;

/** The name of what was made from a source; `what` says which track and which form of it. */
export const cacheName = (
  { root, relative, size, mtimeMs, ino }: SubtitleSource,
  what: string,
  extension: string,
): string =>
  `${createHash('sha256')
    .update(JSON.stringify([1, root, relative, size, mtimeMs, ino, what]))
    .digest('hex')
    .slice(0, 40)}.${extension}`;

export const createSubtitleCache = ({
  maxBytes = 512 * MIB,
  ...needs
}: Pick<CacheFolderNeeds, 'folder' | 'log'> & { maxBytes?: number | undefined }): SubtitleCache =>
  createCacheFolder({ ...needs, names: /^[0-9a-f]{40}\.[a-z]{3,8}$/, maxBytes, maxFileBytes: 64 * MIB });
