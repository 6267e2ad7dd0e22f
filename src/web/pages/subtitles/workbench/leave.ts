/**
 * Asks before work is lost: while `isOn`, a link, the back key and closing the tab wait for an answer.
 *
 * The browser has changed the address before it tells of its back key, so the address is put back first.
 */
import { useEffect } from 'preact/hooks';
import { setGuard } from '../../../app/navigate.ts';

export function useLeaveGuard(isOn: boolean, mayLeave: () => Promise<boolean>): void {
  useEffect(() => {
    if (!isOn) return;
    const here = location.pathname + location.search;
    const state: unknown = history.state;
    const off = setGuard(mayLeave);
    let isLeaving = false;
    const onPop = (event: PopStateEvent) => {
      if (isLeaving || location.pathname === here.split('?')[0]) return;
      event.stopImmediatePropagation();
      history.pushState(state, '', here);
      void mayLeave().then((may) => {
        if (!may) return;
        isLeaving = true;
        off();
        history.back();
      });
    };
    const onUnload = (event: BeforeUnloadEvent) => {
      event.preventDefault();
      // Older engines ask only then.
      event.returnValue = true;
    };
    addEventListener('popstate', onPop, { capture: true });
    addEventListener('beforeunload', onUnload);
    return () => {
      off();
      removeEventListener('popstate', onPop, { capture: true });
      removeEventListener('beforeunload', onUnload);
    };
  }, [isOn]);
}
