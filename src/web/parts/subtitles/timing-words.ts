/** Results of the timing audit in words. */
import type { Reply } from '../../data/query.ts';
import { decimal, languageLabel, position } from '../../lib/format.ts';
import { timingWords as m } from '../../messages/timing.ts';

export type TimingFinding = Reply<'subtitleAudit', 'list'>['items'][number];
export type TimingReply = TimingFinding['timing'];

/** Returns the verdict in a few words, such as `2.5 s late`. A subtitle is late if its lines have to move earlier. */
export function timingLabel({ verdict, shiftMilliseconds = 0, detected }: TimingReply): string {
  switch (verdict) {
    case 'fits':
      return m.fits;
    case 'shifted': {
      const seconds = secondsLabel(Math.abs(shiftMilliseconds) / 1000);
      return shiftMilliseconds < 0 ? m.late({ seconds }) : m.early({ seconds });
    }
    case 'rate':
      return m.anotherRate;
    case 'cut':
      return m.anotherCut;
    case 'mismatch':
      return m.anotherFilm;
    case 'language':
      return detected === undefined
        ? m.anotherLanguageUnnamed
        : m.anotherLanguage({ language: languageLabel(detected) });
    case 'unknown':
      return m.cannotBeJudged;
  }
}

export const timingTone = ({ verdict }: TimingReply): 'good' | 'warn' | 'danger' | 'plain' =>
  verdict === 'fits'
    ? 'good'
    : verdict === 'unknown'
      ? 'plain'
      : verdict === 'mismatch' || verdict === 'language'
        ? 'danger'
        : 'warn';

/** Returns what the verdict means or why there is none; undefined where the label says it all. */
export function timingExplanation({ verdict, why, detected }: TimingReply, language: string): string | undefined {
  if (verdict === 'unknown') return why && m.why[why];
  if (verdict === 'language')
    return m.says.language({ claimed: languageLabel(language), detected: languageLabel(detected) });
  return verdict === 'rate' || verdict === 'cut' || verdict === 'mismatch' ? m.says[verdict] : undefined;
}

/** Returns what a fix does to the lines, as a sentence. */
export function moveSentence(
  { verdict, shiftMilliseconds = 0, ratio = 1, parts = 1 }: TimingReply,
  lines: number,
): string {
  if (verdict === 'cut') return m.partsMove({ lines, parts });
  if (verdict === 'rate') {
    const percent = `${decimal(Math.abs(ratio - 1) * 100, 2)} %`;
    return ratio > 1 ? m.isStretched({ lines, percent }) : m.isShortened({ lines, percent });
  }
  const seconds = secondsLabel(Math.abs(shiftMilliseconds) / 1000);
  return shiftMilliseconds < 0 ? m.movesEarlier({ lines, seconds }) : m.movesLater({ lines, seconds });
}

const secondsLabel = (seconds: number): string => `${decimal(seconds, seconds < 10 ? 2 : 1)} s`;

/** Returns a time of a line: `1:02:09.4`. */
export function lineTime(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  return `${position(tenths / 10)}${decimal((tenths % 10) / 10, 1).slice(1)}`;
}
