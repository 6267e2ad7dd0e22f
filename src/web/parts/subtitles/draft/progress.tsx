/** A draft that is under way or done: how far it is, ending it, and the way to review it. */
import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../../../lib/announce.ts';
import { Button, ButtonLink } from '../../../kit/forms/button.tsx';
import { Badge, ProgressBar } from '../../../kit/states/states.tsx';
import { languageLabel, percent } from '../../../lib/format.ts';
import { asSentence, type SubtitleAddress } from '../words.ts';
import { draftTitle, type DraftReport, type Drafting } from './use-draft.ts';
import css from './draft.module.css';
import { draftMessage } from '../../../messages/server-drafts.ts';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

/** Announces every quarter, which is enough for a screen reader. */
function useSpoken(draft: DraftReport): void {
  const said = useRef(0);
  const quarter = Math.floor((draft.progress ?? 0) * 4);
  useEffect(() => {
    if (draft.state !== 'running' || quarter === said.current) return;
    said.current = quarter;
    if (quarter > 0 && quarter < 4) announce(m.draftAt({ draft: draftTitle(draft), share: percent(quarter / 4) }));
  }, [quarter, draft.state]);
}

const taskWords = () =>
  ({
    failed: { label: m.failed, tone: 'danger' },
    stopped: { label: m.cancelled, tone: 'plain' },
    ready: { label: m.ready, tone: 'good' },
  }) as const;

export const DraftProgress = ({
  of,
  draft,
  drafting,
  onReview,
}: {
  of: SubtitleAddress;
  draft: DraftReport;
  drafting: Drafting;
  /** Takes the draft up in place of a link. */ onReview?: (draft: DraftReport) => void;
}) => {
  useSpoken(draft);
  const { state, language: code, draftId, progress } = draft;
  const message = draftMessage(draft);
  if (state === 'none') return null;
  const name = `${draftTitle(draft)}${code === undefined ? '' : `, ${languageLabel(code)}`}`;
  return (
    <section className={css.draft} aria-label={m.draftLabel}>
      <div className={css.head}>
        <strong>{name}</strong>
        {state === 'running' ? (
          <Button look="quiet" isBusy={drafting.isCancelling} onClick={() => void drafting.cancel()}>
            {m.cancel}
          </Button>
        ) : (
          <Badge tone={taskWords()[state].tone}>{taskWords()[state].label}</Badge>
        )}
      </div>
      {state === 'running' && <ProgressBar value={progress} label={name} />}
      {message !== undefined && <p className="muted small">{asSentence(message)}</p>}
      {state === 'ready' && draftId !== undefined && code !== undefined && (
        <p className={css.act}>
          {onReview ? (
            <Button onClick={() => onReview(draft)}>{m.useTheDraft}</Button>
          ) : (
            <ButtonLink
              look="primary"
              to={{
                page: 'subtitleEdit',
                params: { id: of.id },
                query: { language: code, draft: draftId, part: of.part },
              }}
            >
              {m.reviewTheDraft}
            </ButtonLink>
          )}
        </p>
      )}
    </section>
  );
};
