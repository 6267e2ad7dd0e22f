/**
 * For tests: a helper that crashes, hangs, needs too much memory or fails when the title of the item says so, and works
 * otherwise.
 */
import { serveHelper } from '../../../../lib/process/serve.ts';
import { handleRequest } from '../../../worker/handle-request.ts';
import type { WorkReply, WorkRequest } from '../../../worker/messages.ts';

serveHelper(async (request): Promise<WorkReply> => {
  const given = request as WorkRequest;
  const title = given.do === 'inspect' ? given.given.summary.title : '';
  if (title === 'dies') process.kill(process.pid, 'SIGSEGV');
  if (title === 'hangs') await new Promise(() => {});
  if (title === 'fails') throw new Error('a bug');
  if (title === 'grows') {
    const all: unknown[] = [];
    for (;;) all.push(Array.from({ length: 1_000_000 }, (_, n) => ({ n })));
  }
  return handleRequest(given);
});
