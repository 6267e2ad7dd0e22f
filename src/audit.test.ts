/** The command `audit verify`: what it says of a whole log, of a damaged one, and while the server runs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD, startWorld } from '../test/world.ts';
import type { ActivityTables } from './activity/store/tables.ts';
import { auditCommand } from './audit.ts';
import { loadBoot } from './config/index.ts';
import type { Transaction } from './lib/db/index.ts';
import { SETTINGS } from './settings.ts';

test('a whole log has heads to note, a damaged one is located, and a running server is left alone', async (t) => {
  const first = await startWorld(t);
  await first.call(undefined, 'POST', '/api/v1/setup', { name: 'Ada', password: PASSWORD });
  const boot = await loadBoot({
    settings: SETTINGS,
    env: { SERVICE_DATA_DIR: `${first.folder}/data`, SERVICE_CACHE_DIR: `${first.folder}/cache` },
    clock: first.clock,
  });
  const run = async (...args: string[]) => {
    const lines: string[] = [];
    const status = await auditCommand({ args, boot, print: (line) => void lines.push(line) });
    return { status, lines, said: lines.join('\n') };
  };
  assert.deepEqual(
    [(await run('verify')).status, (await run('verify')).said],
    [2, 'the server is running: stop it first'],
  );
  await first.close();

  for (const wrong of [[], ['check'], ['verify', 'record:1'], ['verify', 'record:1:x', 'more']])
    assert.match((await run(...wrong)).said, /^usage/);
  const whole = await run('verify');
  assert.equal(whole.status, 0, whole.said);
  const head = whole.lines.at(-1) ?? '';
  assert.match(head, /^record:2:[0-9a-f]{64}$/);
  assert.equal((await run('verify', head)).status, 0);
  const other = await run(
    'verify',
    head.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  );
  assert.deepEqual([other.status, /is not in the log/.test(other.said)], [1, true]);

  const second = await startWorld(t, { after: first });
  await second.db.write('safe', async (tx: Transaction<ActivityTables>) => {
    await tx.updateTable('activity_entry').set({ outcome: 'refused' }).where('number', '=', 1).execute();
  });
  await second.close();
  const damaged = await run('verify');
  assert.equal(damaged.status, 1);
  assert.match(damaged.said, /broken at entry 1 of 2026-11-20T12:00:00\.000Z/);
});
