/** Which files would be hidden and which are left alone; and, when it is done, how it is taken back. */
import { ButtonLink, Button } from '../../../kit/forms/button.tsx';
import { Notice } from '../../../kit/states/states.tsx';
import { startTask } from '../../../parts/tasks/running.tsx';
import { asSentence } from '../../../parts/subtitles/words.ts';
import { byReason, type CleanupPlan, planned, unlisted } from './policy.ts';
import css from './cleanup.module.css';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';
import { rich } from '../../../messages/rich.ts';

const Paths = ({ paths, label }: { paths: readonly string[]; label: string }) => (
  <ul className={css.paths} tabIndex={0} role="list" aria-label={label}>
    {paths.map((path) => (
      <li key={path}>
        <code>{path}</code>
      </li>
    ))}
  </ul>
);

export const PlanOf = ({ plan, isBusy, onApply }: { plan: CleanupPlan; isBusy: boolean; onApply: () => void }) => {
  const more = unlisted(plan);
  return (
    <section aria-labelledby="plan">
      <h2 id="plan">{planned(plan)}</h2>
      {plan.count === 0 && plan.skipped.length === 0 && <p className="muted">{m.noVideoHasASubtitle}</p>}
      {plan.files.length > 0 && <Paths paths={plan.files.map(({ path }) => path)} label={m.filesThatWouldBeHidden} />}
      {more !== undefined && <p className="muted">{more}</p>}
      {plan.skipped.length > 0 && (
        <details className={css.skipped}>
          <summary>{m.leftAlone({ files: m.filesAreCount({ count: plan.skipped.length }) })}</summary>
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
            {isBusy ? m.hiding : m.hide({ count: m.filesCount({ count: plan.count }) })}
          </Button>
        </p>
      )}
    </section>
  );
};

export const Hidden = ({ hidden }: { hidden: number }) => (
  <Notice tone="good">
    <h2>{m.hidden({ files: m.n({ count: hidden }) })}</h2>
    <p>{rich(m.toUndoThisRemoveFrom, { code: <code>.hidden</code> })}</p>
    <p className={css.after}>
      <Button onClick={() => void startTask('scan')}>{m.scanNow}</Button>
      <ButtonLink look="quiet" to={{ page: 'subtitles' }}>
        {m.backToTheSubtitles}
      </ButtonLink>
    </p>
  </Notice>
);
