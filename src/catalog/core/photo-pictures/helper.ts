/**
 * The helper process that makes pictures of photos for screens. Decoders read files of any origin here, where a crash
 * or a loop ends one request.
 */
import { withHeaderFile } from '../../../lib/files/header.ts';
import { serveHelper } from '../../../lib/process/serve.ts';
import { createHead, readHeader } from '../../probe/read.ts';
import { decodeHeic } from './heic.ts';
import { type PixelSource, shrink } from './shrink.ts';

/** A request: the file, and the width and format of the picture. */
export interface PhotoQuestion {
  path: string;
  root: string;
  width: number;
  format: 'jpeg' | 'webp';
}
export type PhotoAnswer = { bytes: Uint8Array } | { failed: 'unreadable' | 'unavailable' };

/** More than the pictures of any phone or camera; a raw file is not read whole. */
const MAX_PICTURE_BYTES = 128 * 1024 * 1024;
const head = createHead();

function pixelsOf(path: string, root: string): PixelSource | undefined {
  return withHeaderFile(
    path,
    (size, at) => {
      const bytesOf = (from: number, length: number): Buffer => {
        if (length > MAX_PICTURE_BYTES) throw new Error('the picture is too large');
        const bytes = Buffer.allocUnsafe(length);
        return bytes.subarray(0, at(bytes, from));
      };
      const reading = readHeader(size, at, head);
      const info = 'info' in reading ? reading.info : undefined;
      const { preview, orientation = 1, isRaw } = info?.capture ?? {};
      if (isRaw) {
        if (!preview) throw new Error('a raw file without a preview');
        return { bytes: bytesOf(preview.at, preview.size), orientation };
      }
      const bytes = bytesOf(0, size);
      // Other formats state their orientation where the decoder finds it.
      return info?.container === 'heic' ? { heic: bytes } : { bytes };
    },
    root,
  );
}

async function answer({ path, root, width, format }: PhotoQuestion): Promise<PhotoAnswer> {
  try {
    const pixels = pixelsOf(path, root);
    if (!pixels) return { failed: 'unavailable' };
    const source = 'heic' in pixels ? await decodeHeic(pixels.heic) : pixels;
    return { bytes: await shrink(source, { width, format }) };
  } catch {
    return { failed: 'unreadable' };
  }
}

serveHelper((question) => answer(question as PhotoQuestion));
