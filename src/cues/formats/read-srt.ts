/**
 * Reads SRT with the defects of real files: BOM, any line end, missing numbers or blank lines, dots for commas,
 * coordinates after the times, times without hours, garbage before the first cue, tags.
 *
 * A cue is a line of times and all lines up to the next one; a number right before the next one belongs to that one.
 * Promises: linear; a malformed piece is a warning and never a throw.
 */
import { plainText, type Cue, type Placement, type SubtitleDocument } from '../cue.ts';
import { cueList, partCounter, type PartCounter, warningList, type Warn } from '../limits.ts';
import { linesOf } from './lines.ts';
import { taggedText } from './tags.ts';
import { looseTime, readingTime } from './time.ts';

export interface SrtEvents {
  cue(cue: Cue): void;
  warn?: Warn;
}

interface Pending {
  line: number;
  start: number;
  end: number;
  placement?: Placement;
  id?: string;
  text: string[];
}

/** Seconds of three digits in a line of times: `00:00:005,000`. */
const LONG_SECONDS = /:\d{3}[,.]\d/;

/** Parses lines without their ends. A cue is passed on when the next one begins, the last one by `end`. */
export function srtParser(events: SrtEvents): { line(text: string): void; end(): void } {
  const warn = events.warn ?? (() => {});
  let number = 0;
  let pending: Pending | undefined;
  // Before the first cue only the last line matters: it may be the number of the first cue.
  let before = '';
  let lastId = 0;
  let garbage = 0;
  const count = partCounter();

  const finish = (nextStart?: number): void => {
    if (pending) events.cue(completed(pending, { nextStart, warn, count }));
    pending = undefined;
  };
  const takeNumber = (): string | undefined => {
    if (!pending) return numberOf(before);
    const { text } = pending;
    let last = text.length - 1;
    while (last >= 0 && text[last] === '') last--;
    const id = numberOf(text[last] ?? '');
    if (id === undefined) return undefined;
    // The next number in order always counts; another one only between a blank line and the times.
    const isDue = Number(id) === lastId + 1;
    const isSetApart = last > 0 && text[last - 1] === '' && last === text.length - 1;
    if (!isDue && !isSetApart) return undefined;
    text.length = last;
    return id;
  };
  return {
    line(raw) {
      number++;
      const text = raw.trimEnd();
      const timing = text.includes('->') || text.includes('→') ? timingOf(text) : undefined;
      if (!timing) {
        if (text.includes('-->') && /\d/.test(text)) warn('bad-timing', number, 'a line of times could not be read');
        if (pending) pending.text.push(text);
        else if (text !== '') {
          if (before !== '' && ++garbage === 1) warn('stray-text', number, 'text before the first cue was left out');
          before = text;
        }
        return;
      }
      if (LONG_SECONDS.test(text)) warn('loose-time', number, 'seconds of three digits were read as they are');
      const id = takeNumber();
      if (id === undefined) warn('bad-number', number, 'the number of a cue is missing');
      else lastId = Number(id);
      finish(timing.start);
      pending = { line: number, ...timing, ...(id === undefined ? {} : { id }), text: [] };
    },
    end: () => finish(),
  };
}

export function readSrt(text: string): SubtitleDocument {
  const { warnings, warn } = warningList();
  const { cues, add } = cueList(warn);
  let previous = 0;
  const parser = srtParser({
    cue(cue) {
      if (cue.start < previous) warn('unsorted', cue.origin?.line ?? 0, 'a cue starts before the one above it');
      previous = cue.start;
      add(cue);
    },
    warn,
  });
  for (const line of linesOf(text)) parser.line(line);
  parser.end();
  return { format: 'srt', cues, warnings };
}

/** Reads the times of a line such as `00:00:01,000 --> 00:00:02.000 X1:100 X2:200 Y1:10 Y2:40`. */
export function timingOf(line: string): { start: number; end: number; placement?: Placement } | undefined {
  if (line.length > 300) return undefined;
  const arrow = /\s*(?:-{1,2}>|→)\s*/.exec(line);
  if (!arrow) return undefined;
  const start = looseTime(line.slice(0, arrow.index));
  const rest = line.slice(arrow.index + arrow[0].length);
  // The second time ends before the coordinates or any other text.
  const second = /^[-+]?[\d:.,;][\d:.,; ]*/.exec(rest)?.[0] ?? '';
  const end = looseTime(second) ?? looseTime(second.split(' ')[0] ?? '');
  if (start === undefined || end === undefined) return undefined;
  const placement = coordinates(rest.slice(second.length));
  return { start, end, ...(placement ? { placement } : {}) };
}

/** Uses only the height of coordinates: their canvas is the DVD's, whose size is unknown here. */
function coordinates(text: string): Placement | undefined {
  const y1 = /\bY1:(\d{1,4})\b/i.exec(text)?.[1];
  return y1 !== undefined && Number(y1) < 150 && /\bX1:\d/i.test(text) ? { anchor: 8 } : undefined;
}

function numberOf(line: string): string | undefined {
  const text = line.trim();
  return text.length <= 9 && /^\d+$/.test(text) ? text : undefined;
}

function completed(
  pending: Pending,
  { nextStart, warn, count }: { nextStart: number | undefined; warn: Warn; count: PartCounter },
): Cue {
  const { line, text, id } = pending;
  while (text.at(-1) === '') text.pop();
  if (text.includes('')) warn('blank-line', line, 'a blank line inside a cue was left out');
  const { spans, placement = pending.placement } = taggedText(text.filter((part) => part !== '').join('\n'), {
    braces: true,
    count,
  });
  if (spans.length === 0) warn('empty-cue', line, 'a cue has no text');
  let { end } = pending;
  if (end < pending.start) {
    warn('negative-duration', line, 'a cue ended before it started; its end was set from its length');
    end = pending.start + readingTime(plainText(spans).length);
    if (nextStart !== undefined && nextStart > pending.start) end = Math.min(end, nextStart);
  }
  return {
    start: pending.start,
    end,
    spans,
    ...(id === undefined ? {} : { id }),
    ...(placement ? { placement } : {}),
    origin: { line },
  };
}
