/** Reports progress of the audio player: every ten seconds, on pause, after a jump, at the end, and on leaving. */
import { readAgain } from '../../../data/query.ts';
import { createReporter, REPORT_EVERY_MS } from '../../engine/reporting/progress.ts';
import { endSession } from '../../../parts/playback/plan.ts';
import { putProgress } from '../../engine/reporting/reports.ts';
import { later } from '../../../lib/pending-work.ts';

export interface ListenReports {
  /** Called again and again while it plays. */
  tick: () => void;
  /** Reports the position now. */
  report: () => void;
  /** Reports that the item was heard to its end, which is at `position` seconds. */
  finish: (position: number) => void;
  /** The page may go: a last report that outlives it. */
  leave: () => void;
  /** Ends the session. */
  close: () => void;
}

/** `time` returns the position in seconds of the item. */
export function createListenReports({
  id,
  session,
  time,
}: {
  id: string;
  session: string;
  time: () => number;
}): ListenReports {
  const reporter = createReporter({ session, put: (report, isLast) => putProgress(id, report, isLast) });
  let reportedAt = performance.now();
  let isDone = false;
  const report = () => {
    if (isDone) return;
    reportedAt = performance.now();
    reporter.report({ position: time() });
  };
  return {
    tick: () => performance.now() - reportedAt >= REPORT_EVERY_MS && report(),
    report,
    finish: (position) => {
      if (isDone) return;
      isDone = true;
      reporter.report({ position, watched: true });
    },
    leave: () => !isDone && reporter.leave({ position: time() }),
    close: () => {
      if (!isDone) reporter.leave({ position: time() });
      isDone = true;
      endSession(session);
      // Pages show the new place.
      later(300, () => {
        readAgain('catalog');
        readAgain('watching');
        readAgain('audiobooks');
      });
    },
  };
}
