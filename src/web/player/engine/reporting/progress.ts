/**
 * Reports the viewer's position to the server. Reports of one playback carry its session and a growing sequence, so
 * that a late one never undoes a newer one; the server calls such a report stale, which is no fault.
 * One report is under way at a time, and of those that wait only the newest is sent.
 */
export interface Report {
  position: number;
  /** Present while it is paused, which is not counted as time of the day. */
  paused?: true;
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
  /** Last position that arrived, or is on its way in a request that outlives the page; -1 for none. */
  let told = -1;
  const numbered = (report: Report): NumberedReport => ({
    ...report,
    position: Math.round(Math.max(0, report.position) * 10) / 10,
    session,
    sequence: ++sequence,
  });
  const send = async (report: Report): Promise<void> => {
    isBusy = true;
    const sent = numbered(report);
    try {
      await put(sent, false);
      // A last report that was sent in the meantime is newer.
      if (sent.sequence === sequence) told = report.position;
    } catch {
      // The next report says more than this one would.
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
    /**
     * The page goes: one last report that outlives it. Left out when nothing is new. A report under way has not
     * arrived: the browser may end it with the page.
     */
    leave: (report: Report): void => {
      if (Math.abs(report.position - told) < 0.5 && report.watched === undefined) return;
      told = report.position;
      waiting = undefined;
      put(numbered(report), true).catch(() => (told = -1));
    },
  };
}
export type Reporter = ReturnType<typeof createReporter>;
