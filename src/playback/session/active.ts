/**
 * Sessions that are being played, and how many of them a Profile may have at a time.
 *
 * A device plays one film at a time: a session that starts takes the place of the other sessions of its sign-in.
 */
import { isAhead, type Clock } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import type { PlaybackSession, PlaybackSessionRow } from './types.ts';

/** After this long without a request a session is idle: what runs for it is stopped. */
export const IDLE_MS = 90_000;
/** For this long after a pause a player may still fill its buffer. */
export const BUFFER_MS = 60_000;
/** Sessions of one Profile that may be played at a time. */
const MAX_CONVERTING = 3;
const MAX_OTHERS = 6;

export interface ActiveSessions {
  /** Milliseconds since the last request of a session. */
  idleFor(session: PlaybackSessionRow): number;
  /** Whether a session has started and was used recently. */
  isRecent(session: PlaybackSessionRow): boolean;
  /** Whether a session was used recently, and no other one has taken its place. */
  isActive(session: PlaybackSessionRow): boolean;
  /** Adds a session whatever the limits. */
  add(session: PlaybackSession): void;
  /** Adds a session at a request, in place of those that it replaces. Fails as `conflict` beyond the limits. */
  use(session: PlaybackSession): void;
  /** Notes that bytes of an open reply were read for a session: one long request is use as well as many short ones. */
  streamed(session: PlaybackSession): void;
  /** Notes whether the player of a session reports a pause. */
  notePause(session: PlaybackSession, isPaused: boolean): void;
  /** Those that play now or are paused: used recently, and no other one has taken their place. */
  playing(): PlaybackSession[];
  /** Those that play now: used recently, not paused. One whose stream is read is among them after it was replaced. */
  watching(): PlaybackSession[];
  /** Stops what runs for a session, if it is there. */
  rest(session: PlaybackSessionRow): void;
  /** Returns the sessions whose place a new one of this sign-in takes. */
  replacedBy(own: SignIn): PlaybackSession[];
  /**
   * Fails as `conflict` when the Profile plays as many others as it may. A session that has not started
   * replaces the session of the same device.
   */
  refuseTooMany(own: SignIn & Pick<PlaybackSession, 'recipe' | 'isStarted'>): void;
}

/** Sign-in of a session. With `id`, that session is left out. */
type SignIn = Pick<PlaybackSession, 'profile' | 'credential'> & { id?: string | undefined };

export interface ActiveSessionsNeeds {
  clock: Pick<Clock, 'now'>;
  /** Called when a session became idle or ended, so that nothing runs for it any more. */
  release(id: string): void;
  /** Called when the list of sessions looks different. */
  changed(): void;
}

export const isConverting = ({ recipe: { way } }: Pick<PlaybackSessionRow, 'recipe'>): boolean =>
  way === 'transcode' || way === 'remux-audio';

export function createActiveSessions({ clock, release, changed }: ActiveSessionsNeeds): ActiveSessions {
  const active = new Map<string, PlaybackSession>();
  /** Sessions with a reply that is read, those among them whose place another one has taken. */
  const streaming = new Set<PlaybackSession>();

  const idleFor = ({ usedAt }: PlaybackSessionRow): number => (isAhead(usedAt, clock.now()) ? 0 : clock.now() - usedAt);
  const isRecent = (session: PlaybackSessionRow): boolean =>
    session.ended === null && session.isStarted && idleFor(session) < IDLE_MS;
  const isActive = (session: PlaybackSessionRow): boolean => active.has(session.id) && isRecent(session);
  const replacedBy = ({ id, profile, credential }: SignIn): PlaybackSession[] =>
    [...active.values()].filter((one) => one.profile === profile && one.credential === credential && one.id !== id);
  const refuseTooMany: ActiveSessions['refuseTooMany'] = (own) => {
    const isConversion = isConverting(own);
    const replaced = new Set(own.isStarted ? [] : replacedBy(own));
    const others = [...active.values()].filter(
      (one) =>
        one.profile === own.profile &&
        one.id !== own.id &&
        !replaced.has(one) &&
        isRecent(one) &&
        isConverting(one) === isConversion,
    );
    const most = isConversion ? MAX_CONVERTING : MAX_OTHERS;
    if (others.length < most) return;
    const what = isConversion
      ? `${most} streams are being converted for this profile already`
      : `this profile plays ${most} streams already`;
    throw new Failure('conflict', `${what}; stop one of them first`, { reason: 'limit' });
  };
  const rest = ({ id }: PlaybackSessionRow): void => {
    if (!active.delete(id)) return;
    release(id);
    changed();
  };
  const add = (session: PlaybackSession): void => {
    const isNew = !active.has(session.id);
    active.set(session.id, session);
    if (isNew) changed();
  };

  /** A player that still reads its stream once its buffer must be full is playing, whatever it reports. */
  const endOldPause = (session: PlaybackSession): void => {
    if (session.pausedAt !== undefined && clock.now() - session.pausedAt >= BUFFER_MS) session.pausedAt = undefined;
  };

  return {
    idleFor,
    isRecent,
    isActive,
    add,
    streamed: (session) => {
      if (session.ended !== null) return;
      endOldPause(session);
      session.usedAt = clock.now();
      streaming.add(session);
      if (!session.isReplaced) add(session);
    },
    use: (session) => {
      const wasActive = isActive(session);
      if (!wasActive) refuseTooMany(session);
      // Only at its first request: two pages of one browser that both play must not stop each other again and again.
      for (const other of session.isStarted ? [] : replacedBy(session)) {
        other.isReplaced = true;
        rest(other);
      }
      endOldPause(session);
      session.usedAt = clock.now();
      session.isStarted = true;
      session.isReplaced = false;
      active.set(session.id, session);
      if (!wasActive) changed();
    },
    notePause: (session, isPaused) => {
      session.pausedAt = isPaused ? (session.pausedAt ?? clock.now()) : undefined;
    },
    playing: () => [...active.values()].filter(isRecent),
    watching: () => {
      for (const one of streaming) if (!isRecent(one)) streaming.delete(one);
      const playing = new Set([...active.values(), ...streaming]);
      return [...playing].filter((one) => isRecent(one) && one.pausedAt === undefined);
    },
    rest,
    replacedBy,
    refuseTooMany,
  };
}
