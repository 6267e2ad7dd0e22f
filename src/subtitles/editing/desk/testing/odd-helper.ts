/** For tests: dies, hangs, takes all memory or fails where the title of what it is given says so, and else answers. */
import { serveHelper } from '../../../../lib/process/serve.ts';
import { answer } from '../../../worker/answer.ts';
import type { WorkReply, WorkRequest } from '../../../worker/messages.ts';

serveHelper(async (request): Promise<WorkReply> => {
  const given = request as WorkRequest;
  const title = given.do === 'inspect' ? given.given.head.title : '';
  if (title === 'dies') process.kill(process.pid, 'SIGSEGV');
  if (title === 'hangs') await new Promise(() => {});
  if (title === 'fails') throw new Error('a bug');
  if (title === 'grows') {
    const all: unknown[] = [];
    for (;;) all.push(Array.from({ length: 1_000_000 }, (_, n) => ({ n })));
  }
  return answer(given);
});
