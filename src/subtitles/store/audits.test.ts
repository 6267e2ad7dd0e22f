/** Judgements of the timing audit, on both engines: what is due, what a change makes of them, and their lists. */
import assert from 'node:assert/strict';
import { eachEngine } from '../../lib/db/testing.ts';
import { auditMigration, auditStore, type NewJudgement } from './audits.ts';
import { inventoryStore, type NewItem } from './inventory.ts';
import { AUDIT_METHOD } from './judgements.ts';
import { subtitleMigrations } from './migrations.ts';
import { type InventoryRow, type InventoryTrack, trackKeyOf, versionOf, versionOfTrack } from './rows.ts';
import type { SubtitleTx } from './tables.ts';
import { idOf, makeItem, makeSidecar, writeEarlierItem } from './testing.ts';

const inside: InventoryTrack = { source: 'embedded', role: 'normal', format: 'subrip', stream: 2, language: 'en' };
const item = (n: number, tracks: InventoryTrack[], more: Partial<NewItem> = {}): NewItem =>
  makeItem(n, { tracks, ...more });
const judgement = (
  row: Pick<InventoryRow, 'size' | 'modified'>,
  track: InventoryTrack,
  verdict: NewJudgement['verdict'],
): NewJudgement => ({
  track: trackKeyOf(track),
  video: versionOf(row),
  version: versionOfTrack(track),
  content: track.source === 'embedded' ? null : 'c'.repeat(64),
  verdict,
  facts: { evidence: [] },
  at: 1_000,
});
const IN = { libraries: ['l'], after: '', limit: 10 };
const MIGRATIONS = subtitleMigrations;

eachEngine(
  'items are due until each of their texts was judged, and again when one changed',
  MIGRATIONS,
  async (_t, db) => {
    const inventory = inventoryStore(db);
    const audits = auditStore(db);
    const put = (...items: NewItem[]) => inventory.follow(items, [], { change: 1, gone: 0 });
    const due = async () => (await audits.due(IN)).map(({ id }) => id);
    await put(
      item(1, [makeSidecar('en'), inside]),
      item(2, []),
      item(3, [makeSidecar('en', { hidden: true }), { ...inside, picture: true }]),
      item(4, [makeSidecar('de')], { state: 'unknown' }),
      item(5, [makeSidecar('de')], { library: 'other' }),
      item(6, [makeSidecar('fr')]),
    );
    assert.deepEqual(await due(), [idOf(1), idOf(6)], 'only what has texts, in these libraries');
    assert.deepEqual(
      (await audits.due({ ...IN, after: idOf(1) })).map(({ id }) => id),
      [idOf(6)],
    );
    assert.equal(await audits.countDue(['l']), 2);

    const row = await inventory.row(idOf(1));
    assert.ok(row);
    assert.equal(await audits.judged(row.id, [judgement(row, makeSidecar('en'), 'shifted')]), true);
    assert.deepEqual(await due(), [idOf(1), idOf(6)], 'the text inside it is left');
    assert.equal(await audits.judged(row.id, [judgement(row, inside, 'fits')]), true);
    assert.deepEqual(await due(), [idOf(6)]);
    assert.deepEqual((await audits.of([idOf(1)])).map(({ verdict }) => verdict).sort(), ['fits', 'shifted']);

    // The same rows again, as a scan without changes reads them.
    await put(item(1, [makeSidecar('en'), inside]));
    assert.deepEqual(await due(), [idOf(6)]);

    // Another version of the file: its judgement is gone, that of the text inside stays.
    await put(item(1, [makeSidecar('en', { modified: 8 }), inside]));
    assert.deepEqual(await due(), [idOf(1), idOf(6)]);
    assert.deepEqual(
      (await audits.of([idOf(1)])).map(({ track }) => track),
      ['stream:2'],
    );

    // A judgement of the former version comes too late.
    assert.equal(await audits.judged(row.id, [judgement(row, makeSidecar('en'), 'fits')]), false);
    assert.equal((await audits.of([idOf(1)])).length, 1);

    // Another version of the video: nothing is known of it.
    await put(item(1, [makeSidecar('en', { modified: 8 }), inside], { size: 2 }));
    assert.deepEqual(await audits.of([idOf(1)]), []);
    await inventory.follow([], [idOf(1)], { change: 2, gone: 1 });
    assert.deepEqual(await due(), [idOf(6)]);
  },
);

eachEngine(
  'judgements are counted and listed by title, and those of an earlier method are made again',
  MIGRATIONS,
  async (_t, db) => {
    const inventory = inventoryStore(db);
    const audits = auditStore(db);
    const verdicts = ['fits', 'shifted', 'language', 'shifted'] as const;
    const items = verdicts.map((_, n) =>
      item(n, [makeSidecar('en')], { sort: `t${9 - n}`, library: n === 3 ? 'away' : 'l' }),
    );
    await inventory.follow(items, [], { change: 1, gone: 0 });
    for (const [n, verdict] of verdicts.entries()) {
      const row = await inventory.row(idOf(n));
      assert.ok(row);
      await audits.judged(row.id, [{ ...judgement(row, makeSidecar('en'), verdict), at: 1_000 + n }]);
    }
    const { counts, at } = await audits.counts(['l']);
    assert.deepEqual([counts.fits, counts.shifted, counts.language, counts.mismatch, at], [1, 1, 1, 0, 1_002]);
    const page = { verdicts: ['shifted', 'language'] as const, libraries: ['l'], offset: 0, limit: 10 };
    assert.deepEqual(
      (await audits.page(page)).map(({ item: id, row }) => [id, row.title]),
      [
        [idOf(2), 't2'],
        [idOf(1), 't1'],
      ],
    );
    assert.deepEqual(
      (await audits.page({ ...page, offset: 1, limit: 1 })).map(({ item: id }) => id),
      [idOf(1)],
    );
    assert.deepEqual(await audits.page({ ...page, libraries: [] }), []);

    await db.write('safe', async (tx: SubtitleTx) => {
      await tx
        .updateTable('subtitle_audit')
        .set({ method: AUDIT_METHOD - 1 })
        .where('item', '=', idOf(1))
        .execute();
    });
    assert.equal((await audits.page(page)).length, 1, 'it says nothing any more');
    assert.equal(await audits.countDue(['l']), 0);
    await audits.markOutdated();
    assert.deepEqual(
      (await audits.due(IN)).map(({ id }) => id),
      [idOf(1)],
    );
    const row = await inventory.row(idOf(1));
    assert.ok(row);
    await audits.judged(row.id, [judgement(row, makeSidecar('en'), 'fits')]);
    assert.equal(await audits.countDue(['l']), 0);
  },
);

eachEngine('a text inside a video does not count while a file is over it', MIGRATIONS, async (_t, db) => {
  const inventory = inventoryStore(db);
  const audits = auditStore(db);
  const put = (...tracks: InventoryTrack[]) => inventory.follow([item(1, tracks)], [], { change: 1, gone: 0 });
  const shifted = async () => (await audits.counts(['l'])).counts.shifted;
  await put(inside);
  await audits.judged(idOf(1), [judgement({ size: 1, modified: 1 }, inside, 'shifted')]);
  assert.equal(await shifted(), 1);
  await put(inside, makeSidecar('de'));
  assert.equal(await shifted(), 1, 'a file in another language');
  await put(inside, makeSidecar('en'));
  assert.equal(await shifted(), 0);
  assert.equal((await audits.of([idOf(1)])).length, 1, 'the judgement stays');
  await put(inside);
  assert.equal(await shifted(), 1, 'the file is gone');
});

eachEngine(
  'after an update everything has yet to be judged',
  MIGRATIONS.slice(0, MIGRATIONS.indexOf(auditMigration)),
  async (_t, db) => {
    await db.write('safe', async (tx: SubtitleTx) => {
      for (const row of [item(1, [makeSidecar('en')]), item(2, [])]) await writeEarlierItem(tx, row);
    });
    for (const { up } of MIGRATIONS.slice(MIGRATIONS.indexOf(auditMigration)))
      await db.write('safe', (tx) => up(tx as never, db.engine));
    assert.equal(await auditStore(db).countDue(['l']), 2, 'one without texts is done when it is looked at');
  },
);
