/** Warns a Profile before its time is over. The player shows the same over the picture. */
import { useTimeWarnings } from '../data/day-time.ts';
import { toast } from '../kit/layers/toast.tsx';
import { pageAt } from '../lib/navigation/addresses.ts';
import { shellWords } from '../messages/shell.ts';

/** Rendered once, at the root. */
export const TimeWatch = () => {
  useTimeWarnings((minutes) => {
    if (pageAt(location.pathname)?.page !== 'player')
      toast({ message: shellWords.minutesLeftToday({ count: minutes }) });
  });
  return null;
};
