/** The migration from languages to languages and kinds, on both engines. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Database } from '../../lib/db/index.ts';
import { eachEngine } from '../../lib/db/testing.ts';
import { inventoryStore, shapeId } from './inventory.ts';
import { kindsMigration } from './kinds.ts';
import { subtitleMigrations } from './migrations.ts';
import { providerStore } from './providers.ts';
import type { InventoryTrack } from './rows.ts';
import type { SubtitleTables, SubtitleTx } from './tables.ts';
import { idOf, makeItem, writeEarlierItem } from './testing.ts';
import { upkeepStore } from './upkeep.ts';

const before = subtitleMigrations.slice(0, subtitleMigrations.indexOf(kindsMigration));
const sidecar = (language: string | undefined, role: InventoryTrack['role'], more: object = {}): InventoryTrack => ({
  source: 'sidecar',
  role,
  format: 'srt',
  ...(language !== undefined && { language }),
  ...more,
});

/** Writes an item as the version before did, with a search that found nothing in each of these languages. */
async function writeFormer(
  tx: SubtitleTx,
  n: number,
  { tracks, held, unfound = [] }: { tracks: InventoryTrack[]; held: string[]; unfound?: string[] },
): Promise<void> {
  const facts = JSON.stringify({ library: 'l', kind: 'movie', state: 'known', held, hasDefault: false, unfound });
  const shape = shapeId(facts);
  await writeEarlierItem(tx, makeItem(n, { tracks }), { shape, searched: 7 });
  await tx
    .insertInto('subtitle_shape')
    .values({ id: shape, facts, items: 1 })
    .onConflict((oc) => oc.column('id').doUpdateSet((eb) => ({ items: eb('subtitle_shape.items', '+', 1) })))
    .execute();
  for (const language of unfound) {
    await sql`insert into subtitle_search (item, language, at, outcome, reason)
      values (${idOf(n)}, ${language}, 7, 'nothing', 'none')`.execute(tx);
    await sql`insert into subtitle_pause (item, language, provider, failures, until, kind)
      values (${idOf(n)}, ${language}, 'search', 2, 900, 'nothing')`.execute(tx);
    await sql`insert into subtitle_look (item, language, until) values (${idOf(n)}, ${language}, 800)`.execute(tx);
  }
}

const shapesOf = async (db: Database) =>
  (await inventoryStore(db).shapes()).map(({ held, unfound, items }) => ({ held, unfound, items }));

eachEngine('items are counted by kind, and searches and pauses keep theirs', before, async (_t, db) => {
  await db.write('safe', async (tx: SubtitleTx) => {
    await writeFormer(tx, 1, { tracks: [sidecar('en', 'normal')], held: ['en'], unfound: ['de'] });
    await writeFormer(tx, 2, { tracks: [sidecar('en', 'sdh'), sidecar('en', 'forced')], held: ['en'] });
    await writeFormer(tx, 3, { tracks: [sidecar('en', 'sdh'), sidecar('en', 'forced')], held: ['en'] });
    await writeFormer(tx, 4, {
      tracks: [
        sidecar(undefined, 'normal'),
        sidecar('fr', 'normal', { hidden: true }),
        { source: 'embedded', role: 'normal', format: 'subrip', stream: 2 },
        { source: 'embedded', role: 'normal', format: 'pgs', language: 'en', picture: true, stream: 3 },
      ],
      held: [],
    });
  });
  for (const { up } of subtitleMigrations.slice(before.length))
    await db.write('safe', (tx) => up(tx as never, db.engine));
  assert.deepEqual(
    (await shapesOf(db)).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    [
      {
        held: [
          { language: 'en', role: 'forced' },
          { language: 'en', role: 'sdh' },
        ],
        unfound: [],
        items: 2,
      },
      { held: [{ language: 'en', role: 'normal' }], unfound: [{ language: 'de', role: 'normal' }], items: 1 },
      { held: [{ language: null, role: 'normal' }], unfound: [], items: 1 },
    ],
  );
  const rows = db.tables<SubtitleTables>();
  assert.deepEqual(await rows.selectFrom('subtitle_search').selectAll().execute(), [
    { item: idOf(1), language: 'de', role: 'normal', at: 7, outcome: 'nothing', reason: 'none', why: null },
  ]);
  assert.deepEqual(await providerStore(db).pauses([idOf(1)]), [
    { item: idOf(1), language: 'de', role: 'normal', provider: 'search', failures: 2, until: 900, kind: 'nothing' },
  ]);
  assert.deepEqual(await rows.selectFrom('subtitle_look').selectAll().execute(), [
    { item: idOf(1), language: 'de', role: 'normal', until: 800 },
  ]);
  const [shape] = (await inventoryStore(db).shapes()).filter(({ unfound }) => unfound.length > 0);
  const due = { language: 'de', shapes: [shape?.id ?? ''], untried: [], limit: 9 };
  const missing = async (role: 'normal' | 'sdh', now: number) =>
    (await upkeepStore(db).missing({ ...due, role, now })).map(({ item }) => item);
  assert.deepEqual([await missing('normal', 899), await missing('normal', 900)], [[], [idOf(1)]]);
  assert.deepEqual(await missing('sdh', 900), [], 'what was never searched for has no pause');
  await inventoryStore(db).searched(idOf(1), { language: 'de', role: 'sdh' }, { at: 9, outcome: 'refused', why: null });
  assert.deepEqual(
    (await shapesOf(db)).find(({ unfound }) => unfound.length > 0)?.unfound,
    [
      { language: 'de', role: 'normal' },
      { language: 'de', role: 'sdh' },
    ],
    'the row of the other kind stays',
  );
});
