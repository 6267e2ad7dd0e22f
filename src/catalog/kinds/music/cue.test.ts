/** Tracks of cue sheets: albums from one file, sheets that come, change and go, and moves. */
import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Album } from '../../../contract/catalog/music.ts';
import { cueSheetBlock, flac } from '../../testing/sound.ts';
import { grow, openWorld, type World } from '../../testing/world.ts';

const sheetOf = (tracks: readonly string[], head = '') =>
  `${head}FILE "Image.wav" WAVE\n${tracks
    .map(
      (text, i) =>
        `TRACK ${String(i + 1).padStart(2, '0')} AUDIO\nTITLE "${text.slice(9)}"\nINDEX 01 ${text.slice(0, 8)}`,
    )
    .join('\n')}`;
const HEAD = 'PERFORMER "Band"\nTITLE "Whole"\nREM DATE 1990\n';
const THREE = sheetOf(['00:00:00 Öne', '00:00:30 Two', '00:00:45 Three'], HEAD);

async function albums(world: World, policy = {}): Promise<Album[]> {
  const seen = world.seen(policy);
  const { items } = await seen.library({ view: 'music', sort: 'title', offset: 0, limit: 100 });
  return (await Promise.all(items.map(({ id }) => seen.page('albums', id)))).filter((page) => page !== undefined);
}
const told = ({ title, artists, year, discs }: Album) =>
  `${artists?.join('+')}: ${title} ${year}: ${discs
    .flatMap(({ tracks }) => tracks.map((one) => `${one.track} ${one.title} ${one.duration}`))
    .join(', ')}`;
const BLOCK = cueSheetBlock(
  [
    { number: 1, at: 0, indexes: [[1, 0]] },
    {
      number: 2,
      at: 3_000,
      indexes: [
        [0, 0],
        [1, 201],
      ],
    },
  ],
  8_000,
);
const WHOLE = 'Band: Whole 1990: 1 Öne 0.4, 2 Two 0.2, 3 Three 0.4';

test('a sheet next to a file or inside it makes tracks of its parts', async (t) => {
  const world = await openWorld(t, { Music: 'music' });
  const bytes = Buffer.from(THREE.replace('Ö', '\u00d6'), 'latin1');
  grow(world.at('Music'), {
    'a/Image.flac': flac({ ALBUM: 'Whole' }),
    'a/Image.cue': bytes,
    'b/Other name.flac': flac({ CUESHEET: THREE.replace('Whole', 'Inside'), COMMENT: 'b' }),
    // The sheet names the file with another ending; the sheet of another file says nothing about it.
    'c/image.flac': flac({ ALBUM: 'Named', COMMENT: 'c' }),
    'c/rip.cue': THREE,
    'd/Alone.flac': flac({ ALBUM: 'Alone', TITLE: 'Alone', ARTIST: 'Solo', DATE: '1991', COMMENT: 'd' }),
    'd/Image.cue': THREE,
    // Binary sheets count samples: 3,201 of 8,000 a second are between two frames.
    'f/Block.flac': flac({ ALBUM: 'Block', ALBUMARTIST: 'Band', DATE: '1990', COMMENT: 'f' }, undefined, BLOCK),
    'g/Both.flac': flac({ CUESHEET: THREE.replace('Whole', 'Comment wins') }, undefined, BLOCK),
    'e/Broken.flac': flac({ ALBUM: 'Broken', TITLE: 'One', ARTIST: 'Solo', DATE: '1991', COMMENT: 'e' }),
    'e/Broken.cue': sheetOf(['00:00:00 A', '09:00:00 B']),
  });
  await world.scan();
  assert.deepEqual((await albums(world)).map(told), [
    'Solo: Alone 1991: undefined Alone 1',
    'Band: Block 1990: 1 Track 1 0.4, 2 Track 2 0.6',
    'Solo: Broken 1991: undefined One 1',
    WHOLE.replace('Whole', 'Comment wins'),
    WHOLE.replace('Whole', 'Inside'),
    WHOLE.replace('Whole', 'Named'),
    WHOLE,
  ]);
  const changed = await world.change();
  await world.scan();
  assert.equal(await world.change(), changed, 'a second scan changes nothing');
  const [track] = (await albums(world)).at(-1)?.discs[0]?.tracks.slice(1) ?? [];
  const file = await world.seen().file(track?.id ?? '');
  assert.deepEqual(
    [file?.relative, file?.window, file?.info?.duration],
    ['a/Image.flac', { start: 0.4, end: 0.6, stream: 0, codec: 'flac' }, 0.2],
  );
  const last = (await albums(world)).at(-1)?.discs[0]?.tracks.at(-1);
  assert.deepEqual(
    (await world.seen().file(last?.id ?? ''))?.window,
    { start: 0.6, stream: 0, codec: 'flac' },
    'the last track ends with the file',
  );
});

test('tracks of a sheet keep their ids and what was played when the file moves or the sheet is edited', async (t) => {
  const world = await openWorld(t, { Music: 'music' });
  grow(world.at('Music'), { 'a/Image.flac': flac({ ALBUM: 'Whole' }), 'a/Image.cue': THREE });
  await world.scan();
  const ids = async () =>
    (await albums(world)).flatMap(({ id, discs }) => [
      id,
      ...discs.flatMap(({ tracks }) => tracks.map((one) => one.id)),
    ]);
  const before = await ids();
  assert.equal(before.length, 4);
  await world.catalog.watching.progress('p1', before[2] ?? '', { position: 0.1, sequence: 1, session: 'session-1' }, 1);
  renameSync(world.at('Music', 'a'), world.at('Music', 'b'));
  await world.scan();
  assert.deepEqual(await ids(), before);
  assert.equal((await world.seen().item(before[2] ?? ''))?.userData.position, 0.1);

  writeFileSync(world.at('Music', 'b', 'Image.cue'), sheetOf(['00:00:00 One', '00:00:30 Renamed'], HEAD));
  await world.scan();
  assert.deepEqual(await ids(), before.slice(0, 3));
  assert.deepEqual((await albums(world)).map(told), ['Band: Whole 1990: 1 One 0.4, 2 Renamed 0.6']);

  rmSync(world.at('Music', 'b', 'Image.cue'));
  await world.scan();
  assert.deepEqual((await albums(world)).map(told), ['Various Artists: Whole undefined: undefined Image 1']);
  rmSync(world.at('Music', 'b', 'Image.flac'));
  await world.scan();
  assert.deepEqual(await albums(world), []);
});

test('tracks of a sheet go when their file does', async (t) => {
  const world = await openWorld(t, { Music: 'music' });
  grow(world.at('Music'), { 'a/Image.flac': flac({ ALBUM: 'Whole' }), 'a/Image.cue': THREE });
  await world.scan();
  assert.equal((await albums(world)).length, 1);
  rmSync(world.at('Music', 'a', 'Image.flac'));
  await world.scan();
  assert.deepEqual(await albums(world), []);
  assert.equal((await world.seen().library({ view: 'all', offset: 0, limit: 10 })).items.length, 0);
});
