/**
 * Editor of the chosen line's text and times. After the first edit, the lines on show are a text that replaces the
 * source.
 */
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { facts } from '../../lib/format.ts';
import { SureWords } from '../lines/cue-text.tsx';
import { faultOf } from '../model/edit.ts';
import { UNSURE, type WorkbenchCue } from '../model/rows.ts';
import { normalText, plainOf, parseTime, timeText } from '../model/srt.ts';
import { useWorkbench } from '../state/context.ts';
import { warningSays } from '../model/warnings.ts';
import css from './tools.module.css';
import { workbenchWords as m } from '../../messages/workbench.ts';
import { rich } from '../../messages/rich.ts';

const Speed = ({ cue }: { cue: WorkbenchCue }) => {
  const seconds = cue.end - cue.start;
  const letters = plainOf(cue.text).replace(/\s+/g, ' ').length;
  return (
    <p className={css.speed}>
      {facts(
        `${seconds.toFixed(3)} s`,
        m.charactersCount({ count: letters }),
        seconds > 0 && m.perSecond({ letters: Math.round(letters / seconds) }),
      ).join(' · ')}
    </p>
  );
};

/**
 * Keeps what is typed until another line is chosen or the value is changed elsewhere: the value that comes back from an
 * edit may be a letter or two behind.
 */
function useTyped(value: string, line: string) {
  const [text, setText] = useState(value);
  const sent = useRef(new Set<string>());
  const shown = useRef({ value, line });
  useEffect(() => {
    const before = shown.current;
    shown.current = { value, line };
    // Nothing has changed on the first run, and text may have been typed before it.
    if (before.line === line && (before.value === value || sent.current.has(value))) return;
    sent.current.clear();
    setText(value);
  }, [value, line]);
  return { text, setText, own: (normal: string) => sent.current.add(normal) };
}

const Editor = ({
  cue,
  line,
}: {
  cue: WorkbenchCue;
  /** Identifies the line: what is typed is kept while it stays the same. */
  line: string;
}) => {
  const id = useId();
  const { session, film, commands, focus } = useWorkbench();
  const { canEdit } = session.lines;
  const { text: start, setText: setStart, own: ownStart } = useTyped(timeText(cue.start), line);
  const { text: end, setText: setEnd, own: ownEnd } = useTyped(timeText(cue.end), line);
  const { text, setText, own } = useTyped(cue.text, line);
  const given = { start: parseTime(start), end: parseTime(end), text };
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
      normalText(text) === normalText(cue.text)
    )
      return;
    ownStart(timeText(from));
    ownEnd(timeText(to));
    own(normalText(text));
    commands.edit({ start: from, end: to, text });
  }, [start, end, text]);
  useLayoutEffect(() => {
    if (focus.isTextWanted.current) focus.lineText.current?.focus();
  });
  return (
    <>
      <label className={css.label} for={id}>
        {m.text}
      </label>
      <textarea
        id={id}
        className={css.area}
        rows={3}
        ref={focus.lineText}
        lang={session.language}
        dir="auto"
        value={text}
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
        <Field label={m.starts} value={start} onValue={setStart} error={fault.start} disabled={!canEdit} />
        <Field label={m.ends} value={end} onValue={setEnd} error={fault.end} disabled={!canEdit} />
      </div>
      <div className={css.acts}>
        <Button disabled={!canEdit} onClick={() => setStart(timeText(film.time.get()))}>
          {m.startsNow}
        </Button>
        <Button disabled={!canEdit} onClick={() => setEnd(timeText(film.time.get()))}>
          {m.endsNow}
        </Button>
      </div>
    </>
  );
};

export const LinePanel = () => {
  const { session, selection, commands, focus } = useWorkbench();
  const { canEdit } = session.lines;
  const { language } = session;
  const { row } = selection;
  // After the editor, whose effects run first: a line without one takes no focus later.
  useLayoutEffect(() => {
    focus.isTextWanted.current = false;
  });
  const cue = row?.proposed[0];
  if (!row) return <p className="muted">{m.selectALineInThe}</p>;
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
          <Button
            disabled={!canEdit}
            onClick={() => {
              commands.acceptWords();
              commands.focusLine();
            }}
          >
            {m.markAsCorrect}
          </Button>
        </p>
      )}
      {cue ? (
        <Editor cue={cue} line={`${row.current[0]?.index}/${cue.index}`} />
      ) : (
        <p className={css.source}>
          {rich(m.thisLineIsRemoved, { plainOf: <span className="muted">{plainOf(row.current[0]?.text ?? '')}</span> })}
        </p>
      )}
      <div className={css.acts}>
        <Button onClick={commands.playLine}>{m.playLine}</Button>
        {cue ? (
          <Button look="quiet" disabled={!canEdit} onClick={commands.remove}>
            {m.deleteLine}
          </Button>
        ) : (
          <Button disabled={!canEdit} onClick={commands.restoreLine}>
            {m.restoreLine}
          </Button>
        )}
        <Button look="quiet" disabled={!canEdit} onClick={commands.add}>
          {m.addLine}
        </Button>
      </div>
    </>
  );
};
