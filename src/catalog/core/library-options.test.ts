/** Options of a library: NFO files that are not read, and names that are not scanned. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LibraryOptions } from '../../config/index.ts';
import { grow, makeNfo, openWorld } from '../testing/world.ts';

test('options take effect at the next scan and can be taken back', async (t) => {
  const world = await openWorld(t, { films: 'movies' });
  grow(world.at('films'), {
    'Alpha (2001)/Alpha (2001).mp4': true,
    'Alpha (2001)/movie.nfo': makeNfo('movie', { title: 'Alpha of the NFO' }),
    'Samples/Beta (2002).mp4': true,
    'Samples/deeper/Gamma (2003).mp4': true,
    'Delta (2004)-proxy.mp4': true,
  });
  const scanned = async (options: LibraryOptions): Promise<string[]> => {
    await world.again([{ name: 'films', path: world.at('films'), kind: 'movies', ...options }]);
    await world.scan();
    return (await world.titles()).toSorted();
  };
  const all = await scanned({});
  assert.equal(all.length, 4);
  assert.ok(all.includes('Alpha of the NFO'));
  const alpha = await world.id('Alpha of the NFO');
  const beta = await world.id('Beta');
  assert.deepEqual(await scanned({ nfo: false, ignored: ['SAMPLES', '*-proxy.*'] }), ['Alpha']);
  assert.equal(await world.id('Alpha'), alpha);
  assert.deepEqual(await scanned({}), all, 'items that were ignored are there again');
  assert.equal(await world.id('Beta'), beta);
});
