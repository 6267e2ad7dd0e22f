/**
 * Statements that run for each item look their rows up in an index. One that walks a table, or a whole library, costs
 * time that grows with the square of the library: with 10,000 films one such statement held the server for minutes.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { LIBRARIES, makeEveryKind } from './every-kind.ts';
import { watchStatements } from './statements.ts';
import { passes } from './until.ts';
import { PASSWORD, startWorld, type Who, type World } from './world.ts';

/** How often everything is in the library. */
const COPIES = 12;
const statements = watchStatements();
let house: World;
let owner: Who;
const endings: (() => Promise<void> | void)[] = [];

before(async () => {
  endings.push(statements.end);
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
  // If it is not seen, the test watches nothing.
  assert.ok(statements.count(COPIES) > 15, `${statements.count(COPIES)} statements`);
  assert.deepEqual(statements.walking(COPIES), []);
});
