/** Restarts the server and waits until it is back, at the same address or at its new one. */
import { call, CallFailed, sentence } from '../../data/client.ts';
import { reopenEvents } from '../../data/events.ts';
import { queries } from '../../data/query.ts';
import { confirm } from '../../kit/layers/confirm.tsx';
import { toast } from '../../kit/layers/toast.tsx';
import { createStore } from '../../lib/store.ts';
import { restartWords as m } from '../../messages/restart.ts';
import { movedAddress } from './moved.ts';
import { later, delay } from '../../lib/pending-work.ts';

export interface RestartWait {
  /** Address at which the server will be, if it moves. */
  address: string | undefined;
  /** Whether it has been away for longer than a restart takes. */
  isLate: boolean;
}
/** The restart that this page waits for. */
export const restarting = createStore<RestartWait | undefined>(undefined);

const ASK_MS = 150;
const ASK_LATE_MS = 2_000;
const LATE_MS = 15_000;

/** Asks first while someone is watching. A failure is shown in a toast. */
export async function restartNow(): Promise<void> {
  if (restarting.get()) return;
  try {
    const playing = await call.playbackSessions.list({});
    const streams = m.streamsCount({ count: playing.items.length });
    const isSure =
      playing.items.length === 0 ||
      (await confirm({ title: m.someoneIsWatching, says: m.pauseForAMoment({ streams }), action: m.restartNow }));
    if (!isSure) return;
    const begun = await call.restart.begin({});
    restarting.set({ address: movedAddress(begun, location), isLate: false });
    await isBack(begun.run);
    // Everything on show was read from the run before.
    await queries.invalidateQueries();
    reopenEvents();
    if (!(await call.restart.read({})).failure) toast({ message: m.hasRestarted });
  } catch (error) {
    toast({ message: sentence(error), isError: true });
  } finally {
    restarting.set(undefined);
    keepFocus();
  }
}

/** Time in which the page draws what it has read again. */
const DRAW_MS = 100;

/** Moves the focus to the heading of the page once the button that had it is gone. */
function keepFocus(): void {
  later(DRAW_MS, () => {
    const heading = document.querySelector<HTMLElement>('h1');
    if (!heading || document.activeElement !== document.body) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  });
}

/** Resolves once another run has finished its start. A refusal, such as a session that has ended, rejects. */
async function isBack(run: string): Promise<void> {
  for (const began = performance.now(); ;) {
    try {
      const now = await call.restart.read({});
      if (now.run !== run && now.ready) return;
    } catch (error) {
      // No reply, or one that says that it is stopping or starting.
      if (!(error instanceof CallFailed) || (error.status !== 0 && error.status < 500)) throw error;
    }
    const isLate = performance.now() - began > LATE_MS;
    const shown = restarting.get();
    if (isLate && shown && !shown.isLate) restarting.set({ ...shown, isLate });
    await delay(isLate ? ASK_LATE_MS : ASK_MS, { isBackground: true });
  }
}
