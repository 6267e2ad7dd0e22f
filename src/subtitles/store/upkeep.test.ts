/** Due items, on both engines: missing subtitles, fetched ones, users' own files, and their order. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { eachEngine } from '../../lib/db/testing.ts';
import { type Database, openDatabase } from '../../lib/db/index.ts';
import { SEARCH_PAUSE } from '../choosing/back-off.ts';
import { installingStore } from './installing.ts';
import { inventoryStore, type NewItem } from './inventory.ts';
import { kindsMigration } from './kinds.ts';
import { providerStore } from './providers.ts';
import { subtitleMigrations } from './migrations.ts';
import type { SubtitleTx } from './tables.ts';
import { idOf, makeItem } from './testing.ts';
import { dueMigration, type MissingItem, missingQueries, upkeepStore } from './upkeep.ts';

const item = (n: number, held: readonly string[] = []): NewItem =>
  makeItem(n, {
    tracks: [{ source: 'embedded', role: 'normal', format: 'srt', stream: n }],
    held: held.map((language) => ({ language, role: 'normal' })),
  });
async function shapes(db: Database): Promise<string[]> {
  return (await inventoryStore(db).shapes()).map(({ id }) => id);
}
async function install(
  db: Database,
  n: number,
  {
    score = 70,
    language = 'en',
    origin = 'fetched' as const,
  }: { score?: number; language?: string; origin?: 'fetched' | 'edited' | 'own' } = {},
): Promise<void> {
  const file = {
    library: 'l',
    relative: `${n}.${language}.srt`,
    item: idOf(n),
    language,
    role: 'normal',
    format: 'srt',
    source: 'subtitles_a',
    score,
    match: 'unverified',
    evidence: [],
    content: 'a'.repeat(64),
    origin,
    delivered: null,
    candidate: null,
    preserved: {},
    at: 1,
  } as const;
  await installingStore(db).intend({ file, act: 'fetched' });
  await installingStore(db).done({ file, act: 'fetched' }, { size: 1, modified: 1 });
}
const numbers = (due: readonly { item: string }[]) => due.map((one) => Number.parseInt(one.item, 16));
const asked = { language: 'en', role: 'normal' as const, now: 1_000, limit: 10 };

eachEngine(
  'what is missing: the longest neglected first; not what is frozen or waits; then what has waited',
  subtitleMigrations,
  async (_t, db) => {
    const inventory = inventoryStore(db);
    const store = upkeepStore(db);
    await inventory.follow(
      [1, 2, 3, 4, 5].map((n) => item(n)),
      [],
      { change: 1, gone: 0 },
    );
    await inventory.searched(idOf(1), { language: 'en', role: 'normal' }, { at: 50, outcome: 'failed', why: null });
    await inventory.searched(idOf(2), { language: 'en', role: 'normal' }, { at: 20, outcome: 'failed', why: null });
    await inventory.searched(idOf(3), { language: 'de', role: 'normal' }, { at: 90, outcome: 'failed', why: null });
    await installingStore(db).freeze(idOf(4), 'en', true);
    await providerStore(db).pause({ item: idOf(5), language: 'en', role: 'normal', provider: SEARCH_PAUSE }, () => ({
      failures: 1,
      until: 2_000,
      kind: 'nothing',
    }));
    await providerStore(db).pause({ item: idOf(1), language: 'en', role: 'normal', provider: 'subtitles_a' }, () => ({
      failures: 1,
      until: 2_000,
      kind: 'hostile',
    }));
    const ids = await shapes(db);
    const all = { ...asked, shapes: ids, untried: ids };
    assert.deepEqual(numbers(await store.missing(all)), [2, 1, 3]);
    assert.deepEqual(numbers(await store.missing({ ...all, limit: 1 })), [2]);
    assert.equal(await store.countMissing(all), 3);
    assert.equal(await store.countMissing({ ...all, limit: 2 }), 2, 'no further than asked');
    assert.deepEqual(numbers(await store.missing({ ...all, now: 2_000 })), [2, 1, 3, 5], 'waiting ends by itself');
    assert.deepEqual(
      [
        await store.missing({ ...all, shapes: [], untried: [] }),
        await store.countMissing({ ...all, shapes: [], untried: [] }),
      ],
      [[], 0],
    );
    assert.deepEqual(
      numbers(await store.missing({ ...all, now: 2_000, untried: [] })),
      [5],
      'what was searched for in vain is found by its wait alone',
    );
    await providerStore(db).searchAgain(SEARCH_PAUSE);
    assert.deepEqual(numbers(await store.missing(all)), [2, 1, 3, 5], 'nobody waits any more');
  },
);

eachEngine('what a clock that ran ahead wrote delays no item', subtitleMigrations, async (_t, db) => {
  const inventory = inventoryStore(db);
  const store = upkeepStore(db);
  await inventory.follow([item(1), item(2), item(3, ['en']), item(4, ['en'])], [], { change: 1, gone: 0 });
  await providerStore(db).pause({ item: idOf(1), language: 'en', role: 'normal', provider: SEARCH_PAUSE }, () => ({
    failures: 1,
    until: 1_000 + 366 * 86_400_000,
    kind: 'nothing',
  }));
  await providerStore(db).pause({ item: idOf(2), language: 'en', role: 'normal', provider: SEARCH_PAUSE }, () => ({
    failures: 1,
    until: 1_000 + 86_400_000,
    kind: 'nothing',
  }));
  await install(db, 4);
  for (const n of [3, 4])
    await store.postponeUpgrades([{ item: idOf(n), language: 'en', role: 'normal', until: 1_000 + 366 * 86_400_000 }]);
  const ids = await shapes(db);
  await store.endImpossiblePauses({ language: 'de', role: 'normal', now: 1_000 });
  assert.deepEqual(numbers(await store.missing({ ...asked, shapes: ids, untried: [] })), []);
  await store.endImpossiblePauses({ language: 'en', role: 'normal', now: 1_000 });
  assert.deepEqual(
    numbers(await store.missing({ ...asked, shapes: ids, untried: [] })),
    [1],
    'a day is a wait, a year is none',
  );
  assert.deepEqual(
    [
      numbers(await store.own({ ...asked, shapes: ids })).includes(3),
      numbers(await store.fetched({ ...asked, shapes: ids, below: 90 })),
    ],
    [true, [4]],
  );
});

eachEngine(
  'pages of what is missing go on where the one before ended, whatever happened meanwhile',
  subtitleMigrations,
  async (_t, db) => {
    const inventory = inventoryStore(db);
    const store = upkeepStore(db);
    await inventory.follow(
      Array.from({ length: 12 }, (_, n) => item(n + 1)),
      [],
      { change: 1, gone: 0 },
    );
    for (const n of [9, 10, 11, 12])
      await providerStore(db).pause({ item: idOf(n), language: 'en', role: 'normal', provider: SEARCH_PAUSE }, () => ({
        failures: 1,
        until: n < 11 ? 500 : 600 + n,
        kind: 'blocked',
      }));
    const ids = await shapes(db);
    const seen: number[] = [];
    for (let after: MissingItem['position'] | undefined; ;) {
      const page = await store.missing({ ...asked, shapes: ids, untried: ids, limit: 3, after });
      if (page.length === 0) break;
      after = page.at(-1)?.position;
      for (const n of numbers(page)) {
        seen.push(n);
        // After an attempt without a reply it moves to the end, and is listed once more.
        if (n === 2 && seen.filter((one) => one === n).length === 1)
          await inventory.searched(
            idOf(n),
            { language: 'en', role: 'normal' },
            { at: 700, outcome: 'failed', why: null },
          );
      }
    }
    assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7, 8, 2, 9, 10, 11, 12]);
  },
);

test('due items are read in the order of an index, without sorting or a full scan', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-due-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const db = await openDatabase({ file: join(folder, 'x.db'), migrations: subtitleMigrations });
  t.after(() => db.close());
  const queries = missingQueries(db);
  const position = { at: 1, item: idOf(1) };
  const asking = { ...asked, shapes: ['a', 'b'], untried: ['a'] };
  const planOf = async (query: ReturnType<typeof queries.free> | ReturnType<typeof queries.waited>) =>
    (await query.explain<{ detail: string }>(undefined, sql`query plan`)).map(({ detail }) => detail).join('\n');
  for (const after of [undefined, { stage: 'free', ...position } as const]) {
    const plan = await planOf(queries.free({ ...asking, after }));
    assert.match(plan, /COVERING INDEX subtitle_item_searched/);
    assert.doesNotMatch(plan, /TEMP B-TREE/);
  }
  for (const after of [undefined, { stage: 'waited', ...position } as const]) {
    const plan = await planOf(queries.waited({ ...asking, after }));
    assert.match(plan, /INDEX subtitle_pause_due \(provider=\? AND language=\? AND role=\? AND until/);
    assert.doesNotMatch(plan, /TEMP B-TREE|SCAN/);
  }
});

eachEngine(
  'items searched without success before pauses existed are due at once',
  subtitleMigrations.filter(({ id }) => id !== dueMigration.id && id !== kindsMigration.id),
  async (_t, db) => {
    await db.write('safe', async (tx: SubtitleTx) => {
      for (const [n, outcome] of [
        [1, 'nothing'],
        [2, 'nothing'],
        [3, 'failed'],
      ] as const)
        await sql`insert into subtitle_search (item, language, at, outcome)
          values (${idOf(n)}, 'en', 50, ${outcome})`.execute(tx);
      await sql`insert into subtitle_pause (item, language, provider, failures, until, kind)
        values (${idOf(1)}, 'en', ${SEARCH_PAUSE}, 3, 5000, 'nothing')`.execute(tx);
    });
    await db.write('safe', (tx) => dueMigration.up(tx as never, 'sqlite'));
    const pauses = await providerStore(db).pauses([1, 2, 3].map(idOf));
    assert.deepEqual(pauses.map(({ item: id, until }) => [id, until]).sort(), [
      [idOf(1), 5_000],
      [idOf(2), 0],
    ]);
  },
);

eachEngine(
  'what was fetched: not what is edited, frozen, looked at, or good enough',
  subtitleMigrations,
  async (_t, db) => {
    const store = upkeepStore(db);
    await inventoryStore(db).follow(
      [1, 2, 3, 4, 5, 6, 7].map((n) => item(n, ['en'])),
      [],
      { change: 1, gone: 0 },
    );
    await install(db, 1, { score: 80 });
    await install(db, 2, { score: 60, language: 'en-gb' });
    await install(db, 3, { score: 95 });
    await install(db, 4, { origin: 'edited' });
    await install(db, 5);
    await installingStore(db).freeze(idOf(5), 'en', true);
    await install(db, 6);
    await store.postponeUpgrades([{ item: idOf(6), language: 'en', role: 'normal', until: 1_500 }]);
    await install(db, 7, { language: 'de' });
    const all = { ...asked, shapes: await shapes(db), below: 90 };
    assert.deepEqual(
      (await store.fetched(all)).map((one) => [Number.parseInt(one.item, 16), one.language]),
      [
        [2, 'en-gb'],
        [1, 'en'],
      ],
    );
    await store.postponeUpgrades([{ item: idOf(6), language: 'en', role: 'normal', until: 900 }]);
    assert.deepEqual(numbers(await store.fetched(all)), [2, 1, 6], 'what was looked at comes last');
    assert.deepEqual(await store.fetched({ ...all, shapes: [] }), []);
  },
);

eachEngine("users' own files are found, and times of removed items are deleted", subtitleMigrations, async (_t, db) => {
  const store = upkeepStore(db);
  const inventory = inventoryStore(db);
  await inventory.follow(
    [1, 2, 3, 4].map((n) => item(n, ['en'])),
    [],
    { change: 1, gone: 0 },
  );
  await install(db, 2);
  await install(db, 3, { language: 'de' });
  await store.postponeUpgrades([{ item: idOf(4), language: 'en', role: 'normal', until: 1_500 }]);
  const all = { ...asked, shapes: await shapes(db) };
  assert.deepEqual(
    (await store.own(all)).map(({ item: id, tracks }) => [Number.parseInt(id, 16), tracks[0]?.stream]),
    [
      [1, 1],
      [3, 3],
    ],
  );
  assert.deepEqual(await store.own({ ...all, shapes: [] }), []);
  await inventory.follow([], [idOf(4)], { change: 2, gone: 1 });
  await store.deleteOrphans();
  await inventory.follow([item(4, ['en'])], [], { change: 3, gone: 1 });
  assert.deepEqual(numbers(await store.own({ ...all, shapes: await shapes(db) })), [1, 3, 4]);
});
