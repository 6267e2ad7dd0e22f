/**
 * Playback sessions: opened by a plan, used by every request of a stream, ended by whoever may.
 *
 * Every question is answered from memory, and the table follows, so that a restart changes nothing for a player. A
 * session that is idle for 90 seconds costs nothing any more; after 30 minutes it is no longer shown, and a request
 * within 12 hours takes it up again. A session belongs to one Profile and one item: for all others it does not exist.
 */
import type { Principal } from '../../contract/kernel/principal.ts';
import { isAhead, type Clock } from '../../lib/clock.ts';
import type { CommitCursor } from '../../lib/db/index.ts';
import { Failure } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { SessionStore } from './store.ts';
import type { SessionRecipe, PlaybackSessionRow } from './types.ts';

/** After this long without a request a session is idle: what runs for it is stopped. */
export const IDLE_MS = 90_000;
/** After this long it is closed; a request opens it again until it is forgotten. */
export const CLOSED_MS = 30 * 60_000;
export const FORGOTTEN_MS = 12 * 3_600_000;
/** Sessions of one Profile that may be played at a time. */
export const MAX_CONVERTING = 3;
export const MAX_OTHERS = 6;
/** Plans that a Profile may have without playing them; the oldest are forgotten. */
const MAX_UNSTARTED = 50;
const SWEEP_MS = 10_000;
const WRITE_MS = 60_000;

export interface PlaybackSession extends PlaybackSessionRow {
  /** Principal of the last request; undefined until the first request after a start. */
  by: Principal | undefined;
  /** Whether a later session of the same sign-in took its place; its own next request takes it back. */
  isReplaced: boolean;
}

/** Values to open or change a session. */
export interface SessionPlan {
  by: Principal;
  item: string;
  device: string;
  recipe: SessionRecipe;
  position: number;
}

export interface SessionNeeds {
  store: SessionStore;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** Called when a session became idle or ended, so that nothing runs for it any more. */
  release(id: string): void;
  /** Called when a session ended: open replies of it have to be looked at. */
  ended(): void;
  /** Called when the list of sessions looks different. */
  changed(): void;
}

export const isConverting = ({ recipe: { way } }: Pick<PlaybackSessionRow, 'recipe'>): boolean =>
  way === 'transcode' || way === 'remux-audio';

/** Loads what is stored. */
export async function createPlaybackSessions({ store, clock, log, release, ended, changed }: SessionNeeds) {
  const sessions = new Map<string, PlaybackSession>();
  const unwritten = new Set<PlaybackSession>();
  const active = new Set<string>();
  let writtenAt = clock.now();

  const idleFor = ({ usedAt }: PlaybackSessionRow): number => (isAhead(usedAt, clock.now()) ? 0 : clock.now() - usedAt);
  const isActive = (session: PlaybackSession): boolean =>
    session.ended === null && session.isStarted && idleFor(session) < IDLE_MS;
  const written = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => log.fault('playback.sessions', error));

  for (const row of await store.all()) sessions.set(row.id, { ...row, by: undefined, isReplaced: false });
  sweep();
  const timer = setInterval(sweep, SWEEP_MS);
  timer.unref();

  /** Stops what runs for idle sessions, forgets old ones, and writes down what was used. */
  function sweep(): void {
    const forgotten: string[] = [];
    for (const session of sessions.values()) {
      if (active.has(session.id) && !isActive(session)) rest(session);
      if (idleFor(session) >= (session.isStarted ? FORGOTTEN_MS : CLOSED_MS)) forgotten.push(session.id);
    }
    drop(forgotten);
    if (clock.now() - writtenAt < WRITE_MS && clock.now() >= writtenAt) return;
    void writeUses();
  }
  async function writeUses(): Promise<void> {
    writtenAt = clock.now();
    const all = [...unwritten]
      .filter(({ id }) => sessions.has(id))
      .map(({ id, usedAt, isStarted, position }) => ({ id, usedAt, isStarted, position }));
    unwritten.clear();
    if (all.length > 0) await written(store.use(all));
  }
  function rest(session: PlaybackSession): void {
    active.delete(session.id);
    release(session.id);
    changed();
  }
  function drop(ids: readonly string[]): void {
    for (const id of ids) {
      const session = sessions.get(id);
      sessions.delete(id);
      if (session && active.has(id)) rest(session);
    }
    if (ids.length > 0) void written(store.remove(ids));
  }

  /** Sessions of the same sign-in: a device plays one film at a time, so that a new one takes the place of these. */
  const replacedBy = ({
    id,
    profile,
    credential,
  }: {
    id?: string | undefined;
    profile: string;
    credential: string;
  }): PlaybackSession[] =>
    [...active]
      .flatMap((other) => sessions.get(other) ?? [])
      .filter((one) => one.profile === profile && one.credential === credential && one.id !== id);

  /**
   * Fails as `conflict` when the Profile plays as many others as it may. A session that has not started takes the place
   * of its device's.
   */
  function refuseTooMany(
    own: Pick<PlaybackSession, 'profile' | 'credential' | 'recipe' | 'isStarted'> & { id?: string | undefined },
  ): void {
    const isConversion = isConverting(own);
    const replaced = new Set(own.isStarted ? [] : replacedBy(own));
    const others = [...active]
      .flatMap((other) => sessions.get(other) ?? [])
      .filter(
        (one) =>
          one.profile === own.profile &&
          one.id !== own.id &&
          !replaced.has(one) &&
          isActive(one) &&
          isConverting(one) === isConversion,
      );
    const most = isConversion ? MAX_CONVERTING : MAX_OTHERS;
    if (others.length < most) return;
    const what = isConversion
      ? `${most} streams are being converted for this profile already`
      : `this profile plays ${most} streams already`;
    throw new Failure('conflict', `${what}; stop one of them first`, { reason: 'limit' });
  }

  function use(session: PlaybackSession): void {
    const wasActive = active.has(session.id) && isActive(session);
    if (!wasActive) refuseTooMany(session);
    // Only at its first request: two pages of one browser that both play must not stop each other again and again.
    for (const other of session.isStarted ? [] : replacedBy(session)) {
      other.isReplaced = true;
      rest(other);
    }
    session.usedAt = clock.now();
    session.isStarted = true;
    session.isReplaced = false;
    active.add(session.id);
    unwritten.add(session);
    if (!wasActive) changed();
  }

  /** The session of a Profile and item; undefined for every other caller. */
  const own = (by: Pick<Principal, 'profile'>, item: string | undefined, id: string): PlaybackSession | undefined => {
    const session = sessions.get(id);
    return session && session.profile === by.profile && (item === undefined || session.item === item)
      ? session
      : undefined;
  };

  /** Ends a session at once. Resolves when that is stored. */
  function end(session: PlaybackSession, sentence: string): Promise<void> {
    if (session.ended !== null) return Promise.resolve();
    session.ended = sentence;
    unwritten.delete(session);
    const stored = written(store.put(rowOf(session)));
    if (active.has(session.id)) rest(session);
    ended();
    return stored;
  }

  return {
    /**
     * Begins a session, or changes the one that is named when it can be changed. Fails as `conflict` beyond the limits.
     * Resolves when its row is stored, so that a server that is killed after the reply still has the session.
     */
    async begin(
      { by, item, device, recipe, position }: SessionPlan,
      id: string | undefined,
      changeRecipe: (before: SessionRecipe, now: SessionRecipe) => SessionRecipe,
    ): Promise<PlaybackSession> {
      const before = id === undefined ? undefined : own(by, item, id);
      const had = before?.ended === null ? before : undefined;
      refuseTooMany({ id: had?.id, profile: by.profile, credential: by.credential, recipe, isStarted: false });
      const now = clock.now();
      const session: PlaybackSession = had ?? {
        id: newId(),
        profile: by.profile,
        credential: by.credential,
        device,
        item,
        recipe,
        startedAt: now,
        usedAt: now,
        isStarted: false,
        position,
        ended: null,
        by,
        isReplaced: false,
      };
      if (had)
        Object.assign(had, {
          recipe: changeRecipe(had.recipe, recipe),
          credential: by.credential,
          device,
          usedAt: now,
          by,
        });
      sessions.set(session.id, session);
      const stored = written(store.put(rowOf(session)));
      const unstarted = [...sessions.values()].filter((one) => one.profile === by.profile && !one.isStarted);
      drop(unstarted.slice(0, Math.max(0, unstarted.length - MAX_UNSTARTED)).map((one) => one.id));
      if (had) changed();
      await stored;
      return session;
    },
    /**
     * Notes a request of a stream and returns its session. Fails as `missing`, as `gone` once it ended, as `conflict`
     * beyond the limits.
     */
    enter(by: Principal, item: string, id: string): PlaybackSession {
      const session = own(by, item, id);
      if (!session) throw new Failure('missing', 'no such session', { reason: 'no-such-playback' });
      if (session.ended !== null) throw new Failure('gone', session.ended, { reason: 'playback-ended' });
      use(session);
      session.by = by;
      return session;
    },
    /** Whether a reply that is open may continue. */
    isOpen: (by: Pick<Principal, 'profile'>, item: string, id: string): boolean => own(by, item, id)?.ended === null,
    own,
    get: (id: string): PlaybackSession | undefined => sessions.get(id),
    end,
    /** Ends every session whose last caller may no longer have what it plays. */
    review(why: (session: PlaybackSession, by: Principal) => string | undefined): void {
      for (const session of sessions.values()) {
        const sentence = session.ended === null && session.by ? why(session, session.by) : undefined;
        if (sentence !== undefined) void end(session, sentence);
      }
    },
    /** Those that are played, or were within the last half hour; the newest first. */
    list: (): PlaybackSession[] =>
      [...sessions.values()]
        .filter((one) => one.ended === null && one.isStarted && !one.isReplaced && idleFor(one) < CLOSED_MS)
        .sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? -1 : 1)),
    /** All that have not ended. */
    open: (): PlaybackSession[] => [...sessions.values()].filter(({ ended }) => ended === null),
    isActive: (session: PlaybackSession): boolean => active.has(session.id) && isActive(session),
    /** Ids of the sessions that give way to a new one of this caller, and of the one that is changed. */
    placesOf: (by: Pick<Principal, 'profile' | 'credential'>, own: string | undefined): string[] => [
      ...replacedBy({ ...by, id: own }).map(({ id }) => id),
      ...(own === undefined ? [] : [own]),
    ],
    /** Notes how far a player says it is. */
    moved(session: PlaybackSession, position: number): void {
      if (session.ended !== null || (session.position === position && isActive(session))) return;
      Object.assign(session, { position, usedAt: clock.now(), isStarted: true, isReplaced: false });
      unwritten.add(session);
      if (!active.has(session.id)) changed();
      active.add(session.id);
    },
    sweep,
    async forgetProfile(profile: string, commitCursor: CommitCursor): Promise<void> {
      for (const session of [...sessions.values()].filter((one) => one.profile === profile)) {
        void end(session, 'this profile was removed');
        sessions.delete(session.id);
      }
      await store.forgetProfile(profile, commitCursor);
    },
    /** Writes what is not written yet. What cannot be written is lost: where a film was a minute ago. */
    async close(): Promise<void> {
      clearInterval(timer);
      await writeUses();
    },
  };
}
export type PlaybackSessions = Awaited<ReturnType<typeof createPlaybackSessions>>;

const rowOf = ({ by: _, isReplaced: __, ...row }: PlaybackSession): PlaybackSessionRow => row;
