/** The clean-up rules, each with its switch. */
import { Switch } from '../../kit/forms/field.tsx';
import type { Work } from '../use-work.ts';
import { RULES } from '../work/settings.ts';
import { RULE_WORDS } from './rule-words.ts';

export const CleanupPanel = ({ work: { settings, set } }: { work: Work }) => (
  <>
    {RULES.map((rule) => (
      <Switch
        key={rule}
        label={RULE_WORDS[rule].label}
        hint={RULE_WORDS[rule].hint}
        checked={settings.rules.includes(rule)}
        onValue={(on) =>
          set((now) => ({
            ...now,
            rules: on
              ? RULES.filter((one) => one === rule || now.rules.includes(one))
              : now.rules.filter((one) => one !== rule),
          }))
        }
      />
    ))}
  </>
);
