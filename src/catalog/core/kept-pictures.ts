/**
 * Pictures that the server keeps itself: those that an Owner uploaded, and those from the internet.
 *
 * They are read with limits and encoded again, so that no byte of an upload is served, and named after their
 * content. A picture is on the disk before a row names it; one that no row names is deleted later.
 */
import { createHash } from 'node:crypto';
import {
  ensurePrivateFolder,
  isThere,
  listFolder,
  removeFile,
  statFile,
  sweepStray,
  writeWhole,
} from '../../lib/files.ts';
import { createLimit } from '../../lib/limit.ts';
import type { ImagePlace } from '../store/records.ts';
import { encodeUpload } from '../../lib/picture-upload.ts';

/** Longest side of a kept picture: a backdrop on a 4K screen. */
const MAX_SIDE = 3840;
const QUALITY = 88;
/** Time between writing a picture and the row that names it, at most. */
const GRACE_MS = 86_400_000;

export interface KeptPictures {
  /** Absolute path of the folder. */
  folder: string;
  /** Returns whether there is a picture of this name. */
  has(name: string): Promise<boolean>;
  /** Encodes and stores a picture. Fails as `invalid` if the bytes are no picture, or a too large one. */
  keep(bytes: Uint8Array): Promise<ImagePlace>;
  /** Deletes pictures that are older than a day and not among these names. */
  sweep(named: ReadonlySet<string>, now: number): Promise<void>;
}

export function createKeptPictures(folder: string): KeptPictures {
  // The sweep must not run between the writing of a picture and its row.
  const limit = createLimit(1);
  return {
    folder,
    has: (name) => isThere(`${folder}/${name}`),
    keep: (bytes) =>
      limit(async () => {
        const made = await encodeUpload(bytes, {
          quality: QUALITY,
          resize: (picture) =>
            picture.resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true }),
        });
        const digest = createHash('sha256').update(made).digest('hex');
        const at = `${digest.slice(0, 32)}.webp`;
        const path = `${folder}/${at}`;
        await ensurePrivateFolder(folder);
        // Written again if it is there: the sweep spares only what is new until a row names it.
        await writeWhole(path, made);
        // The time is part of the version of a picture, so it is derived from the content.
        return { at, s: made.length, m: Number.parseInt(digest.slice(32, 43), 16), kept: true };
      }),
    sweep: async (named, now) => {
      if ((await listFolder(folder).catch(() => [])).length === 0) return;
      await limit(async () => {
        await sweepStray(folder);
        // Listed again: a leftover that was just removed is not among them.
        for (const { name, kind } of await listFolder(folder)) {
          if (kind !== 'file' || named.has(name)) continue;
          const path = `${folder}/${name}`;
          if ((await statFile(path)).mtimeMs < now - GRACE_MS) await removeFile(path);
        }
      });
    },
  };
}
