/** Pins a list on home, and takes it away again. */
import { savePreferences, useMe } from '../../data/session.ts';
import { runWithToast } from '../../kit/layers/run.ts';
import { toast } from '../../kit/layers/toast.tsx';
import { listWords as m } from '../../messages/lists.ts';

interface PinnedState {
  isPinned: boolean;
  /** Pins the list as the first row, or takes it away. Both can be undone. */
  toggle: () => void;
}

/** Returns whether a row such as `collection:5d02b7e8f46a1c93` is on home, and what changes that. */
export function usePin(row: string, name: string): PinnedState {
  const home = useMe()?.preferences.home ?? [];
  const isPinned = home.some((one) => one.row === row && one.hidden !== true);
  const toggle = async (): Promise<void> => {
    const others = home.filter((one) => one.row !== row);
    if (!(await runWithToast(() => savePreferences({ home: isPinned ? others : [{ row }, ...others] })))) return;
    const undo = () => void runWithToast(() => savePreferences({ home }));
    toast({ message: isPinned ? m.unpinnedFromHome({ name }) : m.pinnedOnHome({ name }), undo });
  };
  return { isPinned, toggle: () => void toggle() };
}
