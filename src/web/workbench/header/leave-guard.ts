/** Asks before work is lost: while `isOn`, a link, the back key and closing the tab wait for an answer. */
import { useEffect } from 'preact/hooks';
import { setGuard } from '../../lib/navigation/navigate.ts';

export function useLeaveGuard(isOn: boolean, mayLeave: () => Promise<boolean>): void {
  useEffect(() => {
    if (!isOn) return;
    const off = setGuard(mayLeave);
    const onUnload = (event: BeforeUnloadEvent) => {
      event.preventDefault();
      // Older engines ask only then.
      event.returnValue = true;
    };
    addEventListener('beforeunload', onUnload);
    return () => {
      off();
      removeEventListener('beforeunload', onUnload);
    };
  }, [isOn]);
}
