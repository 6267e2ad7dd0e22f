/**
 * Counts the time that Profiles play, and ends what plays when the time of a day is over.
 *
 * A Profile counts once however many of its devices play. The steady clock says how much time has passed, so a wall
 * clock that is set counts nothing twice; a machine that slept counts nothing while it slept.
 */
import type { Principal } from '../../contract/kernel/principal.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { TIME_OVER } from './playing.ts';
import type { PlaybackSessions } from './sessions.ts';

/** How often played time is counted. A stream may run this much longer than its Profile may. */
export const COUNT_EVERY_MS = 5_000;
/** Most time that one count adds. */
export const MAX_COUNTED_MS = 4 * COUNT_EVERY_MS;

export interface WatchTimeNeeds {
  sessions: Pick<PlaybackSessions, 'watching'>;
  clock: Pick<Clock, 'monotonic'>;
  people: {
    timeOf(profile: string): { isOver: boolean } | undefined;
    watched(profile: string, ms: number): void;
  };
  /** Ends what may no longer be played. */
  review(): void;
}

export interface WatchTime {
  /** Counts the time since the count before. */
  count(): void;
  /** Fails as `forbidden` when the time of the caller is over for today. */
  refuseOver(by: Principal): void;
  /** Fails as `forbidden` for a caller whose time is counted, which needs a session. */
  requireSession(by: Principal): void;
  close(): void;
}

export function createWatchTime({ sessions, clock, people, review }: WatchTimeNeeds): WatchTime {
  let countedAt = clock.monotonic();
  let watching = new Set<string>();

  const count = (): void => {
    const now = clock.monotonic();
    const passed = Math.min(now - countedAt, MAX_COUNTED_MS);
    countedAt = now;
    const before = watching;
    watching = sessions.watching();
    // A stream that began since the count before counts from now on, one that ended until now.
    for (const profile of before) if (people.timeOf(profile)) people.watched(profile, passed);
    if ([...watching].some((profile) => people.timeOf(profile)?.isOver)) {
      review();
      watching = sessions.watching();
    }
  };
  const timer = setInterval(count, COUNT_EVERY_MS);
  timer.unref();

  return {
    count,
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
