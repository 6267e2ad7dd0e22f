/** A long evaluation of rules is cut into slices, and a row that changes between two of them is not in its result. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuleGroup, RuleLeaf, RuleQuery } from '../../../contract/catalog/rule-fields.ts';
import { OWNER_POLICY, type Policy } from '../../../contract/identity/profiles.ts';
import { kinds } from '../../kinds/index.ts';
import { createLibraryIndex } from './index.ts';
import { makeRow } from './testing.ts';
import type { RuleAsker } from './types.ts';

const asker = (policy: Partial<Policy> = {}): RuleAsker => ({
  policy: { ...OWNER_POLICY, ...policy },
  watched: new Map(),
  watchKey: '',
  now: 0,
  named: new Map(),
  namedKey: '',
  subtitled: { version: 1, all: new Set(), byLanguage: new Map() },
});
const all = { from: { index: 0 }, limit: 100 };

const MANY = 5_000;
async function openLarge() {
  const own = createLibraryIndex(kinds);
  const rows = Array.from({ length: MANY }, (_, n) => makeRow(`item ${n}`, { studios: [`Studio ${n}`], year: n }));
  await own.load(async (put) => rows.forEach(put));
  return own;
}
/** Counts how often others have their turn before a result is there. */
async function countTurns<T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> {
  let turns = 0;
  const count = (): void => {
    turns++;
    other = setImmediate(count);
  };
  let other = setImmediate(count);
  const result = await work();
  clearImmediate(other);
  return { turns, result };
}
const ONE_OF_EACH: readonly RuleLeaf[] = [
  { field: 'title', is: 'contains', value: 'm' },
  { field: 'studio', is: 'begins', value: 's' },
  { field: 'year', is: 'more', value: -1 },
  { field: 'added', is: 'missing', value: false },
  { field: 'plays', is: 'is', value: 0 },
  { field: 'subtitle', is: 'missing', value: true },
];

test('others have their turn while a rule is evaluated, whatever it asks for', async (t) => {
  const own = await openLarge();
  // Each look at the clock is as late as the end of a slice: then there is a turn after each piece.
  let now = 0;
  t.mock.method(performance, 'now', () => (now += 1_000));
  const turnsOf = async (query: RuleQuery): Promise<number> => {
    const { turns, result } = await countTurns(() => own.matching(query, asker(), all));
    assert.equal(result.total, MANY);
    return turns;
  };
  const alone = await turnsOf({ rules: { match: 'all', rules: [] } });
  assert.ok(alone >= 20, `what is visible is found in pieces: ${alone}`);
  for (const leaf of ONE_OF_EACH) {
    const turns = await turnsOf({ rules: { match: 'all', rules: [leaf] } });
    assert.ok(turns >= alone + 9, `${leaf.field}: ${turns}`);
    for (const [match, not] of [['any', false] as const, ['all', true] as const]) {
      const rules: RuleGroup = { match: 'all', not, rules: [{ match, not, rules: [leaf] }] };
      const more = await turnsOf({ rules });
      assert.ok(more >= turns + 9, `${match} ${not} ${leaf.field}: ${more}`);
    }
  }
  const sort = [{ by: 'year', order: 'descending' }] as const;
  assert.ok((await turnsOf({ rules: { match: 'all', rules: [] }, sort })) >= alone + 30);
});

test('a row that changes while a rule is evaluated does not match it, and the next evaluation has it', async (t) => {
  const own = await openLarge();
  let now = 0;
  t.mock.method(performance, 'now', () => (now += 1_000));
  const query: RuleQuery = { rules: { match: 'all', rules: [{ field: 'library', is: 'is', value: 'l1' }] } };
  const asked = (policy: Partial<Policy>) => own.matching(query, asker(policy), { from: { index: 0 }, limit: MANY });
  const { turns } = await countTurns(() => asked({ libraries: ['l1', 'l9'] }));
  const pending = asked({ libraries: ['l1'] });
  for (let turn = 0; turn < turns - 1; turn++) await new Promise(setImmediate);
  // Every row was tested: the hidden one takes the slot of a row that matched.
  own.apply([makeRow('hidden', { library: 'l2' }), makeRow('late')], ['item 0']);
  const { ids, total } = await pending;
  assert.ok(!ids.includes('hidden') && !ids.includes('item 0'));
  assert.equal(total, MANY - 1);
  assert.equal((await asked({ libraries: ['l1'] })).total, MANY, 'it was not cached');
});
