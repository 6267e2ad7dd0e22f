/**
 * Checks, for any order of puts, that a card is returned as it was put last or not at all, and that the newest cards
 * are returned.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCardBytes } from './card-bytes.ts';

const KIB = 1024;
const card = (text: string, library = 'a000000000000001', group = 0) => ({ json: text, library, group });
const idOf = (n: number): string => n.toString(16).padStart(16, '0');
/** The numbers of a small generator (mulberry32), the same at every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

test('a card is returned as it was put last, or not at all', () => {
  const next = numbers(11);
  const cards = createCardBytes(64 * KIB);
  const put = new Map<number, { text: string; library: string; group: number }>();
  for (let i = 0; i < 60_000; i++) {
    const slot = next(600);
    if (next(20_000) === 0) {
      cards.clear();
      assert.equal(cards.has(slot), false);
      put.clear();
    }
    const had = put.get(slot);
    const got = cards.get(slot);
    assert.equal(cards.has(slot), got !== undefined);
    if (got) assert.deepEqual([got.json, got.library, got.group], [had?.text, had?.library, had?.group], `${i}`);
    if (next(3) !== 0) continue;
    const fresh = {
      text: `${i}${['x', 'ü', '字'][next(3)]?.repeat(next(300))}`,
      library: idOf(next(40)),
      group: next(3),
    };
    cards.put(slot, card(fresh.text, fresh.library, fresh.group));
    put.set(slot, fresh);
    assert.equal(cards.get(slot)?.json, fresh.text, 'what was put just now is there');
  }
});

test('the newest cards are kept, as many as the block holds, and the oldest are dropped', () => {
  const cards = createCardBytes(1024 * KIB);
  const text = 'x'.repeat(342);
  for (let slot = 0; slot < 20_000; slot++) cards.put(slot, card(text));
  const kept = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => cards.has(from + i)).filter(Boolean).length;
  // 352 bytes each with what is before it: 2,978 fit.
  assert.deepEqual([kept(0, 20_000 - 2_978), kept(20_000 - 2_978, 20_000)], [0, 2_978]);
});

test('a card that was overwritten is not returned, and one that is too large for the block is not kept', () => {
  const cards = createCardBytes(8 * KIB);
  for (let slot = 0; slot < 8; slot++) cards.put(slot, card(`${slot}`.repeat(1_016)));
  assert.deepEqual(cards.get(0)?.json, '0'.repeat(1_016));
  cards.put(8, card('8'));
  assert.deepEqual(
    [0, 1, 8, 9].map((slot) => cards.get(slot)?.json.slice(0, 2)),
    [undefined, '11', '8', undefined],
  );
  cards.put(1, card('x'.repeat(1_017)));
  assert.equal(cards.get(1)?.json, '1'.repeat(1_016));
});
