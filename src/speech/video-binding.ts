/** Binds derived data (a speech curve, a draft) to the exact bytes of a video. */
import { createHash } from 'node:crypto';
import type { PlayableFile } from '../catalog/index.ts';
import { inRoot, openForReading, readPart, type Root, statFile } from '../lib/files.ts';
import { moviehash } from '../lib/media/moviehash.ts';

/** Part of every key. Increased when the detector or the curve changes, so that everything bound is made again. */
const VERSION = 2;

/** Identity of a video's bytes and a track. It changes with the bytes, and stays the same when the file is renamed. */
export interface VideoBinding {
  key: string;
  size: number;
  modifiedMs: number;
}

/**
 * Returns the binding of a video. `track` is the number of the stream, or `best`. Throws what reading the file throws.
 */
export async function bindToVideo({
  file,
  root,
  track,
}: {
  file: PlayableFile;
  root: Root;
  track: number | 'best';
}): Promise<VideoBinding> {
  const open = await openForReading(inRoot(root, file.relative));
  try {
    const { size, mtimeMs } = open;
    const hash = await moviehash(size, (position, length) => readPart(open, position, length));
    // A file that is too small for that hash is identified by its path and time.
    const name = hash ?? `${file.library}\0${file.relative}\0${mtimeMs}`;
    const key = createHash('sha256').update(`${VERSION}\0${size}\0${name}\0${track}`).digest('hex');
    return { key, size, modifiedMs: mtimeMs };
  } finally {
    await open.close();
  }
}

/** Whether the file still has the size and time that it had when it was bound. */
export async function isStillBound(
  bound: VideoBinding,
  { file, root }: { file: PlayableFile; root: Root },
): Promise<boolean> {
  const { size, mtimeMs } = await statFile(inRoot(root, file.relative));
  return size === bound.size && mtimeMs === bound.modifiedMs;
}
