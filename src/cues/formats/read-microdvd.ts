/**
 * Reads MicroDVD (`{frame}{frame}text|text`). Times are frames. The frame rate is the first line of the file
 * (`{1}{1}23.976`), or the caller's, or 23.976 with a warning. The tags of a line `{DEFAULT}{}` apply to all cues below
 * it. Frames before the first one are read as zero.
 */
import type { Cue, Placement, Span, SubtitleDocument } from '../cue.ts';
import { cueList, partCounter, type PartCounter, warningList } from '../limits.ts';
import { linesOf } from './lines.ts';
import { PLAIN, spanBuilder, type Look } from './looks.ts';
import { readingTime } from './time.ts';

const FILM = 24_000 / 1001;
const MAX_TAGS = 8;
const HEAD = /^\{(-?\d{1,9})\}\{(-?\d{0,9})\}/;
const DEFAULTS = /^\{default\}\{\}/i;

/** Whether a line is a cue, or states the look of all cues. */
export const isMicroDvdLine = (line: string): boolean => HEAD.test(line) || DEFAULTS.test(line);
const frameOf = (text: string | undefined): number => Math.max(0, Number.parseInt(text || '0', 10) || 0);

export function readMicroDvd(text: string, frameRate?: number): SubtitleDocument {
  const { warnings, warn } = warningList();
  const { cues, add } = cueList(warn);
  let rate = frameRate !== undefined && frameRate > 0 && frameRate <= 1000 ? frameRate : undefined;
  let isFirst = true;
  let defaults: MicroText = { look: PLAIN };
  const count = partCounter();
  let open: Cue | undefined;
  const close = (end?: number): void => {
    if (open) add({ ...open, end: Math.max(open.start, Math.min(open.end, end ?? open.end)) });
    open = undefined;
  };
  const wholeRate = (line: number): number => {
    if (rate === undefined) {
      rate = FILM;
      warn('no-frame-rate', line, 'the file does not say its frame rate; 23.976 was taken');
    }
    return rate;
  };
  linesOf(text).forEach((raw, index) => {
    const line = raw.trim();
    if (line === '') return;
    const stating = DEFAULTS.exec(line);
    if (stating) {
      defaults = defaultsIn(line.slice(stating[0].length));
      return;
    }
    const head = HEAD.exec(line);
    if (!head) {
      warn('bad-line', index + 1, 'a line that is no cue was left out');
      return;
    }
    const rest = line.slice(head[0].length);
    const stated = isFirst ? statedRate(rest) : undefined;
    isFirst = false;
    if (stated !== undefined) {
      rate ??= stated;
      return;
    }
    const fps = wholeRate(index + 1);
    const start = Math.round((frameOf(head[1]) / fps) * 1000);
    close(start);
    const { spans, placement } = microText(rest, defaults, count);
    const cue: Cue = { start, end: start, spans, ...(placement ? { placement } : {}), origin: { line: index + 1 } };
    if (head[2] === '') {
      // A cue without an end lasts until the next one, and no longer than it takes to read.
      warn('missing-end', index + 1, 'a cue has no end; it was set from its length');
      open = { ...cue, end: start + readingTime(rest.length) };
      return;
    }
    cue.end = Math.round((frameOf(head[2]) / fps) * 1000);
    if (cue.end < start) {
      warn('negative-duration', index + 1, 'a cue ended before it started; its end was set from its length');
      cue.end = start + readingTime(rest.length);
    }
    add(cue);
  });
  close();
  return { format: 'microdvd', cues, warnings, frameRate: rate ?? FILM };
}

function statedRate(text: string): number | undefined {
  const value = text.trim();
  if (!/^\d{1,3}(?:[.,]\d{1,6})?$/.test(value)) return undefined;
  const rate = Number(value.replace(',', '.'));
  return rate >= 1 && rate <= 1000 ? rate : undefined;
}

/** Look and position of the text of a line. */
interface MicroText {
  look: Look;
  placement?: Placement | undefined;
}

function defaultsIn(text: string): MicroText {
  const look: Look = { ...PLAIN };
  let placement: Placement | undefined;
  for (const tag of headTags(text).tags) {
    apply([look], tag.name, tag.value);
    placement = placementOf(tag) ?? placement;
  }
  return { look, placement };
}

const placementOf = ({ name, value }: HeadTag): Placement | undefined =>
  name === 'p' && value.startsWith('0') ? { anchor: 8 } : undefined;

/** Returns the tags at the beginning of a line, of which there are a few at most; further ones are text. */
function headTags(line: string): { tags: HeadTag[]; rest: string } {
  const tags: HeadTag[] = [];
  let rest = line;
  for (let tag = headTag(rest); tag && tags.length < MAX_TAGS; tag = headTag(rest)) {
    tags.push(tag);
    rest = rest.slice(tag.length);
  }
  return { tags, rest };
}

interface HeadTag {
  name: string;
  value: string;
  isForAll: boolean;
  length: number;
}

/** `{y:i}` applies to its line, `{Y:i}` to the rest; `/` at the start of a line is an old mark of italics. */
function microText(
  text: string,
  { look: first, placement: usual }: MicroText,
  count: PartCounter,
): { spans: Span[]; placement?: Placement } {
  const builder = spanBuilder(count);
  const kept: Look = { ...first };
  let placement = usual;
  text.split('|').forEach((raw, n) => {
    const look: Look = { ...kept };
    const { tags, rest } = headTags(raw.trim());
    let line = rest;
    for (const tag of tags) {
      apply(tag.isForAll ? [look, kept] : [look], tag.name, tag.value);
      placement = placementOf(tag) ?? placement;
    }
    if (/^\/[^/\s]/.test(line)) {
      look.italic = true;
      line = line.slice(1);
    }
    if (n > 0) builder.break(look);
    builder.text(line, look);
  });
  return { spans: builder.spans(), ...(placement ? { placement } : {}) };
}

function headTag(line: string): HeadTag | undefined {
  const parsed = /^\{([a-zA-Z]):([^{}]{0,40})\}/.exec(line);
  if (!parsed) return undefined;
  const name = parsed[1] ?? '';
  return {
    name: name.toLowerCase(),
    value: (parsed[2] ?? '').toLowerCase(),
    isForAll: name !== name.toLowerCase(),
    length: parsed[0].length,
  };
}

function apply(looks: readonly Look[], name: string, value: string): void {
  for (const look of looks) {
    if (name === 'y') {
      if (value.includes('b')) look.bold = true;
      if (value.includes('i')) look.italic = true;
      if (value.includes('u')) look.underline = true;
      if (value.includes('s')) look.strike = true;
    } else if (name === 'c') {
      const hex = /^\$([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(value);
      if (hex) look.color = `#${hex[3]}${hex[2]}${hex[1]}`;
    }
  }
}
