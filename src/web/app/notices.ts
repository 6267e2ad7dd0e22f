/** Notices about security as the frame shows them: how many this Profile has not seen. */
import { useAsk } from '../data/query.ts';
import { useMe } from '../data/session.ts';

/** Returns the number of unseen notices; 0 on a household device, where a Profile only watches. */
export function useNoticeCount(): number {
  const me = useMe();
  const { data } = useAsk('security', 'notices', {}, { enabled: me !== undefined && !me.household });
  return data?.unseen ?? 0;
}
