/**
 * Checks the whole database file in the background and keeps verified copies of it.
 *
 * SQLite notices a damaged page only when it reads that page, which may be months later. So once a day the file is
 * copied and every page of the copy is checked, in a thread; a copy that fails is thrown away, and the older ones
 * stay. Where there is too little room for a copy, the file itself is checked, once a week. Both happen soon after a
 * start that follows an unclean stop, and at once when a statement meets a damaged page. The result is kept in a file,
 * because the damaged database may not keep it.
 */
import { z } from 'zod';
import type { OpsFinding } from '../contract/ops/findings.ts';
import { type Clock, iso } from '../lib/clock.ts';
import { type Database, DatabaseUnusable, keepCopy, listCopies } from '../lib/db/index.ts';
import { freeSpace, readBounded, statFile, writeWhole } from '../lib/files.ts';
import type { Log } from '../lib/log.ts';
import { task, type TaskDefinition } from '../lib/tasks/index.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** How long after a start it begins: after an unclean stop, and otherwise. */
const SOON_MS = 10_000;
const LATER_MS = 600_000;
/** Room that a copy leaves on the disk. */
const SPARE_BYTES = 256 * 1024 ** 2;
/** A larger database is checked and not copied. */
const MAX_COPIED_BYTES = 8 * 1024 ** 3;
const MAX_STATE_BYTES = 4096;

/** Name of the task and of the notice on the home page. */
const NAME = 'check-database';
const SUBJECT = 'Database';

const State = z.object({ checkedAt: z.number(), isDamaged: z.boolean(), hasRoom: z.boolean() });
type State = z.output<typeof State>;

export interface DatabaseCareNeeds {
  db: Database;
  /** The database where it is a file. */
  file: string | undefined;
  /** Folder that keeps the last result. */
  folder: string;
  clock: Clock;
  log: Log;
  /** For tests. */
  freeBytes?: () => Promise<number>;
  soonMs?: number;
}

export interface DatabaseCare {
  tasks: readonly TaskDefinition<never>[];
  findings(): Promise<OpsFinding[]>;
  /** Runs the task with `run` soon, if one is due. */
  start(run: (name: string) => void): void;
  close(): void;
}

export async function createDatabaseCare({
  db,
  file,
  folder,
  clock,
  log,
  freeBytes,
  soonMs = SOON_MS,
}: DatabaseCareNeeds): Promise<DatabaseCare> {
  if (file === undefined) return { tasks: [], findings: async () => [], start: () => {}, close: () => {} };
  const path = `${folder}/database-check.json`;
  let state = await read(path);
  let timer: NodeJS.Timeout | undefined;
  let hasMetDamage = false;

  const hasRoom = async (): Promise<boolean> => {
    const bytes = (await statFile(file)).size;
    const free = freeBytes ? await freeBytes() : (await freeSpace(folder)).free;
    return bytes <= MAX_COPIED_BYTES && free >= bytes + SPARE_BYTES;
  };
  const isWhole = async (isCopied: boolean): Promise<boolean> => {
    try {
      if (isCopied) await keepCopy({ file, clock, snapshot: db.snapshot });
      else await db.check();
      return true;
    } catch (error) {
      if (!(error instanceof DatabaseUnusable) || error.reason !== 'corrupt') throw error;
      log.fault('database.damaged', error);
      return false;
    }
  };
  const check = async (): Promise<void> => {
    const now = clock.now();
    const isCopied = await hasRoom();
    if (
      !isCopied &&
      state &&
      !state.isDamaged &&
      !db.wasCutOff &&
      !hasMetDamage &&
      now >= state.checkedAt &&
      now - state.checkedAt < WEEK_MS
    )
      return;
    state = { checkedAt: now, isDamaged: !(await isWhole(isCopied)), hasRoom: isCopied };
    await writeWhole(path, JSON.stringify(state));
  };

  return {
    tasks: [
      task({
        name: NAME,
        title: 'Check the database',
        summary: 'Check the whole database and keep a verified copy',
        every: () => DAY_MS,
        // The verified copy that it makes would have to be made again from the beginning.
        holdsRestart: true,
        run: check,
      }) as TaskDefinition<never>,
    ],
    findings: async () => [
      ...(db.isReadOnly ? [READ_ONLY] : []),
      ...findingsOf(state, (await listCopies(file))[0]?.at),
    ],
    start: (run) => {
      const isStale = !state || state.isDamaged || clock.now() - state.checkedAt >= WEEK_MS;
      // One check for all statements that meet the same damage, which the state keeps until the file is replaced.
      db.onDamage(() => {
        if (hasMetDamage || state?.isDamaged) return;
        hasMetDamage = true;
        log.warn('database.damage-met');
        run(NAME);
      });
      if (db.wasCutOff || isStale) timer = setTimeout(() => run(NAME), db.wasCutOff ? soonMs : LATER_MS).unref();
    },
    close: () => clearTimeout(timer),
  };
}

const READ_ONLY: OpsFinding = {
  level: 'error',
  code: 'database-read-only',
  subject: SUBJECT,
  sentence:
    'The disk of the database was full when the server started, so nothing can be saved and no one can sign in. Free ' +
    'some space, and restart the server.',
  values: {},
  setting: 'paths.data',
};

async function read(path: string): Promise<State | undefined> {
  try {
    return State.safeParse(JSON.parse((await readBounded(path, MAX_STATE_BYTES)).toString())).data;
  } catch {
    return undefined;
  }
}

function findingsOf(state: State | undefined, copiedAt: number | undefined): OpsFinding[] {
  const day = (at: number): string => iso(at).slice(0, 16).replace('T', ' ');
  const copy = copiedAt === undefined ? undefined : `the verified copy of ${day(copiedAt)} UTC`;
  if (!state)
    return [
      {
        level: 'ok',
        code: 'database-unchecked',
        subject: SUBJECT,
        sentence: 'It has not been checked yet. That happens once a day.',
        values: {},
      },
    ];
  const values = {
    checkedAt: iso(state.checkedAt),
    ...(copiedAt !== undefined && { copiedAt: iso(copiedAt) }),
  };
  if (state.isDamaged) {
    const way = copy
      ? `Stop the server and run "npm start -- restore" to go back to ${copy}. What was saved after that is not in it.`
      : 'There is no verified copy, so stop the server and restore a backup.';
    return [
      {
        level: 'error',
        code: 'database-damaged',
        subject: SUBJECT,
        sentence:
          `A check on ${day(state.checkedAt)} UTC found the database file damaged. ${way} Check the disk, ` +
          'too: it may be failing.',
        values,
      },
    ];
  }
  if (!state.hasRoom)
    return [
      {
        level: 'warning',
        code: 'database-copy-without-room',
        subject: SUBJECT,
        sentence: 'It is intact, but there is too little room for a verified copy of it.',
        values: {},
        setting: 'paths.data',
      },
    ];
  return [
    {
      level: 'ok',
      code: 'database-sound',
      subject: SUBJECT,
      sentence: `It was intact on ${day(state.checkedAt)} UTC.${copy ? ` There is ${copy}.` : ''}`,
      values,
    },
  ];
}
