/** A candidate with its provider, evidence, reason for not being installed automatically, and actions. */
import { Button } from '../../../kit/forms/button.tsx';
import { Badge, Notice } from '../../../kit/states/states.tsx';
import { cx } from '../../../lib/cx.ts';
import { facts } from '../../../lib/format.ts';
import { candidatesWords as m } from '../../../messages/candidates.ts';
import { evidenceText } from '../../../messages/server-evidence.ts';
import { asSentence, roleWords, sourceName } from '../words.ts';
import { PreviewLines } from './preview-lines.tsx';
import type { Choosing, CandidateReply } from './use-candidates.ts';
import css from './candidates.module.css';

/** Returns what a piece of evidence says in a few words. The server says more. */
function evidenceWords({ kind, points, ...one }: CandidateReply['evidence'][number]): string {
  const words: Readonly<Record<string, string>> = points < 0 ? m.against : m.evidence;
  return words[kind] ?? asSentence(evidenceText(one));
}

const Evidence = ({ evidence }: Pick<CandidateReply, 'evidence'>) => (
  <ul className={css.why} aria-label={m.why}>
    {evidence.map((one) => (
      <li key={`${one.kind}${one.detail}`} className={cx(one.points < 0 && css.against)}>
        {evidenceWords(one)}
      </li>
    ))}
  </ul>
);

export const CandidateRow = ({
  candidate,
  choosing,
  isFirst,
}: {
  candidate: CandidateReply;
  choosing: Choosing;
  /** Whether it is the best that can be used. */
  isFirst: boolean;
}) => {
  const { id, provider, release, uploader, role, format, score, evidence, installed, actions, refused, preview } =
    candidate;
  const { busy, failure } = choosing;
  const named = { release, provider: sourceName(provider) };
  const use = refused ? m.useAnyway : m.use;
  const isBusy = (what: 'install' | 'open'): boolean => busy?.id === id && busy.what === what;
  return (
    <li className={css.row}>
      <div>
        <div className={cx(css.score, !refused && css.good)} role="img" aria-label={m.scoreOf100({ score })}>
          {score}
        </div>
      </div>
      <div>
        <p className={css.release}>
          {release} {installed && <Badge tone="good">{m.installed}</Badge>}
        </p>
        <p className="muted small">
          {facts(
            sourceName(provider),
            uploader !== undefined && m.by({ name: uploader }),
            roleWords(role),
            format?.toUpperCase(),
          ).join(' · ')}
        </p>
        <Evidence evidence={evidence} />
        {refused && <p className={cx('muted small', css.refused)}>{m.refusals[refused.reason]}</p>}
        {preview && preview.length > 0 && (
          <details className={css.preview}>
            <summary>{m.firstLines}</summary>
            <PreviewLines lines={preview} />
          </details>
        )}
        {failure?.id === id && <Notice tone="danger">{failure.says}</Notice>}
        {!installed && actions.length > 0 && (
          <div className={css.acts}>
            {actions.includes('install') && (
              <Button
                look={isFirst && !refused ? 'primary' : 'plain'}
                isBusy={isBusy('install')}
                disabled={busy !== undefined && !isBusy('install')}
                aria-label={m.useNamed({ use, ...named })}
                onClick={() => void choosing.use(candidate)}
              >
                {isBusy('install') ? m.checking : use}
              </Button>
            )}
            {actions.includes('open') && (
              <Button
                look="quiet"
                isBusy={isBusy('open')}
                disabled={busy !== undefined && !isBusy('open')}
                aria-label={m.openNamed(named)}
                onClick={() => void choosing.open(candidate)}
              >
                {isBusy('open') ? m.opening : m.openInTheEditor}
              </Button>
            )}
          </div>
        )}
      </div>
    </li>
  );
};
