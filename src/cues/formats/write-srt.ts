/**
 * Writes SRT: numbered cues with `<i> <b> <u> <s> <font color>` and `{\an8}`. SRT has no escapes, so text that would be
 * read as a tag gets an invisible word joiner (U+2060) inside.
 */
import { plainText, type Cue, type Region, type Span } from '../cue.ts';
import { placementOfCue } from '../placement.ts';
import { runsOf, spansOfRuns, withoutRuby } from './looks.ts';
import { tagged } from './tags.ts';
import { clockTime } from './time.ts';

export function writeSrt(cues: readonly Cue[], regions: ReadonlyMap<string, Region>): string {
  let number = 0;
  const out: string[] = [];
  for (const cue of cues) {
    const { spans } = cue;
    if (plainText(spans).trim() === '') continue;
    const anchor = placementOfCue(cue, regions)?.anchor ?? 2;
    const text = `${anchor === 2 ? '' : `{\\an${anchor}}`}${markedText(spans)}`;
    out.push(
      `${++number}\n${clockTime(cue.start, ',')} --> ${clockTime(Math.max(cue.start, cue.end), ',')}\n${text}\n`,
    );
  }
  return out.join('\n');
}

/** Returns the text of a cue with the marks of SRT; empty if it has no visible text. */
export const markedText = (spans: readonly Span[]): string =>
  tagged(spansOfRuns(withoutRuby(runsOf(spans)).filter(({ runs }) => runs.some(({ text }) => text.trim() !== ''))), {
    text: literal,
    lineBreak: '\n',
  })
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');

function literal(text: string): string {
  return (
    text
      .replaceAll(/[\r\n\0]/g, ' ')
      .replaceAll(/<(?=[/a-zA-Z])/g, '<\u2060')
      .replaceAll(/\{(?=\\|\/?[biu]\})/g, '{\u2060')
      .replaceAll('-->', '--\u2060>')
      // Readers take a short arrow between times for the long one.
      .replaceAll(/->(?=\s*[-+]?[\d:.,;])/g, '-\u2060>')
      .replaceAll('→', '\u2060→')
  );
}
