/**
 * Counts the time that Profiles play, and ends what plays when the time of a day is over.
 *
 * A Profile counts once however many of its devices play. The steady clock says how much time has passed, so a wall
 * clock that is set counts nothing twice; a machine that slept counts nothing while it slept. A reported pause stops
 * this clock only: what is sent beyond a buffer counts whatever a player reports (`delivered.ts`).
 */
import type { Principal } from '../../contract/kernel/principal.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { createDelivered, type DeliveredSpan } from './delivered.ts';
import { TIME_OVER } from './playing.ts';
import type { PlaybackSessions } from './sessions.ts';
import type { PlaybackSession } from './types.ts';

/** How often played time is counted. A stream may run this much longer than its Profile may. */
export const COUNT_EVERY_MS = 5_000;
/** Most time that one count adds. */
export const MAX_COUNTED_MS = 4 * COUNT_EVERY_MS;
/** Longest that one wait for the pace of a file takes: its session stays in use, and it ends soon after its time. */
const PACE_STEP_MS = 250;

export interface WatchTimeNeeds {
  sessions: Pick<PlaybackSessions, 'watching'>;
  clock: Pick<Clock, 'monotonic'>;
  people: {
    timeOf(profile: string): { isOver: boolean } | undefined;
    watched(profile: string, ms: number): void;
  };
  /** Ends what may no longer be played. */
  review(): void;
  /** Resolves after so many milliseconds, or at an abort. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export interface WatchTime {
  /** Counts the time since the count before, and what was sent beyond it. */
  count(): void;
  /** Notes seconds of an item that are sent. Those of a Profile without a limit are not noted. */
  send(session: PlaybackSession, span: DeliveredSpan): void;
  /**
   * Notes seconds that are sent of a file as it is. Resolves when its next bytes may be read, which is soon for a
   * player that reads as it plays; `waiting` is called again and again until then.
   */
  paced(session: PlaybackSession, span: DeliveredSpan, waiting: () => void, signal: AbortSignal): Promise<void>;
  /** Fails as `forbidden` when the time of the caller is over for today. */
  refuseOver(by: Principal): void;
  /** Fails as `forbidden` for a caller whose time is counted, which needs a session. */
  requireSession(by: Principal): void;
  close(): void;
}

export function createWatchTime({ sessions, clock, people, review, wait }: WatchTimeNeeds): WatchTime {
  const delivered = createDelivered({ clock });
  let countedAt = clock.monotonic();
  let watching: PlaybackSession[] = [];

  const isOver = (profile: string): boolean => people.timeOf(profile)?.isOver === true;
  const endOver = (profiles: Iterable<string>): void => {
    if (![...profiles].some(isOver)) return;
    review();
    watching = sessions.watching();
  };
  const countSent = (): void => {
    const owed = delivered.takeOwed();
    for (const [profile, ms] of owed) people.watched(profile, ms);
    endOver(owed.keys());
  };
  const count = (): void => {
    const now = clock.monotonic();
    const passed = Math.min(now - countedAt, MAX_COUNTED_MS);
    countedAt = now;
    const before = watching;
    watching = sessions.watching();
    // A stream that began since the count before counts from now on, one that ended until now.
    for (const [profile, ms] of delivered.count(before, passed))
      if (people.timeOf(profile)) people.watched(profile, ms);
    countSent();
    endOver(watching.map(({ profile }) => profile));
  };
  const send: WatchTime['send'] = (session, span) => {
    if (!people.timeOf(session.profile)) return;
    // A whole film may be sent between two counts.
    if (delivered.send(session, span) >= COUNT_EVERY_MS) countSent();
  };
  const timer = setInterval(count, COUNT_EVERY_MS);
  timer.unref();

  return {
    count,
    send,
    paced: async (session, span, waiting, signal) => {
      if (!people.timeOf(session.profile)) return;
      send(session, span);
      const wholeUntil = clock.monotonic() + delivered.pace(session, span);
      for (let left = wholeUntil - clock.monotonic(); left > 0 && !signal.aborted;) {
        waiting();
        await wait(Math.min(left, PACE_STEP_MS), signal);
        left = wholeUntil - clock.monotonic();
      }
    },
    refuseOver: ({ profile }) => {
      if (people.timeOf(profile)?.isOver) throw new Failure('forbidden', TIME_OVER, { reason: 'watch-time-over' });
    },
    requireSession: ({ profile }) => {
      if (people.timeOf(profile))
        throw new Failure('forbidden', 'this profile plays within a session only', {
          reason: 'playback-session-needed',
        });
    },
    close: () => clearInterval(timer),
  };
}
