/**
 * Playback sessions: opened by a plan, used by every request of a stream, ended by a caller who may do so.
 *
 * Every question is answered from memory, and the table follows, so that a restart changes nothing for a player. A
 * session that is idle for 90 seconds costs nothing any more; after 30 minutes it is no longer shown, and a request
 * within 12 hours takes it up again. A session belongs to one Profile and one item: for all others it does not exist.
 */
import type { Principal } from '../../contract/kernel/principal.ts';
import type { CommitCursor } from '../../lib/db/index.ts';
import { Failure } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { type ActiveSessionsNeeds, createActiveSessions } from './active.ts';
import type { SessionStore } from './store.ts';
import { createSessionTable } from './table.ts';
import type { PlaybackSession, SessionRecipe } from './types.ts';
import { createSessionWriter } from './writer.ts';

/** After this long it is closed; a request opens it again until it is forgotten. */
export const CLOSED_MS = 30 * 60_000;
export const FORGOTTEN_MS = 12 * 3_600_000;
/** Plans that a Profile may have without playing them; the oldest are forgotten. */
export const MAX_UNSTARTED = 50;
/** Sessions of a Profile that were played and can be continued; those that are idle longest are forgotten. */
export const MAX_STARTED = 200;
const SWEEP_MS = 10_000;

/** Values to open or change a session. */
export interface SessionPlan {
  by: Principal;
  item: string;
  device: string;
  recipe: SessionRecipe;
  position: number;
}

/** Returns the recipe of a session that is changed: `before` with the streams of `now`. */
type RecipeChange = (before: SessionRecipe, now: SessionRecipe) => SessionRecipe;

export interface SessionNeeds extends ActiveSessionsNeeds {
  store: SessionStore;
  log: Log;
  /** Called when a session ended: open replies of it have to be looked at. */
  ended(): void;
}

const latestFirst = (a: PlaybackSession, b: PlaybackSession): number =>
  b.startedAt - a.startedAt || (a.id < b.id ? -1 : 1);

/** Returns the sessions of a Profile that are too many: plans that were made first, and those that are idle longest. */
function beyondLimits(
  all: readonly PlaybackSession[],
  idleFor: (session: PlaybackSession) => number,
): PlaybackSession[] {
  const unstarted = all.filter((one) => !one.isStarted);
  const started = all.filter((one) => one.isStarted).sort((a, b) => idleFor(b) - idleFor(a));
  return [
    ...unstarted.slice(0, Math.max(0, unstarted.length - MAX_UNSTARTED)),
    ...started.slice(0, Math.max(0, started.length - MAX_STARTED)),
  ];
}

/** Loads what is stored. */
export async function createPlaybackSessions({ store, clock, log, release, ended, changed }: SessionNeeds) {
  const sessions = createSessionTable();
  const { own } = sessions;
  const active = createActiveSessions({ clock, release, changed });
  const writer = createSessionWriter({ store, clock, log });

  for (const row of await store.all()) sessions.add({ ...row, by: undefined, isReplaced: false });
  sweep();
  const timer = setInterval(sweep, SWEEP_MS);
  timer.unref();

  /** Stops what runs for idle sessions, forgets old ones, and writes down what was used. */
  function sweep(): void {
    for (const session of sessions.all()) if (!active.isRecent(session)) active.rest(session);
    drop(sessions.all().filter((one) => active.idleFor(one) >= (one.isStarted ? FORGOTTEN_MS : CLOSED_MS)));
    writer.writeDue();
  }
  function drop(forgotten: readonly PlaybackSession[]): void {
    for (const session of forgotten) {
      sessions.delete(session.id);
      writer.dropUse(session);
      active.rest(session);
    }
    writer.remove(forgotten.map(({ id }) => id));
  }
  const isShown = (one: PlaybackSession): boolean =>
    one.isStarted && !one.isReplaced && active.idleFor(one) < CLOSED_MS;
  /** Ends a session at once. Resolves when that is stored. */
  function end(session: PlaybackSession, sentence: string): Promise<void> {
    if (session.ended !== null) return Promise.resolve();
    session.ended = sentence;
    writer.dropUse(session);
    const stored = writer.put(session);
    active.rest(session);
    ended();
    return stored;
  }

  return {
    /**
     * Begins a session, or changes the one that is named when it can be changed. Fails as `conflict` beyond the limits.
     * Resolves when its row is stored, so that a server that is killed after the reply still has the session.
     */
    async begin(plan: SessionPlan, id: string | undefined, change: RecipeChange): Promise<PlaybackSession> {
      const { by, item, device, recipe } = plan;
      const { profile, credential } = by;
      const had = unended(id === undefined ? undefined : own(by, item, id));
      active.refuseTooMany({ profile, credential, id: had?.id, recipe, isStarted: false });
      const now = clock.now();
      const session = had ?? newSession(plan, now);
      if (had) Object.assign(had, { recipe: change(had.recipe, recipe), credential, device, usedAt: now, by });
      sessions.add(session);
      const stored = writer.put(session);
      drop(beyondLimits(sessions.ofProfile(profile), active.idleFor));
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
      active.use(session);
      writer.noteUse(session);
      session.by = by;
      return session;
    },
    /** Whether a reply that is open may continue. */
    isOpen: (by: Pick<Principal, 'profile'>, item: string, id: string): boolean => own(by, item, id)?.ended === null,
    own,
    get: sessions.get,
    end,
    /** Ends every session whose last caller may no longer have what it plays. */
    review(why: (session: PlaybackSession, by: Principal) => string | undefined): void {
      for (const session of sessions.open()) {
        const sentence = session.by ? why(session, session.by) : undefined;
        if (sentence !== undefined) void end(session, sentence);
      }
    },
    /** Those that are played, or were within the last half hour; the newest first. */
    list: (): PlaybackSession[] => sessions.open().filter(isShown).sort(latestFirst),
    open: sessions.open,
    isActive: active.isActive,
    notePause: active.notePause,
    streamed: active.streamed,
    watching: active.watching,
    playing: active.playing,
    /** Ids of the sessions that give way to a new one of this caller, and of the one that is changed. */
    placesOf: (by: Pick<Principal, 'profile' | 'credential'>, own: string | undefined): string[] => [
      ...active.replacedBy({ ...by, id: own }).map(({ id }) => id),
      ...(own === undefined ? [] : [own]),
    ],
    /** Notes how far a player says it is. */
    moved(session: PlaybackSession, position: number): void {
      if (session.ended !== null || (session.position === position && active.isRecent(session))) return;
      Object.assign(session, { position, usedAt: clock.now(), isStarted: true, isReplaced: false });
      writer.noteUse(session);
      active.add(session);
    },
    sweep,
    async forgetProfile(profile: string, commitCursor: CommitCursor): Promise<void> {
      for (const session of sessions.ofProfile(profile)) {
        void end(session, 'this profile was removed');
        sessions.delete(session.id);
      }
      await store.forgetProfile(profile, commitCursor);
    },
    /** Writes what is not written yet. What cannot be written is lost: where a film was a minute ago. */
    async close(): Promise<void> {
      clearInterval(timer);
      await writer.flush();
    },
  };
}
export type PlaybackSessions = Awaited<ReturnType<typeof createPlaybackSessions>>;

const unended = (session: PlaybackSession | undefined): PlaybackSession | undefined =>
  session?.ended === null ? session : undefined;

const newSession = ({ by, item, device, recipe, position }: SessionPlan, now: number): PlaybackSession => ({
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
});
