/** Helper process that compares the times of cues with a curve. */
import { serveHelper } from '../lib/process/serve.ts';
import { find } from '../cues/align/align.ts';
import type { AlignReply, AlignRequest } from './messages.ts';

serveHelper((request): AlignReply => {
  const { times, curve, reference } = request as AlignRequest;
  return find(times, curve, reference);
});
