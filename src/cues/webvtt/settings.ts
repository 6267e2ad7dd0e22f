/**
 * Parses the small grammars of WebVTT: timestamps, the timing line, cue settings and region settings. Source: W3C
 * WebVTT, sections 6.2 to 6.4. Malformed parts are ignored, as in the standard.
 */
import type { CueSettings, Region } from '../cue.ts';

/** Maximum number of digits that are read as a number; a double holds no more. */
const LONGEST = 400;

/** Reads a timestamp at `at`. Returns its ms and where it ends; undefined if it is malformed. */
export function timestampAt(text: string, at: number): { time: number; end: number } | undefined {
  const first = digitsAt(text, at);
  if (first.length === 0) return undefined;
  const isHours = first.length !== 2 || first.value > 59;
  let end = at + first.length;
  if (text[end] !== ':') return undefined;
  const second = digitsAt(text, end + 1);
  if (second.length !== 2) return undefined;
  end += 3;
  let [hours, minutes, seconds] = [0, first.value, second.value];
  if (isHours || text[end] === ':') {
    if (text[end] !== ':') return undefined;
    const third = digitsAt(text, end + 1);
    if (third.length !== 2) return undefined;
    end += 3;
    [hours, minutes, seconds] = [first.value, second.value, third.value];
  }
  if (text[end] !== '.') return undefined;
  const fraction = digitsAt(text, end + 1);
  if (fraction.length !== 3 || minutes > 59 || seconds > 59) return undefined;
  return { time: ((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction.value, end: end + 4 };
}

/** Reads the timing line of a cue; undefined if it is malformed. `rest` holds the settings. */
export function timingLine(line: string): { start: number; end: number; rest: string } | undefined {
  const start = timestampAt(line, afterSpace(line, 0));
  if (!start) return undefined;
  const arrow = afterSpace(line, start.end);
  if (!line.startsWith('-->', arrow)) return undefined;
  const end = timestampAt(line, afterSpace(line, arrow + 3));
  return end && { start: start.time, end: end.time, rest: line.slice(end.end) };
}

/**
 * Reads a timing line that browsers reject, because of a comma, a fraction that has not three digits, or single digits.
 * Returns undefined if its meaning is not clear.
 */
export function looseTimingLine(line: string): { start: number; end: number; rest: string } | undefined {
  const arrow = line.indexOf('-->');
  const start = looseTimestamp(line.slice(0, arrow));
  const after = line.slice(arrow + 3);
  const second = /^[\t ]*([\d:.,;]{1,40})(?=[\t ]|$)/.exec(after);
  const end = looseTimestamp(second?.[1] ?? '');
  if (start === undefined || end === undefined) return undefined;
  return { start, end, rest: after.slice(second?.[0].length) };
}

function looseTimestamp(text: string): number | undefined {
  const [, hours = '0', minutes, seconds, fraction = ''] =
    /^(?:(\d{1,6}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9}))?$/.exec(text.length > 60 ? '' : text.trim()) ?? [];
  if (minutes === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(`${fraction}000`.slice(0, 3));
}

/** Reads cue settings; a malformed one is ignored, and `bad` is called with it. */
export function cueSettings(
  text: string,
  regions: ReadonlyMap<string, Region>,
  bad: (name: string) => void = () => {},
): CueSettings | undefined {
  const out: CueSettings = {};
  for (const part of words(text)) {
    const colon = part.indexOf(':');
    const name = part.slice(0, colon);
    const value = part.slice(colon + 1);
    if (colon < 1 || !value || !applySetting(out, name, value, regions)) bad(part.slice(0, 40));
  }
  return Object.keys(out).length > 0 ? out : undefined;
}

/** Reads the settings of a REGION block. */
export function regionSettings(text: string): Region {
  const region: Region = {
    id: '',
    width: 100,
    lines: 3,
    regionAnchor: { x: 0, y: 100 },
    viewportAnchor: { x: 0, y: 100 },
    scroll: false,
  };
  for (const part of words(text)) {
    const colon = part.indexOf(':');
    const value = part.slice(colon + 1);
    if (colon < 1 || !value) continue;
    switch (part.slice(0, colon)) {
      case 'id':
        region.id = value;
        break;
      case 'width':
        region.width = percentage(value) ?? region.width;
        break;
      case 'lines':
        if (value.length <= LONGEST && /^\d+$/.test(value)) region.lines = Number(value);
        break;
      case 'regionanchor':
        region.regionAnchor = point(value) ?? region.regionAnchor;
        break;
      case 'viewportanchor':
        region.viewportAnchor = point(value) ?? region.viewportAnchor;
        break;
      case 'scroll':
        if (value === 'up') region.scroll = true;
        break;
      default:
    }
  }
  return region;
}

/** Reads `digits[.digits]%` from 0 to 100. */
export function percentage(text: string): number | undefined {
  if (text.length > LONGEST || !/^\d+(?:\.\d+)?%$/.test(text)) return undefined;
  const number = Number(text.slice(0, -1));
  return number <= 100 ? number : undefined;
}

/** Reads digits at `at`: their number and value. */
function digitsAt(text: string, at: number): { length: number; value: number } {
  let end = at;
  let value = 0;
  for (let c = text.charCodeAt(end); c >= 48 && c <= 57; c = text.charCodeAt(++end)) value = value * 10 + c - 48;
  return { length: end - at, value };
}

/** Skips the standard's white space: tab, line feed, form feed, carriage return and space. */
function afterSpace(text: string, at: number): number {
  let to = at;
  while (isSpace(text.charCodeAt(to))) to++;
  return to;
}

const isSpace = (c: number): boolean => c === 32 || c === 9 || c === 10 || c === 12 || c === 13;

function words(text: string): string[] {
  return text.split(/[\t\n\f\r ]/).filter((word) => word !== '');
}

function point(text: string): { x: number; y: number } | undefined {
  const comma = text.indexOf(',');
  const x = percentage(text.slice(0, comma));
  const y = percentage(text.slice(comma + 1));
  return comma < 0 || x === undefined || y === undefined ? undefined : { x, y };
}

function applySetting(out: CueSettings, name: string, value: string, regions: ReadonlyMap<string, Region>): boolean {
  switch (name) {
    case 'region':
      // An unknown region is ignored; the last known one counts.
      if (regions.has(value)) out.region = value;
      else delete out.region;
      return regions.has(value);
    case 'vertical':
      if (value !== 'rl' && value !== 'lr') return false;
      out.vertical = value;
      return leavesRegion(out);
    case 'line':
      return applyLine(out, value);
    case 'position':
      return applyPosition(out, value);
    case 'size': {
      const size = percentage(value);
      if (size === undefined) return false;
      out.size = size;
      return size === 100 || leavesRegion(out);
    }
    case 'align':
      if (value !== 'start' && value !== 'center' && value !== 'end' && value !== 'left' && value !== 'right')
        return false;
      out.align = value;
      return true;
    default:
      return false;
  }
}

/** A region positions its cues; a cue with its own position leaves its region. */
function leavesRegion(out: CueSettings): true {
  delete out.region;
  return true;
}

/** A malformed alignment is ignored and the number stays, as the published tests require. */
function applyLine(out: CueSettings, value: string): boolean {
  const comma = value.indexOf(',');
  const number = comma < 0 ? value : value.slice(0, comma);
  const align = comma < 0 ? undefined : value.slice(comma + 1);
  const isPercentage = number.endsWith('%');
  const line = isPercentage
    ? percentage(number)
    : number.length <= LONGEST && /^-?\d+(?:\.\d+)?$/.test(number)
      ? Number(number) + 0
      : undefined;
  if (line === undefined || !Number.isFinite(line)) return false;
  if (align === 'start' || align === 'center' || align === 'end') out.lineAlign = align;
  out.line = line;
  out.snapToLines = !isPercentage;
  return leavesRegion(out);
}

function applyPosition(out: CueSettings, value: string): boolean {
  const comma = value.indexOf(',');
  const position = percentage(comma < 0 ? value : value.slice(0, comma));
  const align = comma < 0 ? undefined : value.slice(comma + 1);
  if (position === undefined) return false;
  if (align === 'line-left' || align === 'center' || align === 'line-right') out.positionAlign = align;
  out.position = position;
  return true;
}
