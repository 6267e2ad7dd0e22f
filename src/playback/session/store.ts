/** The table of playback sessions. Only this file reads or writes it. */
import { crashPoint } from '../../lib/crash.ts';
import { columns, table } from '../../lib/db/columns.ts';
import type { CommitCursor, Database, Migration, Transaction } from '../../lib/db/index.ts';
import type { SessionRecipe, PlaybackSessionRow } from './types.ts';

interface SessionTable {
  id: string;
  profile: string;
  credential: string;
  device: string;
  item: string;
  recipe: string;
  started_at: number;
  used_at: number;
  is_started: number;
  position: number;
  ended: string | null;
}
interface Tables {
  playback_session: SessionTable;
}
type Tx = Transaction<Tables>;

export const sessionMigrations: readonly Migration[] = [
  {
    id: 'playback-001-sessions',
    up: async (db, engine) => {
      const c = columns(engine);
      await table(db, engine, 'playback_session')
        .addColumn('id', c.id, (col) => col.primaryKey())
        .addColumn('profile', c.id, (col) => col.notNull())
        .addColumn('credential', c.id, (col) => col.notNull())
        .addColumn('device', c.text, (col) => col.notNull())
        .addColumn('item', c.id, (col) => col.notNull())
        .addColumn('recipe', c.json, (col) => col.notNull())
        .addColumn('started_at', c.time, (col) => col.notNull())
        .addColumn('used_at', c.time, (col) => col.notNull())
        .addColumn('is_started', c.flag, (col) => col.notNull())
        .addColumn('position', c.real, (col) => col.notNull())
        .addColumn('ended', c.text)
        .execute();
    },
  },
];

/** Fields that change during playback. */
export type SessionUse = Pick<PlaybackSessionRow, 'id' | 'usedAt' | 'isStarted' | 'position'>;

/** Nothing here is worth a wait for the disk: a session lost to a power cut is planned again. */
export const sessionStore = (db: Database) => ({
  all: async (): Promise<PlaybackSessionRow[]> =>
    (await db.tables<Tables>().selectFrom('playback_session').selectAll().orderBy('id').execute()).map(parsed),
  put: async (row: PlaybackSessionRow): Promise<void> => {
    await db.write('grouped', async (tx: Tx) => {
      const { id: _, ...rest } = written(row);
      await tx
        .insertInto('playback_session')
        .values(written(row))
        .onConflict((oc) => oc.column('id').doUpdateSet(rest))
        .execute();
      crashPoint('playback.session.writing');
    });
    crashPoint('playback.session.written');
  },
  /** Notes what was used since; sessions that are gone stay gone. */
  use: (all: readonly SessionUse[]): Promise<void> =>
    db.write('grouped', async (tx: Tx) => {
      for (const { id, usedAt, isStarted, position } of all)
        await tx
          .updateTable('playback_session')
          .set({ used_at: usedAt, is_started: isStarted ? 1 : 0, position })
          .where('id', '=', id)
          .execute();
    }),
  remove: (ids: readonly string[]): Promise<void> =>
    db.write('grouped', async (tx: Tx) => {
      for (const id of ids) await tx.deleteFrom('playback_session').where('id', '=', id).execute();
    }),
  /** Removes the sessions of a Profile, and commits the cursor of that work. */
  forgetProfile: (profile: string, commitCursor: CommitCursor): Promise<void> =>
    db.write('safe', async (tx: Tx) => {
      await tx.deleteFrom('playback_session').where('profile', '=', profile).execute();
      await commitCursor(tx);
    }),
});
export type SessionStore = ReturnType<typeof sessionStore>;

const written = ({
  id,
  profile,
  credential,
  device,
  item,
  recipe,
  startedAt,
  usedAt,
  isStarted,
  position,
  ended,
}: PlaybackSessionRow): SessionTable => ({
  id,
  profile,
  credential,
  device,
  item,
  recipe: JSON.stringify(recipe),
  started_at: startedAt,
  used_at: usedAt,
  is_started: isStarted ? 1 : 0,
  position,
  ended,
});
const parsed = (row: SessionTable): PlaybackSessionRow => ({
  id: row.id,
  profile: row.profile,
  credential: row.credential,
  device: row.device,
  item: row.item,
  recipe: JSON.parse(row.recipe) as SessionRecipe,
  startedAt: row.started_at,
  usedAt: row.used_at,
  isStarted: row.is_started === 1,
  position: row.position,
  ended: row.ended,
});
