/** Series of audiobooks scanned from real files: their order, what to continue with, authors, and hidden volumes. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { AudiobookSeries } from '../../../contract/catalog/audiobooks.ts';
import type { Item } from '../../../contract/catalog/items.ts';
import { OWNER_POLICY } from '../../../contract/identity/profiles.ts';
import { flac } from '../../testing/sound.ts';
import { grow, openWorld } from '../../testing/world.ts';
import { volumeNumber } from './series.ts';

/** The query of all audiobooks, or of some. */
const list = (more = {}) => ({ view: 'audiobooks' as const, offset: 0, limit: 100, ...more });

async function openBooks(t: TestContext) {
  const world = await openWorld(t, { Books: 'audiobooks', Other: 'audiobooks' });
  /** Writes a book of one second. */
  const book = (
    title: string,
    SERIES: string,
    number?: string,
    { library = 'Books', author = 'Ada' }: { library?: string; author?: string } = {},
  ) =>
    grow(world.at(library), {
      [`${author}/${title}/1.flac`]: flac({
        ...{ TITLE: '1', ALBUM: title, ALBUMARTIST: author, SERIES },
        ...(number !== undefined && { 'SERIES-PART': number }),
      }),
    });
  const policyOf = (hidden: readonly string[], libraries: 'all' | string[]) => ({
    ...OWNER_POLICY,
    libraries,
    items: { allowed: [], hidden: [...hidden] },
  });
  /** The house as a child sees it that these items are hidden from. */
  const child = (hidden: readonly string[] = [], libraries: 'all' | string[] = 'all') => ({
    catalog: world.seen(policyOf(hidden, libraries), 'viewer', 'child'),
    music: world.catalog.musicSeenBy({ profile: 'child', role: 'viewer', policy: policyOf(hidden, libraries) }),
  });
  const all = async (): Promise<Item[]> => {
    const { items } = await world.seen().library(list());
    const pages = await Promise.all(items.map(({ id }) => world.seen().item(id)));
    return pages.filter((page) => page !== undefined);
  };
  const seriesOf = async (title: string): Promise<string> =>
    (await all()).find((one) => one.title === title)?.series?.id ?? '';
  return { world, book, child, all, seriesOf };
}
const titles = (page: Pick<AudiobookSeries, 'items'> | undefined) => page?.items.map(({ title }) => title);

test('a series lists its volumes by number, and leads from each to the next', async (t) => {
  const { world, book, child, all, seriesOf } = await openBooks(t);
  book('Alpha', 'Saga', '10');
  book('Beta', 'Saga', '2');
  book('Gamma', 'SAGA', '1.5');
  book('Zero', 'Saga', '1');
  book('Omega', 'Saga');
  book('Delta', 'Saga');
  book('Alone', 'Single', '1');
  await world.scan();
  const pages = await all();
  const titleOf = (id?: string) => pages.find((one) => one.id === id)?.title ?? '-';
  assert.deepEqual(
    pages.map(({ previous, title, next }) => `${titleOf(previous)} < ${title} > ${titleOf(next)}`),
    [
      '- < Alone > -',
      'Beta < Alpha > Delta',
      'Gamma < Beta > Alpha',
      'Alpha < Delta > Omega',
      'Zero < Gamma > Beta',
      'Delta < Omega > -',
      '- < Zero > Gamma',
    ],
  );
  const saga = await seriesOf('Beta');
  const page = await child().music.audiobookSeries(saga);
  assert.deepEqual(titles(page), ['Zero', 'Gamma', 'Beta', 'Alpha', 'Delta', 'Omega']);
  assert.deepEqual(page && [page.name, page.authors, page.volumes, page.finished, page.duration, page.next?.title], [
    'Saga',
    ['Ada'],
    6,
    0,
    6,
    'Zero',
  ]);
  assert.deepEqual(
    page?.items.map(({ volume }) => volume),
    [...['1', '1.5', '2', '10'].map((text) => ({ text, number: Number(text) })), undefined, undefined],
  );
  assert.equal(await child().music.audiobookSeries('0000000000000000'), undefined);
});

test('a series continues with the volume in progress, else with one that is not finished', async (t) => {
  const { world, book, child, all, seriesOf } = await openBooks(t);
  for (const number of ['1', '2', '3', '4']) book(`Part ${number}`, 'Saga', number);
  await world.scan();
  const saga = await seriesOf('Part 1');
  const ids = new Map((await all()).map(({ id, title }) => [title, id]));
  const report = (title: string, of: { position: number; watched?: boolean }) =>
    world.catalog.watching.progress('child', ids.get(title) ?? '', of, 400);
  const put = (title: string) => report(title, { position: 0, watched: true });
  const state = async () => {
    const page = await child().music.audiobookSeries(saga);
    return [page?.next?.title, page?.finished];
  };
  assert.deepEqual(await state(), ['Part 1', 0]);
  await put('Part 2');
  assert.deepEqual(await state(), ['Part 3', 1], 'after the last one that was finished');
  await report('Part 4', { position: 120 });
  assert.deepEqual(await state(), ['Part 4', 1], 'the one in progress');
  await put('Part 4');
  assert.deepEqual(await state(), ['Part 1', 2], 'nothing is left after the last: the first that is not finished');
  await put('Part 1');
  await put('Part 3');
  assert.deepEqual(await state(), [undefined, 4]);
});

test('series of one name by different authors are two', async (t) => {
  const { world, book, child, seriesOf } = await openBooks(t);
  book('Dawn', 'Chronicles', '1');
  book('Dusk', 'chronicles', '2');
  book('Ember', 'Chronicles', '1', { author: 'Bert' });
  book('Night', 'Chronicles', '3', { library: 'Other' });
  await world.scan();
  const [ada, bert, other] = [await seriesOf('Dawn'), await seriesOf('Ember'), await seriesOf('Night')];
  assert.equal(await seriesOf('Dusk'), ada, 'case does not matter');
  assert.equal(new Set([ada, bert, other]).size, 3, 'another author, and another library');
  const { catalog, music } = child();
  assert.deepEqual(titles(await music.audiobookSeries(ada)), ['Dawn', 'Dusk']);
  assert.deepEqual(titles(await music.audiobookSeries(bert)), ['Ember']);
  const { items, facets } = await catalog.library(list());
  assert.deepEqual(facets.series[0], { value: ada, name: 'Chronicles', author: 'Ada', count: 2 });
  assert.deepEqual(
    facets.series.map(({ value, author }) => [value, author]).toSorted(),
    [
      [ada, 'Ada'],
      [bert, 'Bert'],
      [other, 'Ada'],
    ].toSorted(),
  );
  assert.deepEqual(
    (await catalog.library(list({ series: bert }))).items.map(({ title }) => title),
    ['Ember'],
  );
  const ember = await catalog.item(items.find(({ title }) => title === 'Ember')?.id ?? '');
  assert.deepEqual([ember?.next, ember?.series], [undefined, { id: bert, title: 'Chronicles' }]);
});

test('a hidden volume changes no byte of what a child sees of a series', async (t) => {
  const { world, book, child, all, seriesOf } = await openBooks(t);
  book('One', 'Saga', '1');
  book('Three', 'Saga', '3');
  await world.scan();
  const saga = await seriesOf('One');
  const [one, three] = (await all()).map(({ id }) => id);
  const library = (await all())[0]?.library ?? '';
  const replies = async (hidden: readonly string[]) => {
    const { catalog, music } = child(hidden, [library]);
    return JSON.stringify([
      await music.audiobookSeries(saga),
      await catalog.library(list()),
      await catalog.library(list({ series: saga })),
      await catalog.item(one ?? ''),
      await catalog.item(three ?? ''),
    ]);
  };
  const before = await replies([]);
  assert.match(before, /"volumes":2,/);
  book('Two', 'SAGA', '2');
  book('Secret', 'Veiled', '1');
  book('Four', 'SAGA', '4', { author: 'Ada, the elder' });
  book('Elsewhere', 'Saga', '2', { library: 'Other' });
  await world.scan();
  const hidden = (await all()).filter(({ title }) => ['Two', 'Secret', 'Four'].includes(title));
  assert.equal(hidden.length, 3);
  assert.equal(await replies(hidden.map(({ id }) => id)), before);
  const veiled = await seriesOf('Secret');
  assert.equal(await child(hidden.map(({ id }) => id)).music.audiobookSeries(veiled), undefined);
});

test('the number of a volume is read from the text of its position', () => {
  const cases: [string | undefined, number | undefined][] = [
    ['2', 2],
    ['1.5', 1.5],
    ['1,5', 1.5],
    ['010', 10],
    ['Book 3', 3],
    ['1-3', 1],
    ['0', 0],
    ['last', undefined],
    ['', undefined],
    [undefined, undefined],
  ];
  for (const [text, number] of cases) assert.equal(volumeNumber(text), number, String(text));
});
