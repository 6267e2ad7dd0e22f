/** The subtitles that the timing audit found out of place, in short. Shown only if there are any. */
import { useAsk } from '../../../data/query.ts';
import { ButtonLink } from '../../../kit/forms/button.tsx';
import { Badge } from '../../../kit/states/states.tsx';
import { Link } from '../../../lib/navigation/link.tsx';
import { timingWords as m } from '../../../messages/timing.ts';
import { timingLabel, timingTone } from '../../../parts/subtitles/timing-words.ts';
import { inventoryTitle, subtitleName } from '../../../parts/subtitles/words.ts';
import shared from '../subtitles.module.css';
import css from './overview.module.css';

const SHOWN = 5;
/** Those that can be fixed are shown first, of so many. */
const READ = 40;

export const Misfits = () => {
  const { data } = useAsk('subtitleAudit', 'list', { verdict: 'misfits', limit: READ }, { keep: true });
  if (!data || data.matched === 0) return null;
  const shown = data.items.toSorted((a, b) => Number(b.fixable) - Number(a.fixable)).slice(0, SHOWN);
  return (
    <section className={shared.card} aria-labelledby="misfits">
      <div className={css.misfitsHead}>
        <h2 id="misfits">{m.misfitCount({ misfits: data.matched })}</h2>
        <ButtonLink look="primary" to={{ page: 'subtitleTiming' }}>
          {data.items.some(({ fixable }) => fixable) ? m.reviewFixes : m.showResults}
        </ButtonLink>
      </div>
      <ul className={css.misfits}>
        {shown.map((one) => (
          <li key={`${one.id}${one.track}`}>
            <span>
              <Link to={{ page: 'subtitleItem', params: { id: one.id } }} className="link">
                {inventoryTitle(one)}
              </Link>{' '}
              <span className="muted">{subtitleName(one)}</span>
            </span>
            <Badge tone={timingTone(one.timing)}>{timingLabel(one.timing)}</Badge>
          </li>
        ))}
      </ul>
      {data.matched > shown.length && <p className="muted small">{m.more({ amount: data.matched - shown.length })}</p>}
    </section>
  );
};
