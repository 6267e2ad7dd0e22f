/** Summary of the changes above the lines, with the filter and the search. */
import { useId } from 'preact/hooks';
import { count, facts } from '../../lib/format.ts';
import { cx } from '../../lib/cx.ts';
import { asSentence } from '../../parts/subtitles/words.ts';
import { useWorkbench } from '../state/context.ts';
import type { WorkbenchSession } from '../state/types.ts';
import { noChange } from '../state/use-session.ts';
import { lineFilters, type LineFilter } from '../model/rows.ts';
import { shiftText } from '../model/srt.ts';
import css from './summary.module.css';
import type { SubtitleWarning } from '../../../contract/subtitles/warnings.ts';
import { warningTexts } from '../../messages/server-warnings.ts';
import { workbenchWords as m } from '../../messages/workbench.ts';
import { rich } from '../../messages/rich.ts';

/** Returns the counts and the reading speed, in the order in which they are shown. */
function summary({ lines, preview, installed, isDirty }: WorkbenchSession): string[] {
  const { tally, proposed } = lines;
  const { current } = installed.inspected;
  const quality = isDirty ? (preview.reply?.proposed.quality ?? current?.quality) : current?.quality;
  return facts(
    m.linesCount({ count: proposed.length }),
    preview.blocked === noChange() && m.noChanges,
    isDirty &&
      tally.moved > 0 &&
      (tally.shift === undefined
        ? m.moved({ moved: count(tally.moved) })
        : m.movedBy({ moved: count(tally.moved), shiftText: shiftText(tally.shift) })),
    isDirty && tally.reworded > 0 && m.reworded({ reworded: count(tally.reworded) }),
    isDirty && tally.removed > 0 && m.removedWithRemoved({ removed: count(tally.removed) }),
    isDirty && tally.added > 0 && m.added({ added: count(tally.added) }),
    quality && quality.medianSpeed > 0 && m.charactersPerSecond({ medianSpeed: Math.round(quality.medianSpeed) }),
    quality && quality.overlaps > 0 && m.overlapsCount({ count: quality.overlaps }),
  );
}

/** Whether a warning of the server repeats a count of the summary. */
const isCounted = ({ reason, values }: SubtitleWarning): boolean =>
  reason === 'applied' && values.rule === 'moved' && values.count > 0;

export const Summary = () => {
  const name = useId();
  const { session, selection, select, focus } = useWorkbench();
  const { lines, preview, installed } = session;
  const { tally, rows } = lines;
  const { warnings, warningReasons } = preview.reply ?? installed.inspected;
  const said = warningTexts({ warnings, warningReasons });
  const shownWarnings = said.filter((_, n) => !(warningReasons[n] && isCounted(warningReasons[n])));
  const counts: Readonly<Record<LineFilter, number>> = {
    all: rows.length,
    changed: tally.changed,
    warned: tally.warned,
    unsure: tally.unsure,
  };
  const filters = (Object.keys(lineFilters()) as LineFilter[]).filter(
    (filter) => filter !== 'unsure' || tally.unsure > 0 || selection.filter === 'unsure',
  );
  return (
    <div className={css.bar}>
      <p className={css.summary} aria-busy={preview.isWaiting || undefined}>
        {summary(session).join(' · ')}
        {preview.isWaiting && <span className="muted"> {m.updating}</span>}
      </p>
      {tally.unsure > 0 && (
        <p className={css.said}>
          {rich(m.underlinedWordsMayBeWrong, { span: <span className={css.keys}> {m.pressUForTheNext}</span> })}
        </p>
      )}
      {shownWarnings.length > 0 && <p className={css.said}>{shownWarnings.map(asSentence).join(' ')}</p>}
      <div className={css.controls}>
        <fieldset className={css.filters}>
          <legend className="unseen">{m.filterLines}</legend>
          {filters.map((filter) => (
            <label key={filter} className={cx(css.filter, selection.filter === filter && css.on)}>
              <input
                type="radio"
                name={name}
                className="unseen"
                checked={selection.filter === filter}
                onChange={() => select({ type: 'filter', filter })}
              />
              {lineFilters()[filter]} <span>{count(counts[filter])}</span>
            </label>
          ))}
        </fieldset>
        <input
          type="search"
          className={css.search}
          placeholder={m.searchLines}
          aria-label={m.searchLines}
          ref={focus.search}
          value={selection.search}
          onInput={(event) => select({ type: 'search', text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              select({ type: 'search', text: '' });
              event.currentTarget.blur();
            }
          }}
        />
        <label className={css.follow}>
          <input
            type="checkbox"
            checked={selection.isFollowing}
            onChange={(event) => select({ type: 'follow', isOn: event.currentTarget.checked })}
          />
          {m.followTheFilm}
        </label>
      </div>
    </div>
  );
};
