/** The clean-up rules, each with its switch. */
import { Switch } from '../../kit/forms/field.tsx';
import { useWorkbench } from '../state/context.ts';
import { RULES } from '../model/settings.ts';
import { ruleLabels } from './rule-labels.ts';

export const CleanupPanel = () => {
  const { settings, set } = useWorkbench().session.steps;
  return (
    <>
      {RULES.map((rule) => (
        <Switch
          key={rule}
          label={ruleLabels()[rule].label}
          hint={ruleLabels()[rule].hint}
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
