/**
 * A dialog with what the providers offer for a language of an item, the best first. One is installed or opened in the
 * editor; those that cannot be used are at the end, with the reason.
 */
import { CallFailed, sentence } from '../../../data/client.ts';
import { ButtonLink } from '../../../kit/forms/button.tsx';
import { Dialog } from '../../../kit/layers/dialog.tsx';
import { EmptyState, ErrorState, Notice, Pending } from '../../../kit/states/states.tsx';
import { facts, languageLabel, moment } from '../../../lib/format.ts';
import { candidatesWords as m } from '../../../messages/candidates.ts';
import { WaitsForRestart } from '../../restart/waits-for-restart.tsx';
import { roleWords, sourceName } from '../words.ts';
import { useListening } from '../use-speech-progress.ts';
import { CandidateRow } from './candidate-row.tsx';
import { type CandidateListReply, type CandidateTarget, type Choosing, useCandidates } from './use-candidates.ts';
import css from './candidates.module.css';

export const CandidatesDialog = ({ target, onClose }: { target: CandidateTarget; onClose: () => void }) => {
  const choosing = useCandidates(target, { onDone: onClose });
  const { list, error, retry, busy } = choosing;
  const language = [languageLabel(target.language), roleWords(target.role)].filter((part) => part !== '').join(', ');
  const listening = useListening(target.id, busy?.what === 'install');
  return (
    <Dialog title={m.chooseASubtitleIn({ language })} onClose={onClose} isWide isFirm={busy !== undefined}>
      {list ? (
        <Offers list={list} target={target} choosing={choosing} />
      ) : error instanceof CallFailed && error.reason === 'waits-for-restart' ? (
        <>
          <WaitsForRestart says={sentence(error)} />
          <div className={css.instead}>
            <ImportLink target={target} />
          </div>
        </>
      ) : error ? (
        <>
          <ErrorState title={m.theCandidatesCouldNotBeListed} error={error} retry={retry} />
          <div className={css.instead}>
            {error instanceof CallFailed && error.reason === 'none-configured' && <SettingsLink />}
            <ImportLink target={target} />
          </div>
        </>
      ) : (
        <Pending says={m.askingTheProviders} />
      )}
      <p className="muted small" role="status">
        {listening ?? ''}
      </p>
    </Dialog>
  );
};

const SettingsLink = () => (
  <ButtonLink to={{ page: 'settingsPart', params: { part: 'configuration' }, query: { q: 'subtitles' } }}>
    {m.subtitleSettings}
  </ButtonLink>
);

const ImportLink = ({ target: { id, part, language, role } }: { target: CandidateTarget }) => (
  <ButtonLink to={{ page: 'subtitleEdit', params: { id }, query: { language, kind: role, part } }}>
    {m.importOrCreateOne}
  </ButtonLink>
);

const Unanswered = ({ list }: { list: CandidateListReply }) =>
  list.unanswered.length === 0 ? null : (
    <div className={css.notice}>
      <Notice tone="warn">
        {list.unanswered.map(({ provider, error, nextRetry }) => (
          <p key={provider}>
            {facts(
              m.didNotAnswer({ provider: sourceName(provider), why: error }),
              nextRetry && m.nextTry({ moment: moment(nextRetry) }),
            ).join(', ')}
          </p>
        ))}
      </Notice>
    </div>
  );

const Offers = ({
  list,
  target,
  choosing,
}: {
  list: CandidateListReply;
  target: CandidateTarget;
  choosing: Choosing;
}) => {
  const usable = list.items.filter(({ actions, installed }) => installed || actions.includes('install'));
  const others = list.items.filter((one) => !usable.includes(one));
  const first = usable.find(({ installed }) => !installed);
  return (
    <>
      <Unanswered list={list} />
      {list.items.length === 0 ? (
        <EmptyState title={m.nothingIsOffered} action={<ImportLink target={target} />}>
          {m.noProviderHasOne}
        </EmptyState>
      ) : (
        <p className={`muted ${css.intro}`}>{m.bestFirst}</p>
      )}
      <ul className={css.list}>
        {usable.map((candidate) => (
          <CandidateRow
            key={candidate.id}
            candidate={candidate}
            choosing={choosing}
            isFirst={candidate.id === first?.id}
          />
        ))}
      </ul>
      {list.total > list.items.length && (
        <p className="muted small">{m.more({ amount: list.total - list.items.length })}</p>
      )}
      {others.length > 0 && (
        <details className={css.others} open={usable.length === 0}>
          <summary>{m.notForThisVideo({ count: others.length })}</summary>
          <ul className={css.list}>
            {others.map((candidate) => (
              <CandidateRow key={candidate.id} candidate={candidate} choosing={choosing} isFirst={false} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
};
