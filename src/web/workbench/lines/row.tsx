/** One row of the comparison: the installed line, the proposed line, and the difference. */
import { useMemo } from 'preact/hooks';
import { memo } from 'preact/compat';
import { cx } from '../../lib/cx.ts';
import { Badge } from '../../kit/states/states.tsx';
import { differing } from '../model/diff.ts';
import { UNSURE, type WorkbenchCue, type LineComparison as View } from '../model/rows.ts';
import { warningName } from '../model/warnings.ts';
import { shiftText, timeText } from '../model/srt.ts';
import { Differing, SureWords, CueText } from './cue-text.tsx';
import css from './list.module.css';
import { workbenchWords as m } from '../../messages/workbench.ts';

/** Returns the label of the difference. If nothing is installed, every line would be new, and has no label. */
function labelOf(
  { kind, current, shift, isReworded }: View,
  isFresh: boolean,
): { label: string; tone: 'plain' | 'good' | 'warn' | 'danger' | 'accent' } | undefined {
  if (kind === 'merged') return { label: m.merged({ count: current.length }), tone: 'accent' };
  if (kind === 'removed') return { label: m.removed, tone: 'danger' };
  if (kind === 'alone')
    return current.length > 0
      ? { label: m.onlyInstalled, tone: 'plain' }
      : isFresh
        ? undefined
        : { label: m.onlyProposed, tone: 'good' };
  if (kind === 'overlap') return isReworded ? { label: m.sameTimeOtherText, tone: 'plain' } : undefined;
  if (shift !== 0) return { label: shiftText(shift), tone: 'accent' };
  return kind === 'moved' ? { label: m.newEnd, tone: 'accent' } : undefined;
}

const Text = ({ cue, other, as }: { cue: WorkbenchCue; other: WorkbenchCue | undefined; as: 'del' | 'ins' }) => {
  const words = useMemo(
    () =>
      other && other.text !== cue.text
        ? differing(as === 'del' ? cue.text : other.text, as === 'del' ? other.text : cue.text)
        : undefined,
    [cue.text, other?.text],
  );
  if (cue.words && as === 'ins') return <SureWords words={cue.words} />;
  return words ? <Differing words={as === 'del' ? words.before : words.after} as={as} /> : <CueText text={cue.text} />;
};

/** Cues of one side. The text has the language of the subtitle and the direction of its letters. */
const Side = ({
  cues,
  other,
  as,
  language,
}: {
  cues: readonly WorkbenchCue[];
  other: WorkbenchCue | undefined;
  as: 'del' | 'ins';
  language: string;
}) => (
  <>
    {cues.map((cue) => (
      <div key={cue.index} className={css.cue}>
        <span className={css.time}>{timeText(cue.start)}</span>
        <span className={css.text} lang={language} dir="auto">
          <Text cue={cue} other={other} as={as} />
        </span>
      </div>
    ))}
  </>
);

export interface LineRowProps {
  row: View;
  /** Counted from one among the rows on show. */
  number: number;
  place: number;
  top: number;
  isFresh: boolean;
  language: string;
  isSelected: boolean;
  isPlaying: boolean;
  isTabStop: boolean;
  onSelect: (place: number) => void;
  onOpen: (place: number) => void;
  /** The elements of the rendered rows by their places. */
  elements: Map<number, HTMLElement>;
}
export const LineRow = memo(
  ({
    row,
    number,
    place,
    top,
    isFresh,
    language,
    isSelected,
    isPlaying,
    isTabStop,
    onSelect,
    onOpen,
    elements,
  }: LineRowProps) => {
    const { kind, current, proposed, warnings } = row;
    const isPair = kind === 'reworded' || kind === 'moved' || kind === 'same';
    const label = labelOf(row, isFresh);
    const unsure = proposed.reduce(
      (sum, { words = [] }) => sum + words.filter(({ confidence }) => confidence < UNSURE).length,
      0,
    );
    // An unchanged line is emphasized on one side only.
    const isSame = kind === 'same' || (kind === 'overlap' && !row.isChanged);
    return (
      <div
        role="row"
        aria-rowindex={number + 1}
        aria-selected={isSelected}
        tabIndex={isTabStop ? 0 : -1}
        ref={(element) => void (element ? elements.set(place, element) : elements.delete(place))}
        className={cx(css.row, isSelected && css.selected, isPlaying && css.playing, kind === 'removed' && css.gone)}
        style={{ transform: `translateY(${top}px)` }}
        onClick={() => onSelect(place)}
        onDblClick={() => onOpen(place)}
      >
        <div role="gridcell" className={css.number}>
          {(proposed[0] ?? current[0])?.index === undefined ? '' : ((proposed[0] ?? current[0])?.index ?? 0) + 1}
        </div>
        <div role="gridcell" className={cx(css.side, css.current, isSame && css.quiet)}>
          <Side cues={current} other={isPair ? proposed[0] : undefined} as="del" language={language} />
          {current.length === 0 && <span className="unseen">{m.empty}</span>}
        </div>
        <div role="gridcell" className={cx(css.side, css.proposed)}>
          <Side cues={proposed} other={isPair ? current[0] : undefined} as="ins" language={language} />
          {proposed.length === 0 && <span className="unseen">{m.empty}</span>}
        </div>
        <div role="gridcell" className={css.says}>
          {label && <Badge tone={label.tone}>{label.label}</Badge>}
          {unsure > 0 && <span className={css.warning}>{m.uncertainWordsCount({ count: unsure })}</span>}
          {warnings.map((warning) => (
            <span key={warning} className={css.warning}>
              {warningName(warning)}
            </span>
          ))}
          {!label && warnings.length === 0 && (
            <span className="unseen">{isFresh ? m.newLineLabel : isSame ? m.unchangedLine : m.textChanged}</span>
          )}
        </div>
      </div>
    );
  },
);
