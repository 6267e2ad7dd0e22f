/** Summary of what applying will change. */
import { count } from '../../lib/format.ts';
import { roleWords } from '../../parts/subtitles/words.ts';
import type { WorkbenchSession } from '../state/types.ts';
import { shiftText } from '../model/srt.ts';
import type { WorkbenchSettings } from '../model/settings.ts';
import { rateLabel } from '../model/timing.ts';
import { RULE_WORDS } from '../tools/rule-labels.ts';
import css from '../workbench.module.css';

/** Returns a phrase for each setting. */
function phrases(
  { source, timing, rules, role, encoding }: WorkbenchSettings,
  alignment: string | undefined,
): string[] {
  return [
    ...(source.kind === 'file'
      ? [`Import the file ${source.name}`]
      : source.kind === 'draft'
        ? ['Use the draft']
        : source.kind === 'text'
          ? ['Use the edited lines']
          : []),
    ...(timing.kind === 'offset' ? [`Shift by ${shiftText(timing.ms)}`] : []),
    ...(timing.kind === 'anchors' ? [`Retime with anchors: ${timing.anchors.length}`] : []),
    ...(timing.kind === 'framerate'
      ? [`Change the frame rate from ${rateLabel(timing.from)} to ${rateLabel(timing.to)}`]
      : []),
    ...(timing.kind === 'auto'
      ? [alignment === undefined ? 'Align to the speech' : `Align to the speech: ${alignment}`]
      : []),
    ...rules.map((rule) => RULE_WORDS[rule].label),
    ...(role === undefined ? [] : [`Role: ${roleWords(role) || 'full subtitle'}`]),
    ...(encoding === 'auto' ? [] : [`Character set: ${encoding}`]),
  ];
}
const OUTCOMES = {
  fits: 'already aligned',
  moved: 'lines moved',
  refused: 'not enough evidence, nothing moved',
} as const;

export const ApplySummary = ({ session: { steps, lines, preview } }: { session: WorkbenchSession }) => {
  const { tally, proposed, current } = lines;
  const { reply } = preview;
  const numbers: readonly (readonly [string, number])[] = [
    ['moved', tally.moved],
    ['reworded', tally.reworded],
    ['removed', tally.removed],
    ['added', tally.added],
  ];
  const name = reply?.file.split('/').pop();
  return (
    <div className={css.says}>
      {name !== undefined && (
        <p>
          Writes <code>{name}</code> next to the video.
        </p>
      )}
      <ul>
        {phrases(steps.settings, reply?.alignment && OUTCOMES[reply.alignment.outcome]).map((phrase) => (
          <li key={phrase}>{phrase}</li>
        ))}
      </ul>
      <dl className={css.numbers}>
        <div>
          <dt>lines in total</dt>
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
        {current.length > 0
          ? 'The current subtitle is preserved and can be restored at any time.'
          : 'There is no current subtitle, so nothing is replaced.'}
      </p>
    </div>
  );
};
