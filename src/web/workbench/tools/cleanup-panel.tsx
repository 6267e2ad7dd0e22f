/** The clean-up rules, each with its switch. */
import { Switch } from '../../kit/forms/field.tsx';
import { useWorkbench } from '../state/context.ts';
import { RULES } from '../model/settings.ts';
import { RULE_WORDS } from './rule-labels.ts';

export const CleanupPanel = () => {
  const { settings, set } = useWorkbench().session.steps;
  return (
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
};
