/**
 * Places for conversions of video in software. A session that has one keeps it while it plays, wherever it seeks.
 *
 * A plan is refused when all places are taken, but several plans may be made before the first of them begins, so that a
 * place is reserved when the first run of a session begins.
 */
import { Failure } from '../../lib/failure.ts';
import type { EncoderHead } from './head.ts';
import { WATCHED_MS } from './watch-positions.ts';

export interface SoftwarePlaces {
  /** Whether all places are taken, not counting runs that only these sessions asked. */
  isBusy(...sessions: string[]): boolean;
  /** Reserves a place for a session. Throws `Failure('unavailable')` if all are taken. */
  admit(session: string): void;
  /** Notes a request of a session for video. */
  note(session: string): void;
  /** Frees the places of sessions without recent requests. */
  sweep(): void;
  leave(session: string): void;
}

export interface SoftwarePlacesNeeds {
  /** Number of places. */
  most: number;
  now(): number;
  /** Returns the runs in software that make video. */
  running(): readonly Pick<EncoderHead, 'askers'>[];
}

/** When a session that was refused may ask again. */
const BUSY_RETRY_S = 5;

export function createSoftwarePlaces({ most, now, running }: SoftwarePlacesNeeds): SoftwarePlaces {
  /** Sessions that have a place, and when they last asked for a segment. */
  const places = new Map<string, number>();
  const isBusy = (...sessions: string[]): boolean =>
    running().filter(({ askers }) => [...askers.keys()].some((one) => !sessions.includes(one))).length >= most;
  return {
    isBusy,
    admit: (session) => {
      if (!places.has(session) && isBusy(session))
        throw new Failure('unavailable', 'this server is converting as many films as it can', {
          reason: 'too-busy',
          retryAfterSeconds: BUSY_RETRY_S,
        });
      places.set(session, now());
    },
    note: (session) => {
      if (places.has(session)) places.set(session, now());
    },
    sweep: () => {
      for (const [session, at] of places) if (now() - at > WATCHED_MS) places.delete(session);
    },
    leave: (session) => void places.delete(session),
  };
}
