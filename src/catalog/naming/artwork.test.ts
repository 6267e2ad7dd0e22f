/** Table of the names of pictures next to the media. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/fast-check.ts';
import { artworkOf, type ArtFolder } from './artwork.ts';

const film: Omit<ArtFolder, 'files'> = { holds: 'movie', videos: ['Film (1999).mkv'] };
const show: Omit<ArtFolder, 'files'> = { holds: 'show', videos: [] };
const season: Omit<ArtFolder, 'files'> = { holds: 'season', season: 2, videos: ['Show - S02E01.mkv'] };
const flat: Omit<ArtFolder, 'files'> = { holds: 'flat', videos: ['Film (1999).mkv', 'Other (2001).mkv'] };

const ROWS: readonly [file: string, folder: Omit<ArtFolder, 'files'>, want: string | undefined][] = [
  ['poster.jpg', film, 'poster movie'],
  ['folder.jpg', film, 'poster movie'],
  ['cover.png', film, 'poster movie'],
  ['movie.webp', film, 'poster movie'],
  ['Poster.JPG', film, 'poster movie'],
  ['Film (1999)-poster.jpg', film, 'poster movie'],
  ['Film (1999).jpg', film, 'poster movie'],
  ['backdrop.jpg', film, 'backdrop movie'],
  ['fanart.jpg', film, 'backdrop movie'],
  ['background.png', film, 'backdrop movie'],
  ['Film (1999)-fanart.jpg', film, 'backdrop movie'],
  ['backdrop2.jpg', film, 'backdrop movie'],
  ['fanart-3.jpg', film, 'backdrop movie'],
  ['logo.png', film, 'logo movie'],
  ['clearlogo.png', film, 'logo movie'],
  ['Film (1999)-clearlogo.png', film, 'logo movie'],
  ['thumb.jpg', film, 'thumb movie'],
  ['landscape.jpg', film, 'thumb movie'],
  ['Film (1999).poster.jpg', film, 'poster movie'],
  ['Film (1998)-poster.jpg', film, undefined],
  ['holiday.jpg', film, undefined],
  ['poster.txt', film, undefined],
  ['.poster.jpg', film, undefined],
  ['poster.jpg', show, 'poster show'],
  ['folder.jpg', show, 'poster show'],
  ['show.jpg', show, 'poster show'],
  ['fanart.jpg', show, 'backdrop show'],
  ['movie.jpg', show, undefined],
  ['season01-poster.jpg', show, 'poster season 1'],
  ['season-specials-poster.jpg', show, 'poster season 0'],
  ['season02-fanart.jpg', show, 'backdrop season 2'],
  ['season03.jpg', show, 'poster season 3'],
  ['Season 4.jpg', show, 'poster season 4'],
  ['season-all-poster.jpg', show, 'poster show'],
  ['season10-landscape.png', show, 'thumb season 10'],
  ['Staffel 2.jpg', show, 'poster season 2'],
  ['poster.jpg', season, 'poster season 2'],
  ['Show - S02E01-thumb.jpg', season, 'thumb episode'],
  ['Show - S02E01.jpg', season, 'thumb episode'],
  ['Show - S02E09-thumb.jpg', season, undefined],
  ['season02-poster.jpg', season, 'poster season 2'],
  ['poster.jpg', flat, undefined],
  ['Film (1999)-poster.jpg', flat, 'poster movie'],
  ['Other (2001)-fanart.jpg', flat, 'backdrop movie'],
];

test('pictures are recognised by their names', () => {
  for (const [file, folder, want] of ROWS) {
    const [got] = artworkOf({ ...folder, files: [file] });
    assert.equal(got && `${got.kind} ${got.for}${got.season === undefined ? '' : ` ${got.season}`}`, want, file);
  }
});

test('the plainest name comes first', () => {
  const files = ['fanart2.jpg', 'folder.jpg', 'fanart.jpg', 'poster.jpg', 'fanart10.jpg'];
  const got = artworkOf({ ...film, files });
  assert.deepEqual(
    got.filter(({ kind }) => kind === 'poster').map(({ file }) => file),
    ['poster.jpg', 'folder.jpg'],
  );
  assert.deepEqual(
    got.filter(({ kind }) => kind === 'backdrop').map(({ file }) => file),
    ['fanart.jpg', 'fanart2.jpg', 'fanart10.jpg'],
  );
});

test('any names are read without an error', () => {
  const name = fc.string({ unit: fc.constantFrom(...'-. _09s', 'season', 'poster', 'fanart', '.jpg'), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(name, { maxLength: 6 }), (files) =>
      assert.ok(artworkOf({ ...show, videos: files.slice(0, 2), files }).length <= files.length),
    ),
  );
});
