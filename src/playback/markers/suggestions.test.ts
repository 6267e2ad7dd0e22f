/** Suggestions as an Owner sees them: only of items that they may see, in pages, and decided all or none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VisibleCatalog } from '../../catalog/index.ts';
import type { Card } from '../../contract/catalog/cards.ts';
import { OWNER_POLICY } from '../../contract/identity/profiles.ts';
import { openTemporaryDatabase } from '../../lib/db/testing.ts';
import { createMarkerStore, markerMigrations } from './store.ts';
import { createSuggestions } from './suggestions.ts';

const id = (n: number): string => String(n).padStart(16, '0');
const HIDDEN = id(3);
const by = { profile: 'p'.repeat(16), role: 'owner', policy: OWNER_POLICY } as const;

test('pages list each visible suggestion once, and hidden items are neither listed nor decided', async (t) => {
  const store = createMarkerStore(await openTemporaryDatabase(t, markerMigrations));
  const isSeen = (item: string): boolean => item !== HIDDEN;
  const seen = {
    isSeen,
    cards: async (ids: readonly string[]) => ids.filter(isSeen).map((item) => ({ id: item }) as Card),
  };
  const suggestions = createSuggestions({
    catalog: { seenBy: () => seen as unknown as VisibleCatalog },
    store,
    clock: { now: () => 5 },
  });
  await store.setAnalysed(
    [1, 2, 3, 4, 5].map((n) => ({
      item: id(n),
      bytes: `b${n}`,
      season: 's',
      error: null,
      markers: [{ kind: 'intro', start: n, end: n + 9, state: 'suggested', confidence: 0.4 }],
    })),
    1,
  );
  const listed: string[] = [];
  for (let cursor: string | undefined, pages = 0; ; pages++) {
    const page = await suggestions.list(by, { limit: 2, cursor });
    listed.push(...page.items.map(({ item, markers }) => `${Number(item.id)}: ${markers[0]?.start}`));
    assert.equal(page.total, 5);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
    assert.ok(pages < 5);
  }
  assert.deepEqual(listed, ['1: 1', '2: 2', '4: 4', '5: 5']);
  const { nextCursor = '' } = await suggestions.list(by, { limit: 1 });
  await assert.rejects(suggestions.list({ ...by, profile: 'q'.repeat(16) }, { limit: 1, cursor: nextCursor }), {
    kind: 'invalid',
  });
  await assert.rejects(
    suggestions.decide(by, 'confirm', [
      { item: id(1), kind: 'intro' },
      { item: HIDDEN, kind: 'intro' },
    ]),
    { kind: 'missing' },
  );
  assert.deepEqual([(await store.of(id(1))).own, await store.countSuggested()], [[], 5], 'none was decided');
  assert.equal(
    await suggestions.decide(by, 'confirm', [
      { item: id(1), kind: 'intro' },
      { item: id(2), kind: 'intro' },
    ]),
    2,
  );
  assert.deepEqual((await store.of(id(1))).own, [
    { kind: 'intro', start: 1, end: 10, source: 'user', state: 'published' },
  ]);
});
