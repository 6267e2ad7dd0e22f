/** Asks again for a page whose text a metadata service is still being asked for. */
import { useEffect, useState } from 'preact/hooks';
import { later } from '../lib/pending-work.ts';

/** A text that was not looked at before arrives after about a second. */
const PENDING_MS = 1_500;
const MAX_TRIES = 4;

interface PendingReply {
  data: { pending?: boolean | undefined } | undefined;
  refetch(): unknown;
}
/** Returns whether the text is on its way. After some tries it counts as missing. */
export function usePending({ data, refetch }: PendingReply, id: string): boolean {
  const [tries, setTries] = useState(0);
  const isPending = data?.pending === true && tries < MAX_TRIES;
  useEffect(() => setTries(0), [id]);
  useEffect(() => {
    if (!isPending) return undefined;
    return later(PENDING_MS, () => {
      setTries(tries + 1);
      void refetch();
    });
  }, [isPending, tries]);
  return isPending;
}
