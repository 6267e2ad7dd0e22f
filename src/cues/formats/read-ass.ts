/**
 * Reads ASS and SSA. The script is kept line by line with its line ends, so that writing it back restores the text;
 * cues are its dialogue lines. A writer changes only lines whose cue changed.
 *
 * Promises: linear; a line that does not parse stays in the script and is a warning.
 */
import type { Anchor, Cue, Format, SubtitleDocument } from '../cue.ts';
import {
  cueList,
  isTooLate,
  LEFT_OUT_TOO_LATE,
  partCounter,
  type PartCounter,
  warningList,
  withinVideo,
} from '../limits.ts';
import { assText, legacyAnchor, type AssContext } from './ass-text.ts';
import { rawLinesOf, withoutEnd } from './lines.ts';
import { PLAIN, type Look } from './looks.ts';

interface Style {
  look: Look;
  anchor: Anchor | undefined;
}

/** Parts of a script that are needed to understand one of its lines. */
export interface AssScript {
  format: 'ass' | 'ssa';
  width: number;
  height: number;
  hasSoftBreaks: boolean;
  styles: Map<string, Style>;
  /** Names of the fields of events, in lower case and in their order. */
  fields: readonly string[];
  title?: string;
  language?: string;
  /** Counts the parts of its cues. */
  count: PartCounter;
}

/** The fields of an event line by their name; `text` is the rest of the line. */
export interface AssEvent {
  kind: string;
  values: ReadonlyMap<string, string>;
}

const ASS_FIELDS = [
  'layer',
  'start',
  'end',
  'style',
  'name',
  'marginl',
  'marginr',
  'marginv',
  'effect',
  'text',
] as const;
const SSA_FIELDS = ['marked', ...ASS_FIELDS.slice(1)] as const;

export function readAss(text: string, format: Format = 'ass'): SubtitleDocument {
  const lines = rawLinesOf(text);
  const script = newScript(format === 'ssa' ? 'ssa' : 'ass');
  const { warnings, warn } = warningList();
  const { cues, add } = cueList(warn);
  scan(lines, script, (raw, number) => {
    const event = eventOf(raw, script);
    if (!event) {
      warn('bad-line', number, 'an event could not be read');
      return;
    }
    if (event.kind !== 'dialogue') return;
    const read = cueOf(event, script, number, raw);
    if (read === 'drawing') warn('drawing', number, 'a drawing has no text');
    else if (read === 'late') warn('over-limit', number, LEFT_OUT_TOO_LATE);
    else if (read) {
      if (isNegative(event.values.get('start'))) warn('loose-time', number, 'a negative time was read as zero');
      add(read);
    } else warn('bad-timing', number, 'an event without valid times was left out');
  });
  return {
    format: script.format,
    cues,
    warnings,
    script: lines,
    ...(script.title ? { title: script.title } : {}),
    ...(script.language ? { language: script.language } : {}),
  };
}

/** Walks through a script, fills `script`, and calls `event` for each line that looks like an event, in order. */
export function scan(lines: readonly string[], script: AssScript, event: (raw: string, number: number) => void): void {
  let section = '';
  let styleFields: readonly string[] = [];
  lines.forEach((raw, index) => {
    const line = withoutEnd(raw)
      .replace(/^\ufeff/, '')
      .trim();
    if (line === '' || line.startsWith(';')) return;
    if (line.startsWith('[') && line.endsWith(']') && line.length < 64) {
      section = line.slice(1, -1).toLowerCase();
      if (section === 'v4 styles') script.format = 'ssa';
      else if (section === 'v4+ styles') script.format = 'ass';
      if (script.format === 'ssa' && script.fields === ASS_FIELDS) script.fields = SSA_FIELDS;
      return;
    }
    const [key, value] = keyValue(line);
    if (section === 'script info') info(script, key, value);
    else if (section.endsWith('styles')) {
      if (key === 'format') styleFields = fieldNames(value);
      else if (key === 'style') addStyle(script, styleFields, value);
    } else if (section === 'events') {
      if (key === 'format') script.fields = fieldNames(value);
      else if (key !== '' && !key.startsWith('!')) event(raw, index + 1);
    }
  });
}

export function newScript(format: 'ass' | 'ssa'): AssScript {
  return {
    format,
    width: 384,
    height: 288,
    hasSoftBreaks: false,
    styles: new Map(),
    count: partCounter(),
    fields: format === 'ass' ? ASS_FIELDS : SSA_FIELDS,
  };
}

/** Returns the fields of an event line, or undefined. */
export function eventOf(raw: string, script: AssScript): AssEvent | undefined {
  const line = withoutEnd(raw).replace(/^[\ufeff\s]+/, '');
  const colon = line.indexOf(':');
  if (colon < 0) return undefined;
  const values = new Map<string, string>();
  let from = colon + 1;
  for (const [n, field] of script.fields.entries()) {
    const isLast = n === script.fields.length - 1;
    const comma = isLast ? -1 : line.indexOf(',', from);
    if (!isLast && comma < 0) return undefined;
    const value = isLast ? line.slice(from) : line.slice(from, comma);
    values.set(field, field === 'text' ? (n === 0 ? value.trimStart() : value) : value.trim());
    from = comma + 1;
  }
  return { kind: line.slice(0, colon).trim().toLowerCase(), values };
}

/**
 * Returns the cue of a dialogue line; `drawing` if it holds only drawings, `late` if it begins after any video has
 * ended, undefined if its times are wrong.
 */
export function cueOf(
  event: AssEvent,
  script: AssScript,
  line: number,
  raw: string,
): Cue | 'drawing' | 'late' | undefined {
  const start = parseTime(event.values.get('start') ?? '');
  const end = parseTime(event.values.get('end') ?? '');
  if (start === undefined || end === undefined) return undefined;
  if (isTooLate(start)) return 'late';
  const styleName = event.values.get('style') ?? '';
  const style = styleOf(script, styleName);
  const read = assText(event.values.get('text') ?? '', contextOf(script, style?.look ?? PLAIN));
  if (read.hasDrawing && read.spans.length === 0) return 'drawing';
  const anchor = read.placement?.anchor ?? (style?.anchor === 2 && !read.placement?.point ? undefined : style?.anchor);
  const placement =
    anchor !== undefined || read.placement
      ? {
          ...(anchor === undefined ? {} : { anchor }),
          ...(read.placement?.point ? { point: read.placement.point } : {}),
        }
      : undefined;
  const layer = Number.parseInt(event.values.get('layer') ?? '', 10);
  const speaker = event.values.get('name') || event.values.get('actor');
  return {
    start,
    end: withinVideo(end),
    spans: read.spans,
    ...(placement ? { placement } : {}),
    ...(speaker ? { speaker } : {}),
    ...(styleName ? { style: styleName } : {}),
    ...(Number.isSafeInteger(layer) && layer !== 0 ? { layer } : {}),
    origin: { line, raw },
  };
}

function contextOf(script: AssScript, look: Look): AssContext {
  return {
    look,
    width: script.width,
    height: script.height,
    hasSoftBreaks: script.hasSoftBreaks,
    count: script.count,
    styleLook: (name) => (name === '' ? undefined : styleOf(script, name)?.look),
  };
}

/** Finds a style by name; SSA writes a star before the default one. */
function styleOf(script: AssScript, name: string): Style | undefined {
  return script.styles.get(name) ?? script.styles.get(name.replace(/^\*/, '')) ?? script.styles.get('Default');
}

const isNegative = (time: string | undefined): boolean => time?.includes('-') === true;

/** Reads `H:MM:SS.cc`, also with more digits or a comma. A negative time is zero. */
function parseTime(text: string): number | undefined {
  if (text.length > 20) return undefined;
  const parsed = /^-?(\d{1,6}):-?(\d{1,2}):-?(\d{1,2})(?:[.,:]-?(\d{1,3}))?$/.exec(text.trim());
  if (!parsed) return undefined;
  if (text.includes('-')) return 0;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = parsed;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(`${fraction}000`.slice(0, 3));
}

function keyValue(line: string): [string, string] {
  const colon = line.indexOf(':');
  return colon < 0 ? ['', line] : [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
}

function fieldNames(value: string): string[] {
  return value.split(',', 64).map((name) => name.trim().toLowerCase());
}

function info(script: AssScript, key: string, value: string): void {
  const size = /^\d{1,5}$/.test(value) && Number(value) > 0 ? Number(value) : undefined;
  if (key === 'playresx' && size) script.width = size;
  else if (key === 'playresy' && size) script.height = size;
  else if (key === 'wrapstyle') script.hasSoftBreaks = value === '2';
  else if (key === 'title' && value) script.title = value.slice(0, 500);
  else if (key === 'language' && /^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{1,8})*$/.test(value)) script.language = value;
}

function addStyle(script: AssScript, fields: readonly string[], value: string): void {
  const values = value.split(',', 64);
  const get = (name: string): string => values[fields.indexOf(name)]?.trim() ?? '';
  const isOn = (name: string): boolean => /^-?[1-9]/.test(get(name));
  const alignment = Number.parseInt(get('alignment'), 10);
  const anchor =
    script.format === 'ssa'
      ? legacyAnchor(alignment)
      : alignment >= 1 && alignment <= 9
        ? (alignment as Anchor)
        : undefined;
  const look = { bold: isOn('bold'), italic: isOn('italic'), underline: isOn('underline'), strike: isOn('strikeout') };
  if (fields.length > 0 && script.styles.size < 10_000)
    script.styles.set(get('name').replace(/^\*/, ''), { look, anchor });
}
