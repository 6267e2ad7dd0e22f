/** Shows the server's checks of itself and its machine, the worst first, each with the setting that changes it. */
import check from 'lucide/dist/esm/icons/check.mjs';
import alert from 'lucide/dist/esm/icons/triangle-alert.mjs';
import x from 'lucide/dist/esm/icons/circle-x.mjs';
import type { FindingCode } from '../../../contract/findings.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { useAsk } from '../../data/query.ts';
import { Icon } from '../../kit/art/icon.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import { ago, capital, moment, size } from '../../lib/format.ts';
import css from './diagnostics.module.css';
import shared from './settings.module.css';
import { translatedFinding } from '../../messages/server-findings.ts';
import { settingsWords as m } from '../../messages/settings.ts';
import { count } from '../../lib/format.ts';

const levelWords = () =>
  ({
    error: { icon: x, word: m.error, order: 0 },
    warning: { icon: alert, word: m.warning, order: 1 },
    ok: { icon: check, word: m.ok, order: 2 },
  }) as const;
const sandboxWords = () =>
  ({
    full: m.helperProgramsRunInA,
    limits: m.helperProgramsRunWithLimits,
    none: m.helperProgramsRunWithoutProtection,
  }) as const;

/** Findings that the page about hardware explains. */
const HARDWARE: readonly FindingCode[] = [
  'conversion-accelerated',
  'no-graphics-device',
  'accelerator-unusable',
  'chosen-accelerator-unusable',
  'accelerator-failed',
];

export const DiagnosticsSection = () => {
  const { data, error, refetch, isFetching } = useAsk('diagnostics', 'read', {});
  if (!data)
    return error ? (
      <ErrorState title={m.theDiagnosticsCouldNotBe} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const findings = data.findings
    .map(translatedFinding)
    .sort((a, b) => levelWords()[a.level].order - levelWords()[b.level].order);
  const open = findings.filter(({ level }) => level !== 'ok').length;
  return (
    <>
      <div className={shared.bar}>
        <p className={shared.lead}>
          {open === 0
            ? m.allChecksPassed
            : m.ofChecksNeedAttention({ open: count(open), count: count(findings.length) })}
        </p>
        <Button isBusy={isFetching} onClick={() => void refetch()}>
          {m.checkAgain}
        </Button>
      </div>
      <ul className={shared.rows}>
        {findings.map(({ level, code, subject, sentence, setting }) => (
          <li key={`${code}${sentence}`} className={css.finding}>
            <span className={css[level]}>
              <Icon of={levelWords()[level].icon} />
              <span className="unseen">{levelWords()[level].word}: </span>
            </span>
            <div>
              <strong>{capital(subject)}</strong>
              <p>{sentence}</p>
              {code === 'files-unplaced' && (
                <Link to={{ page: 'settingsPart', params: { part: 'unplaced' } }} className="link small">
                  {m.unmatchedFiles}
                </Link>
              )}
              {HARDWARE.includes(code) && (
                <Link to={{ page: 'settingsPart', params: { part: 'hardware' } }} className="link small">
                  {m.videoConversion}
                </Link>
              )}{' '}
              {setting !== undefined && (
                <Link
                  to={{ page: 'settingsPart', params: { part: 'configuration' }, query: { q: setting } }}
                  className="link small"
                >
                  {level === 'ok' ? m.setting : m.changeSetting}
                </Link>
              )}
            </div>
          </li>
        ))}
      </ul>
      <dl className={css.facts}>
        <dt>{m.version}</dt>
        <dd>{data.version}</dd>
        <dt>{m.node}</dt>
        <dd>{data.node}</dd>
        <dt>{m.database}</dt>
        <dd>{data.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}</dd>
        <dt>{m.started}</dt>
        <dd>
          {moment(data.startedAt)} <span className="muted">({ago(data.startedAt)})</span>
        </dd>
        <dt>{m.memory}</dt>
        <dd>{size(data.memoryBytes)}</dd>
        <dt>{m.protection}</dt>
        <dd>{sandboxWords()[data.sandbox]}</dd>
      </dl>
    </>
  );
};
