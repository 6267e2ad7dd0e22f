/** Conductors, works and movements, in the tags of each format. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IAudioMetadata } from 'music-metadata';
import { audioTagsOf } from '../../probe/audio/tags.ts';
import { flac } from '../../testing/sound.ts';
import { grow, openWorld } from '../../testing/world.ts';

test('a conductor is a person of the track, and its page has the work and the movement', async (t) => {
  const w = await openWorld(t, { Music: 'music' });
  const symphony = { ALBUM: 'Fifth', ARTIST: 'Orchestra', COMPOSER: 'L. Composer', CONDUCTOR: 'C. Baton; D. Stick' };
  grow(w.at('Music'), {
    'a/1.flac': flac({ ...symphony, TITLE: 'Andante', WORK: 'Symphony No. 5', MOVEMENTNAME: 'Andante', MOVEMENT: '2' }),
    'b/1.flac': flac({ TITLE: 'Song', ALBUM: 'Songs', ARTIST: 'Singer' }),
  });
  await w.scan();
  const { items } = await w.seen().library({ view: 'music', sort: 'title', offset: 0, limit: 10 });
  const [andante, song] = await Promise.all(
    items.map(async ({ id }) => w.seen().item((await w.seen().page('albums', id))?.discs[0]?.tracks[0]?.id ?? '')),
  );
  assert.deepEqual(
    andante?.people.map(({ name, job }) => [name, job]),
    [
      ['L. Composer', 'composer'],
      ['C. Baton', 'conductor'],
      ['D. Stick', 'conductor'],
    ],
  );
  assert.deepEqual([andante.sound?.work, andante.sound?.movement], ['Symphony No. 5', { name: 'Andante', number: 2 }]);
  assert.deepEqual([song?.people, song?.sound?.work, song?.sound?.movement], [[], undefined, undefined]);
});

test('works and movements are read from the tags of each format', () => {
  const read = (tags: Readonly<Record<string, string>>) => {
    const native = { any: Object.entries(tags).map(([id, value]) => ({ id, value })) };
    const common = { track: { no: 1, of: 2 }, disk: { no: null, of: null }, movementIndex: { no: null, of: null } };
    const { work, movement, conductors } = audioTagsOf({ common, native } as unknown as IAudioMetadata);
    return { work, movement, conductors };
  };
  const whole = { work: 'W', movement: { name: 'M', number: 2, total: 4 }, conductors: ['C'] };
  const tags: readonly Readonly<Record<string, string>>[] = [
    { WORK: 'W', MOVEMENTNAME: 'M', MOVEMENT: '2', MOVEMENTTOTAL: '4', CONDUCTOR: 'C' },
    { 'TXXX:WORK': 'W', MVNM: 'M', MVIN: '2/4', TPE3: 'C' },
    { TIT1: 'W', MVNM: 'M', MVIN: '2/4', TPE3: 'C' },
    { '©wrk': 'W', '©mvn': 'M', '©mvi': '2', '©mvc': '4', '©con': 'C' },
  ];
  for (const one of tags) assert.deepEqual(read(one), whole, JSON.stringify(one));
  const none = { work: undefined, movement: undefined, conductors: undefined };
  assert.deepEqual(read({ TIT1: 'Evenings' }), none, 'a grouping is no work');
  assert.deepEqual(read({ MOVEMENT: 'x', MVIN: '' }), none);
});
