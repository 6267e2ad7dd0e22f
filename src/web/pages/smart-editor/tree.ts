/** The rules that are edited: changes of a tree by the path to a member, and new conditions. Pure. */
import {
  isLeaf,
  MAX_RULE_DEPTH,
  RULE_FIELDS,
  RULE_OPERATORS,
  type RuleField,
  type RuleGroup,
  type RuleLeaf,
  type RuleOperator,
} from '../../../contract/catalog/rule-fields.ts';

/** Indexes of the members on the way from the outermost group. */
export type RulePath = readonly number[];
type Rule = RuleGroup | RuleLeaf;

/** Returns the tree with one member replaced; undefined removes it. The empty path is the outermost group. */
export function withRuleAt(group: RuleGroup, path: RulePath, change: (rule: Rule) => Rule | undefined): RuleGroup {
  const [at, ...rest] = path;
  if (at === undefined) {
    const changed = change(group);
    return changed !== undefined && !isLeaf(changed) ? changed : group;
  }
  return {
    ...group,
    rules: group.rules.flatMap((rule, index) => {
      if (index !== at) return [rule];
      if (rest.length > 0) return [isLeaf(rule) ? rule : withRuleAt(rule, rest, change)];
      return change(rule) ?? [];
    }),
  };
}

/** Returns the tree with a new member at the end of the group at a path. */
export const withRuleAdded = (group: RuleGroup, path: RulePath, rule: Rule): RuleGroup =>
  withRuleAt(group, path, (found) => (isLeaf(found) ? found : { ...found, rules: [...found.rules, rule] }));

/** Whether a group at this path may hold groups. */
export const canNest = (path: RulePath): boolean => path.length + 1 < MAX_RULE_DEPTH;

/** The value with which an operator begins, for a field. */
export function firstValue(field: RuleField, is: RuleOperator): RuleLeaf['value'] {
  const type = RULE_FIELDS[field];
  if (is === 'missing' || type === 'flag') return true;
  if (is === 'within') return '30d';
  if (is === 'in') return [];
  if (is === 'between') return type === 'number' ? [0, 0] : ['', ''];
  return type === 'number' ? 0 : '';
}

/** Returns a condition with another field, and the first operator and value that suit it. */
export function withField(leaf: RuleLeaf, field: RuleField): RuleLeaf {
  const operators: readonly RuleOperator[] = RULE_OPERATORS[RULE_FIELDS[field]];
  const is = operators.includes(leaf.is) ? leaf.is : (operators[0] ?? 'is');
  return { field, is, value: firstValue(field, is) };
}
/** Returns a condition with another operator. A text or number is kept where it still suits. */
export function withOperator({ field, is, value }: RuleLeaf, next: RuleOperator): RuleLeaf {
  const fresh = firstValue(field, next);
  if (next === 'in' && typeof value === 'string' && value !== '' && is !== 'within')
    return { field, is: next, value: [value] };
  const single = Array.isArray(value) ? value[0] : value;
  const isKept = single !== undefined && typeof single === typeof fresh && next !== 'within' && is !== 'within';
  return { field, is: next, value: isKept ? single : fresh };
}

export const newLeaf = (): RuleLeaf => ({ field: 'watched', is: 'is', value: false });
export const newGroup = (): RuleGroup => ({ match: 'any', rules: [newLeaf()] });

/** Returns the texts between commas. */
export const splitTexts = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
