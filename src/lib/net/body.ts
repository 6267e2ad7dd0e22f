/** Reading a reply's body with a bound on the wire and a bound on what it unpacks to. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { Readable } from 'node:stream';
import { NetFailure } from './failure.ts';

const unpackers = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
  raw: promisify(inflateRaw),
};

/** All of a body, refused as soon as it is longer than `mostBytes`. */
export async function readBody(body: Readable, declared: string | undefined, mostBytes: number): Promise<Buffer> {
  const tooLarge = (): NetFailure => {
    body.destroy();
    return new NetFailure('too-large');
  };
  if (declared !== undefined && Number(declared) > mostBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** Undoes one content coding. Several at once, or one we did not ask for, is a broken reply. */
export async function decompressBody(bytes: Buffer, coding: string | undefined, mostBytes: number): Promise<Buffer> {
  const name = coding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity' || bytes.length === 0) return bytes;
  if (name !== 'gzip' && name !== 'x-gzip' && name !== 'br' && name !== 'deflate')
    throw new NetFailure('broken', 'an unknown coding');
  // Some servers send deflate without its zlib frame.
  const isRaw = name === 'deflate' && ((bytes[0] ?? 0) & 15) !== 8;
  try {
    return await unpackers[isRaw ? 'raw' : name](bytes, { maxOutputLength: mostBytes });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    throw new NetFailure(code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'broken', 'compression', error);
  }
}
