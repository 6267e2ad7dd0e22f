/** Words for a selection: those of its kinds if they agree, otherwise words that suit each kind. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { speak } from '../../messages/catalogue.ts';
import { doneWordsOfMany } from './done-words.ts';

before(() => speak(['en']));

test('a selection of several kinds has words that suit each of them', () => {
  assert.deepEqual(
    [['book', 'series'], ['album', 'track', 'audiobook'], ['movie', 'episode', 'show'], ['book', 'movie'], []].map(
      (kinds) => {
        const { mark, unmarkedMany } = doneWordsOfMany(kinds as never);
        return [mark, unmarkedMany({ count: 2 })];
      },
    ),
    [
      ['Mark as read', 'Marked 2 items as not read'],
      ['Mark as finished', 'Marked 2 items as not finished'],
      ['Mark as watched', 'Marked 2 items as not watched'],
      ['Mark as done', 'Marked 2 items as not done'],
      ['Mark as done', 'Marked 2 items as not done'],
    ],
  );
});
