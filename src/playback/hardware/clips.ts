/**
 * Generated clips that trials read, kept in the cache so that a further test need not generate them.
 *
 * The digest of a clip is part of its name: one that was damaged or cut off is generated again.
 */
import { createHash } from 'node:crypto';
import { listFolder, openForReading, readBounded, removeFile, writeWhole } from '../../lib/files.ts';
import type { OpenInput } from '../../lib/process.ts';

const MAX_CLIP_BYTES = 64 * 1024 * 1024;
const DIGEST_LENGTH = 16;

export interface KeptClip {
  bytes: Buffer;
  open(): Promise<OpenInput>;
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, DIGEST_LENGTH);

/** Returns the clip of that name (letters, digits and hyphens) from the folder, or generates and keeps it. The folder exists. */
export async function keepClip(folder: string, name: string, generate: () => Promise<Buffer>): Promise<KeptClip> {
  const clipAt = (path: string, bytes: Buffer): KeptClip => ({ bytes, open: () => openForReading(path) });
  const isOfName = (file: string): boolean => file.startsWith(`${name}.`) && /^\.[0-9a-f]{16}\.mp4$/.test(file.slice(name.length));
  for (const { name: file } of (await listFolder(folder)).filter((entry) => isOfName(entry.name))) {
    const path = `${folder}/${file}`;
    const bytes = await readBounded(path, MAX_CLIP_BYTES).catch(() => undefined);
    if (bytes && file.includes(digestOf(bytes))) return clipAt(path, bytes);
    await removeFile(path).catch(() => {});
  }
  const bytes = await generate();
  const path = `${folder}/${name}.${digestOf(bytes)}.mp4`;
  await writeWhole(path, bytes, { isDurable: false });
  return clipAt(path, bytes);
}
