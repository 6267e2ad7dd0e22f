/**
 * Reports the viewer's position to the server. Reports of one playback carry its session and a growing sequence, so
 * that a late one never undoes a newer one; the server calls such a report stale, which is no fault.
 * One report is under way at a time, and of those that wait only the newest is sent.
 */
export interface Report {
  position: number;
  watched?: boolean;
}
export interface NumberedReport extends Report {
  session: string;
  sequence: number;
}
export interface ReporterNeeds {
  session: string;
  /**
   * Sends one report; `isLast` says that the page may be gone before the answer comes. Rejects when it did not arrive.
   */
  put: (report: NumberedReport, isLast: boolean) => Promise<void>;
}
/** Milliseconds between reports while it plays. */
export const REPORT_EVERY_MS = 10_000;

export function createReporter({ session, put }: ReporterNeeds) {
  let sequence = 0;
  let isBusy = false;
  let waiting: Report | undefined;
  let told = -1;
  const numbered = (report: Report): NumberedReport => ({
    ...report,
    position: Math.round(Math.max(0, report.position) * 10) / 10,
    session,
    sequence: ++sequence,
  });
  const send = async (report: Report): Promise<void> => {
    isBusy = true;
    told = report.position;
    try {
      await put(numbered(report), false);
    } catch {
      // The next report says more than this one would.
      told = -1;
    } finally {
      isBusy = false;
    }
    const next = waiting;
    waiting = undefined;
    if (next) await send(next);
  };
  return {
    /** Reports now, or after the report that is under way. */
    report: (report: Report): void => {
      if (isBusy) waiting = report;
      else void send(report);
    },
    /** The page goes: one last report that outlives it. Left out when nothing is new. */
    leave: (report: Report): void => {
      if (Math.abs(report.position - told) < 0.5 && report.watched === undefined) return;
      told = report.position;
      waiting = undefined;
      put(numbered(report), true).catch(() => undefined);
    },
  };
}
export type Reporter = ReturnType<typeof createReporter>;
