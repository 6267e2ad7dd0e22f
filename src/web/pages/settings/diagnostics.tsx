/** What the server found out about itself and its machine, the worst first, each with the setting that changes it. */
import check from 'lucide/dist/esm/icons/check.mjs';
import alert from 'lucide/dist/esm/icons/triangle-alert.mjs';
import x from 'lucide/dist/esm/icons/circle-x.mjs';
import { Link } from '../../lib/navigation/link.tsx';
import { useAsk } from '../../data/query.ts';
import { Icon } from '../../kit/art/icon.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import { ago, capital, moment, size } from '../../lib/format.ts';
import css from './diagnostics.module.css';
import shared from './settings.module.css';

const LEVELS = {
  error: { icon: x, word: 'Wrong', order: 0 },
  warning: { icon: alert, word: 'Worth a look', order: 1 },
  ok: { icon: check, word: 'Good', order: 2 },
} as const;
const SANDBOXES = {
  full: 'Helper programs run locked in',
  limits: 'Helper programs run with limits, not locked in',
  none: 'Helper programs run without protection',
} as const;

export const Diagnostics = () => {
  const { data, error, refetch, isFetching } = useAsk('diagnostics', 'read', {});
  if (!data)
    return error ? (
      <ErrorState title="The diagnostics could not be read" error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const findings = [...data.findings].sort((a, b) => LEVELS[a.level].order - LEVELS[b.level].order);
  const open = findings.filter(({ level }) => level !== 'ok').length;
  return (
    <>
      <div className={shared.bar}>
        <p className={shared.lead}>
          {open === 0
            ? 'Everything that was looked at is good.'
            : `${open} of ${findings.length} findings are worth a look.`}
        </p>
        <Button isBusy={isFetching} onClick={() => void refetch()}>
          Look again
        </Button>
      </div>
      <ul className={shared.rows}>
        {findings.map(({ level, subject, sentence, setting }) => (
          <li key={`${subject}${sentence}`} className={css.finding}>
            <span className={css[level]}>
              <Icon of={LEVELS[level].icon} />
              <span className="unseen">{LEVELS[level].word}: </span>
            </span>
            <div>
              <strong>{capital(subject)}</strong>
              <p>{sentence}</p>
              {level !== 'ok' && subject === 'Unmatched files' && (
                <Link to={{ page: 'settingsPart', params: { part: 'unplaced' } }} className="link small">
                  Unplaced files
                </Link>
              )}
              {subject === 'Video conversion' && (
                <Link to={{ page: 'settingsPart', params: { part: 'hardware' } }} className="link small">
                  Video conversion
                </Link>
              )}{' '}
              {setting !== undefined && (
                <Link
                  to={{ page: 'settingsPart', params: { part: 'configuration' }, query: { q: setting } }}
                  className="link small"
                >
                  {level === 'ok' ? 'Its setting' : 'Change the setting'}
                </Link>
              )}
            </div>
          </li>
        ))}
      </ul>
      <dl className={css.facts}>
        <dt>Version</dt>
        <dd>{data.version}</dd>
        <dt>Node</dt>
        <dd>{data.node}</dd>
        <dt>Database</dt>
        <dd>{data.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}</dd>
        <dt>Running since</dt>
        <dd>
          {moment(data.startedAt)} <span className="muted">({ago(data.startedAt)})</span>
        </dd>
        <dt>Memory</dt>
        <dd>{size(data.memoryBytes)}</dd>
        <dt>Protection</dt>
        <dd>{SANDBOXES[data.sandbox]}</dd>
      </dl>
    </>
  );
};
