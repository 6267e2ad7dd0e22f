/** Requests as the frame shows them: how many wait for this Profile, with a notification when there is one more. */
import { useEffect, useRef } from 'preact/hooks';
import { useAsk } from '../data/query.ts';
import { useMe } from '../data/session.ts';
import { toast } from '../kit/layers/toast.tsx';
import { hrefOf, pageAt } from '../lib/navigation/addresses.ts';
import { go } from '../lib/navigation/navigate.ts';
import { shellWords } from '../messages/shell.ts';

/** Returns the number of open requests for an Owner, or of answers that a Viewer has not seen. */
export function useRequestCount(): number {
  const profile = useMe()?.profile;
  const isOwner = profile?.role === 'owner';
  const { data } = useAsk('requests', 'list', {}, { enabled: profile !== undefined });
  const count = (isOwner ? data?.open : data?.unseen) ?? 0;
  const before = useRef<number>(undefined);
  useEffect(() => {
    if (!data) return;
    const isMore = before.current !== undefined && count > before.current;
    before.current = count;
    if (!isMore) return;
    const newest = data.items.find(({ state }) => state === 'open');
    const isThere = pageAt(location.pathname)?.page === 'requests';
    toast({
      message: isOwner ? shellWords.newRequest({ name: newest?.profile.name ?? '' }) : shellWords.requestAnswered,
      ...(!isThere && { show: () => go(hrefOf({ page: 'requests' })) }),
    });
  }, [data]);
  return count;
}
