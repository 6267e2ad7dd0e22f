/** Work that follows the catalogue reads each change once, and those of a library that is away when it is back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BEFORE_ALL,
  changesSince,
  type FollowedBatch,
  type FollowedItem,
  hasChanges,
  withPutOff,
} from './followed-changes.ts';

type Item = FollowedItem;
const { signal } = new AbortController();

function catalogue(libraries: readonly string[], count: number) {
  const away = new Set<string>();
  const items = Array.from({ length: count }, (_, i) => ({
    id: `${libraries[i % libraries.length]}${i + 1}`,
    library: libraries[i % libraries.length] ?? '',
    change: i + 1,
    gone: false,
  }));
  const reads: (string | undefined)[] = [];
  let position = BEFORE_ALL;
  const isOnline = (library: string): boolean => libraries.includes(library) && !away.has(library);
  const catalog = {
    isOnline,
    changedSince: async (since: number, most: number, library?: string): Promise<Item[]> => {
      reads.push(library);
      return items
        .filter((one) => one.change > since && (library === undefined || one.library === library))
        .toSorted((a, b) => a.change - b.change)
        .slice(0, most)
        .map((one) => ({ ...one, available: isOnline(one.library) }));
    },
  };
  return {
    away,
    reads,
    items,
    touch: (...ids: string[]) => {
      for (const one of items.filter(({ id }) => ids.includes(id)))
        one.change = Math.max(...items.map(({ change }) => change)) + 1;
    },
    isDue: () => hasChanges(catalog, position),
    position: () => position,
    /** Follows to the end, and returns the ids that were read. */
    run: async (batch: (one: FollowedBatch<Item>) => Item[] = () => []): Promise<string[]> => {
      const read: string[] = [];
      const failed: Item[] = [];
      for await (const one of changesSince(catalog, position, signal)) {
        failed.push(...batch(one));
        read.push(...one.items.map(({ id }) => id));
        position = withPutOff(one.position, failed);
      }
      return read;
    },
  };
}

test('every change is read once', async () => {
  const { run, isDue, touch, items } = catalogue(['a', 'b'], 120);
  assert.deepEqual(
    await run(),
    items.map(({ id }) => id),
  );
  assert.deepEqual([await isDue(), await run()], [false, []]);
  touch('b2', 'a7');
  assert.deepEqual([await isDue(), await run(), await isDue()], [true, ['b2', 'a7'], false]);
});

test('a library that is away is not due and keeps nothing waiting; its items are read when it is back', async () => {
  const { run, isDue, touch, away, items } = catalogue(['a', 'b', 'c'], 400);
  away.add('b');
  const others = await run();
  assert.deepEqual(
    others,
    items.filter(({ library }) => library !== 'b').map(({ id }) => id),
  );
  assert.equal(await isDue(), false);
  touch('a1', 'b2');
  assert.deepEqual([await isDue(), await run(), await isDue()], [true, ['a1'], false]);
  away.delete('b');
  assert.equal(await isDue(), true);
  const back = await run();
  assert.deepEqual(
    back.toSorted(),
    items
      .filter(({ library }) => library === 'b')
      .map(({ id }) => id)
      .toSorted(),
  );
  assert.equal(await isDue(), false);
});

test('a library that goes away again in the middle is continued where it was', async () => {
  const { run, isDue, away, items } = catalogue(['a', 'b'], 300);
  away.add('b');
  await run();
  away.delete('b');
  const first = await run(() => (away.add('b'), []));
  assert.equal(first.length, 50);
  assert.equal(await isDue(), false);
  away.delete('b');
  const rest = await run();
  assert.deepEqual(
    [...first, ...rest],
    items.filter(({ library }) => library === 'b').map(({ id }) => id),
  );
});

test('an item that could not be read is read again with what follows in its library', async () => {
  const { run, isDue, position } = catalogue(['a', 'b'], 10);
  await run(({ items }) => items.filter(({ id }) => id === 'a5'));
  assert.deepEqual([position(), await isDue()], [{ change: 10, away: { a: 4 } }, true]);
  assert.deepEqual([await run(), position(), await isDue()], [['a5', 'a7', 'a9'], { change: 10, away: {} }, false]);
});

test('a library that was removed keeps nothing waiting, and files that are gone are read without it', async () => {
  const { run, isDue, away, items, reads } = catalogue(['a'], 3);
  for (const one of items) if (one.id !== 'a2') one.library = 'removed';
  for (const one of items) if (one.id === 'a3') one.gone = true;
  away.add('removed');
  assert.deepEqual([await run(), await isDue()], [['a2', 'a3'], false]);
  reads.length = 0;
  await run();
  assert.deepEqual(reads, [undefined]);
});
