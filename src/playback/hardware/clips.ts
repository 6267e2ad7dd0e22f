/**
 * Generated clips that trials read, kept in the cache so that a further test need not generate them.
 *
 * The digest of a clip is part of its name: one that was damaged or cut off is generated again.
 */
import { createHash } from 'node:crypto';
import { MAX_CLIP_BYTES } from '../../lib/ffmpeg/encode/trial.ts';
import { listFolder, openForReading, readBounded, removeFile, writeWhole } from '../../lib/files.ts';
import type { OpenInput } from '../../lib/process.ts';

/**
 * Clips of tens of MiB are digested in pieces: a buffer for a whole one would stay in the process's memory after the
 * test.
 */
const PIECE_BYTES = 256 * 1024;
const DIGEST_LENGTH = 16;

export interface KeptClip {
  open(): Promise<OpenInput>;
  read(): Promise<Buffer>;
}

/** Returns the digest of a clip, or undefined where it cannot be read or is too large. */
async function digestOf(path: string): Promise<string | undefined> {
  const file = await openForReading(path).catch(() => undefined);
  if (!file) return undefined;
  try {
    if (file.size > MAX_CLIP_BYTES) return undefined;
    const hash = createHash('sha256');
    const piece = Buffer.alloc(PIECE_BYTES);
    for (let at = 0; at < file.size;) {
      const got = await file.read(piece, at);
      if (got === 0) return undefined;
      hash.update(piece.subarray(0, got));
      at += got;
    }
    return hash.digest('hex').slice(0, DIGEST_LENGTH);
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/**
 * Returns the clip of that name (letters, digits and hyphens) from the folder, or generates and keeps it. The folder
 * exists.
 */
export async function keepClip(folder: string, name: string, generate: () => Promise<Buffer>): Promise<KeptClip> {
  const clipAt = (path: string): KeptClip => ({
    open: () => openForReading(path),
    read: () => readBounded(path, MAX_CLIP_BYTES),
  });
  const isOfName = (file: string): boolean =>
    file.startsWith(`${name}.`) && /^\.[0-9a-f]{16}\.mp4$/.test(file.slice(name.length));
  for (const { name: file } of (await listFolder(folder)).filter((entry) => isOfName(entry.name))) {
    const path = `${folder}/${file}`;
    const digest = await digestOf(path);
    if (digest !== undefined && file === `${name}.${digest}.mp4`) return clipAt(path);
    await removeFile(path).catch(() => {});
  }
  const bytes = await generate();
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, DIGEST_LENGTH);
  const path = `${folder}/${name}.${digest}.mp4`;
  await writeWhole(path, bytes, { isDurable: false });
  return clipAt(path);
}
