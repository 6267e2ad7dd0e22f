/** Labels of the server's warnings about a cue. An unknown warning is shown by its name. */
import { workbenchWords as m } from '../../messages/workbench.ts';

const warningNames = (): Readonly<Record<string, readonly [name: string, says: string]>> => ({
  'too-fast': [m.fastToRead, m.moreCharactersPerSecondThan],
  'too-short': [m.short, m.shownForLessThanHalf],
  'too-long': [m.long, m.shownForMoreThanTen],
  overlap: [m.overlaps, m.stillShownWhenAnotherLine],
  'long-line': [m.longLine, m.aLineHasMoreCharacters],
  'many-lines': [m.manyLines, m.moreThanThreeLinesAt],
  'short-gap': [m.closeToTheNext, m.theNextLineFollowsSo],
  negative: [m.endsBeforeItStarts, m.itEndsBeforeItStarts],
  empty: [m.emptyLabel, m.itHasNoText],
  'after-end': [m.afterTheEnd, m.itStartsAfterTheEnd],
});
export const warningName = (warning: string): string => warningNames()[warning]?.[0] ?? warning;
export const warningSays = (warning: string): string => warningNames()[warning]?.[1] ?? warning;
