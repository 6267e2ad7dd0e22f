/** Changes of rules while they are edited. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  leafFault,
  RULE_FIELDS,
  RULE_OPERATORS,
  type RuleField,
  type RuleGroup,
  type RuleLeaf,
} from '../../../contract/catalog/rule-fields.ts';
import { canNest, newGroup, newLeaf, splitTexts, withRuleAdded, withField, withOperator, withRuleAt } from './tree.ts';

const leaf = (value: string): RuleLeaf => ({ field: 'title', is: 'is', value });
const tree: RuleGroup = {
  match: 'all',
  rules: [leaf('a'), { match: 'any', rules: [leaf('b'), { match: 'all', not: true, rules: [leaf('c')] }] }],
};

test('a member is found by its path, and the others stay as they are', () => {
  const changed = withRuleAt(tree, [1, 1, 0], () => leaf('x'));
  assert.deepEqual(JSON.stringify(changed), JSON.stringify(tree).replace('"c"', '"x"'));
  assert.equal(changed.rules[0], tree.rules[0]);
  assert.deepEqual(withRuleAt(tree, [1], () => undefined).rules, [leaf('a')]);
  assert.deepEqual(
    withRuleAt(tree, [], () => undefined),
    tree,
    'the outermost group stays',
  );
  assert.deepEqual(
    withRuleAt(tree, [0, 3], () => undefined),
    tree,
  );
  assert.equal(withRuleAdded(tree, [1, 1], leaf('d')).rules.length, 2);
  assert.deepEqual(
    JSON.stringify(withRuleAdded(tree, [1, 1], leaf('d'))),
    JSON.stringify(tree).replace(
      '{"field":"title","is":"is","value":"c"}',
      '{"field":"title","is":"is","value":"c"},{"field":"title","is":"is","value":"d"}',
    ),
  );
  assert.deepEqual([[], [0], [0, 0], [0, 0, 0]].map(canNest), [true, true, true, false]);
});

test('every field and operator begins with a value of its type', () => {
  for (const [field, type] of Object.entries(RULE_FIELDS) as [RuleField, keyof typeof RULE_OPERATORS][])
    for (const is of RULE_OPERATORS[type]) {
      const made = withOperator(withField(newLeaf(), field), is);
      assert.equal(made.is, is);
      // Texts and days are still to be given.
      const isGiven = !JSON.stringify(made.value).includes('""') && JSON.stringify(made.value) !== '[]';
      if (isGiven) assert.equal(leafFault(made), undefined, `${field} ${is}`);
    }
  assert.deepEqual(withOperator({ field: 'genre', is: 'is', value: 'Comedy' }, 'in').value, ['Comedy']);
  assert.equal(withOperator({ field: 'genre', is: 'in', value: ['Comedy', 'War'] }, 'contains').value, 'Comedy');
  assert.equal(withOperator({ field: 'year', is: 'less', value: 1990 }, 'more').value, 1990);
  assert.equal(withOperator({ field: 'added', is: 'within', value: '30d' }, 'less').value, '');
  assert.equal(newGroup().rules.length, 1);
  assert.deepEqual(splitTexts(' Comedy, , War '), ['Comedy', 'War']);
});
