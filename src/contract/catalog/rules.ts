/** Rules: groups of conditions on items, nested at most four deep. There are no regular expressions. */
import { z } from 'zod';
import { about } from '../kernel/describe.ts';
import {
  leafFault,
  leavesOf,
  MAX_RULE_DEPTH,
  MAX_RULE_LEAVES,
  MAX_RULE_LIMIT,
  MAX_RULE_SORTS,
  MAX_RULE_VALUES,
  RULE_FIELDS,
  RULE_OPERATORS,
  RULE_SORTS,
  rulesFault,
  type RuleField,
  type RuleGroup,
  type RuleLeaf,
  type RuleOperator,
} from './rule-fields.ts';

const names = Object.keys(RULE_FIELDS) as [RuleField, ...RuleField[]];
const operators = [...new Set(Object.values(RULE_OPERATORS).flat())] as [RuleOperator, ...RuleOperator[]];
const Text = z.string().max(200);
const Plain = z.union([Text, z.number()]);

const Leaf = z
  .strictObject({
    field: z.enum(names).meta(about('Field of an item that is tested.', 'genre')),
    is: z
      .enum(operators)
      .meta(
        about(
          'Test. `is` and `in` compare whole values, without regard to case and accents; `less` and `more` leave out ' +
            'the value itself, `between` includes both; `within` takes a duration back from now: 12h, 30d, ' +
            '2w, 6m, 1y; ' +
            '`missing` takes true or false.',
          'in',
        ),
      ),
    value: z
      .union([Plain, z.boolean(), z.array(Plain).min(1).max(MAX_RULE_VALUES)])
      .meta(
        about(
          'Value of the test: a list for `in` and `between`. Days are written as 2026-11-20. A library or ' +
            'playlist is ' +
            'named by its id.',
          ['Comedy', 'Mystery'],
        ),
      ),
  })
  .meta({ id: 'RuleLeaf', description: 'Condition on one field.' });

/** Returns the shape of a group that may hold groups down to a depth. */
const groupOf = (depth: number): z.ZodType<RuleGroup> => {
  const member: z.ZodType<RuleLeaf | RuleGroup> = depth === MAX_RULE_DEPTH ? Leaf : z.union([Leaf, groupOf(depth + 1)]);
  return z
    .strictObject({
      match: z.enum(['all', 'any']).meta(about('Whether all conditions must hold, or one of them.', 'all')),
      not: z.boolean().optional().meta(about('Whether the group holds exactly if it otherwise would not.', false)),
      rules: z
        .array(member)
        .max(MAX_RULE_LEAVES)
        .meta(about('Conditions and groups of conditions.', [{ field: 'genre', is: 'is', value: 'Comedy' }])),
    })
    .meta({
      id: depth === 1 ? 'RuleGroup' : `RuleGroup${depth}`,
      description: depth === 1 ? 'Conditions on items.' : `Conditions within a group, ${depth - 1} deep.`,
    }) as unknown as z.ZodType<RuleGroup>;
};

export const Rules = groupOf(1).superRefine((group, context) => {
  const leaves = leavesOf(group);
  if (leaves.length > MAX_RULE_LEAVES)
    context.addIssue({ code: 'custom', message: `at most ${MAX_RULE_LEAVES} conditions` });
  const fault = leaves.map(leafFault).find((one) => one !== undefined);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

/** Rules of a request. Stored rules from before they had a size stay readable. */
export const NewRules = Rules.superRefine((group, context) => {
  const fault = rulesFault(group);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

export const RuleSort = z
  .array(
    z.strictObject({
      by: z.enum(RULE_SORTS).meta(about('Field to sort by. random changes once a day.', 'released')),
      order: z
        .enum(['ascending', 'descending'])
        .meta(about('Direction. Items without a value come last.', 'descending')),
    }),
  )
  .max(MAX_RULE_SORTS)
  .meta(
    about('Order of the items: by the first, where equal by the next, and at last by title.', [
      { by: 'released', order: 'descending' },
    ]),
  );
export const RuleLimit = z
  .int()
  .min(1)
  .max(MAX_RULE_LIMIT)
  .meta(about('Maximum number of items, the first in the order.', 100));
