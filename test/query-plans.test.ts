/**
 * Statements that run for each item look their rows up in an index. One that walks a table, or a whole library, costs
 * time that grows with the square of the library: with 10,000 films one such statement held the server for minutes.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { LIBRARIES, makeEveryKind } from './every-kind.ts';
import { passes } from './until.ts';
import { PASSWORD, startWorld, type Who, type World } from './world.ts';

/** How often everything is in the library. */
const COPIES = 12;
/** Small tables, whatever the library: sessions, tasks, settings, cursors. */
const SMALL = /^(task|config_|identity_|activity_|ops_|remote_|migration|lists_|requests_|\w+_(cursor|counter)$)/;

interface Statement {
  runs: number;
  plan: string[];
}
const statements = new Map<string, Statement>();
const { prepare } = DatabaseSync.prototype;
/** Counts the runs of every statement from now on. */
function watchStatements(): void {
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
}

/** Returns the steps of a plan that read more than the rows they look for. */
const walks = ({ plan }: Statement): string[] =>
  plan.filter((step) => {
    const [, verb, table = ''] = /^(SCAN|SEARCH) (\w+)/.exec(step) ?? [];
    if (verb === undefined || SMALL.test(table) || table === 'CONSTANT' || /^\d/.test(table)) return false;
    return verb === 'SCAN' || step.endsWith('(library=?)');
  });

let house: World;
let owner: Who;
const endings: (() => Promise<void> | void)[] = [];

before(async () => {
  watchStatements();
  endings.push(() => {
    DatabaseSync.prototype.prepare = prepare;
  });
  house = await startWorld(
    { after: (end) => void endings.push(end as () => Promise<void>) },
    {
      env: { SERVICE_REQUIRE_MFA: 'false', SERVICE_SCAN_INTERVAL: '0s' },
      fill: async (media) => {
        for (const name of Object.keys(LIBRARIES)) mkdirSync(join(media, name), { recursive: true });
        for (let copy = 0; copy < COPIES; copy++) makeEveryKind(media, `Word${String.fromCodePoint(0x41 + copy)}`);
      },
    },
  );
  const setup = await house.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  owner = { token: String(setup.body['token']) };
});
after(async () => {
  for (const end of endings.toReversed()) await end();
});

test('no statement that runs for each item walks a table', async () => {
  const libraries = Object.entries(LIBRARIES).map(([name, kind]) => ({ name, kind, path: join(house.media, name) }));
  await house.call(owner, 'PUT', '/api/v1/configuration/libraries', { value: JSON.stringify(libraries) });
  await house.start();
  const get = async (path: string) => (await house.call(owner, 'GET', `/api/v1${path}`)).body;
  const items = await passes(async () => {
    const page = (await get('/library?limit=200')) as { total: number; items: { id: string }[] };
    assert.ok(page.total >= COPIES * Object.keys(LIBRARIES).length, `${page.total} items`);
    const tasks = (await get('/tasks'))['items'] as { name: string; state: string }[];
    assert.ok(!tasks.some(({ name, state }) => name === 'scan' && state !== 'done'));
    return page.items;
  });
  // The inventory of subtitles follows the scan.
  await passes(async () => assert.equal((await get('/subtitle-audit'))['pending'], COPIES * 2));
  for (const { id } of items) {
    await get(`/items/${id}`);
    await get(`/items/${id}/playback`);
  }
  const perItem = [...statements].filter(([, { runs }]) => runs >= COPIES);
  // If it is not seen, the test watches nothing.
  assert.ok(perItem.length > 15, `${perItem.length} statements`);
  const found = perItem.flatMap(([sql, statement]) =>
    walks(statement).map((step) => `${statement.runs} runs, ${step}: ${sql.slice(0, 300)}`),
  );
  assert.deepEqual(found, []);
});
