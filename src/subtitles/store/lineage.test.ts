/** Files from before lineage was stored are migrated, on both engines. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTemporaryFolder } from '../../../test/subtitles/world.ts';
import { openDatabase, type Transaction } from '../../lib/db/index.ts';
import { installingStore } from './installing.ts';
import { subtitleMigrations } from './migrations.ts';

test('rows of an older version are migrated', async (t) => {
  const file = join(await openTemporaryFolder(t), 'test.db');
  const old = await openDatabase({ file, migrations: subtitleMigrations.slice(0, 3) });
  const row = {
    library: 'l',
    relative: 'Film.en.srt',
    item: 'i',
    language: 'en',
    role: 'normal',
    format: 'srt',
    source: 'subtitles_a',
    score: 80,
    match: 'verified',
    evidence: '[]',
    content: 'c',
    at: 5,
  };
  await old.write('safe', async (tx: Transaction<{ subtitle_file: Record<string, unknown> }>) => {
    await tx
      .insertInto('subtitle_file')
      .values([
        { ...row, size: 10, modified: 20, state: 'done' },
        { ...row, relative: 'Film.de.srt', language: 'de', size: null, modified: null, state: 'intent' },
      ])
      .execute();
  });
  await old.close();
  const db = await openDatabase({ file, migrations: subtitleMigrations });
  t.after(() => db.close());
  const store = installingStore(db);
  const more = { origin: 'fetched', delivered: null, candidate: null, evidence: [], preserved: {} };
  assert.deepEqual(await store.filesOf(['i']), [{ ...row, ...more, size: 10, modified: 20 }]);
  assert.deepEqual(await store.intents(), [
    { file: { ...row, ...more, relative: 'Film.de.srt', language: 'de' }, act: 'fetched' },
  ]);
});

test('entries from before actors were recorded have none, and are kept', async (t) => {
  const file = join(await openTemporaryFolder(t), 'test.db');
  const old = await openDatabase({ file, migrations: subtitleMigrations.filter(({ id }) => id < 'subtitles-008') });
  const act = {
    item: 'i',
    language: 'en',
    role: 'normal',
    library: 'l',
    relative: 'Film.en.srt',
    before: null,
    after: 'c',
    source: 'subtitles_a',
    score: 80,
    match: 'verified',
    evidence: '[]',
    act: 'fetched',
    detail: null,
    at: 5,
  };
  await old.write(
    'safe',
    async (tx: Transaction<{ subtitle_history: Record<string, unknown> }>) =>
      void (await tx
        .insertInto('subtitle_history')
        .values({ n: 1, ...act })
        .execute()),
  );
  await old.close();
  const db = await openDatabase({ file, migrations: subtitleMigrations });
  t.after(() => db.close());
  const { evidence: _evidence, ...kept } = act;
  assert.deepEqual(await installingStore(db).history('i'), [{ n: 1, ...kept, actor: null, notes: null }]);
});
