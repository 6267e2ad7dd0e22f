/** The chosen line: its words and times, to be changed; from the first change on all lines are a text of their own. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { many } from '../../lib/format.ts';
import { SureWords } from '../list/words.tsx';
import { faultOf, type Edit } from '../work/edit.ts';
import { UNSURE, type Cue, type Row } from '../work/rows.ts';
import { cueText, plainOf, timeOf, timeText } from '../work/srt.ts';
import { warningSays } from '../work/warnings.ts';
import css from './tools.module.css';

export interface LinePanelProps {
  row: Row | undefined;
  canEdit: boolean;
  onEdit: (edit: Edit) => void;
  onRemove: () => void;
  /** The words of a draft are right as they are. */
  onRight: () => void;
  /** Brings back a line that the changes leave out. */
  onKeep: () => void;
  onAdd: () => void;
  onPlay: () => void;
  /** Of the line. */
  language: string;
  /** Seconds: where the film is. */
  now: () => number;
}

const Speed = ({ cue }: { cue: Cue }) => {
  const seconds = cue.end - cue.start;
  const letters = plainOf(cue.text).replace(/\s+/g, ' ').length;
  return (
    <p className={css.speed}>
      {seconds.toFixed(3)} s · {many(letters, 'letter')}
      {seconds > 0 && ` · ${Math.round(letters / seconds)} a second`}
    </p>
  );
};

/**
 * What is typed stays as it is typed until it is another line's turn, or it is changed from elsewhere: what comes
 * back may be a letter or two behind the fingers.
 */
function useTyped(value: string, line: string) {
  const [text, setText] = useState(value);
  const sent = useRef(new Set<string>());
  useEffect(() => {
    sent.current.clear();
    setText(value);
  }, [line]);
  useEffect(() => {
    if (sent.current.has(value)) return;
    sent.current.clear();
    setText(value);
  }, [value]);
  return { text, setText, own: (normal: string) => sent.current.add(normal) };
}

const Editor = ({
  cue,
  line,
  canEdit,
  language,
  onEdit,
  now,
}: { cue: Cue; line: string } & Pick<LinePanelProps, 'canEdit' | 'language' | 'onEdit' | 'now'>) => {
  const id = useId();
  const { text: start, setText: setStart, own: ownStart } = useTyped(timeText(cue.start), line);
  const { text: end, setText: setEnd, own: ownEnd } = useTyped(timeText(cue.end), line);
  const { text, setText, own } = useTyped(cue.text, line);
  const given = { start: timeOf(start), end: timeOf(end), text };
  const fault = faultOf({
    text,
    ...(given.start !== undefined && { start: given.start }),
    ...(given.end !== undefined && { end: given.end }),
  });
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    const { start: from, end: to } = given;
    if (from === undefined || to === undefined || Object.keys(fault).length > 0) return;
    if (
      timeText(from) === timeText(cue.start) &&
      timeText(to) === timeText(cue.end) &&
      cueText(text) === cueText(cue.text)
    )
      return;
    ownStart(timeText(from));
    ownEnd(timeText(to));
    own(cueText(text));
    onEdit({ start: from, end: to, text });
  }, [start, end, text]);
  return (
    <>
      <label className={css.label} for={id}>
        Text
      </label>
      <textarea
        id={id}
        className={css.area}
        rows={3}
        lang={language}
        dir="auto"
        value={text}
        data-line-text
        disabled={!canEdit}
        onInput={(event) => setText(event.currentTarget.value)}
        aria-invalid={fault.text ? true : undefined}
        aria-describedby={`${id}-fault`}
      />
      <div id={`${id}-fault`} className={css.fault} role="alert">
        {fault.text}
      </div>
      <Speed cue={cue} />
      <div className={css.times}>
        <Field label="Starts" value={start} onValue={setStart} error={fault.start} disabled={!canEdit} />
        <Field label="Ends" value={end} onValue={setEnd} error={fault.end} disabled={!canEdit} />
      </div>
      <div className={css.acts}>
        <Button disabled={!canEdit} onClick={() => setStart(timeText(now()))}>
          Starts now
        </Button>
        <Button disabled={!canEdit} onClick={() => setEnd(timeText(now()))}>
          Ends now
        </Button>
      </div>
    </>
  );
};

export const LinePanel = ({
  row,
  canEdit,
  onEdit,
  onRemove,
  onRight,
  onKeep,
  onAdd,
  onPlay,
  language,
  now,
}: LinePanelProps) => {
  const cue = row?.proposed[0];
  if (!row) return <p className="muted">Choose a line in the list to change its words and times.</p>;
  return (
    <>
      {row.warnings.length > 0 && (
        <ul className={css.warnings}>
          {row.warnings.map((warning) => (
            <li key={warning}>{warningSays(warning)}</li>
          ))}
        </ul>
      )}
      {cue?.words && (
        <p className={css.source} lang={language} dir="auto">
          <SureWords words={cue.words} />
        </p>
      )}
      {cue?.confidence !== undefined && cue.confidence < UNSURE && (
        <p className={css.act}>
          <Button disabled={!canEdit} onClick={onRight}>
            It reads right
          </Button>
        </p>
      )}
      {cue ? (
        <Editor cue={cue} line={`${row.current[0]?.index}/${cue.index}`} {...{ canEdit, language, onEdit, now }} />
      ) : (
        <p className={css.source}>
          This line is left out. <span className="muted">{plainOf(row.current[0]?.text ?? '')}</span>
        </p>
      )}
      <div className={css.acts}>
        <Button onClick={onPlay}>Play the line</Button>
        {cue ? (
          <Button look="quiet" disabled={!canEdit} onClick={onRemove}>
            Remove the line
          </Button>
        ) : (
          <Button disabled={!canEdit} onClick={onKeep}>
            Keep the line
          </Button>
        )}
        <Button look="quiet" disabled={!canEdit} onClick={onAdd}>
          New line here
        </Button>
      </div>
    </>
  );
};
