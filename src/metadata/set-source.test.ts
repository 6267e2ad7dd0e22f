/** Texts and posters of sets: fetched for the page of a collection, and not for a list. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { fakeClock } from '../../test/world.ts';
import { quietLog } from '../lib/process/testing.ts';
import { createSetSource } from './set-source.ts';

test('a set is fetched when it is looked at, kept, and forgotten after a period', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'matinee-sets-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const wall = fakeClock();
  const clock = { ...wall, monotonic: wall.now };
  const sent: string[] = [];
  const source = createSetSource({
    client: {
      isConfigured: true,
      read: async ({ path, query, shape }) => {
        sent.push(`${path} ${query?.['language']}`);
        return path === '/collection/9'
          ? shape.parse({ overview: query?.['language'] === 'en' ? ' Wet. ' : '', poster_path: '/lakes.jpg' })
          : undefined;
      },
      picture: async (size, path) => {
        sent.push(`${size} ${path}`);
        return Buffer.from('picture');
      },
    },
    ...{ clock, log: quietLog, folder, language: () => 'de' },
  });
  const nothing = { facts: undefined, isPending: false };
  assert.deepEqual(await source.of('9', { isKeptOnly: true }), nothing);
  assert.deepEqual(await source.of('../9'), nothing, 'no number');
  assert.deepEqual(sent, []);
  assert.deepEqual(await source.of('9'), { facts: undefined, isPending: true });
  await until('the set', async () => !(await source.of('9')).isPending);
  const kept = { facts: { overview: 'Wet.', poster: '/lakes.jpg' }, isPending: false };
  assert.deepEqual(await source.of('9', { isKeptOnly: true }), kept);
  assert.ok(await source.picture('/lakes.jpg'));
  assert.deepEqual(sent, ['/collection/9 de', '/collection/9 en', 'w500 /lakes.jpg']);
  await source.of('8');
  await until('the unknown set', async () => !(await source.of('8')).isPending);
  assert.deepEqual((await source.of('8')).facts, {});
  wall.pass(121 * 86_400_000);
  await source.sweep();
  assert.deepEqual(await source.of('9', { isKeptOnly: true }), nothing);
  source.close();
});
