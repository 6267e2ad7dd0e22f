/** What applying will do, in words and numbers. */
import { count, many } from '../lib/format.ts';
import type { Work } from './use-work.ts';
import { shiftText } from './work/srt.ts';
import type { Settings } from './work/settings.ts';
import { rateLabel } from './work/timing.ts';
import { RULE_WORDS } from './tools/rule-words.ts';
import css from './workbench.module.css';

/** What the settings do, a phrase each. */
function phrases({ source, timing, rules, role, encoding }: Settings, alignment: string | undefined): string[] {
  return [
    ...(source.kind === 'file'
      ? [`Take the file ${source.name}`]
      : source.kind === 'draft'
        ? ['Take the draft']
        : source.kind === 'text'
          ? ['Take the lines as edited here']
          : []),
    ...(timing.kind === 'offset' ? [`Shift by ${shiftText(timing.ms)}`] : []),
    ...(timing.kind === 'anchors' ? [`Move by ${many(timing.anchors.length, 'anchor')}`] : []),
    ...(timing.kind === 'framerate'
      ? [`Change the frame rate from ${rateLabel(timing.from)} to ${rateLabel(timing.to)}`]
      : []),
    ...(timing.kind === 'auto' ? [`Align to the speech${alignment === undefined ? '' : `: ${alignment}`}`] : []),
    ...rules.map((rule) => RULE_WORDS[rule].label),
    ...(role === undefined ? [] : [`Mark it as ${role === 'sdh' ? 'for the hard of hearing' : role}`]),
    ...(encoding === 'auto' ? [] : [`Read it as ${encoding}`]),
  ];
}
const OUTCOMES = {
  fits: 'it fits as it is',
  moved: 'the lines are moved',
  refused: 'refused, nothing is moved',
} as const;

export const ApplySays = ({ work }: { work: Work }) => {
  const { settings, tally, proposed, current, previewed } = work;
  const numbers: readonly (readonly [string, number])[] = [
    ['moved', tally.moved],
    ['with other words', tally.reworded],
    ['removed', tally.removed],
    ['added', tally.added],
  ];
  const name = previewed?.file.split('/').pop();
  return (
    <div className={css.says}>
      {name !== undefined && (
        <p>
          Writes <code>{name}</code> beside the video.
        </p>
      )}
      <ul>
        {phrases(settings, previewed?.alignment && OUTCOMES[previewed.alignment.outcome]).map((phrase) => (
          <li key={phrase}>{phrase}</li>
        ))}
      </ul>
      <dl className={css.numbers}>
        <div>
          <dt>lines in all</dt>
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
          ? 'What is there now is preserved first, and can be put back at any time.'
          : 'Nothing is there now, so nothing is replaced.'}
      </p>
    </div>
  );
};
