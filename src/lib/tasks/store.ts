/** The tables of tasks. Only this file reads or writes them. */
import type { TaskError } from '../../contract/ops/task-errors.ts';
import type { TaskRemark } from '../../contract/ops/task-remarks.ts';
import { columns, table } from '../db/columns.ts';
import type { Database, Migration, Transaction } from '../db/types.ts';
import { canonicalJson, type JsonValue } from './json.ts';
import type { TaskState } from './types.ts';

export interface TaskRow {
  id: string;
  /** Counts up, so that newer rows have larger numbers. */
  number: number;
  name: string;
  input: JsonValue;
  state: TaskState;
  progress: number;
  detail: string | null;
  /** The detail as reasons with values; null in rows of earlier versions, too. */
  remarks: readonly TaskRemark[] | null;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
  error: string | null;
  /** The error as a reason with values; null in failed rows of earlier versions, too. */
  why: TaskError | null;
  /** The cursor that the task saved for a run after a restart. */
  cursor: JsonValue | undefined;
  /** 1 once its end was asked for, so that a restart does not take it up again. */
  isCancelled: number;
  /** How many times the process died while it ran. */
  deaths: number;
  /** 1 if a person asked for it. */
  isAsked: number;
}

interface TaskTable extends Omit<TaskRow, 'input' | 'cursor' | 'remarks' | 'why'> {
  /** JSON with its keys in order: equal inputs are equal texts. */
  input: string;
  cursor: string | null;
  remarks: string | null;
  why: string | null;
}
interface Tables {
  task: TaskTable;
  /** When the run that the schedule starts last ended; kept apart, since the list of tasks is cut short. */
  task_schedule: { name: string; endedAt: number };
}

export const taskMigrations: readonly Migration[] = [
  {
    id: 'tasks-001-tasks',
    up: async (db, engine) => {
      const c = columns(engine);
      await table(db, engine, 'task')
        .addColumn('id', c.id, (col) => col.primaryKey())
        .addColumn('number', c.integer, (col) => col.notNull().unique())
        .addColumn('name', c.text, (col) => col.notNull())
        .addColumn('input', c.json, (col) => col.notNull())
        .addColumn('state', c.text, (col) => col.notNull())
        .addColumn('progress', c.real, (col) => col.notNull())
        .addColumn('detail', c.text)
        .addColumn('createdAt', c.time, (col) => col.notNull())
        .addColumn('startedAt', c.time)
        .addColumn('endedAt', c.time)
        .addColumn('error', c.text)
        .addColumn('cursor', c.json)
        .addColumn('isCancelled', c.flag, (col) => col.notNull())
        .addColumn('deaths', c.integer, (col) => col.notNull())
        .execute();
      await table(db, engine, 'task_schedule')
        .addColumn('name', c.text, (col) => col.primaryKey())
        .addColumn('endedAt', c.time, (col) => col.notNull())
        .execute();
    },
  },
  {
    id: 'tasks-002-remarks',
    up: async (db, engine) => {
      await db.schema.alterTable('task').addColumn('remarks', columns(engine).json).execute();
    },
  },
  {
    id: 'tasks-003-why',
    up: async (db, engine) => {
      await db.schema.alterTable('task').addColumn('why', columns(engine).json).execute();
    },
  },
  {
    id: 'tasks-004-asked',
    up: async (db, engine) => {
      await db.schema
        .alterTable('task')
        .addColumn('isAsked', columns(engine).flag, (col) => col.notNull().defaultTo(0))
        .execute();
    },
  },
];

const OPEN: readonly TaskState[] = ['queued', 'running'];

export const taskStore = (db: Database) => ({
  /** Those that wait or run, the oldest first. */
  open: async (): Promise<TaskRow[]> =>
    (
      await db.tables<Tables>().selectFrom('task').selectAll().where('state', 'in', OPEN).orderBy('number').execute()
    ).map(rowOf),
  newest: async (most: number): Promise<TaskRow[]> =>
    (await db.tables<Tables>().selectFrom('task').selectAll().orderBy('number', 'desc').limit(most).execute()).map(
      rowOf,
    ),
  one: async (id: string): Promise<TaskRow | undefined> => {
    const found = await db.tables<Tables>().selectFrom('task').selectAll().where('id', '=', id).executeTakeFirst();
    return found && rowOf(found);
  },
  lastNumber: async (): Promise<number> =>
    (
      await db
        .tables<Tables>()
        .selectFrom('task')
        .select((eb) => eb.fn.max<number | null>('number').as('last'))
        .executeTakeFirst()
    )?.last ?? 0,
  lastScheduled: async (): Promise<Map<string, number>> =>
    new Map(
      (await db.tables<Tables>().selectFrom('task_schedule').selectAll().execute()).map((row) => [
        row.name,
        row.endedAt,
      ]),
    ),

  /** Sets when the last scheduled run of `name` ended. */
  scheduled: (name: string, endedAt: number): Promise<void> =>
    db.write('grouped', (tx: Transaction<Tables>) => writeSchedule(tx, name, endedAt)),
  /** On the disk when it returns: someone was promised this task, or its end. */
  put: (row: TaskRow): Promise<void> => db.write('safe', (tx: Transaction<Tables>) => write(tx, row)),
  /** Writes the progress of a task. Losing the last of it to a power cut repeats work. */
  note: (row: TaskRow): Promise<void> => db.write('grouped', (tx: Transaction<Tables>) => write(tx, row)),
  /** The end of a task; all but the newest `keep` that have ended are forgotten. */
  end: (row: TaskRow, isScheduled: boolean, keep: number): Promise<void> =>
    db.write('grouped', async (tx: Transaction<Tables>) => {
      await write(tx, row);
      if (isScheduled) await writeSchedule(tx, row.name, row.endedAt ?? row.createdAt);
      const oldest = await tx
        .selectFrom('task')
        .select('number')
        .where('state', 'not in', OPEN)
        .orderBy('number', 'desc')
        .limit(1)
        .offset(keep)
        .executeTakeFirst();
      if (oldest)
        await tx.deleteFrom('task').where('number', '<=', oldest.number).where('state', 'not in', OPEN).execute();
    }),
});
export type TaskStore = ReturnType<typeof taskStore>;

async function writeSchedule(tx: Transaction<Tables>, name: string, endedAt: number): Promise<void> {
  await tx
    .insertInto('task_schedule')
    .values({ name, endedAt })
    .onConflict((oc) => oc.column('name').doUpdateSet({ endedAt }))
    .execute();
}

const rowOf = ({ input, cursor, remarks, why, ...row }: TaskTable): TaskRow => ({
  ...row,
  remarks: remarks === null ? null : (JSON.parse(remarks) as readonly TaskRemark[]),
  why: why === null ? null : (JSON.parse(why) as TaskError),
  input: JSON.parse(input) as JsonValue,
  cursor: cursor === null ? undefined : (JSON.parse(cursor) as JsonValue),
});
const tableOf = ({ input, cursor, remarks, why, ...row }: TaskRow): TaskTable => ({
  ...row,
  remarks: remarks === null ? null : JSON.stringify(remarks),
  why: why === null ? null : JSON.stringify(why),
  input: canonicalJson(input),
  cursor: cursor === undefined ? null : JSON.stringify(cursor),
});

async function write(tx: Transaction<Tables>, row: TaskRow): Promise<void> {
  const written = tableOf(row);
  const { id: _, ...rest } = written;
  await tx
    .insertInto('task')
    .values(written)
    .onConflict((oc) => oc.column('id').doUpdateSet(rest))
    .execute();
}
