/** For tests: listens and dies of the first samples. */
import { serveHelper } from '../../lib/process/serve.ts';
import type { ListenReply, ListenRequest } from '../messages.ts';

serveHelper((request): ListenReply => {
  if ((request as ListenRequest).do !== 'begin') process.kill(process.pid, 'SIGSEGV');
  return { is: 'ready', detector: 'neural', detail: '' };
});
