/** Handles the messages of the listening process, with the first detector that this machine can load. */
import type { Detector } from './neural-detector.ts';
import { createCurveBuilder, type CurveBuilder } from './curve-builder.ts';
import type { DetectorName, ListenReply, ListenRequest } from './messages.ts';

export interface DetectorLoader {
  name: DetectorName;
  load(threads: number): Promise<Detector>;
}

/** Threads for a person who waits, and for background work, which has one processor of two. */
const AWAITED_THREADS = 2;
const BACKGROUND_THREADS = 1;

interface LoadedDetector {
  name: DetectorName;
  detector: Detector;
  detail: string;
}

/** Tries the loaders in their order. The reason of one that failed is returned for the server's log. */
export function createListenHandler(loaders: readonly DetectorLoader[]): (request: unknown) => Promise<ListenReply> {
  const loaded = new Map<number, LoadedDetector>();
  let hearing: CurveBuilder | undefined;

  /** Returns a detector, or why none can be loaded. */
  const load = async (threads: number): Promise<LoadedDetector | string> => {
    const known = loaded.get(threads);
    if (known) return known;
    const details: string[] = [];
    for (const one of loaders) {
      try {
        const found = { name: one.name, detector: await one.load(threads), detail: details.join('; ') };
        loaded.set(threads, found);
        return found;
      } catch (error) {
        details.push(error instanceof Error ? error.message : String(error));
      }
    }
    return details.join('; ');
  };

  return async (given) => {
    const request = given as ListenRequest;
    if (request.do === 'begin') {
      const found = await load(request.isAwaited ? AWAITED_THREADS : BACKGROUND_THREADS);
      if (typeof found === 'string') return { is: 'missing', detail: found };
      hearing = createCurveBuilder(found.detector);
      return { is: 'ready', detector: found.name, detail: found.detail };
    }
    if (!hearing) throw new Error('nothing was begun');
    if (request.do === 'samples') {
      await hearing.add(request.bytes);
      return { is: 'heard', seconds: hearing.seconds() };
    }
    const heard = await hearing.end();
    hearing = undefined;
    return { is: 'done', ...heard };
  };
}
