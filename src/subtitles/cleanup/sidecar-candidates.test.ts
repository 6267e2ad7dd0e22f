/** Sidecar candidates are read once, follow changes and removals, and are dropped after some idle time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogBackground, Sidecar, Subject } from '../../catalog/index.ts';
import { createSidecarCandidates } from './sidecar-candidates.ts';

const SIGNAL = new AbortController().signal;
const sidecar = (relative: string, more: Partial<Sidecar> = {}): Sidecar => ({
  relative,
  name: relative,
  language: 'en',
  role: 'normal',
  format: 'srt',
  title: undefined,
  isHidden: false,
  isDefault: false,
  size: 1,
  modifiedMs: 1,
  version: 'v',
  part: 1,
  ...more,
});
const subject = (id: string, change: number, sidecars: readonly Sidecar[], more: Partial<Subject> = {}): Subject =>
  ({
    id,
    kind: 'movie',
    title: id,
    change,
    gone: false,
    available: true,
    files: [{ id: 'v', library: 'l' }],
    sidecars,
    ...more,
  }) as unknown as Subject;

function open() {
  const items = new Map<string, Subject>();
  const gone: { id: string; change: number }[] = [];
  const read: string[] = [];
  const catalog: Pick<CatalogBackground, 'changedSince' | 'goneSince'> = {
    changedSince: async (change, most) => {
      const some = [...items.values()]
        .filter((one) => one.change > change)
        .sort((a, b) => a.change - b.change)
        .slice(0, most);
      read.push(...some.map(({ id }) => id));
      return some;
    },
    goneSince: async (change, most) => gone.filter((one) => one.change > change).slice(0, most),
  };
  return { items, gone, read, sidecarCandidates: createSidecarCandidates(catalog, { idleMs: 1_000 }) };
}
const names = (all: ReadonlyMap<string, readonly { relative: string }[]>): string[] =>
  [...all.values()].flat().map(({ relative }) => relative);

test('only files with a language in their name that can be hidden', async () => {
  const { items, sidecarCandidates } = open();
  items.set(
    'a',
    subject('a', 1, [
      sidecar('a.en.srt'),
      sidecar('a.en.vtt', { format: 'vtt' }),
      sidecar('a.srt', { language: undefined }),
      sidecar('a.en.ass', { format: 'ass' }),
      sidecar('a.de.srt.hidden', { isHidden: true }),
      sidecar('b.en.srt', { version: 'other' }),
    ]),
  );
  assert.deepEqual(names(await sidecarCandidates(SIGNAL)), ['a.en.srt', 'a.en.vtt']);
});

test('a second call reads changes, and drops removed items', async () => {
  const { items, gone, read, sidecarCandidates } = open();
  for (let n = 1; n <= 120; n++) items.set(`i${n}`, subject(`i${n}`, n, [sidecar(`${n}.en.srt`)]));
  assert.equal((await sidecarCandidates(SIGNAL)).size, 120);
  read.length = 0;
  items.set('i7', subject('i7', 121, [sidecar('7.en.vtt', { format: 'vtt' })]));
  items.set('i8', subject('i8', 122, [], { gone: true }));
  items.delete('i9');
  gone.push({ id: 'i9', change: 123 });
  const now = await sidecarCandidates(SIGNAL);
  assert.deepEqual(read, ['i7', 'i8']);
  assert.deepEqual([now.size, now.has('i8'), now.has('i9'), names(now).at(-1)], [118, false, false, '7.en.vtt']);
});

test('an aborted call leaves the rest to the next one', async () => {
  const { items, sidecarCandidates } = open();
  items.set('a', subject('a', 1, [sidecar('a.en.srt')]));
  await assert.rejects(sidecarCandidates(AbortSignal.abort(new Error('left'))), /left/);
  assert.equal((await sidecarCandidates(SIGNAL)).size, 1);
});

test('without a question for a while it is read again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { items, read, sidecarCandidates } = open();
  items.set('a', subject('a', 1, [sidecar('a.en.srt')]));
  await sidecarCandidates(SIGNAL);
  t.mock.timers.tick(1_000);
  await sidecarCandidates(SIGNAL);
  assert.deepEqual(read, ['a', 'a']);
});
