/** An empty home names the limits of its Profile and never what is beyond them, or what an Owner can do. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { speak } from '../../messages/catalogue.ts';
import { limitWords, ownersReason } from './reasons.ts';

before(() => speak(['en']));

test('each limit is named', () => {
  const words = (libraries: 'all' | string[], rating: 'all' | number, unrated: boolean) =>
    limitWords({ libraries, rating, unrated })?.join(' ');
  assert.equal(words([], 12, false), 'No library is shared with this profile yet.');
  assert.equal(
    words('all', 12, false),
    'Nothing here is rated up to age 12. Items without a rating are not shown to this profile.',
  );
  assert.equal(words('all', 0, true), 'Nothing here is rated for all ages.');
  assert.equal(
    words(['a'], 'all', false),
    'Nothing here has a rating, and items without one are not shown to this profile.',
  );
  assert.equal(words('all', 'all', true), undefined);
});

test('an Owner learns whether folders are away, empty or not chosen yet', () => {
  const films = { name: 'Films', online: true, lastScanAt: '2026-11-21T18:30:12.000Z' };
  const music = { ...films, name: 'Music' };
  const gone = { online: false };
  assert.deepEqual(
    [
      [{ ...films, ...gone }, music],
      [
        { ...films, ...gone },
        { ...music, ...gone },
      ],
      [films, music],
      [{ name: 'Media', online: true }],
    ].map((libraries) => ownersReason(libraries)),
    [
      {
        says: 'The folder of Films cannot be reached. Its content appears when the folder is back.',
        remedy: 'Check folders',
      },
      {
        says: 'The folders of Films and Music cannot be reached. Their content appears when they are back.',
        remedy: 'Check folders',
      },
      {
        says: 'Nothing was found in your media folders yet. Check that they are the right ones, or add more.',
        remedy: 'Check folders',
      },
      {
        says: 'Choose your media folders. Their content appears here while they are scanned.',
        remedy: 'Add folders',
      },
    ],
  );
});
