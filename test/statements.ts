/** Watches the statements of SQLite in this process, and explains those that run often. */
import { DatabaseSync } from 'node:sqlite';

/** Small tables, whatever the library: sessions, tasks, settings, cursors. */
const SMALL = /^(task|config_|identity_|activity_|ops_|remote_|migration|lists_|requests_|\w+_(cursor|counter)$)/;

interface Statement {
  runs: number;
  plan: string[];
}

interface WatchedStatements {
  /** Returns how many statements ran at least so often. */
  count(runs: number): number;
  /** Returns those that ran at least so often and read more than the rows that they look for, each in a line. */
  walking(runs: number): string[];
  end(): void;
}

/** Watches all statements that are prepared from now on, until `end`. */
export function watchStatements(): WatchedStatements {
  const statements = new Map<string, Statement>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function watched(this: DatabaseSync, sql: string) {
    const statement = prepare.call(this, sql);
    const plan = prepare.call(this, `explain query plan ${sql}`);
    const seen = statements.get(sql) ?? { runs: 0, plan: plan.all().map(({ detail }) => String(detail)) };
    statements.set(sql, seen);
    for (const name of ['all', 'run'] as const) {
      const run = statement[name].bind(statement) as (...values: never[]) => never;
      statement[name] = (...values: never[]) => {
        seen.runs += 1;
        return run(...values);
      };
    }
    return statement;
  };
  const often = (runs: number) => [...statements].filter(([, statement]) => statement.runs >= runs);
  return {
    count: (runs) => often(runs).length,
    walking: (most) =>
      often(most).flatMap(([sql, { runs, plan }]) =>
        plan.filter(isWalk).map((step) => `${runs} runs, ${step}: ${sql.slice(0, 300)}`),
      ),
    end: () => {
      DatabaseSync.prototype.prepare = prepare;
    },
  };
}

/** Whether a step of a plan reads a whole table, or all rows of a library or of a state. */
function isWalk(step: string): boolean {
  const [, verb, table = ''] = /^(SCAN|SEARCH) (\w+)/.exec(step) ?? [];
  if (verb === undefined || SMALL.test(table) || table === 'CONSTANT' || /^\d/.test(table)) return false;
  return verb === 'SCAN' || /\((?:library|state)=\?\)$/.test(step);
}
