/** The fixes of the timing audit, one after the other or all at once, and undoing them. */
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../../kit/forms/button.tsx';
import { ProgressBar } from '../../../kit/states/states.tsx';
import { useStore } from '../../../lib/store.ts';
import { timingWords as m } from '../../../messages/timing.ts';
import type { TimingFinding } from '../../../parts/subtitles/timing-words.ts';
import { applyFixes, fixing, type FixedSubtitle, keyOfAudited, stopFixing, undoFixes } from './fixing.ts';
import { FixRow } from './fix-row.tsx';
import shared from '../subtitles.module.css';
import css from './timing.module.css';

/** Which preview is open: the first one at the beginning, and then the next after each decision. */
function useReview(fixes: readonly TimingFinding[]) {
  const keys = fixes.map(keyOfAudited);
  const [open, setOpen] = useState<string | undefined>(keys[0]);
  /** Whether the open one follows a decision about another. */
  const [isNext, setNext] = useState(false);
  const next = (key: string): void => {
    const at = keys.indexOf(key);
    setNext(true);
    setOpen(keys[at + 1] ?? keys.slice(0, at)[0]);
  };
  // The first results may come while the page is open.
  useEffect(() => {
    if (open === undefined && !isNext && keys[0] !== undefined) setOpen(keys[0]);
  }, [keys[0]]);
  const toggle = (key: string, is: boolean): void => {
    setNext(false);
    setOpen(is ? key : '');
  };
  return { open, isNext, next, toggle };
}

export const Fixes = ({ fixes, isCut }: { fixes: readonly TimingFinding[]; isCut: boolean }) => {
  const { running, failures } = useStore(fixing);
  const [included, setIncluded] = useState<ReadonlySet<string>>(new Set());
  const [applying, setApplying] = useState<string>();
  const { open, isNext, next, toggle } = useReview(fixes);
  const chosen = fixes.filter((one) => !one.own || included.has(keyOfAudited(one)));
  const leftOut = fixes.length - chosen.length;
  const apply = async (one: TimingFinding): Promise<void> => {
    const key = keyOfAudited(one);
    setApplying(key);
    await applyFixes([one]);
    setApplying(undefined);
    if (!fixing.get().failures.has(key)) next(key);
  };
  const include = (key: string, is: boolean): void => {
    const all = new Set(included);
    if (is) all.add(key);
    else all.delete(key);
    setIncluded(all);
  };
  return (
    <section className={shared.card} aria-labelledby="fixes">
      <div className={css.head}>
        <div>
          <h2 id="fixes">{m.fixes}</h2>
          <p className="muted small">{m.fixesSay}</p>
        </div>
        {running && applying === undefined ? (
          <Button onClick={stopFixing}>{m.stop}</Button>
        ) : (
          chosen.length > 0 && (
            <Button isBusy={running !== undefined} onClick={() => void applyFixes(chosen)}>
              {chosen.length === 1 ? m.applyOne : m.applyAll({ amount: chosen.length })}
            </Button>
          )
        )}
      </div>
      <div role="status">
        {running && running.total > 1 && (
          <>
            <ProgressBar value={running.done / running.total} label={m.applying(running)} />
            <p className="muted small">{m.applying(running)}</p>
          </>
        )}
      </div>
      {leftOut > 0 && <p className="muted small">{m.ownLeftOut({ amount: leftOut })}</p>}
      <ul className={css.rows}>
        {fixes.map((one) => {
          const key = keyOfAudited(one);
          return (
            <FixRow
              key={key}
              audited={one}
              isOpen={open === key}
              takesFocus={isNext && open === key}
              isBusy={applying === key || (running !== undefined && chosen.includes(one))}
              failure={failures.get(key)}
              isIncluded={included.has(key)}
              onOpen={(is) => toggle(key, is)}
              onApply={() => void apply(one)}
              onSkip={() => next(key)}
              onInclude={(is) => include(key, is)}
            />
          );
        })}
      </ul>
      {isCut && <p className="muted small">{m.onlyTheFirst({ amount: fixes.length })}</p>}
    </section>
  );
};

/** The fixes that were applied here, each with its undo. */
export const FixedList = ({ fixed }: { fixed: readonly FixedSubtitle[] }) => {
  const { running } = useStore(fixing);
  return (
    <section className={shared.card} aria-labelledby="fixed">
      <div className={css.head}>
        <h2 id="fixed">{m.fixed}</h2>
        {fixed.length > 1 && (
          <Button isBusy={running !== undefined} onClick={() => void undoFixes(fixed)}>
            {m.undoAll({ amount: fixed.length })}
          </Button>
        )}
      </div>
      <ul className={css.rows}>
        {fixed.map((one) => (
          <li key={one.key} className={css.done}>
            <span>{one.name}</span>
            <Button
              isBusy={running !== undefined}
              onClick={() => void undoFixes([one])}
              aria-label={m.undoNamed({ name: one.name })}
            >
              {m.undo}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
};
