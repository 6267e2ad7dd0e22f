/**
 * Writes MicroDVD: times in frames at the rate of the first line, one line per cue. The format has a look for whole
 * lines (`{y:i}`) or the whole cue (`{Y:i}`), and the top of the picture (`{P:0}`), but no more.
 */
import { plainText, type Cue, type Region, type Span } from '../cue.ts';
import { placementOfCue } from '../placement.ts';
import { PLAIN, runsOf, trimmed, withoutRuby, type Look, type TextRun } from './looks.ts';

const FILM = 23.976;

/** `frameRate` is in frames per second, 23.976 if unknown. */
export function writeMicroDvd(cues: readonly Cue[], regions: ReadonlyMap<string, Region>, frameRate = FILM): string {
  // Times are computed with the rounded rate that is written, because readers use that one.
  const rate = Number((frameRate > 0 && frameRate <= 400 ? frameRate : FILM).toFixed(3));
  const out: { from: number; to: number; text: string }[] = [];
  for (const cue of cues) {
    const spans = trimmed(cue.spans);
    if (plainText(spans).trim() === '') continue;
    const isTop = (placementOfCue(cue, regions)?.anchor ?? 2) >= 7;
    const frame = (ms: number): number => Math.round((ms * rate) / 1000);
    out.push({
      from: frame(cue.start),
      to: Math.max(frame(cue.start), frame(cue.end)),
      text: `${isTop ? '{P:0}' : ''}${textOf(spans)}`,
    });
  }
  // Cues that began one after the other may begin in one frame.
  const lines = out
    .sort((a, b) => a.from - b.from || a.to - b.to)
    .map(({ from, to, text }) => `{${from}}{${to}}${text}\n`);
  return `{1}{1}${rate.toFixed(3)}\n${lines.join('')}`;
}

function textOf(spans: readonly Span[]): string {
  const shown = withoutRuby(runsOf(spans))
    .map(({ runs }) => ({
      text: literal(
        runs
          .map(({ text }) => text)
          .join('')
          .trim(),
      ),
      look: common(runs),
    }))
    .filter(({ text }) => text !== '');
  const whole = common(shown);
  return shown
    .map(({ text, look }, n) => (n === 0 ? tagsOf(whole, PLAIN, true) : '') + tagsOf(look, whole, false) + text)
    .join('|');
}

/** Returns the look that every run has; spaces have none. */
function common(runs: readonly TextRun[]): Look {
  const shown = runs.filter(({ text }) => text.trim() !== '');
  const has = (name: 'bold' | 'italic' | 'underline' | 'strike'): boolean =>
    shown.length > 0 && shown.every(({ look }) => look[name]);
  const color = shown[0]?.look.color;
  return {
    bold: has('bold'),
    italic: has('italic'),
    underline: has('underline'),
    strike: has('strike'),
    ...(color !== undefined && shown.every(({ look }) => look.color === color) ? { color } : {}),
  };
}

/** Returns tags for the parts of a look that another one lacks. */
function tagsOf(look: Look, than: Look, isForAll: boolean): string {
  const letters = (['bold', 'italic', 'underline', 'strike'] as const)
    .filter((name) => look[name] && !than[name])
    .map((name) => name.charAt(0));
  const style = letters.length > 0 ? `{${isForAll ? 'Y' : 'y'}:${letters.join(',')}}` : '';
  const hex = look.color !== undefined && look.color !== than.color ? look.color.slice(1) : '';
  return style + (hex === '' ? '' : `{${isForAll ? 'C' : 'c'}:$${hex.slice(4)}${hex.slice(2, 4)}${hex.slice(0, 2)}}`);
}

/**
 * MicroDVD has no escapes: text that would be read as a line end, a tag or an italic gets a similar character or a word
 * joiner (U+2060).
 */
function literal(text: string): string {
  return text
    .replaceAll(/[\r\n\0]/g, ' ')
    .replaceAll('|', '¦')
    .replaceAll(/\{(?=[a-zA-Z]:)/g, '{\u2060')
    .replace(/^\/(?=[^/\s])/, '\u2060/');
}
