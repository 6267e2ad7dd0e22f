/** Summary of what applying will change. */
import { count } from '../../lib/format.ts';
import { roleWords } from '../../parts/subtitles/words.ts';
import type { WorkbenchSession } from '../state/types.ts';
import { shiftText } from '../model/srt.ts';
import type { WorkbenchSettings } from '../model/settings.ts';
import { rateLabel } from '../model/timing.ts';
import { ruleLabels } from '../tools/rule-labels.ts';
import css from '../workbench.module.css';
import { workbenchWords as m } from '../../messages/workbench.ts';
import { rich } from '../../messages/rich.ts';

/** Returns a phrase for each setting. */
function phrases(
  { source, timing, rules, role, encoding }: WorkbenchSettings,
  alignment: string | undefined,
): string[] {
  return [
    ...(source.kind === 'file'
      ? [m.importTheFile({ name: source.name })]
      : source.kind === 'draft'
        ? [m.useTheDraft]
        : source.kind === 'text'
          ? [m.useTheEditedLines]
          : []),
    ...(timing.kind === 'offset' ? [m.shiftBy({ shiftText: shiftText(timing.ms) })] : []),
    ...(timing.kind === 'anchors' ? [m.retimeWithAnchors({ count: timing.anchors.length })] : []),
    ...(timing.kind === 'framerate'
      ? [m.changeTheFrameRateFrom({ rateLabel: rateLabel(timing.from), rateLabel2: rateLabel(timing.to) })]
      : []),
    ...(timing.kind === 'auto'
      ? [alignment === undefined ? m.alignToTheSpeech : m.alignToTheSpeechWithAlignment({ alignment })]
      : []),
    ...rules.map((rule) => ruleLabels()[rule].label),
    ...(role === undefined ? [] : [m.role({ roleWords: roleWords(role) || m.fullSubtitleRole })]),
    ...(encoding === 'auto' ? [] : [m.characterSet({ encoding })]),
  ];
}
const outcomeNames = () =>
  ({
    fits: m.alreadyAligned,
    moved: m.linesMoved,
    refused: m.notEnoughEvidenceNothingMoved,
  }) as const;

export const ApplySummary = ({ session: { installed, steps, lines, preview } }: { session: WorkbenchSession }) => {
  const { tally, proposed, current } = lines;
  const { reply } = preview;
  const numbers: readonly (readonly [string, number])[] = [
    [m.movedCount, tally.moved],
    [m.rewordedCount, tally.reworded],
    [m.removedCount, tally.removed],
    [m.addedCount, tally.added],
  ];
  const name = reply?.file.split('/').pop();
  return (
    <div className={css.says}>
      {name !== undefined && <p>{rich(m.savesNextToTheVideo, { name: <code>{name}</code> })}</p>}
      <ul>
        {phrases(steps.settings, reply?.alignment && outcomeNames()[reply.alignment.outcome]).map((phrase) => (
          <li key={phrase}>{phrase}</li>
        ))}
      </ul>
      <dl className={css.numbers}>
        <div>
          <dt>{m.linesInTotal}</dt>
          <dd>{count(proposed.length)}</dd>
        </div>
        {numbers
          .filter(([, number]) => number > 0)
          .map(([label, number]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{count(number)}</dd>
            </div>
          ))}
      </dl>
      <p>
        {installed.inspected.unreadable
          ? m.theUnreadableSubtitleIsPreserved
          : current.length > 0
            ? m.theCurrentSubtitleIsPreserved
            : m.thereIsNoCurrentSubtitle}
      </p>
    </div>
  );
};
