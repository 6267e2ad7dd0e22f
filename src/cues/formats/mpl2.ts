/**
 * MPL2 (`[start][end]text|text`): times are tenths of a second, `|` separates lines, and a mark before the text of a
 * line changes its style: `/` italic, `\` bold, `_` underlined. There are no tags, colours or positions.
 *
 * Promises: linear; a malformed line is a warning and never a throw.
 */
import { plainText, type Cue, type Span, type SubtitleDocument } from '../cue.ts';
import { cueList, partCounter, type PartCounter, warningList } from '../limits.ts';
import type { SubtitleFormat } from './format.ts';
import { linesOf } from './lines.ts';
import { PLAIN, runsOf, spanBuilder, withoutRuby, type Look, type TextLine } from './looks.ts';
import { readingTime } from './time.ts';
import { writableCues } from './writable-cues.ts';

const TENTH_MS = 100;
/** Times before the beginning are read as zero. */
const HEAD = /^\[(-?\d{1,9})\]\[(-?\d{0,9})\]/;
const STYLES = [
  ['/', 'italic'],
  ['\\', 'bold'],
  ['_', 'underline'],
] as const;
/** Maximum number of marks of one line. Further ones are text. */
const MAX_MARKS = STYLES.length;

function readMpl2(text: string): SubtitleDocument {
  const { warnings, warn } = warningList();
  const { cues, add } = cueList(warn);
  let open: Cue | undefined;
  const count = partCounter();
  const close = (nextStart?: number): void => {
    if (open) add({ ...open, end: Math.max(open.start, Math.min(open.end, nextStart ?? open.end)) });
    open = undefined;
  };
  linesOf(text).forEach((raw, index) => {
    const line = raw.trim();
    if (line === '') return;
    const head = HEAD.exec(line);
    if (!head) {
      warn('bad-line', index + 1, 'a line that is no cue was left out');
      return;
    }
    const rest = line.slice(head[0].length);
    const start = tenthsOf(head[1]) * TENTH_MS;
    close(start);
    const cue: Cue = {
      start,
      end: tenthsOf(head[2]) * TENTH_MS,
      spans: spansOfLine(rest, count),
      origin: { line: index + 1 },
    };
    if (head[2] === '') {
      // A cue without an end lasts until the next one, and no longer than it takes to read.
      warn('missing-end', index + 1, 'a cue has no end; it was set from its length');
      open = { ...cue, end: start + readingTime(rest.length) };
      return;
    }
    if (cue.end < start) {
      warn('negative-duration', index + 1, 'a cue ended before it started; its end was set from its length');
      cue.end = start + readingTime(rest.length);
    }
    add(cue);
  });
  close();
  return { format: 'mpl2', cues, warnings };
}

const tenthsOf = (text: string | undefined): number => Math.max(0, Number.parseInt(text || '0', 10) || 0);

function spansOfLine(text: string, count: PartCounter): Span[] {
  const builder = spanBuilder(count);
  let above = PLAIN;
  text.split('|').forEach((raw, n) => {
    let line = raw.trim();
    const look: Look = { ...PLAIN };
    for (let count = 0; count < MAX_MARKS; count++) {
      const style = STYLES.find(([mark]) => line.startsWith(mark));
      if (!style) break;
      look[style[1]] = true;
      line = line.slice(1).trimStart();
    }
    const isSame = STYLES.every(([, style]) => look[style] === above[style]);
    if (n > 0) builder.break(isSame ? look : PLAIN);
    builder.text(line, look);
    above = look;
  });
  return builder.spans();
}

function writeMpl2(document: SubtitleDocument): string {
  const tenths = (ms: number): number => Math.max(0, Math.round(ms / TENTH_MS));
  return (
    writableCues(document)
      .cues.filter(({ spans }) => plainText(spans).trim() !== '')
      .map(({ start, end, spans }) => ({
        from: tenths(start),
        to: Math.max(tenths(start), tenths(end)),
        text: withoutRuby(runsOf(spans))
          .map(lineText)
          .filter((line) => line !== '')
          .join('|'),
      }))
      // Cues that began one after the other may begin in the same tenth.
      .sort((a, b) => a.from - b.from || a.to - b.to)
      .map(({ from, to, text }) => `[${from}][${to}]${text}\n`)
      .join('')
  );
}

/** Returns one line with the marks of the styles that all of it has. */
function lineText({ runs }: TextLine): string {
  const shown = runs.filter(({ text }) => text.trim() !== '');
  const text = literal(
    runs
      .map((run) => run.text)
      .join('')
      .trim(),
  );
  const marks = STYLES.filter(([, style]) => shown.every(({ look }) => look[style])).map(([mark]) => mark);
  return text === '' ? '' : marks.join('') + text;
}

/**
 * MPL2 has no escapes: text that would be read as a line end or a mark gets a similar character or a word joiner
 * (U+2060).
 */
const literal = (text: string): string =>
  text
    .replaceAll(/[\r\n\0]/g, ' ')
    .replaceAll('|', '¦')
    .replace(/^(?=[/\\_])/, '\u2060');

export const mpl2: SubtitleFormat<'mpl2'> = {
  id: 'mpl2',
  title: 'MPL2',
  extensions: ['mpl', 'mpl2'],
  importExtensions: ['txt'],
  mediaType: 'text/plain',
  codecs: ['mpl2'],
  // MicroDVD has braces; lyrics have a colon inside the first bracket.
  detect: ({ first }) => HEAD.test(first),
  read: readMpl2,
  write: writeMpl2,
  keeps: { styles: 'lines', positions: 'none', precisionMs: 50, speaker: false },
  sample: {
    head: '',
    tail: '',
    lineBreak: '|',
    cue: (start, end, text) => `[${Math.round(start / TENTH_MS)}][${Math.round(end / TENTH_MS)}]${text}\n`,
  },
};
