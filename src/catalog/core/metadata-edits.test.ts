/** Edits by hand: what they set stays, a preview is what happens, and undo leaves what was there before. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import type { EditedFacts } from '../../contract/catalog/metadata.ts';
import { openTemporaryDatabase, openTemporaryPostgres } from '../../lib/db/testing.ts';
import { found, grow, makeNfo, makeTextFile, openWorld, type World, worldMigrations } from '../testing/world.ts';

const nfo = (title: string, more: Record<string, string> = {}) =>
  makeNfo('movie', { title, plot: `The plot of ${title}.`, genre: 'Western', ...more });
const signal = new AbortController().signal;
const picture = (color: string, size = { width: 40, height: 60 }) =>
  sharp({ create: { ...size, channels: 3, background: color } })
    .png()
    .toBuffer();

async function openFilms(t: Parameters<typeof openWorld>[0], engine: 'sqlite' | 'postgres' = 'sqlite') {
  const db = await (engine === 'sqlite' ? openTemporaryDatabase : openTemporaryPostgres)(t, worldMigrations);
  const w = await openWorld(t, { films: 'movies' }, db);
  grow(w.at('films'), {
    'Alpha (2001)/Alpha (2001).mp4': true,
    'Alpha (2001)/movie.nfo': nfo('Alpha'),
    'Alpha (2001)/poster.png': await picture('red'),
    'Beta (2002)/Beta (2002).mkv': true,
    'Beta (2002)/movie.nfo': nfo('Beta', { mpaa: 'DE:18' }),
    'Gamma (2003)/Gamma (2003).mp4': true,
  });
  await w.scan();
  const ids = await Promise.all(['Alpha', 'Beta', 'Gamma'].map((title) => w.id(title)));
  const [alpha, beta, gamma] = ids.map((id) => found(id)) as [string, string, string];
  const edits = () => w.catalog.admin.edits;
  const edit = (id: string, set: Partial<EditedFacts>, unlock: ('genres' | 'title')[] = []) =>
    edits().edit(w.seen(), id, { set, unlock });
  return { w, alpha, beta, gamma, edits, edit };
}
const genres = async (w: World, id: string) => (await w.seen().item(id))?.genres;

for (const engine of ['sqlite', 'postgres'] as const)
  test(`an edit stays whatever files and services say, until it is unlocked or undone (${engine})`, async (t) => {
    const { w, alpha, edits, edit } = await openFilms(t, engine);
    const first = await edit(alpha, { title: 'Mine', genres: [], tagline: null });
    assert.deepEqual([first.values.title, first.values.sortTitle, first.values.genres], ['Mine', 'mine', []]);
    assert.deepEqual(first.locked, ['title', 'tagline', 'genres']);
    assert.deepEqual(first.without, { title: 'Alpha', tagline: null, genres: ['Western'] });
    assert.deepEqual([first.sources.title, first.sources.plot, first.sources.year], ['edit', 'nfo', 'name']);

    makeTextFile(w.at('films', 'Alpha (2001)/movie.nfo'), nfo('Alpha again'));
    await w.catalog.background.layers.write([
      { item: alpha, source: 'match', facts: { title: 'Matched', genres: ['Drama'], tagline: 'Found.' } },
    ]);
    await w.scan();
    await w.again();
    const item = await w.seen().item(alpha);
    assert.deepEqual([item?.title, item?.genres, item?.tagline], ['Mine', [], undefined]);
    assert.equal(item?.plot, 'The plot of Alpha again.');
    assert.deepEqual((await w.seen().library({ view: 'all', q: 'mine', offset: 0, limit: 5 })).total, 1);

    const second = await edit(alpha, { genres: ['Noir', 'noir '] }, ['title']);
    assert.deepEqual([second.values.title, second.values.genres], ['Matched', ['Noir']]);
    await assert.rejects(edits().undo(w.seen(), found(first.change)), { kind: 'conflict', reason: 'edited-again' });
    assert.deepEqual(await genres(w, alpha), ['Noir'], 'a refused undo changes nothing');
    await edits().undo(w.seen(), found(second.change));
    assert.equal((await w.seen().item(alpha))?.title, 'Mine');
    await edits().undo(w.seen(), found(first.change));
    assert.deepEqual([(await w.seen().item(alpha))?.title, await genres(w, alpha)], ['Matched', ['Drama']]);
    await assert.rejects(edits().undo(w.seen(), found(first.change)), { kind: 'missing', reason: 'no-such-edit' });
    assert.equal((await edit(alpha, {})).change, undefined, 'nothing to undo');
    await assert.rejects(edit(alpha, { title: 'A' }, ['title']), { reason: 'fact-set-and-unlocked' });
  });

test('a bulk edit does exactly what its preview shows, for all items or none', async (t) => {
  const { w, alpha, beta, gamma, edits, edit } = await openFilms(t);
  const request = {
    ids: [alpha, beta, gamma, alpha],
    set: { year: 1999 },
    add: { genres: ['Noir', 'western'] },
    remove: { studios: ['Nobody'] },
  };
  const before = await w.change();
  const preview = await edits().bulk(w.seen(), { ...request, dryRun: true });
  assert.equal(await w.change(), before, 'a preview writes nothing');
  assert.deepEqual(
    preview.items.map(({ title, changes }) => [title, changes.map(({ fact, before: b, after }) => [fact, b, after])]),
    [
      [
        'Alpha',
        [
          ['year', 2001, 1999],
          ['genres', ['Western'], ['Western', 'Noir']],
        ],
      ],
      [
        'Beta',
        [
          ['year', 2002, 1999],
          ['genres', ['Western'], ['Western', 'Noir']],
        ],
      ],
      [
        'Gamma',
        [
          ['year', 2003, 1999],
          ['genres', [], ['Noir', 'western']],
        ],
      ],
    ],
  );

  // Something changed after the preview: nothing is written.
  await edit(beta, { genres: ['Crime'] });
  const stale = edits().bulk(w.seen(), { ...request, dryRun: false, digest: preview.digest });
  await assert.rejects(stale, { kind: 'conflict', reason: 'items-changed' });
  const unknown = edits().bulk(w.seen(), { ...request, ids: [alpha, 'ffffffffffffffff'], dryRun: false });
  await assert.rejects(unknown, { kind: 'missing', reason: 'no-such-item' });
  const hidden = edits().bulk(w.seen({ items: { allowed: [], hidden: [gamma] } }), { ...request, dryRun: false });
  await assert.rejects(hidden, { kind: 'missing', reason: 'no-such-item' });
  assert.deepEqual([await genres(w, alpha), (await w.seen().item(alpha))?.year], [['Western'], 2001]);

  const again = await edits().bulk(w.seen(), { ...request, dryRun: true });
  const { change, ...done } = await edits().bulk(w.seen(), { ...request, dryRun: false, digest: again.digest });
  assert.deepEqual(done, again);
  assert.deepEqual([await genres(w, beta), (await w.seen().item(gamma))?.year], [['Crime', 'Noir', 'western'], 1999]);
  await edits().undo(w.seen(), found(change));
  assert.deepEqual(
    [await genres(w, alpha), await genres(w, beta), await genres(w, gamma)],
    [['Western'], ['Crime'], []],
  );
});

test('a chosen picture counts before the folder, and that before the internet, until it is restored', async (t) => {
  const { w, alpha, beta, edits } = await openFilms(t);
  const poster = { id: alpha, kind: 'poster' } as const;
  const sourceOf = async (id: string) => {
    const { items } = await edits().images.list(w.seen(), id);
    const own = found(items.find(({ kind }) => kind === 'poster'));
    return { chosen: own.chosen, shown: own.candidates.find(({ shown }) => shown)?.source, version: own.version };
  };
  const { keepPicture, write } = w.catalog.background.layers;
  const place = await keepPicture(await picture('green'));
  await write([alpha, beta].map((item) => ({ item, source: 'tmdb' as const, facts: { images: { poster: place } } })));
  const folder = await sourceOf(alpha);
  assert.deepEqual([folder.shown, (await sourceOf(beta)).shown], ['folder', 'tmdb']);

  const uploaded = await edits().images.upload(w.seen(), poster, await picture('blue'));
  assert.deepEqual([(await sourceOf(alpha)).shown, (await sourceOf(alpha)).chosen], ['upload', true]);
  // A new picture in the folder does not come back, and the upload survives a restart and upkeep.
  makeTextFile(w.at('films', 'Alpha (2001)/poster.png'), await picture('yellow', { width: 50, height: 70 }));
  await w.scan();
  await w.again();
  w.clock.ahead = 3 * 86_400_000;
  await w.run('purge');
  const source = found(await w.seen().picture(alpha, 'poster'));
  const made = await w.catalog.art.make(source, 320, signal);
  assert.deepEqual((await sharp(made.bytes).stats()).dominant.b > 200, true, 'the blue picture is served');
  const { version } = await sourceOf(alpha);
  assert.notEqual(version, folder.version);
  assert.equal((await w.seen().cards([alpha]))[0]?.images.poster, version);

  await edits().images.choose(w.seen(), { ...poster, candidate: 'tmdb' }, signal);
  assert.deepEqual((await sourceOf(alpha)).shown, 'tmdb');
  await edits().images.restore(w.seen(), poster);
  assert.deepEqual([(await sourceOf(alpha)).shown, (await sourceOf(alpha)).chosen], ['folder', false]);
  await assert.rejects(edits().undo(w.seen(), found(uploaded.change)), { reason: 'edited-again' });

  // Bytes without a picture, and bombs, are refused and leave nothing.
  const bomb = await sharp({ create: { width: 8000, height: 7000, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  for (const bytes of [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), Buffer.from('hello'), bomb])
    await assert.rejects(edits().images.upload(w.seen(), poster, bytes), { reason: 'picture-not-readable' });
  assert.deepEqual((await sourceOf(alpha)).shown, 'folder');
  const missing = edits().images.choose(w.seen(), { ...poster, candidate: 'tags' }, signal);
  await assert.rejects(missing, { kind: 'missing', reason: 'no-such-picture' });
});

test('edits of a hidden item change no byte for a child', async (t) => {
  const { w, alpha, beta, edits, edit } = await openFilms(t);
  const child = () => w.seen({ items: { allowed: [], hidden: [beta] } }, 'viewer', 'p2');
  const all = async () =>
    Promise.all([
      child().libraryJson({ view: 'all', offset: 0, limit: 50 }),
      child().libraryJson({ view: 'all', q: 'beta', offset: 0, limit: 50 }),
      child().item(beta),
      child().picture(beta, 'poster'),
      child().recent({ limit: 20 }),
      child().item(alpha),
    ]).then((replies) => JSON.stringify(replies));
  const before = await all();
  await edit(beta, {
    title: 'Alpha of Beta',
    genres: ['Unheard of'],
    people: [{ name: 'Ann', job: 'actor' }],
    plot: 'Alpha.',
  });
  await edits().images.upload(w.seen(), { id: beta, kind: 'poster' }, await picture('blue'));
  assert.equal(await all(), before);
  await assert.rejects(edits().read(child(), beta), { kind: 'missing', reason: 'no-such-item' });
  await assert.rejects(edits().images.list(child(), beta), { kind: 'missing', reason: 'no-such-item' });
});
