/** A queue after a reload: the same order and place, without what may no longer be seen or was tampered with. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListenItem } from '../../../parts/listening/items.ts';
import { keptFrom, keptOf, restoredQueue } from './kept.ts';
import { EMPTY_QUEUE, jumped, type ListenQueue, replaced, shuffledAll, unshuffledQueue } from './queue.ts';

const idOf = (number: number): string => number.toString(16).padStart(16, '0');
const items = Array.from({ length: 5 }, (_, number): ListenItem => {
  const id = idOf(number);
  return { id, kind: 'track', title: id, by: `artist ${number}` };
});
const all = new Map(items.map((item) => [item.id, item]));
const numbers = ({ entries }: ListenQueue): number[] => entries.map(({ item }) => Number.parseInt(item.id, 16));
const again = (queue: ListenQueue, seen: ReadonlyMap<string, ListenItem> = all) => {
  const kept = keptFrom(JSON.stringify(keptOf(queue, { time: 61.7, after: undefined })));
  assert.ok(kept);
  return { ...restoredQueue(kept, seen), kept };
};

test('order, place and the order before shuffling are restored', () => {
  const queue = shuffledAll({ ...replaced(EMPTY_QUEUE, items, 3), repeat: 'all' }, () => 0.3);
  const { queue: restored, isSame, kept } = again(queue);
  assert.deepEqual([numbers(restored), restored.at, restored.repeat], [numbers(queue), 0, 'all']);
  assert.deepEqual([isSame, kept.time], [true, 61]);
  assert.deepEqual(numbers(unshuffledQueue(restored)), [0, 1, 2, 3, 4]);
  assert.equal(keptOf(EMPTY_QUEUE, { time: 0, after: undefined }), undefined);
});

test('what may no longer be seen is left out, and the one behind it becomes current', () => {
  const without = (...hidden: number[]) => new Map([...all].filter(([id]) => !hidden.some((one) => id === idOf(one))));
  const queue = replaced(EMPTY_QUEUE, items, 2);
  const restored = again(queue, without(0, 2));
  assert.deepEqual([numbers(restored.queue), restored.queue.at, restored.isSame], [[1, 3, 4], 1, false]);
  assert.equal(again(queue, without(2, 3, 4)).queue.at, 1);
  assert.equal(again(queue, without(0, 1, 2, 3, 4)).queue.at, -1);
  const twice = replaced(EMPTY_QUEUE, [...items, ...items], 7);
  assert.deepEqual([again(twice).queue.entries.length, again(twice).queue.at], [10, 7]);
});

test('a long queue keeps the entries around the current one', () => {
  const long = replaced(
    EMPTY_QUEUE,
    Array.from({ length: 5_000 }, (_, number) => ({ ...(items[0] as ListenItem), id: idOf(number) })),
  );
  const kept = keptOf(jumped(long, 2_001), { time: 0, after: undefined });
  assert.deepEqual([kept?.ids.length, kept?.ids[kept.at]], [1_000, idOf(2_000)]);
});

test('what does not fit is not restored', () => {
  const good = { ids: [idOf(1), idOf(2)], at: 1, repeat: 'one', order: [1, 0], time: 5 };
  assert.ok(keptFrom(JSON.stringify(good))?.order);
  for (const bad of ['', '{', 'null', '[]', '{}', JSON.stringify({ ...good, at: 2 })])
    assert.equal(keptFrom(bad), undefined, bad);
  assert.equal(keptFrom(JSON.stringify({ ...good, ids: ['../x', idOf(1)] })), undefined);
  const odd = keptFrom(
    JSON.stringify({ ...good, repeat: 'x', order: [0, 0], time: -1, after: 'https://example.com/' }),
  );
  assert.deepEqual(odd, { ids: good.ids, at: 1, repeat: 'off', order: undefined, time: 0, after: undefined });
  const after = `/play/${idOf(3)}?playlist=${idOf(4)}`;
  assert.equal(keptFrom(JSON.stringify({ ...good, after }))?.after, after);
});
