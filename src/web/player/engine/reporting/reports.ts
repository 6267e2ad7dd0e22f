/**
 * Reports progress while a film plays: every ten seconds, on pause, after a jump, at the end, and when the page is
 * left.
 */
import { useEffect } from 'preact/hooks';
import { address, call, CallFailed, routes } from '../../../data/client.ts';
import { readAgain } from '../../../data/query.ts';
import type { Film } from '../timeline.ts';
import { createReporter, REPORT_EVERY_MS, type NumberedReport } from './progress.ts';
import { repeat, later } from '../../../lib/pending-work.ts';

/** The last report outlives the page; a beacon could only POST. */
export async function putProgress(id: string, report: NumberedReport, isLast: boolean): Promise<void> {
  if (isLast) {
    const { method } = routes.watching.progress;
    await fetch(address(routes.watching.progress, { id }), {
      method,
      keepalive: true,
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(report),
    });
    return;
  }
  await call.watching.progress({ id, ...report }).catch((error: unknown) => {
    // Stale: another device or tab of this Profile is further on, and stays right.
    if (!(error instanceof CallFailed && error.reason === 'stale-progress')) throw error;
  });
}

export interface ReportedItem {
  id: string;
  session: string;
  /** Whether the end of what is in the element is the end of the item. */
  isLast: boolean;
}
export function useReports(film: Film | undefined, { id, session, isLast }: ReportedItem): void {
  useEffect(() => {
    if (!film) return;
    const { video } = film;
    const reporter = createReporter({ session, put: (report, isLast) => putProgress(id, report, isLast) });
    let isBegun = false;
    let isDone = false;
    // While a file is loaded again the element says 0; the last position that was really shown counts.
    let place = 0;
    const onTime = () => {
      if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && !video.error) place = film.time();
    };
    const here = () => ({ position: place, ...(video.paused && { paused: true as const }) });
    const report = () => {
      if (isBegun && !isDone && !video.error) reporter.report(here());
    };
    const leave = () => {
      if (isBegun && !isDone) reporter.leave(here());
    };
    const onHidden = () => document.visibilityState === 'hidden' && leave();
    const onPlaying = () => {
      isBegun = true;
      isDone = false;
    };
    const onEnded = () => {
      if (!isLast) return;
      isDone = true;
      reporter.report({ position: film.time(), watched: true });
    };
    const stop = repeat(REPORT_EVERY_MS, () => !video.paused && report());
    const onPause = () => {
      onTime();
      if (!video.ended) report();
    };
    const onSeeked = () => {
      onTime();
      report();
    };
    video.addEventListener('timeupdate', onTime);
    video.addEventListener('playing', onPlaying);
    video.addEventListener('pause', onPause);
    video.addEventListener('seeked', onSeeked);
    video.addEventListener('ended', onEnded);
    addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      stop();
      leave();
      video.removeEventListener('timeupdate', onTime);
      video.removeEventListener('playing', onPlaying);
      video.removeEventListener('pause', onPause);
      video.removeEventListener('seeked', onSeeked);
      video.removeEventListener('ended', onEnded);
      removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', onHidden);
      // The pages behind show the new place.
      later(300, () => {
        readAgain('catalog');
        readAgain('watching');
      });
    };
  }, [film, id, session]);
}
