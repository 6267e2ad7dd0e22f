/** A time that is moved in small steps: earlier, as it is, later. */
import { Button } from '../../../kit/forms/button.tsx';
import css from '../parts.module.css';
import { playerWords as m } from '../../../messages/player.ts';

export interface NudgeProps {
  label: string;
  /** Seconds. */
  value: number;
  step: number;
  least: number;
  most: number;
  digits: number;
  onValue: (seconds: number) => void;
}
export const Nudge = ({ label, value, step, least, most, digits, onValue }: NudgeProps) => (
  <div className={css.nudge} role="group" aria-label={label}>
    <span className={css.legend}>{label}</span>
    <div>
      <Button onClick={() => onValue(value - step)} disabled={value <= least}>
        {m.earlier}
      </Button>
      <output aria-live="polite">
        {value === 0 ? m.originalTiming : `${value > 0 ? '+' : '−'}${Math.abs(value).toFixed(digits)} s`}
      </output>
      <Button onClick={() => onValue(value + step)} disabled={value >= most}>
        {m.later}
      </Button>
    </div>
  </div>
);
