/** Reads subtitles of any size: small ones in this process, large ones in a worker. */
import type { SubtitleReader } from './types.ts';
import {
  convertSubtitle,
  readCues,
  readDocument,
  cuesFromNumbers,
  examineSubtitle,
  detectedFormat,
  checkFile,
} from './reading.ts';
import { createWorker, isLargeFor, type WorkerNeeds } from './worker.ts';

/** Reads in this process, whatever the size. Used inside the worker process and by tests. */
export const localReader: SubtitleReader = {
  convert: convertSubtitle,
  examine: examineSubtitle,
  document: readDocument,
  cues: readCues,
  format: detectedFormat,
  check: checkFile,
};

export function createSubtitleReader(needs: WorkerNeeds): SubtitleReader & { close(): Promise<void> } {
  const { ask, close } = createWorker(needs);
  const isLarge = ({ bytes }: { bytes: Uint8Array }): boolean => isLargeFor(needs, bytes.byteLength);
  return {
    convert: async (given, signal) =>
      isLarge(given) ? (await ask({ do: 'convert', given }, 'text', signal)).bytes : localReader.convert(given, signal),
    examine: async (given, signal) => {
      if (!isLarge(given)) return localReader.examine(given, signal);
      const { examined: facts, numbers } = await ask({ do: 'examine', given }, 'examined', signal);
      return { ...facts, cues: cuesFromNumbers(numbers) };
    },
    document: async (given, signal) =>
      isLarge(given)
        ? (await ask({ do: 'document', given }, 'document', signal)).document
        : localReader.document(given, signal),
    cues: async (given, signal) =>
      isLarge(given)
        ? cuesFromNumbers((await ask({ do: 'cues', given }, 'numbers', signal)).numbers)
        : localReader.cues(given, signal),
    format: async (given, signal) =>
      isLarge(given)
        ? (await ask({ do: 'format', given }, 'format', signal)).format
        : localReader.format(given, signal),
    check: async (given, signal) =>
      isLarge(given) ? (await ask({ do: 'check', given }, 'checked', signal)).found : localReader.check(given, signal),
    close,
  };
}
