/** The one way to read a subtitle that may be large: small ones are read in this process, the others in a worker. */
import type { Reader } from './types.ts';
import { converted, cuesIn, cuesOf, examined, formatOf } from './reading.ts';
import { createWorker, isLargeFor, type WorkerNeeds } from './worker.ts';

/**
 * Reads in this process whatever the size: for the worker's own process, and for tests of what is made of the result.
 */
export const readHere: Reader = { convert: converted, examine: examined, cues: cuesIn, format: formatOf };

export function createReader(needs: WorkerNeeds): Reader & { close(): Promise<void> } {
  const { ask, close } = createWorker(needs);
  const isLarge = ({ bytes }: { bytes: Uint8Array }): boolean => isLargeFor(needs, bytes.byteLength);
  return {
    convert: async (given, signal) =>
      isLarge(given) ? (await ask({ do: 'convert', given }, 'text', signal)).bytes : readHere.convert(given, signal),
    examine: async (given, signal) => {
      if (!isLarge(given)) return readHere.examine(given, signal);
      const { examined: facts, numbers } = await ask({ do: 'examine', given }, 'examined', signal);
      return { ...facts, cues: cuesOf(numbers) };
    },
    cues: async (given, signal) =>
      isLarge(given)
        ? cuesOf((await ask({ do: 'cues', given }, 'numbers', signal)).numbers)
        : readHere.cues(given, signal),
    format: async (given, signal) =>
      isLarge(given) ? (await ask({ do: 'format', given }, 'format', signal)).format : readHere.format(given, signal),
    close,
  };
}
