/** Above the lines: what the changes come to, and which lines are on show. */
import { useId } from 'preact/hooks';
import { count, facts, many } from '../lib/format.ts';
import { cx } from '../lib/cx.ts';
import { asSentence } from '../parts/subtitles/words.ts';
import type { Bench } from './use-bench.ts';
import { NO_CHANGE, type Work } from './use-work.ts';
import { FILTERS, type Filter } from './work/rows.ts';
import { shiftText } from './work/srt.ts';
import css from './bar.module.css';

/** The whole in a line: how many, what changes, how well it reads. */
function summary({ tally, proposed, isDirty, previewed, inspected, blocked }: Work): string[] {
  const quality = isDirty ? (previewed?.proposed.quality ?? inspected.current?.quality) : inspected.current?.quality;
  return facts(
    many(proposed.length, 'line'),
    blocked === NO_CHANGE && 'this would change nothing',
    isDirty &&
      tally.moved > 0 &&
      (tally.shift === undefined
        ? `${count(tally.moved)} moved`
        : `${count(tally.moved)} moved by ${shiftText(tally.shift)}`),
    isDirty && tally.reworded > 0 && `${count(tally.reworded)} with other words`,
    isDirty && tally.removed > 0 && `${count(tally.removed)} removed`,
    isDirty && tally.added > 0 && `${count(tally.added)} added`,
    quality && quality.medianSpeed > 0 && `${Math.round(quality.medianSpeed)} letters a second`,
    quality && quality.overlaps > 0 && many(quality.overlaps, 'overlap'),
  );
}

/** Noticed by the server, and in the summary already. */
const COUNTED = /^\d+ cues? moved\.?$/;

export const Bar = ({ work, bench }: { work: Work; bench: Bench }) => {
  const name = useId();
  const { tally, rows } = work;
  const said = (work.previewed ?? work.inspected).warnings.filter((warning) => !COUNTED.test(warning));
  const counts: Readonly<Record<Filter, number>> = {
    all: rows.length,
    changed: tally.changed,
    warned: tally.warned,
    unsure: tally.unsure,
  };
  const filters = (Object.keys(FILTERS) as Filter[]).filter(
    (filter) => filter !== 'unsure' || tally.unsure > 0 || bench.filter === 'unsure',
  );
  return (
    <div className={css.bar}>
      <p className={css.summary} aria-busy={work.isWaiting || undefined}>
        {summary(work).join(' · ')}
        {work.isWaiting && <span className="muted"> · working it out</span>}
      </p>
      {tally.unsure > 0 && (
        <p className={css.said}>
          Underlined words may have been read wrong: with dots uncertain, with a wave likely.
          <span className={css.keys}> U goes to the next line with one, E edits it, R says that it is right.</span>
        </p>
      )}
      {said.length > 0 && <p className={css.said}>{said.map(asSentence).join(' ')}</p>}
      <div className={css.controls}>
        <fieldset className={css.filters}>
          <legend className="unseen">Lines on show</legend>
          {filters.map((filter) => (
            <label key={filter} className={cx(css.filter, bench.filter === filter && css.on)}>
              <input
                type="radio"
                name={name}
                className="unseen"
                checked={bench.filter === filter}
                onChange={() => bench.setFilter(filter)}
              />
              {FILTERS[filter]} <span>{count(counts[filter])}</span>
            </label>
          ))}
        </fieldset>
        <input
          type="search"
          className={css.search}
          placeholder="Search lines"
          aria-label="Search lines"
          data-line-search
          value={bench.search}
          onInput={(event) => bench.setSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              bench.setSearch('');
              event.currentTarget.blur();
            }
          }}
        />
        <label className={css.follow}>
          <input
            type="checkbox"
            checked={bench.isFollowing}
            onChange={(event) => bench.setFollowing(event.currentTarget.checked)}
          />
          Follow the film
        </label>
      </div>
    </div>
  );
};
