/** For tests: never answers samples. */
import { serveHelper } from '../../lib/process/serve.ts';
import type { ListenReply, ListenRequest } from '../messages.ts';

serveHelper(async (request): Promise<ListenReply> => {
  if ((request as ListenRequest).do !== 'begin') await new Promise(() => {});
  return { is: 'ready', detector: 'neural', detail: '' };
});
