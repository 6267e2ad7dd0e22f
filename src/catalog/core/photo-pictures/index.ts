/**
 * Pictures of photos, made in a helper process: upright, in sRGB, without metadata. HEIC files and the previews of raw
 * files are decoded there, too.
 */
import { Failure } from '../../../lib/failure.ts';
import { type Helper, HelperFailure, type Processes } from '../../../lib/process.ts';
import type { PhotoAnswer, PhotoQuestion } from './helper.ts';

export interface PhotoPictures {
  /** Fails as `missing` if the file is no picture, as `unavailable` if it cannot be read now. */
  make(photo: PhotoQuestion, signal: AbortSignal): Promise<Uint8Array>;
  close(): Promise<void>;
}

const DEADLINE_MS = 30_000;
/** A picture of 250 megapixels is decoded in rows; HEIC takes four bytes for each pixel, twice. */
const MEMORY_LIMIT = 1536 * 1024 * 1024;
const IDLE_MS = 30_000;

export function createPhotoPictures({ processes }: { processes: Pick<Processes, 'startHelper'> }): PhotoPictures {
  let helper: Helper | undefined;
  const start = (): Helper =>
    processes.startHelper({
      name: 'photo-pictures',
      module: new URL('./helper.ts', import.meta.url),
      deadlineMs: DEADLINE_MS,
      memoryLimit: MEMORY_LIMIT,
      idleMs: IDLE_MS,
      ahead: 1,
      isAddonAllowed: true,
      isBinary: true,
    });
  return {
    make: async (photo, signal) => {
      const answer = await asked((helper ??= start()), photo, signal);
      if ('bytes' in answer) return answer.bytes;
      if (answer.failed === 'unavailable')
        throw new Failure('unavailable', 'the file cannot be read', { reason: 'file-unavailable' });
      throw unreadable();
    },
    close: async () => helper?.close(),
  };
}

const unreadable = (cause?: unknown): Failure =>
  new Failure('missing', 'this picture cannot be read', { reason: 'picture-unreadable' }, { cause });

async function asked(helper: Helper, photo: PhotoQuestion, signal: AbortSignal): Promise<PhotoAnswer> {
  try {
    return await helper.ask<PhotoAnswer>(photo, signal);
  } catch (error) {
    signal.throwIfAborted();
    // A picture that ends or blocks its reader is one that cannot be shown.
    if (error instanceof HelperFailure && error.isCulprit) throw unreadable(error);
    throw error;
  }
}
