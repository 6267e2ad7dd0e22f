/** An empty home names the limits of its Profile, and never what is beyond them. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { speak } from '../../messages/catalogue.ts';
import { limitWords } from './limits.ts';

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
