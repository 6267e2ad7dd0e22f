/** The chapters of the book that is shown: of what plays, or of its page while it is not loaded, as after a reload. */
import { useAsk } from '../../../data/query.ts';
import { useStore } from '../../../lib/store.ts';
import { listening } from '../engine/state.ts';

export function useChapters(): readonly { title: string; start: number }[] {
  const { plan, queue } = useStore(listening);
  const item = queue.entries[queue.at]?.item;
  const isAsked = plan === undefined && item?.kind === 'audiobook';
  const { data } = useAsk('catalog', 'item', { id: item?.id ?? '' }, { enabled: isAsked });
  return plan?.chapters ?? (isAsked ? data?.chapters : undefined) ?? [];
}
