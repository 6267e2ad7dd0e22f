/** A subtitle that can be fixed: what is wrong, what would move, its first lines at both times, and applying it. */
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../kit/forms/button.tsx';
import { Badge, ErrorState, Notice, Pending } from '../../../kit/states/states.tsx';
import { useAsk, type Reply } from '../../../data/query.ts';
import { timingWords as m } from '../../../messages/timing.ts';
import { EvidenceList } from '../../../parts/subtitles/evidence.tsx';
import {
  type TimingFinding,
  lineTime,
  moveSentence,
  timingExplanation,
  timingLabel,
  timingTone,
} from '../../../parts/subtitles/timing-words.ts';
import { asSentence, inventoryTitle, subtitleName } from '../../../parts/subtitles/words.ts';
import { auditedName } from './fixing.ts';
import css from './timing.module.css';
import { warningTexts } from '../../../messages/server-warnings.ts';

type FixPreview = Reply<'subtitleAudit', 'preview'>;

const Lines = ({ preview: { first, last } }: { preview: FixPreview }) => (
  <table className={css.lines} aria-label={m.linesNowAndThen}>
    <thead>
      <tr>
        <th scope="col">{m.now}</th>
        <th scope="col">{m.afterwards}</th>
        <th scope="col">{m.line}</th>
      </tr>
    </thead>
    {[first, last]
      .filter((lines) => lines.length > 0)
      .map((lines, n) => (
        <tbody key={n}>
          {lines.map(({ text, before, after }, at) => (
            <tr key={at}>
              <td>{lineTime(before)}</td>
              <td>{lineTime(after)}</td>
              <td dir="auto">{text.replaceAll(/<[^<>]*>/g, '')}</td>
            </tr>
          ))}
        </tbody>
      ))}
  </table>
);

const Preview = ({ audited }: { audited: TimingFinding }) => {
  const { id, part, track, judgement, timing, file, source } = audited;
  const { data, error, refetch } = useAsk('subtitleAudit', 'preview', { id, part, track, judgement });
  if (!data)
    return error ? <ErrorState title={m.thePreviewFailed} error={error} retry={() => void refetch()} /> : <Pending />;
  return (
    <>
      <p>{moveSentence(timing, data.lines)}</p>
      {source === 'embedded' && <p className="muted">{m.writesNextToIt({ file: data.target })}</p>}
      {file !== undefined && (
        <p className={css.file}>
          <code>{file}</code>
        </p>
      )}
      <Lines preview={data} />
      <details className={css.measured}>
        <summary>{m.measured}</summary>
        <EvidenceList evidence={timing.evidence} />
        {warningTexts(data).map((warning) => (
          <p key={warning} className="muted small">
            {asSentence(warning)}
          </p>
        ))}
      </details>
    </>
  );
};

export interface FixRowProps {
  audited: TimingFinding;
  isOpen: boolean;
  /** Whether it was opened because the row before was settled, so that it takes the focus. */
  takesFocus: boolean;
  isBusy: boolean;
  failure: string | undefined;
  isIncluded: boolean;
  onOpen: (is: boolean) => void;
  onApply: () => void;
  onSkip: () => void;
  onInclude: (is: boolean) => void;
}
export const FixRow = ({
  audited,
  isOpen,
  takesFocus,
  isBusy,
  failure,
  isIncluded,
  onOpen,
  onApply,
  onSkip,
  onInclude,
}: FixRowProps) => {
  const { timing, own, source, language } = audited;
  const name = auditedName(audited);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) opener.current?.focus();
  }, [takesFocus]);
  const panel = `fix-${audited.judgement.slice(0, 12)}`;
  return (
    <li className={css.row}>
      <h3 className={css.heading}>
        <button
          ref={opener}
          type="button"
          className={css.opener}
          aria-expanded={isOpen}
          aria-controls={panel}
          onClick={() => onOpen(!isOpen)}
        >
          <span className={css.title}>{inventoryTitle(audited)}</span>
          <span className="muted">{subtitleName(audited)}</span>
        </button>
      </h3>
      <div className={css.badges}>
        <Badge tone={timingTone(timing)}>{timingLabel(timing)}</Badge>
        {own && <Badge>{m.yourFile}</Badge>}
        {source === 'embedded' && <Badge>{m.insideTheVideo}</Badge>}
      </div>
      {failure !== undefined && <Notice tone="danger">{asSentence(failure)}</Notice>}
      <div id={panel} className={css.panel} hidden={!isOpen}>
        {isOpen && (
          <>
            {timingExplanation(timing, language) !== undefined && (
              <p className="muted">{timingExplanation(timing, language)}</p>
            )}
            <Preview audited={audited} />
            {own && <p className="muted small">{m.yourFileSays}</p>}
          </>
        )}
        <div className={css.acts}>
          <Button look="primary" isBusy={isBusy} onClick={onApply} aria-label={m.applyTo({ name })}>
            {own ? m.applyToYourFile : m.apply}
          </Button>
          <Button look="quiet" onClick={onSkip} aria-label={m.skipNamed({ name })}>
            {m.skip}
          </Button>
        </div>
      </div>
      {own && (
        <label className={css.include}>
          <input
            type="checkbox"
            checked={isIncluded}
            onChange={(event) => onInclude(event.currentTarget.checked)}
            aria-label={m.includeNamed({ name })}
          />
          <span aria-hidden="true">{m.include}</span>
        </label>
      )}
    </li>
  );
};
