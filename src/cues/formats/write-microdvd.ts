/**
 * MicroDVD: times in frames at the rate of the first line, one line a cue. It holds a look for whole
 * lines (`{y:i}`) or the whole cue (`{Y:i}`), the top of the picture (`{P:0}`), and no more.
 */
import { plainText, type Cue, type Region, type Span } from '../cue.ts';
import { placementOfCue } from '../placement.ts';
import { PLAIN, runsOf, trimmed, withoutRuby, type Look, type TextRun } from './looks.ts';

const FILM = 23.976;

/** `frameRate` a second; 23.976 where nobody knows. */
export function writeMicroDvd(cues: readonly Cue[], regions: ReadonlyMap<string, Region>, frameRate = FILM): string {
  // The rate that is written is the one that readers will count with.
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
  // Two that began one after the other may begin in one frame.
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

/** The look that every run has; spaces have none of their own. */
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

/** The tags of what a look has more than another. */
function tagsOf(look: Look, than: Look, isForAll: boolean): string {
  const letters = (['bold', 'italic', 'underline', 'strike'] as const)
    .filter((name) => look[name] && !than[name])
    .map((name) => name.charAt(0));
  const style = letters.length > 0 ? `{${isForAll ? 'Y' : 'y'}:${letters.join(',')}}` : '';
  const hex = look.color !== undefined && look.color !== than.color ? look.color.slice(1) : '';
  return style + (hex === '' ? '' : `{${isForAll ? 'C' : 'c'}:$${hex.slice(4)}${hex.slice(2, 4)}${hex.slice(0, 2)}}`);
}

/**
 * There is no escape: what would read as a line end, a tag or an italic gets a look-alike or a word joiner (U+2060).
 */
function literal(text: string): string {
  return text
    .replaceAll(/[\r\n\0]/g, ' ')
    .replaceAll('|', '¦')
    .replaceAll(/\{(?=[a-zA-Z]:)/g, '{\u2060')
    .replace(/^\/(?=[^/\s])/, '\u2060/');
}
