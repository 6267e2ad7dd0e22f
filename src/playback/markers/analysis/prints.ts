/** Fingerprints of files, made once and kept by the identity of the file. */
import { createHash } from 'node:crypto';
import type { Catalog, PlayableFile } from '../../../catalog/index.ts';
import { type CacheFolder, type CacheFolderNeeds, createCacheFolder, inRoot } from '../../../lib/files.ts';
import { etagOf, openMedia } from '../../opening.ts';
import { usualAudio } from '../../plan/support.ts';
import { type Fingerprint, type FingerprintNeeds, makeFingerprint } from './fingerprint.ts';
import { packFingerprint, PRINT_VERSION, unpackFingerprint } from './print-file.ts';

/** Parts of a file that are compared with other episodes. */
export interface Prints {
  head: Fingerprint;
  tail: Fingerprint;
}
export type PrintCache = Pick<CacheFolder, 'get' | 'put'>;
export interface PrintNeeds extends FingerprintNeeds {
  catalog: Pick<Catalog, 'root'>;
  cache: PrintCache;
}

const HEAD_S = 600;
const TAIL_S = 360;
const MIB = 1024 ** 2;

export const createPrintCache = (needs: Pick<CacheFolderNeeds, 'folder' | 'log'>): PrintCache =>
  createCacheFolder({ ...needs, names: /^[0-9a-f]{40}\.print$/, maxBytes: 512 * MIB, maxFileBytes: 64 * MIB });

/**
 * Returns the fingerprints of the first ten and the last six minutes of an episode, or of its halves where it is
 * shorter. Returns undefined for a file without audio, and fails as the reading of the file does.
 */
export async function printsOf(
  needs: PrintNeeds,
  { first, last, duration }: { first: PlayableFile; last: PlayableFile; duration: number },
  signal: AbortSignal,
): Promise<Prints | undefined> {
  const [headLength, tailLength] = [Math.min(HEAD_S, duration / 2), Math.min(TAIL_S, duration / 2)];
  const lastDuration = last.info?.duration ?? 0;
  const head = await printOf(
    needs,
    first,
    { from: 0, length: Math.min(headLength, first.info?.duration ?? 0) },
    signal,
  );
  const tail = await printOf(
    needs,
    last,
    { from: Math.max(0, lastDuration - tailLength), length: Math.min(tailLength, lastDuration) },
    signal,
  );
  return head && tail && { head, tail };
}

async function printOf(
  needs: PrintNeeds,
  file: PlayableFile,
  { from, length }: { from: number; length: number },
  signal: AbortSignal,
): Promise<Fingerprint | undefined> {
  const stream = usualAudio(file.info)?.index;
  if (stream === undefined || length <= 0) return undefined;
  const open = await openMedia(needs.catalog, file, file.relative);
  const identity = etagOf(open);
  await open.close();
  const name = `${createHash('sha256')
    .update(JSON.stringify([PRINT_VERSION, identity, stream, from, length]))
    .digest('hex')
    .slice(0, 40)}.print`;
  const kept = await needs.cache.get(name);
  const known = kept && unpackFingerprint(kept);
  if (known) return known;
  const made = await makeFingerprint(
    needs,
    { media: inRoot(await needs.catalog.root(file.root), file.relative), stream, from, length },
    signal,
  );
  await needs.cache.put(name, packFingerprint(made));
  return made;
}
