/** What the listening process answers, with the first detector that this machine can load. */
import type { Detector } from './detector.ts';
import { createHearing, type Hearing } from './hearing.ts';
import type { DetectorName, ListenReply, ListenRequest } from './messages.ts';

export interface Loader {
  name: DetectorName;
  load(): Promise<Detector>;
}

/** `loaders` in the order in which they are tried; what one of them failed with goes to the log of the server. */
export function createAnswer(loaders: readonly Loader[]): (request: unknown) => Promise<ListenReply> {
  let loaded: { name: DetectorName; detector: Detector; detail: string } | undefined;
  let hearing: Hearing | undefined;

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
      hearing = createHearing(loaded.detector);
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
