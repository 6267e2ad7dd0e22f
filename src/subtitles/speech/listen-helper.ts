/** The process that listens: one audio track at a time, from samples to a curve. It opens nothing but the detector. */
import { serveHelper } from '../../lib/process/serve.ts';
import { type Detector, loadDetector } from './detector.ts';
import { createHearing, type Hearing } from './hearing.ts';
import type { ListenReply, ListenRequest } from './messages.ts';

let detector: Detector | undefined;
let hearing: Hearing | undefined;

async function answer(request: ListenRequest): Promise<ListenReply> {
  if (request.do === 'begin') {
    try {
      detector ??= await loadDetector();
    } catch (error) {
      return { is: 'missing', detail: error instanceof Error ? error.message : String(error) };
    }
    hearing = createHearing(detector);
    return { is: 'ready' };
  }
  if (!hearing) throw new Error('nothing was begun');
  if (request.do === 'samples') {
    await hearing.add(request.bytes);
    return { is: 'heard', seconds: hearing.seconds() };
  }
  const heard = await hearing.end();
  hearing = undefined;
  return { is: 'done', ...heard };
}

serveHelper((request) => answer(request as ListenRequest));
