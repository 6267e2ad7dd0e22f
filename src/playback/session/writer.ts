/**
 * Writes sessions to their table. Sessions are used with every request, so uses are written together once a minute; a
 * fault is logged, because playback continues from memory.
 */
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { SessionStore } from './store.ts';
import type { PlaybackSession, PlaybackSessionRow } from './types.ts';

export interface SessionWriter {
  /** Resolves when the row is stored, or cannot be. */
  put(session: PlaybackSession): Promise<void>;
  remove(ids: readonly string[]): void;
  /** Notes that a session was used. */
  noteUse(session: PlaybackSession): void;
  /** Forgets that a session was used, because it is put or has gone. */
  dropUse(session: PlaybackSession): void;
  /** Writes the uses of the last minute, if it is over. */
  writeDue(): void;
  /** Writes all uses. */
  flush(): Promise<void>;
}

export interface SessionWriterNeeds {
  store: Pick<SessionStore, 'put' | 'use' | 'remove'>;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'fault'>;
}

const WRITE_MS = 60_000;

export function createSessionWriter({ store, clock, log }: SessionWriterNeeds): SessionWriter {
  const used = new Set<PlaybackSession>();
  let writtenAt = clock.now();

  const written = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => log.fault('playback.sessions', error));
  const flush = async (): Promise<void> => {
    writtenAt = clock.now();
    const all = [...used].map(({ id, usedAt, isStarted, position }) => ({ id, usedAt, isStarted, position }));
    used.clear();
    if (all.length > 0) await written(store.use(all));
  };
  return {
    put: (session) => written(store.put(rowOf(session))),
    remove: (ids) => {
      if (ids.length > 0) void written(store.remove(ids));
    },
    noteUse: (session) => void used.add(session),
    dropUse: (session) => void used.delete(session),
    writeDue: () => {
      const now = clock.now();
      if (now - writtenAt >= WRITE_MS || now < writtenAt) void flush();
    },
    flush,
  };
}

const rowOf = ({ by: _, isReplaced: __, pausedAt: ___, ...row }: PlaybackSession): PlaybackSessionRow => row;
