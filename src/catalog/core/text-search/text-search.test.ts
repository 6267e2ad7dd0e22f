/** Search in people and plots: what is indexed, what is found, and that the index follows the items. */
import assert from 'node:assert/strict';
import { until } from '../../../../test/until.ts';
import { OWNER_POLICY, type Policy } from '../../../contract/identity/profiles.ts';
import { createBus } from '../../../lib/bus.ts';
import type { Database } from '../../../lib/db/index.ts';
import { eachEngine } from '../../../lib/db/testing.ts';
import { createCardPages } from '../cards/pages.ts';
import { NO_SUBTITLES } from '../rule-matches.ts';
import { createVisibleCatalog } from '../visible-catalog.ts';
import { createLibraryIndex } from '../library-index/index.ts';
import { kinds } from '../../kinds/index.ts';
import { createExtraLinks } from '../item/extra-links.ts';
import { createItemFiles } from '../item/file-cache.ts';
import { readingStore } from '../../store/reading.ts';
import { scanningStore } from '../../store/scanning.ts';
import type { ItemToStore } from '../../store/records.ts';
import { catalogMigrations } from '../../store/migrations.ts';
import { textSearchStore } from '../../store/text-search.ts';
import { watchingStore } from '../../store/watching.ts';
import { createWatching } from '../watching.ts';
import { createTextSearch } from './index.ts';

const id = (n: number): string => n.toString(16).padStart(16, '0');

function item(
  n: number,
  title: string,
  { plot, people = [], ...more }: { plot?: string; people?: string[] } & Partial<ItemToStore> = {},
): ItemToStore {
  return {
    id: id(n),
    library: id(1),
    key: `k${n}`,
    kind: 'movie',
    title,
    sort_title: title.toLowerCase(),
    original_title: null,
    year: null,
    released: null,
    rating: 'G',
    community_rating: null,
    added: 0,
    duration: null,
    resolution: null,
    genres: ['Drama'],
    languages: [],
    images: {},
    show: null,
    season: null,
    season_number: null,
    episode_number: null,
    episode_end: null,
    confidence: 1,
    present: 1,
    missing: null,
    detail: {
      ...(plot !== undefined && { plot }),
      studios: [],
      people: people.map((name) => ({ name, job: 'actor' as const })),
      ids: {},
      evidence: [],
    },
    ...more,
  };
}

async function open(db: Database) {
  const [scanning, reading, index] = [scanningStore(db), readingStore(db), createLibraryIndex(kinds)];
  const failed = (error: unknown) => assert.fail(String(error));
  const texts = createTextSearch({ store: textSearchStore(db), reading, kinds, failed, quietMs: 0 });
  const watching = createWatching({
    store: watchingStore(db),
    bus: createBus(() => {}),
    clock: { now: () => 0, monotonic: () => 0 },
  });
  const find = async (q: string, policy: Partial<Policy> = {}) => {
    const seen = createVisibleCatalog(
      {
        store: reading,
        itemFiles: createItemFiles(reading),
        keptPictures: '/pictures',
        sidecarFacts: { unreadable: async () => [], subtitled: async () => NO_SUBTITLES },
        extras: createExtraLinks(reading),
        index,
        kinds,
        watching,
        texts,
        pages: createCardPages({ store: reading, index, kinds, isOnline: () => true }),
        nameOf: () => undefined,
        rootOf: () => undefined,
        isOnline: () => true,
      },
      { profile: 'ada', role: 'viewer', policy: { ...OWNER_POLICY, ...policy } },
    );
    return seen.library({ view: 'all', q, limit: 100 });
  };
  const put = async (...items: ItemToStore[]) => {
    const before = (await textSearchStore(db).cursor()).change;
    const changes = await scanning.put({ folders: [], files: [], infos: [], noInfos: [], items, left: [], now: 1 });
    index.apply(
      changes.flatMap(({ row }) => row ?? []),
      [],
    );
    texts.follow();
    await until('the index', async () => (await textSearchStore(db).cursor()).change >= before + items.length, {
      everyMs: 5,
    });
  };
  return {
    db,
    scanning,
    index,
    texts,
    put,
    find,
    titles: async (q: string, policy?: Partial<Policy>) => (await find(q, policy)).items.map(({ title }) => title),
  };
}
const each = (name: string, work: (w: Awaited<ReturnType<typeof open>>) => Promise<void>): void =>
  eachEngine(name, catalogMigrations, async (_t, db) => {
    const w = await open(db);
    await work(w).finally(() => w.texts.close());
  });

each(
  'titles come first, the very one before its beginning, a word and a mistake; then people, then plots',
  async ({ put, titles }) => {
    await put(
      item(10, 'Storm', {}),
      item(11, 'Storm Over Kyiv'),
      item(12, 'After the Storm'),
      item(13, 'Stolm'),
      item(14, 'Quiet Waters', { people: ['Anna Storm'] }),
      item(15, 'Harbour', { plot: 'A storm keeps four strangers in a house.' }),
      item(16, 'Unrelated', { plot: 'Nothing happens.', people: ['Bo Quist'] }),
    );
    assert.deepEqual(await titles('storm'), ['Storm', 'Storm Over Kyiv', 'After the Storm', 'Quiet Waters', 'Harbour']);
    assert.deepEqual((await titles('stormx')).slice(0, 1), ['Storm'], 'a mistake in a title');
    assert.deepEqual(await titles('stolm'), ['Stolm'], 'no mistake is forgiven where the very word is there');
    assert.deepEqual(await titles('anna storm'), ['Quiet Waters']);
    assert.deepEqual(await titles('storm anna'), ['Quiet Waters']);
    assert.deepEqual(await titles('harbour strangers'), ['Harbour'], 'a word of the title and one of the plot');
    assert.deepEqual(await titles('quis'), ['Unrelated'], 'the beginning of a name');
    assert.deepEqual(await titles('bo qu'), [], 'two letters are no beginning');
    assert.deepEqual(await titles('"storm" OR * :A\' & !x'), [], 'operators of the database are words');
  },
);

each('accents, case and scripts without spaces are as in titles', async ({ put, titles }) => {
  await put(
    item(10, 'One', { people: ['Renée Zäh', '三船敏郎', 'Łukasz Ørsted'] }),
    item(11, 'Two', { plot: "L'été d'après: 七人の侍" }),
  );
  for (const q of ['renee', 'RENÉE zah', '三船', '敏郎', '敏', 'lukasz', 'orsted'])
    assert.deepEqual(await titles(q), ['One'], q);
  for (const q of ['dapres', '七人', '侍']) assert.deepEqual(await titles(q), ['Two'], q);
});

each('what is hidden is neither found nor counted', async ({ put, find }) => {
  await put(
    item(10, 'Seen', { people: ['Ada Stone'] }),
    item(11, 'Hidden', { people: ['Ada Stone'], rating: 'R', genres: ['Secret'] }),
    item(12, 'Far', { plot: 'A stone.', rating: 'R' }),
  );
  const all = await find('stone');
  assert.deepEqual([all.total, all.items.map(({ title }) => title)], [3, ['Hidden', 'Seen', 'Far']]);
  const family = await find('stone', { rating: 7, unrated: false });
  assert.deepEqual(
    [family.total, family.items.map(({ title }) => title), family.facets.genres],
    [1, ['Seen'], [{ value: 'Drama', count: 1 }]],
  );
});

each(
  'the index follows changes and removals, and pages of a search go on through all of it',
  async ({ db, scanning, index, texts, put, find, titles }) => {
    await put(
      ...Array.from({ length: 60 }, (_, n) =>
        item(10 + n, `Film ${String(n).padStart(2, '0')}`, {
          people: n % 2 === 0 ? ['Mara Vance'] : [],
          plot: n % 2 === 1 ? 'Vance is gone.' : 'Empty.',
        }),
      ),
    );
    const first = await find('vance');
    assert.equal(first.total, 60);
    assert.deepEqual(
      first.items.slice(0, 2).map(({ title }) => title),
      ['Film 00', 'Film 02'],
    );
    assert.deepEqual(
      first.items.slice(30, 32).map(({ title }) => title),
      ['Film 01', 'Film 03'],
    );
    await put(item(10, 'Film 00', { people: ['Someone Else'] }));
    assert.equal((await find('vance')).total, 59);
    assert.deepEqual(await titles('someone'), ['Film 00']);
    await scanning.put({
      folders: [],
      files: [],
      infos: [],
      noInfos: [],
      items: [item(10, 'Film 00', { people: ['Someone Else'], present: 0, missing: 1 })],
      left: [],
      now: 1,
    });
    const gone = await scanning.purge([id(1)], 5);
    assert.deepEqual(gone, [id(10)]);
    index.apply([], gone);
    texts.follow();
    await until(
      'the removal',
      async () =>
        (await textSearchStore(db).find({ words: ['someone'], isLastPrefix: false }, 'people', 10)).length === 0,
      { everyMs: 5 },
    );
  },
);
