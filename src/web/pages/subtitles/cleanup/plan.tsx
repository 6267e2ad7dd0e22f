/** Which files would be hidden and which are left alone; and, when it is done, how it is taken back. */
import { ButtonLink, Button } from '../../../kit/forms/button.tsx';
import { Notice } from '../../../kit/states/states.tsx';
import { many } from '../../../lib/format.ts';
import { startTask } from '../../../parts/tasks/running.tsx';
import { asSentence } from '../../../parts/subtitles/words.ts';
import { byReason, type Plan, planned, unlisted } from './policy.ts';
import css from './cleanup.module.css';

const Paths = ({ paths, label }: { paths: readonly string[]; label: string }) => (
  <ul className={css.paths} tabIndex={0} role="list" aria-label={label}>
    {paths.map((path) => (
      <li key={path}>
        <code>{path}</code>
      </li>
    ))}
  </ul>
);

export const PlanOf = ({ plan, isBusy, onApply }: { plan: Plan; isBusy: boolean; onApply: () => void }) => {
  const more = unlisted(plan);
  return (
    <section aria-labelledby="plan">
      <h2 id="plan">{planned(plan)}</h2>
      {plan.count === 0 && plan.skipped.length === 0 && (
        <p className="muted">
          There is no subtitle file beside a video in these languages. Tracks inside videos are not touched.
        </p>
      )}
      {plan.files.length > 0 && <Paths paths={plan.files.map(({ path }) => path)} label="Files that would be hidden" />}
      {more !== undefined && <p className="muted">{more}</p>}
      {plan.skipped.length > 0 && (
        <details className={css.skipped}>
          <summary>{many(plan.skipped.length, 'file is', 'files are')} left alone</summary>
          {byReason(plan.skipped).map(({ reason, paths }) => (
            <div key={reason}>
              <h3>{asSentence(reason)}</h3>
              <Paths paths={paths} label={asSentence(reason)} />
            </div>
          ))}
        </details>
      )}
      {plan.count > 0 && (
        <p>
          <Button look="danger" isLarge isBusy={isBusy} onClick={onApply}>
            {isBusy ? 'Hiding' : `Hide ${many(plan.count, 'file')}`}
          </Button>
        </p>
      )}
    </section>
  );
};

export const Hidden = ({ hidden }: { hidden: number }) => (
  <Notice tone="good">
    <h2>{many(hidden, 'file is', 'files are')} hidden</h2>
    <p>
      To take it back, remove <code>.hidden</code> from the end of a file’s name. The next scan picks it up as it was.
    </p>
    <p className={css.after}>
      <Button onClick={() => void startTask('scan')}>Scan now</Button>
      <ButtonLink look="quiet" to={{ page: 'subtitles' }}>
        Back to the subtitles
      </ButtonLink>
    </p>
  </Notice>
);
