/** The tree of conditions and groups, each with what can be done to it. Every member is reached with Tab. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
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

interface MemberProps extends TreeProps {
  path: RulePath;
  onRemove: () => void;
}

const Condition = ({ leaf, path, tree, onTree, choices, onRemove }: MemberProps & { leaf: RuleLeaf }) => {
  const put = (next: RuleLeaf) => onTree(withRuleAt(tree, path, () => next));
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
          data-remove=""
          onClick={onRemove}
        />
      </div>
    </li>
  );
};

/**
 * Adds and removes members of a group, and moves the focus with them: to the first field of a new one, and to the
 * button that removes the next one or else the previous one. Without a member the button that adds one has it.
 */
function useMembers({ tree, onTree, path }: Pick<MemberProps, 'tree' | 'onTree' | 'path'>) {
  const section = useRef<HTMLElement>(null);
  const [changed, setChanged] = useState<{ at: number; isNew: boolean }>();
  useLayoutEffect(() => {
    const own = section.current;
    if (!changed || !own) return;
    const members = own.querySelector('ul')?.children;
    const member = members?.[changed.at] ?? members?.[changed.at - 1];
    const controls = member?.querySelectorAll<HTMLElement>(changed.isNew ? 'select' : '[data-remove]');
    // The button of a group is behind those of its members.
    const target = controls?.[changed.isNew ? 0 : controls.length - 1];
    (target ?? own.querySelector<HTMLElement>('[data-add]'))?.focus();
  }, [changed]);
  return {
    section,
    add: (rule: RuleGroup | RuleLeaf, at: number) => {
      onTree(withRuleAdded(tree, path, rule));
      setChanged({ at, isNew: true });
    },
    remove: (at: number) => {
      onTree(withRuleAt(tree, [...path, at], () => undefined));
      setChanged({ at, isNew: false });
    },
  };
}

interface GroupProps extends TreeProps {
  group: RuleGroup;
  path: RulePath;
  /** Removes the group; the outermost one stays. */
  onRemove?: () => void;
}
export const RuleGroupEditor = ({ group, path, onRemove, ...rest }: GroupProps) => {
  const { tree, onTree } = rest;
  const { section, add, remove } = useMembers({ tree, onTree, path });
  const change = (more: Partial<RuleGroup>) =>
    onTree(withRuleAt(tree, path, (rule) => (isLeaf(rule) ? rule : { ...rule, ...more })));
  const isOutermost = path.length === 0;
  return (
    <section
      ref={section}
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
            <Condition key={at} leaf={rule} path={own} {...rest} onRemove={() => remove(at)} />
          ) : (
            <li key={at}>
              <RuleGroupEditor group={rule} path={own} {...rest} onRemove={() => remove(at)} />
            </li>
          );
        })}
      </ul>
      <div className={css.groupActions}>
        <Button icon={plus} data-add="" onClick={() => add(newLeaf(), group.rules.length)}>
          {m.addCondition}
        </Button>
        {canNest(path) && (
          <Button icon={folderPlus} look="quiet" onClick={() => add(newGroup(), group.rules.length)}>
            {m.addGroup}
          </Button>
        )}
        {onRemove && (
          <Button icon={x} look="quiet" data-remove="" onClick={onRemove}>
            {m.removeGroup}
          </Button>
        )}
      </div>
    </section>
  );
};
