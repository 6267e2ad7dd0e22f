/** The tree of conditions and groups, each with what can be done to it. Every member is reached with Tab. */
import plus from 'lucide/dist/esm/icons/plus.mjs';
import folderPlus from 'lucide/dist/esm/icons/folder-plus.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import {
  isLeaf,
  RULE_FIELDS,
  RULE_OPERATORS,
  type RuleField,
  type RuleGroup,
  type RuleLeaf,
  type RuleOperator,
} from '../../../contract/catalog/rule-fields.ts';
import { Button, IconButton } from '../../kit/forms/button.tsx';
import { Segments, Select, Switch } from '../../kit/forms/field.tsx';
import { cx } from '../../lib/cx.ts';
import type { RuleChoices } from './choices.ts';
import {
  canNest,
  newGroup,
  newLeaf,
  type RulePath,
  withRuleAdded,
  withField,
  withOperator,
  withRuleAt,
} from './tree.ts';
import { RuleValue } from './value.tsx';
import css from './smart-editor.module.css';
import { ruleWords as m } from '../../messages/rules.ts';

interface TreeProps {
  tree: RuleGroup;
  onTree: (tree: RuleGroup) => void;
  choices: RuleChoices;
}

/** "2.1" for the first member of the second group. */
const numberOf = (path: RulePath): string => path.map((at) => at + 1).join('.');

const operatorName = (field: RuleField, is: RuleOperator): string =>
  RULE_FIELDS[field] === 'date' && is === 'less'
    ? m.operators.before
    : RULE_FIELDS[field] === 'date' && is === 'more'
      ? m.operators.after
      : m.operators[is];

const Condition = ({ leaf, path, tree, onTree, choices }: TreeProps & { leaf: RuleLeaf; path: RulePath }) => {
  const put = (next: RuleLeaf | undefined) => onTree(withRuleAt(tree, path, () => next));
  const fields = Object.keys(RULE_FIELDS) as RuleField[];
  return (
    <li>
      <div className={css.condition} role="group" aria-label={m.condition({ number: numberOf(path) })}>
        <div className={css.inputs}>
          <Select
            label={m.field}
            value={leaf.field}
            choices={fields.map((value) => ({ value, label: m.fields[value] }))}
            onValue={(field) => put(withField(leaf, field))}
          />
          <Select
            label={m.operator}
            value={leaf.is}
            choices={RULE_OPERATORS[RULE_FIELDS[leaf.field]].map((value) => ({
              value,
              label: operatorName(leaf.field, value),
            }))}
            onValue={(is) => put(withOperator(leaf, is))}
          />
          <RuleValue
            key={`${leaf.field} ${leaf.is}`}
            leaf={leaf}
            choices={choices}
            onValue={(value) => put({ ...leaf, value })}
          />
        </div>
        <IconButton
          icon={x}
          label={m.removeCondition({ field: m.fields[leaf.field] })}
          onClick={() => put(undefined)}
        />
      </div>
    </li>
  );
};

export const RuleGroupEditor = ({ group, path, ...rest }: TreeProps & { group: RuleGroup; path: RulePath }) => {
  const { tree, onTree } = rest;
  const change = (more: Partial<RuleGroup>) =>
    onTree(withRuleAt(tree, path, (rule) => (isLeaf(rule) ? rule : { ...rule, ...more })));
  const isOutermost = path.length === 0;
  return (
    <section
      className={cx(css.group, !isOutermost && css.inner)}
      aria-label={isOutermost ? m.rules : m.groupOf({ number: numberOf(path) })}
    >
      <div className={css.groupHead}>
        <Segments
          label={m.match}
          value={group.match}
          choices={[
            { value: 'all', label: m.matchAll },
            { value: 'any', label: m.matchAny },
          ]}
          onValue={(match) => change({ match })}
        />
        <Switch label={m.noneOf} checked={group.not === true} onValue={(not) => change({ not })} />
      </div>
      <ul className={css.rules}>
        {group.rules.map((rule, at) => {
          const own = [...path, at];
          return isLeaf(rule) ? (
            <Condition key={at} leaf={rule} path={own} {...rest} />
          ) : (
            <li key={at}>
              <RuleGroupEditor group={rule} path={own} {...rest} />
            </li>
          );
        })}
      </ul>
      <div className={css.groupActions}>
        <Button icon={plus} onClick={() => onTree(withRuleAdded(tree, path, newLeaf()))}>
          {m.addCondition}
        </Button>
        {canNest(path) && (
          <Button icon={folderPlus} look="quiet" onClick={() => onTree(withRuleAdded(tree, path, newGroup()))}>
            {m.addGroup}
          </Button>
        )}
        {!isOutermost && (
          <Button icon={x} look="quiet" onClick={() => onTree(withRuleAt(tree, path, () => undefined))}>
            {m.removeGroup}
          </Button>
        )}
      </div>
    </section>
  );
};
