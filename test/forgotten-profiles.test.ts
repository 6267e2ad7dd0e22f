/**
 * Removing a Profile removes its rows from every table of every domain.
 *
 * The tables are found in the migrated schema by the names of their columns, so a new table is covered without being
 * listed here. Each gets a row of the Profile; domains that forget too little or too often are planted.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { domain, type Domain, type OpenDomain } from '../src/domain.ts';
import { DOMAINS } from '../src/domains.ts';
import { columns, table, type Database, type Transaction } from '../src/lib/db/index.ts';
import { profileTables, queryRows } from './profile-tables.ts';
import { until } from './until.ts';
import { PASSWORD, startWorld, type World } from './world.ts';

/** Tables that keep the id of a removed Profile, and why. */
const KEPT: Readonly<Record<string, string>> = {
  identity_removed: 'the list of removed Profiles, which domains read in order to forget them',
  activity_entry: 'the log of who did what, as ids alone: it is append-only and ends with its retention',
};
const POLICY = { libraries: 'all', rating: 'all', windows: [], remote: true, transcode: true, download: true };

const query = queryRows;

async function ownerToken({ call }: World): Promise<string> {
  return String((await call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD })).body['token']);
}
async function addProfile({ call }: World, token: string, name: string): Promise<string> {
  const made = await call({ token }, 'POST', '/api/v1/profiles', { name, password: PASSWORD, policy: POLICY });
  assert.equal(made.status, 201, made.text);
  return String(made.body['id']);
}

const open = (t: TestContext, domains?: readonly Domain[], after?: World) =>
  startWorld(t, { env: { SERVICE_REQUIRE_MFA: 'false' }, ...(domains && { domains }), ...(after && { after }) });

const valueOf = (type: string): unknown => (/int|real/i.test(type) ? 1 : /blob/i.test(type) ? Buffer.of(1) : '{}');

/** Returns the tables with a column for a Profile, and those that still hold a removed Profile. */
async function leftBehind(t: TestContext, domains?: readonly Domain[]): Promise<{ all: string[]; left: string[] }> {
  const server = await open(t, domains);
  const token = await ownerToken(server);
  const profile = await addProfile(server, token, 'Vic');
  const tables = (await profileTables(server.db)).filter(({ name }) => KEPT[name] === undefined);
  for (const { name, column, all } of tables) {
    const given = all.filter((one) => one.notnull === 1 || one.name === column);
    await query(
      server.db,
      `insert into "${name}" (${given.map((one) => `"${one.name}"`).join(', ')}) values ` +
        `(${given.map(() => '?').join(', ')})`,
      ...given.map(({ name: own, type }) => (own === column ? profile : valueOf(type))),
    );
  }
  const holding = async (): Promise<string[]> => {
    const found = [];
    for (const { name, column } of tables)
      if ((await query(server.db, `select 1 from "${name}" where "${column}" = ?`, profile)).length > 0)
        found.push(name);
    return found;
  };
  assert.deepEqual(
    await holding(),
    tables.map(({ name }) => name),
  );
  assert.equal((await server.call({ token }, 'DELETE', `/api/v1/profiles/${profile}`)).status, 204);
  // Each domain's cursor says that it is done.
  await until('both domains to forget the Profile', async () => {
    const done = await query<{ domain: string }>(server.db, 'select domain from identity_forgotten');
    return ['catalog', 'playback'].every((name) => done.some(({ domain: one }) => one === name));
  });
  return { all: tables.map(({ name }) => name), left: await holding() };
}

const planted = (open: () => Partial<OpenDomain<undefined, never>>): Domain =>
  domain({
    name: 'planted',
    uses: [],
    migrations: [
      {
        id: 'planted-001-note',
        up: async (db, engine) => {
          const c = columns(engine);
          await table(db, engine, 'planted_note')
            .addColumn('profile', c.id, (col) => col.notNull())
            .addColumn('text', c.text, (col) => col.notNull())
            .execute();
        },
      },
    ],
    open: async () => ({ door: undefined, ...open() }),
  });

test('a removed Profile leaves nothing in any table of any domain', async (t) => {
  const { all, left } = await leftBehind(t);
  assert.ok(all.includes('catalog_watch') && all.includes('playback_session'), all.join());
  assert.deepEqual(left, []);
});

test('a domain that does not forget is found', async (t) => {
  assert.deepEqual((await leftBehind(t, [...DOMAINS, planted(() => ({}))])).left, ['planted_note']);
});

test('the cursor is committed with the rows: failed work is repeated after a restart, finished is not', async (t) => {
  const calls: string[] = [];
  let isBroken = true;
  let db: Database | undefined;
  const domains = [
    ...DOMAINS,
    planted(() => ({
      forgetProfile: async (profile, commitCursor) => {
        calls.push(profile);
        await db?.write('safe', async (tx: Transaction<{ planted_note: { profile: string; text: string } }>) => {
          await tx.deleteFrom('planted_note').where('profile', '=', profile).execute();
          await commitCursor(tx);
          if (isBroken) throw new Error('planted');
        });
      },
    })),
  ];
  const first = await open(t, domains);
  db = first.db;
  const token = await ownerToken(first);
  const [vic, una] = [await addProfile(first, token, 'Vic'), await addProfile(first, token, 'Una')];
  const left = async (of: Database) =>
    (await query<{ profile: string }>(of, 'select profile from planted_note')).map(({ profile }) => profile);
  for (const profile of [vic, una])
    await query(first.db, 'insert into planted_note (profile, text) values (?, ?)', profile, 'x');
  assert.equal((await first.call({ token }, 'DELETE', `/api/v1/profiles/${vic}`)).status, 204);
  await until('the failure to be logged', () => first.lines.find((line) => line.includes('profile.not-forgotten')));
  assert.deepEqual(await left(first.db), [vic, una], 'nothing was removed');
  await first.close();

  isBroken = false;
  const second = await open(t, domains, first);
  db = second.db;
  await second.start();
  assert.deepEqual(await left(second.db), [una]);
  const before = calls.length;
  await second.close();

  const third = await open(t, domains, second);
  db = third.db;
  await third.start();
  assert.equal(calls.length, before, 'a Profile is forgotten once');
});
