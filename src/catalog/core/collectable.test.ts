/** Sets of films: what files and a metadata service say, and that a hidden film is in none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER_POLICY } from '../../contract/identity/profiles.ts';
import { openTemporaryDatabase, openTemporaryPostgres } from '../../lib/db/testing.ts';
import { grow, makeNfo, makeTextFile, openWorld, worldMigrations } from '../testing/world.ts';

const child = { ...OWNER_POLICY, rating: 7, unrated: false };

for (const [engine, open] of [
  ['sqlite', openTemporaryDatabase],
  ['postgres', openTemporaryPostgres],
] as const)
  test(`the highest source names the set of a film, and others of that name add its id (${engine})`, async (t) => {
    const w = await openWorld(t, { films: 'movies' }, await open(t, worldMigrations));
    grow(w.at('films'), {
      'One (2001)/One (2001).mp4': true,
      'One (2001)/movie.nfo': makeNfo('movie', { title: 'One', mpaa: 'G', set: 'The Lakes' }),
      'Two (2002)/Two (2002).mp4': true,
      'Two (2002)/movie.nfo': makeNfo('movie', { title: 'Two', mpaa: 'R', set: 'The Lakes' }),
      'Three (2003)/Three (2003).mp4': true,
    });
    await w.scan();
    const [one, two, three] = [await w.id('One'), await w.id('Two'), await w.id('Three')];
    const sets = (policy = OWNER_POLICY) =>
      Object.fromEntries(
        w.catalog
          .collectableBy({ policy })
          .inSets()
          .map(({ item, set }) => [item, set]),
      );
    const lakes = { name: 'The Lakes', isFromFiles: true };
    assert.deepEqual(sets(), { [one]: lakes, [two]: lakes });
    assert.deepEqual(sets(child), { [one]: lakes });
    assert.equal(w.catalog.collectableBy({ policy: child }).find(two), undefined);
    assert.equal(w.catalog.collectableBy({ policy: OWNER_POLICY }).find(two)?.year, 2002);

    const { layers } = w.catalog.background;
    await layers.write([
      { item: one, source: 'tmdb', facts: { set: { name: 'the lakes', id: '42' } } },
      { item: two, source: 'tmdb', facts: { set: { name: 'Another Set', id: '43' } } },
      { item: three, source: 'tmdb', facts: { set: { name: 'Die Seen', id: '42' } } },
    ]);
    const served = { ...sets() };
    assert.deepEqual(served, {
      [one]: { name: 'The Lakes', id: '42', isFromFiles: true },
      [two]: lakes,
      [three]: { name: 'Die Seen', id: '42' },
    });
    // A scan and a start keep them; a file that names the set no longer leaves that of the service.
    makeTextFile(w.at('films', 'One (2001)/movie.nfo'), makeNfo('movie', { title: 'One', mpaa: 'G' }));
    await w.scan();
    await w.again();
    assert.deepEqual(sets()[one], { name: 'the lakes', id: '42' });
    const change = await w.change();
    await w.scan();
    assert.equal(await w.change(), change, 'a scan that finds nothing new writes nothing');
  });
