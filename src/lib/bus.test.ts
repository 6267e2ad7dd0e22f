/** An announcement reaches every listener, and a failing listener does not affect the others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as settled } from 'node:timers/promises';
import { createBus } from './bus.ts';

test('listeners run after the current turn, each on its topic', async () => {
  const heard: string[] = [];
  const bus = createBus(() => assert.fail('nothing fails here'));
  bus.on('catalog.changed', () => void heard.push('a'));
  bus.on('catalog.changed', async () => void heard.push('b'));
  bus.on('config.changed', () => void heard.push('c'));
  bus.announce('catalog.changed');
  assert.deepEqual(heard, []);
  await settled();
  assert.deepEqual(heard, ['a', 'b']);
});

test('a listener that fails is reported and the others still hear', async () => {
  const reported: unknown[] = [];
  let heard = 0;
  const bus = createBus((error, topic) => void reported.push([error, topic]));
  const bad = new Error('bad');
  bus.on('tasks.changed', () => {
    throw bad;
  });
  bus.on('tasks.changed', () => Promise.reject(bad));
  bus.on('tasks.changed', () => void heard++);
  bus.announce('tasks.changed');
  await settled();
  assert.equal(heard, 1);
  assert.deepEqual(reported, [
    [bad, 'tasks.changed'],
    [bad, 'tasks.changed'],
  ]);
});

test('stopping ends one registration only, also while an announcement is out', async () => {
  let heard = 0;
  const bus = createBus(() => {});
  const listener = (): void => void heard++;
  const stop = bus.on('identity.changed', listener);
  bus.on('identity.changed', listener);
  stop();
  stop();
  bus.announce('identity.changed');
  await settled();
  assert.equal(heard, 1);
});
