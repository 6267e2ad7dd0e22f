/**
 * Records in the activity log what is played: when a session begins to play, and when it stops, with the seconds that
 * it played.
 *
 * A session that rests and is taken up again is recorded once more. Time is counted by the steady clock while something
 * is requested and the player reports no pause; the time after the last request counts for nothing. What played when
 * the server was killed is ended at the next start, with the time until its last request.
 */
import type { Activity } from '../../activity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { COUNT_EVERY_MS, MAX_COUNTED_MS } from './watch-time.ts';
import type { PlaybackSessions } from './sessions.ts';
import type { PlaybackSession } from './types.ts';

/** How far back playback without an end is looked for at a start, and how many entries of it. */
const LOOK_BACK_MS = 86_400_000;
const MAX_LOOKED_AT = 2_000;

export interface PlaybackLogNeeds {
  sessions: Pick<PlaybackSessions, 'playing' | 'get'>;
  activity: Pick<Activity, 'record' | 'reading'>;
  clock: Clock;
  log: Pick<Log, 'fault'>;
  /** Returns the id of the caller's device. */
  deviceIdOf(by: Principal): string | undefined;
}

export interface PlaybackLog {
  /** Looks at what plays now, and records what began or stopped since. */
  look(): void;
  /** Ends what played when the server was killed. */
  settle(): Promise<void>;
  /** Ends everything, and waits until it is recorded. */
  close(): Promise<void>;
}

/** Playback of a session from its beginning to its end. */
interface Run {
  session: PlaybackSession;
  /** Time that it played until now, and until its last request. */
  ms: number;
  requestedMs: number;
  /** When the last request came that was counted. */
  usedAt: number;
  device: string | undefined;
}

export function createPlaybackLog({ sessions, activity, clock, log, deviceIdOf }: PlaybackLogNeeds): PlaybackLog {
  const runs = new Map<string, Run>();
  let countedAt = clock.monotonic();
  let recording = Promise.resolve();

  /** Records one after the other, so that an end never comes before its beginning. */
  const record = (event: Parameters<Activity['record']>[0]): void => {
    recording = recording
      .then(() => activity.record(event))
      .catch((error: unknown) => log.fault('playback.not-recorded', error));
  };
  const begin = (session: PlaybackSession): void => {
    const { by } = session;
    const device = by && deviceIdOf(by);
    runs.set(session.id, { session, ms: 0, requestedMs: 0, usedAt: session.usedAt, device });
    record({
      ...authorOf(session),
      kind: 'playback-started',
      outcome: 'done',
      target: session.item,
      details: { way: session.recipe.way, playback: session.id, ...(device !== undefined && { device }) },
    });
  };
  const end = ({ session, requestedMs, device }: Run): void => {
    runs.delete(session.id);
    record({
      ...authorOf(session),
      kind: 'playback-ended',
      outcome: 'done',
      target: session.item,
      details: {
        way: session.recipe.way,
        playback: session.id,
        seconds: Math.round(requestedMs / 1000),
        ...(device !== undefined && { device }),
      },
    });
  };
  const look = (): void => {
    const now = clock.monotonic();
    const passed = Math.min(now - countedAt, MAX_COUNTED_MS);
    countedAt = now;
    const playing = new Set(sessions.playing());
    for (const run of runs.values()) {
      if (run.session.pausedAt === undefined) run.ms += passed;
      if (run.session.usedAt !== run.usedAt) [run.usedAt, run.requestedMs] = [run.session.usedAt, run.ms];
      if (!playing.has(run.session)) end(run);
    }
    for (const session of playing) if (!runs.has(session.id)) begin(session);
  };
  const timer = setInterval(look, COUNT_EVERY_MS).unref();

  return {
    look,
    settle: async () => {
      const kinds = ['playback-started', 'playback-ended'];
      const { entries } = await activity.reading.page({ kinds, from: clock.now() - LOOK_BACK_MS }, MAX_LOOKED_AT);
      const ended = new Set<unknown>();
      for (const entry of entries) {
        const { playback, way, device } = entry.details;
        // The newest comes first, so the last word about a session is met before the others.
        if (ended.has(playback) || typeof playback !== 'string' || runs.has(playback)) continue;
        ended.add(playback);
        // A merged entry has the id of one of its sessions only.
        if (entry.kind !== 'playback-started' || entry.count > 1) continue;
        const usedAt = sessions.get(playback)?.usedAt ?? entry.at;
        record({
          kind: 'playback-ended',
          outcome: 'done',
          actor: entry.actor,
          profile: entry.profile,
          session: entry.credential,
          target: entry.target,
          details: {
            way: way as PlaybackSession['recipe']['way'],
            playback,
            seconds: Math.round(Math.max(0, usedAt - entry.at) / 1000),
            ...(typeof device === 'string' && { device }),
          },
        });
      }
      await recording;
    },
    close: async () => {
      clearInterval(timer);
      for (const run of runs.values()) end(run);
      await recording;
    },
  };
}

/** The Profile of a session, with the sign-in or key that played it last. */
const authorOf = ({ by, profile, credential }: PlaybackSession) =>
  by ? { by } : { actor: profile, profile, session: credential };
