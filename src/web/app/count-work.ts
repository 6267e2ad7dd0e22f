/** Counts the work of the libraries that draw and that keep replies (`lib/pending-work.ts`). */
import { notifyManager } from '@tanstack/react-query';
import { options } from 'preact';
import { queries } from '../data/query.ts';
import { proof } from '../data/send.ts';
import { afterNextFrame, createPendingState, soon } from '../lib/pending-work.ts';

/** Call once, before anything is drawn. */
export function countWork(): void {
  options.requestAnimationFrame = afterNextFrame;
  notifyManager.setScheduler(soon);
  const setFetching = createPendingState('query');
  // A query whose call needs a proof waits for a person.
  const look = () => setFetching(proof.get() === undefined && queries.isFetching() > 0);
  queries.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated' || type === 'removed') look();
  });
  proof.subscribe(look);
}
