/** Rows of matches on both databases. */
import assert from 'node:assert/strict';
import { eachEngine } from '../lib/db/testing.ts';
import { metadataMigrations } from './index.ts';
import { type MatchRow, matchStore, orderStore } from './store.ts';

eachEngine(
  'rows of matches: replaced, marked as changed, forgotten, and the refused ones by page',
  metadataMigrations,
  async (_t, db) => {
    const store = matchStore(db);
    const all = async (): Promise<MatchRow[]> => {
      const rows: MatchRow[] = [];
      for await (const some of store.all()) rows.push(...some);
      return rows;
    };
    const record = {
      library: 'l'.repeat(16),
      described: 'd',
      parts: '',
      isAiring: true,
      tried: 5,
      asked: 5,
      work: null,
    };
    const candidate = { provider: 'tmdb', id: '7', title: 'T', confidence: 50, evidence: [] } as const;
    for (const item of ['a', 'b', 'c'])
      await store.put({
        ...record,
        item: item.repeat(16),
        state: 'unsure',
        candidates: [{ ...candidate, evidence: [] }],
      });
    const page = { library: undefined, after: undefined, offset: 0, limit: 2 };
    assert.deepEqual(
      (await store.refused(page)).items.map(({ item }) => item[0]),
      ['a', 'b'],
    );
    assert.equal((await store.refused(page)).total, 3);
    assert.deepEqual(
      (await store.refused({ ...page, after: 'b'.repeat(16) })).items.map(({ item }) => item[0]),
      ['c'],
    );
    assert.equal((await store.refused({ ...page, library: 'm'.repeat(16) })).total, 0);
    await store.markChanged('tv', { items: ['a'.repeat(16)], at: 9 });
    assert.deepEqual([await store.changesReadAt('tv'), await store.changesReadAt('movie')], [9, undefined]);
    const changed = async () => (await all()).filter(({ isChanged }) => isChanged).map(({ item }) => item[0]);
    assert.deepEqual(await changed(), ['a']);
    await store.put({ ...record, item: 'a'.repeat(16), state: 'matched', work: '8', candidates: [] });
    assert.deepEqual(await changed(), []);
    await store.tried('b'.repeat(16), 11);
    assert.equal((await all()).find(({ item }) => item.startsWith('b'))?.tried, 11);
    const orders = orderStore(db);
    const own = 'a'.repeat(16);
    assert.deepEqual([(await store.of(own))?.work, await store.of('z'.repeat(16))], ['8', undefined]);
    assert.equal(await orders.orderOf(own, '8'), undefined, 'none was chosen');
    await orders.setOrder(own, '8', '5acf');
    await store.put({ ...record, item: own, state: 'matched', work: '8', candidates: [] });
    assert.equal(await orders.orderOf(own, '8'), '5acf', 'a refresh keeps it');
    assert.equal(await orders.orderOf(own, '9'), undefined, 'the order of another work');
    await orders.setOrder(own, '8', '');
    assert.deepEqual([await orders.orderOf(own, '8'), await changed()], ['', ['a']]);
    await store.forget(['a'.repeat(16), 'b'.repeat(16)]);
    assert.equal((await all()).length, 1);
  },
);
