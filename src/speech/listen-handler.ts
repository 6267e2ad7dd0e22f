/** Handles the messages of the listening process, with the first detector that this machine can load. */
import type { Detector } from './neural-detector.ts';
import { createCurveBuilder, type CurveBuilder } from './curve-builder.ts';
import type { DetectorName, ListenReply, ListenRequest } from './messages.ts';

export interface DetectorLoader {
  name: DetectorName;
  load(): Promise<Detector>;
}

/** Tries the loaders in their order. The reason of one that failed is returned for the server's log. */
export function createListenHandler(loaders: readonly DetectorLoader[]): (request: unknown) => Promise<ListenReply> {
  let loaded: { name: DetectorName; detector: Detector; detail: string } | undefined;
  let hearing: CurveBuilder | undefined;

  const load = async (): Promise<string> => {
    const details: string[] = [];
    for (const one of loaded ? [] : loaders) {
      try {
        loaded = { name: one.name, detector: await one.load(), detail: details.join('; ') };
        break;
      } catch (error) {
        details.push(error instanceof Error ? error.message : String(error));
      }
    }
    return details.join('; ');
  };

  return async (given) => {
    const request = given as ListenRequest;
    if (request.do === 'begin') {
      const detail = await load();
      if (!loaded) return { is: 'missing', detail };
      hearing = createCurveBuilder(loaded.detector);
      return { is: 'ready', detector: loaded.name, detail: loaded.detail };
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
