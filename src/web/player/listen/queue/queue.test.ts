/** The queue: what follows, what moves, and what clearing and shuffling leave as it was. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assert as assertProperty,
  property,
  array,
  integer,
  constantFrom,
  tuple,
} from '../../../../../test/fast-check.ts';
import { chance } from '../../../../../test/chance.ts';
import type { ListenItem } from '../../../parts/listening/items.ts';
import {
  withAdded,
  cleared,
  currentOf,
  EMPTY_QUEUE,
  entryAfter,
  entryBefore,
  jumped,
  moved,
  unshuffledQueue,
  withRemoved,
  replaced,
  restored,
  shuffled,
  shuffledAll,
  type ListenQueue,
} from './queue.ts';
import { shuffleApart } from './shuffle.ts';

const item = (id: string, by = id): ListenItem => ({ id, kind: 'track', title: id, by });
const ids = ({ entries }: ListenQueue): string => entries.map(({ item: { id } }) => id).join('');
const album = (letters = 'abcd', at = 0): ListenQueue =>
  replaced(
    EMPTY_QUEUE,
    [...letters].map((one) => item(one)),
    at,
  );
const now = (queue: ListenQueue): string | undefined => currentOf(queue)?.item.id;
const keyOf = (queue: ListenQueue, id: string): number => queue.entries.find((one) => one.item.id === id)?.key ?? 0;

test('items are added behind the current one or at the end', () => {
  const queue = album('abc', 1);
  assert.equal(ids(withAdded(queue, [item('x'), item('y')], 'next')), 'abxyc');
  assert.equal(ids(withAdded(queue, [item('x')], 'last')), 'abcx');
  const first = withAdded(EMPTY_QUEUE, [item('x')], 'next');
  assert.deepEqual([ids(first), now(first)], ['x', 'x']);
  assert.equal(new Set(withAdded(queue, [item('a')], 'last').entries.map(({ key }) => key)).size, 4);
});

test('moving and removing keep the current entry, and removing it continues with the next', () => {
  const queue = album('abcd', 1);
  const back = moved(queue, keyOf(queue, 'd'), 0);
  assert.deepEqual([ids(back), now(back)], ['dabc', 'b']);
  const own = moved(queue, keyOf(queue, 'b'), 9);
  assert.deepEqual([ids(own), now(own)], ['acdb', 'b']);
  assert.deepEqual(
    [now(withRemoved(queue, keyOf(queue, 'a'))), now(withRemoved(queue, keyOf(queue, 'b')))],
    ['b', 'c'],
  );
  const last = album('ab', 1);
  assert.equal(now(withRemoved(last, keyOf(last, 'b'))), 'a');
  assert.equal(withRemoved(album('a'), 1).at, -1);
});

test('what follows depends on repeating, and a person who asks for the next gets it', () => {
  const queue = album('ab', 1);
  const of = (repeat: ListenQueue['repeat'], isAsked = false) => entryAfter({ ...queue, repeat }, isAsked)?.item.id;
  assert.deepEqual([of('off'), of('all'), of('one'), of('one', true)], [undefined, 'a', 'b', 'a']);
  assert.equal(entryBefore(album('ab', 0)), undefined);
  assert.equal(entryBefore({ ...album('ab', 0), repeat: 'all' })?.item.id, 'b');
});

test('clearing keeps what plays, and its undo restores the queue with what was added meanwhile', () => {
  const queue = album('abc', 1);
  const empty = cleared(queue);
  assert.deepEqual([ids(empty), now(empty)], ['b', 'b']);
  const whole = restored(withAdded(empty, [item('x')], 'last'), queue);
  assert.deepEqual([ids(whole), now(whole)], ['abcx', 'b']);
});

test('shuffling keeps the current entry and what was played, and can be undone', () => {
  const queue = album('abcdefgh', 2);
  const random = chance(7);
  const mixed = shuffled(queue, random);
  assert.equal(ids(mixed).slice(0, 3), 'abc');
  assert.notEqual(ids(mixed), ids(queue));
  assert.deepEqual([ids(unshuffledQueue(mixed)), now(unshuffledQueue(mixed))], ['abcdefgh', 'c']);
  const all = shuffledAll(queue, random);
  assert.deepEqual([now(all), all.at], ['c', 0]);
  const later = jumped(withAdded(all, [item('x')], 'next'), keyOf(all, 'f'));
  assert.deepEqual([ids(unshuffledQueue(later)), now(unshuffledQueue(later))], ['abcxdefgh', 'f']);
});

test('in a shuffled order an artist follows itself only when no other is left', () => {
  assertProperty(
    property(
      tuple(array(constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 }), integer(), constantFrom(undefined, 'a', 'b')),
      ([artists, seed, last]) => {
        const items = artists.map((by, at) => ({ by, at }));
        const order = shuffleApart(items, ({ by }) => by, chance(seed), last);
        assert.deepEqual(
          order.map(({ at }) => at).sort((x, y) => x - y),
          items.map(({ at }) => at),
        );
        const repeats = order.filter(({ by }, at) => by === (at === 0 ? last : order[at - 1]?.by));
        for (const one of repeats)
          assert.ok(
            order.slice(order.indexOf(one)).every(({ by }) => by === one.by),
            'others were left',
          );
        const most = Math.max(0, ...['a', 'b', 'c', 'd'].map((name) => artists.filter((by) => by === name).length));
        if (most <= artists.length / 2) assert.equal(repeats.length, 0);
      },
    ),
    { seed: 11, numRuns: 500 },
  );
});
