/** The timing audit: checking, what does not fit, and reviewing fixes. */
import captions from 'lucide/dist/esm/icons/captions.mjs';
import check from 'lucide/dist/esm/icons/check.mjs';
import { Link } from '../../../lib/navigation/link.tsx';
import { useTitle } from '../../../lib/title.ts';
import { useAsk, type Reply } from '../../../data/query.ts';
import { useIsOwner } from '../../../data/session.ts';
import { Button, ButtonLink } from '../../../kit/forms/button.tsx';
import { Badge, EmptyState, ErrorState, Pending } from '../../../kit/states/states.tsx';
import { ago, facts } from '../../../lib/format.ts';
import { useStore } from '../../../lib/store.ts';
import { subtitlesWords } from '../../../messages/subtitles.ts';
import { timingWords as m } from '../../../messages/timing.ts';
import { isUnfinished, useTasks } from '../../../parts/tasks/live.ts';
import { useTaskEnd } from '../../../parts/subtitles/task-end.ts';
import { cancelTask, startTask, TaskProgress } from '../../../parts/tasks/running.tsx';
import {
  type TimingFinding,
  timingExplanation,
  timingLabel,
  timingTone,
} from '../../../parts/subtitles/timing-words.ts';
import { inventoryTitle, subtitleName } from '../../../parts/subtitles/words.ts';
import { AUDIT, lastOf } from '../overview/background.tsx';
import { Fixes, FixedList } from './fixes.tsx';
import { auditedName, fixing, keyOfAudited } from './fixing.ts';
import { OwnersOnly } from '../../../parts/settings/owners-only.tsx';
import shared from '../subtitles.module.css';
import css from './timing.module.css';

type AuditReply = Reply<'subtitleAudit', 'list'>;
const SHOWN = 200;

export const Page = () => {
  useTitle(m.subtitleTiming);
  const isOwner = useIsOwner();
  return (
    <div className={shared.page}>
      <Link to={{ page: 'subtitles' }} className="link small">
        {subtitlesWords.allSubtitles}
      </Link>
      <h1>{m.subtitleTiming}</h1>
      {isOwner ? <Results /> : <OwnersOnly title={m.onlyAnOwner} says={subtitlesWords.askAnOwnerOfThisServer} />}
    </div>
  );
};

const Results = () => {
  const { data, error, refetch } = useAsk(
    'subtitleAudit',
    'list',
    { verdict: 'misfits', limit: SHOWN },
    { keep: true },
  );
  const { fixed } = useStore(fixing);
  if (!data)
    return error ? (
      <ErrorState title={m.theResultsCouldNotBeRead} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const fixes = data.items.filter(({ fixable }) => fixable);
  const others = data.items.filter(({ fixable }) => !fixable);
  return (
    <>
      <Status audit={data} />
      {fixed.length > 0 && <FixedList fixed={fixed} />}
      {fixes.length > 0 && <Fixes fixes={fixes} isCut={data.matched > data.items.length} />}
      {others.length > 0 && <Others others={others} />}
      {data.counts.unknown > 0 && <Unknown amount={data.counts.unknown} />}
      {data.items.length === 0 && fixed.length === 0 && <Nothing audit={data} />}
    </>
  );
};

/** The running check with its progress, or what the last one found. */
const Status = ({ audit: { counts, pending, checkedAt, automatic, matched } }: { audit: AuditReply }) => {
  const { tasks } = useTasks();
  const last = lastOf(tasks, AUDIT);
  const isRunning = last !== undefined && isUnfinished(last);
  useTaskEnd(last);
  return (
    <section className={shared.card} aria-labelledby="check">
      <div className={css.head}>
        <div>
          <h2 id="check">{isRunning ? m.checking : m.checkTiming}</h2>
          <p className="muted small">{m.lead}</p>
        </div>
        {isRunning ? (
          <Button onClick={() => void cancelTask(last.id)}>{m.cancel}</Button>
        ) : (
          <Button
            look={checkedAt === undefined ? 'primary' : 'plain'}
            disabled={pending === 0 && checkedAt !== undefined}
            onClick={() => void startTask(AUDIT)}
          >
            {m.checkNow}
          </Button>
        )}
      </div>
      {isRunning && (
        <>
          <TaskProgress task={last} />
          <p className="muted small">{m.continuesLater}</p>
        </>
      )}
      <p>
        {facts(
          checkedAt !== undefined && m.fitCount({ fits: counts.fits }),
          checkedAt !== undefined && m.misfitCount({ misfits: matched }),
          counts.unknown > 0 && m.unknownCount({ unknown: counts.unknown }),
          pending > 0 && m.notCheckedYet({ videos: pending }),
          checkedAt !== undefined && !isRunning && m.lastChecked({ when: ago(checkedAt) }),
        ).join(' · ')}
      </p>
      <p className="muted small">
        {automatic ? m.afterScans : m.onDemand}{' '}
        <Link
          to={{ page: 'settingsPart', params: { part: 'configuration' }, query: { q: 'subtitles.audit' } }}
          className="link"
        >
          {m.changeThis}
        </Link>
      </p>
    </section>
  );
};

const Nothing = ({ audit: { counts, pending, checkedAt } }: { audit: AuditReply }) =>
  checkedAt !== undefined ? (
    pending === 0 && counts.fits > 0 ? (
      <EmptyState icon={check} title={m.allFit}>
        {m.allFitSays({ fits: counts.fits })}
      </EmptyState>
    ) : null
  ) : (
    <EmptyState icon={captions} title={pending === 0 ? m.nothingToCheck : m.neverChecked}>
      {pending === 0 ? undefined : m.neverCheckedSays}
    </EmptyState>
  );

const Named = ({ audited }: { audited: TimingFinding }) => (
  <>
    <Link to={{ page: 'subtitleItem', params: { id: audited.id } }} className={css.title}>
      {inventoryTitle(audited)}
    </Link>{' '}
    <span className="muted">{subtitleName(audited)}</span>
    <div className={css.badges}>
      <Badge tone={timingTone(audited.timing)}>{timingLabel(audited.timing)}</Badge>
    </div>
    <p className="muted small">{timingExplanation(audited.timing, audited.language)}</p>
  </>
);

/** Subtitles that no move puts right: of another film or language. */
const Others = ({ others }: { others: readonly TimingFinding[] }) => (
  <section className={shared.card} aria-labelledby="others">
    <h2 id="others">{m.otherMisfits}</h2>
    <p className="muted small">{m.otherMisfitsSay}</p>
    <ul className={css.rows}>
      {others.map((one) => {
        const { id, part, language, role } = one;
        return (
          <li key={keyOfAudited(one)} className={css.row}>
            <Named audited={one} />
            <div className={css.acts}>
              <ButtonLink
                to={{ page: 'subtitleItem', params: { id }, query: { choose: language, kind: role, part } }}
                aria-label={m.chooseAnotherFor({ name: auditedName(one) })}
              >
                {m.chooseAnother}
              </ButtonLink>
              <ButtonLink
                look="quiet"
                to={{ page: 'subtitleEdit', params: { id }, query: { language, kind: role, part } }}
                aria-label={subtitlesWords.workbenchFor({ name: auditedName(one) })}
              >
                {subtitlesWords.workbench}
              </ButtonLink>
            </div>
          </li>
        );
      })}
    </ul>
  </section>
);

const Unknown = ({ amount }: { amount: number }) => {
  const { data } = useAsk('subtitleAudit', 'list', { verdict: 'unknown', limit: SHOWN });
  return (
    <details className={css.unknown}>
      <summary>{`${m.notJudged} (${amount})`}</summary>
      <ul className={css.rows}>
        {data?.items.map((one) => (
          <li key={keyOfAudited(one)} className={css.row}>
            <Named audited={one} />
          </li>
        ))}
      </ul>
    </details>
  );
};
