/** Columns, texts and ids hold what a plain map would, after any sequence of changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/fast-check.ts';
import { createNumbers, createValues, createWaiting } from './columns.ts';
import { createIds } from './ids.ts';
import { createLists, createPostings } from './postings.ts';
import { COMPARED, createTextBlock } from './text-block.ts';

const word = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'aa',
    'été',
    'ÿ',
    'Ā',
    '侍',
    'a\u{1F600}',
    'x'.repeat(65_534),
    'x'.repeat(65_535),
    'x'.repeat(70_000),
  ),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 10 }),
);

test(
  'texts of any length and script come back, compare as the beginnings of strings do, and survive the moving ' +
    'together',
  () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(7), word), { maxLength: 60 }), (changes) => {
        const texts = createTextBlock();
        const model = new Map<number, string>();
        for (const [slot, text] of changes) {
          texts.put(slot, text);
          model.set(slot, text);
        }
        for (const [a, x] of model) {
          assert.equal(texts.get(a), x);
          assert.equal(texts.length(a), x.length);
          assert.equal(texts.unit(a, 0), x === '' ? 0 : x.charCodeAt(0));
          for (const [b, y] of model) {
            const [left, right] = [x.slice(0, COMPARED), y.slice(0, COMPARED)];
            assert.equal(Math.sign(texts.compare(a, b)), left < right ? -1 : left > right ? 1 : 0);
            assert.equal(texts.is(a, y), x === y);
          }
        }
      }),
    );
  },
);

test('an id is found only at its slot, however many are added and removed', () => {
  const id = fc.nat(400).map((n) => (n % 7 === 0 ? `片${n}` : (n * 2_654_435_761).toString(16)));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), id), { minLength: 50, maxLength: 900 }), (changes) => {
      const ids = createIds();
      const model = new Map<string, number>();
      for (const [isGiven, one] of changes) {
        if (isGiven) {
          const slot = ids.give(one);
          assert.equal(slot, model.get(one) ?? slot);
          assert.ok(model.has(one) || ![...model.values()].includes(slot));
          model.set(one, slot);
        } else if (model.has(one)) {
          ids.free(model.get(one) ?? -1);
          model.delete(one);
        }
      }
      assert.equal(ids.size(), model.size);
      for (const [, one] of changes) assert.equal(ids.find(one), model.get(one) ?? -1);
      for (const [one, slot] of model) assert.equal(ids.get(slot), one);
    }),
    { numRuns: 60 },
  );
});

test('a queued slot is taken once, and one that is added again is queued again', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(90)), { maxLength: 200 }), (steps) => {
      const waiting = createWaiting();
      const model = new Set<number>();
      for (const slot of steps) {
        if (slot !== null) {
          waiting.add(slot);
          model.add(slot);
        } else {
          const taken = waiting.take();
          assert.equal(taken === undefined, model.size === 0);
          assert.ok(taken === undefined || model.delete(taken));
        }
        assert.equal(waiting.size(), model.size);
      }
    }),
  );
});

test('postings and lists hold values until they are removed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(9), fc.uniqueArray(fc.nat(6), { maxLength: 5 })), { maxLength: 80 }),
      (changes) => {
        const [postings, lists] = [createPostings(), createLists()];
        const model = new Map<number, number[]>();
        for (const [slot, words] of changes) {
          for (const place of lists.get(slot)) postings.remove(place);
          const places = words.map((one) => postings.add(one, slot));
          lists.put(slot, places);
          assert.deepEqual([...lists.get(slot)], places);
          model.set(slot, words);
        }
        for (let one = 0; one <= 6; one++) {
          const found: number[] = [];
          for (let place = postings.head(one); place !== 0; place = postings.next(place))
            found.push(postings.slot(place));
          assert.deepEqual(
            found.sort(),
            [...model]
              .filter(([, words]) => words.includes(one))
              .map(([slot]) => slot)
              .sort(),
          );
        }
      },
    ),
  );
});

test('a column and its copy hold numbers of any size and missing ones, in any order', () => {
  const number = fc.oneof(
    fc.constantFrom(
      0,
      -0,
      1,
      254,
      255,
      256,
      -1,
      32_767,
      32_768,
      -32_767,
      -32_768,
      -32_769,
      7.5,
      Number.MAX_SAFE_INTEGER,
      -Infinity,
      NaN,
    ),
    fc.nat(300),
    fc.integer({ min: -40_000, max: 40_000 }),
    fc.double(),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(30), fc.option(number)), { maxLength: 60 }), (changes) => {
      const numbers = createNumbers();
      const model = new Map<number, number | null>();
      for (const [slot, value] of changes) {
        numbers.put(slot, value);
        model.set(slot, Number.isNaN(value) ? null : value);
      }
      const copy = createNumbers();
      copy.restore(structuredClone(numbers.image()));
      for (const column of [numbers, copy])
        for (const [slot, value] of model) {
          assert.ok(Object.is(column.get(slot), value), `${column.get(slot)} is not ${value}`);
          assert.ok(Object.is(column.raw(slot), value ?? NaN));
        }
      assert.equal(numbers.get(1_000), null);
    }),
    { seed: 7, numRuns: 300 },
  );
});

test('a column of few values takes one byte for each, and holds 70,000 different ones', () => {
  const values = createValues<string>();
  for (let slot = 0; slot < 70_000; slot++) {
    values.put(slot, `value ${slot}`);
    if (slot === 254) assert.equal(values.image().of.BYTES_PER_ELEMENT, 1);
    if (slot === 60_000) assert.equal(values.image().of.BYTES_PER_ELEMENT, 2);
  }
  const copy = createValues<string>();
  copy.restore(structuredClone(values.image()));
  for (const column of [values, copy]) {
    for (const slot of [0, 254, 255, 256, 65_534, 65_535, 65_536, 69_999])
      assert.deepEqual([column.get(slot), column.find(`value ${slot}`)], [`value ${slot}`, column.number(slot)]);
  }
});
