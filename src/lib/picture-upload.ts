/**
 * Encodes a picture that a person uploaded: read with limits on bytes and pixels, and written again, so that no byte of
 * an upload is ever served and nothing that a camera has noted stays in it.
 */
import type { Sharp } from 'sharp';
import { MAX_UPLOAD_BYTES } from '../contract/kernel/pictures.ts';
import { Failure } from './failure.ts';
import { createLimit } from './limit.ts';
import { loadPictureReader } from './picture-reader.ts';

const MAX_UPLOAD_PIXELS = 50_000_000;
const ENCODE_TIMEOUT_S = 20;
// A picture of 50 megapixels takes 200 MB while it is read.
const limit = createLimit(1);

/**
 * Returns a picture as WebP of the given quality, turned upright and in the size that `resize` makes. Fails as
 * `invalid` if the bytes are no picture, or a too large one. One picture is read at a time.
 */
export async function encodeUpload(
  bytes: Uint8Array,
  { resize, quality }: { resize: (picture: Sharp) => Sharp; quality: number },
): Promise<Buffer> {
  if (bytes.length > MAX_UPLOAD_BYTES)
    throw new Failure('invalid', 'this picture is larger than 16 MiB', { reason: 'picture-too-large' });
  return limit(() => encode(bytes, { resize, quality }));
}

async function encode(
  bytes: Uint8Array,
  { resize, quality }: { resize: (picture: Sharp) => Sharp; quality: number },
): Promise<Buffer> {
  const sharp = await loadPictureReader();
  try {
    const picture = sharp(bytes, { limitInputPixels: MAX_UPLOAD_PIXELS, failOn: 'error', pages: 1 }).rotate();
    return await resize(picture).webp({ quality }).timeout({ seconds: ENCODE_TIMEOUT_S }).toBuffer();
  } catch (error) {
    throw new Failure(
      'invalid',
      'this is no picture that can be read, or it has more than 50 megapixels',
      { reason: 'picture-not-readable' },
      { cause: error },
    );
  }
}
