/** How much a Profile may still watch today, on the home page. Nothing without a limit. */
import { useOwnTime } from '../../data/day-time.ts';
import { secondsLeft } from '../../lib/day-time.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { formatDuration } from '../../lib/format.ts';
import { householdWords as m } from '../../messages/household.ts';
import css from './time-left.module.css';

export const TimeLeftToday = () => {
  const time = useOwnTime();
  const left = time && secondsLeft(time);
  if (left === undefined) return null;
  return (
    <p className={css.left}>
      <span>{left === 0 ? m.timeIsOver : m.leftToday({ time: formatDuration(left) })}</span>
      <Link className="link" to={{ page: 'requests' }}>
        {m.askForTime}
      </Link>
    </p>
  );
};
