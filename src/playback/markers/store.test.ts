/** The tables of markers on both engines. */
import assert from 'node:assert/strict';
import { eachEngine } from '../../lib/db/testing.ts';
import type { AnalysedItem } from './store.ts';
import { createMarkerStore, markerMigrations } from './store.ts';

const [A, B] = ['a'.repeat(16), 'b'.repeat(16)];
const found = (item: string, bytes: string, markers: AnalysedItem['markers']): AnalysedItem => ({
  item,
  bytes,
  season: 's',
  error: null,
  markers,
});

eachEngine('an Owner sets one marker of a kind, and any number of commercials', markerMigrations, async (_, db) => {
  const store = createMarkerStore(db);
  await store.set(A, { kind: 'intro', start: 1, end: 2 }, 1);
  await store.set(A, { kind: 'intro', start: 10.25, end: 20.5, label: 'Öffnung' }, 2);
  await store.set(A, { kind: 'commercial', start: 100, end: 140 }, 3);
  await store.set(A, { kind: 'commercial', start: 200, end: 240 }, 3);
  await store.set(A, { kind: 'commercial', start: 130, end: 150 }, 4);
  await store.set(B, { kind: 'intro', start: 5, end: 6 }, 4);
  const { own } = await store.of(A);
  assert.deepEqual(own, [
    { kind: 'intro', start: 10.25, end: 20.5, source: 'user', state: 'published', label: 'Öffnung' },
    { kind: 'commercial', start: 130, end: 150, source: 'user', state: 'published' },
    { kind: 'commercial', start: 200, end: 240, source: 'user', state: 'published' },
  ]);
  assert.deepEqual([await store.countOwn(A), await store.countOwn(B)], [3, 1]);
});

eachEngine(
  'another analysis takes the place of the one before, and touches neither what an Owner set nor what they removed',
  markerMigrations,
  async (_, db) => {
    const store = createMarkerStore(db);
    await store.set(A, { kind: 'credits', start: 90, end: 99 }, 1);
    await store.remove(A, { kind: 'recap', bytes: ['x', 'y'], at: 1 });
    await store.setAnalysed(
      [
        found(A, 'x', [
          { kind: 'intro', start: 1, end: 2, state: 'published', confidence: 0.75 },
          { kind: 'recap', start: 0, end: 1, state: 'suggested' },
        ]),
      ],
      2,
    );
    assert.deepEqual(
      (await store.of(A)).analysed.get('x')?.map(({ kind, confidence }) => [kind, confidence]),
      [
        ['recap', undefined],
        ['intro', 0.75],
      ],
    );
    await store.setAnalysed(
      [found(A, 'y', [{ kind: 'intro', start: 3, end: 4, state: 'published' }]), found(B, 'z', [])],
      3,
    );
    const stored = await store.of(A);
    assert.deepEqual([...stored.analysed.keys()], ['y']);
    assert.deepEqual(
      stored.own.map(({ kind }) => kind),
      ['credits'],
    );
    assert.deepEqual(
      [...stored.removed].map(([bytes, kinds]) => [bytes, ...kinds]),
      [
        ['x', 'recap'],
        ['y', 'recap'],
      ],
    );
    assert.deepEqual(
      [...(await store.analysed([A, B, 'c'.repeat(16)]))],
      [
        [A, { bytes: 'y', season: 's' }],
        [B, { bytes: 'z', season: 's' }],
      ],
    );
  },
);

eachEngine('removing takes the marker that an Owner set along, of that kind alone', markerMigrations, async (_, db) => {
  const store = createMarkerStore(db);
  await store.set(A, { kind: 'intro', start: 1, end: 2 }, 1);
  await store.set(A, { kind: 'credits', start: 90, end: 99 }, 1);
  await store.remove(A, { kind: 'intro', bytes: ['x'], at: 1 });
  await store.remove(A, { kind: 'intro', bytes: ['x'], at: 2 });
  assert.deepEqual(
    (await store.of(A)).own.map(({ kind }) => kind),
    ['credits'],
  );
});

eachEngine(
  'suggestions are counted until an Owner decides, and items that are gone leave nothing',
  markerMigrations,
  async (_, db) => {
    const store = createMarkerStore(db);
    await store.setAnalysed(
      [A, B].map((item) =>
        found(item, 'x', [
          { kind: 'intro', start: 1, end: 2, state: 'suggested' },
          { kind: 'recap', start: 5, end: 9, state: 'suggested' },
          { kind: 'credits', start: 50, end: 60, state: 'published' },
        ]),
      ),
      1,
    );
    assert.equal(await store.countSuggested(), 4);
    await store.set(A, { kind: 'intro', start: 1, end: 2 }, 2);
    await store.remove(B, { kind: 'recap', bytes: ['x'], at: 2 });
    assert.equal(await store.countSuggested(), 2);
    assert.deepEqual(await store.cursor('markers'), { change: 0, gone: 0, away: {} });
    await store.follow('markers', { change: 7, gone: 3, away: { library: 5 } }, [A]);
    assert.deepEqual(
      [await store.cursor('markers'), await store.countSuggested(), (await store.of(A)).own],
      [{ change: 7, gone: 3, away: { library: 5 } }, 1, []],
    );
    assert.deepEqual(await store.cursor('trickplay'), { change: 0, gone: 0, away: {} });
  },
);

const C = 'c'.repeat(16);
const two = (start: number): AnalysedItem['markers'] => [
  { kind: 'intro', start, end: start + 20, state: 'suggested', confidence: 0.5 },
  { kind: 'recap', start: 0, end: start, state: 'suggested' },
];

eachEngine(
  'suggestions are listed season by season in pages, until they are decided, and undone they are there again',
  markerMigrations,
  async (_, db) => {
    const store = createMarkerStore(db);
    await store.setAnalysed(
      [
        { ...found(B, 'b', two(5)), season: 's1' },
        { ...found(A, 'a', two(7)), season: 's2' },
        {
          ...found(C, 'c', [
            { kind: 'commercial', start: 50, end: 60, state: 'suggested' },
            { kind: 'commercial', start: 10, end: 20, state: 'suggested' },
            { kind: 'intro', start: 1, end: 2, state: 'published' },
          ]),
          season: 's1',
        },
      ],
      1,
    );
    const all = async (limit = 10) => {
      const names: string[] = [];
      for (let after: Parameters<typeof store.suggestions>[0]['after']; ;) {
        const page = await store.suggestions({ limit, after });
        names.push(
          ...page.map(
            ({ season, item, kind, markers }) =>
              `${season} ${item[0]} ${kind} ${markers.map(({ start }) => start).join('+')}`,
          ),
        );
        after = page.at(-1);
        if (page.length < limit) return names;
      }
    };
    const every = ['s1 b intro 5', 's1 b recap 0', 's1 c commercial 10+50', 's2 a intro 7', 's2 a recap 0'];
    assert.deepEqual([await all(), await all(1), await all(2), await store.countSuggested()], [every, every, every, 5]);

    const given = [
      { item: B, kind: 'intro' },
      { item: C, kind: 'commercial' },
      { item: B, kind: 'credits' },
    ] as const;
    assert.equal(await store.decide('confirm', given, 2), 2);
    assert.equal(await store.decide('confirm', given, 3), 0, 'each is decided once');
    assert.equal(await store.decide('reject', [{ item: A, kind: 'recap' }], 3), 1);
    assert.deepEqual([await all(), await store.countSuggested()], [['s1 b recap 0', 's2 a intro 7'], 2]);
    assert.deepEqual((await store.of(C)).own, [
      { kind: 'commercial', start: 10, end: 20, source: 'user', state: 'published' },
      { kind: 'commercial', start: 50, end: 60, source: 'user', state: 'published' },
    ]);
    assert.deepEqual([...((await store.of(A)).removed.get('a') ?? [])], ['recap']);

    assert.equal(await store.decide('undo', [...given, { item: A, kind: 'recap' }], 4), 3);
    assert.deepEqual([await all(), (await store.of(C)).own], [every, []]);
    await store.decide('confirm', [{ item: B, kind: 'intro' }], 5);
    await store.set(B, { kind: 'intro', start: 6, end: 30 }, 6);
    assert.equal(
      await store.decide('undo', [{ item: B, kind: 'intro' }], 7),
      0,
      'what the Owner has moved since stays',
    );
    assert.deepEqual(
      (await store.of(B)).own.map(({ start }) => start),
      [6],
    );
    await store.decide('reject', [{ item: A, kind: 'recap' }], 8);
    await store.setAnalysed([{ ...found(A, 'other', two(9)), season: 's2' }], 9);
    assert.ok((await all()).includes('s2 a recap 0'), 'a decision about other bytes is not one about these');
  },
);
