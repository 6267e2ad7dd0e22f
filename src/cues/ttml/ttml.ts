/**
 * Reads TTML: IMSC's text profile and the older files of broadcasters. Times may be clock, offset, frames, ticks or
 * time code, nested and inherited, in parallel or in sequence; spans, breaks, styles, regions, agents and ruby are
 * read.
 *
 * Promises: a document with a declaration or that is not XML fails as `invalid`; a paragraph without a valid start is a
 * warning. Other malformed times are ignored, and a paragraph with a start and no valid end lasts as long as it takes
 * to read. The XML parser does not report lines: `origin.line` counts paragraphs.
 */
import { plainText, type Cue, type Span, type SubtitleDocument } from '../cue.ts';
import { cueList, partCounter, type PartCounter, type Warn, warningList } from '../limits.ts';
import { PLAIN, runsOf, spanBuilder, spansOfRuns, type Look, type SpanBuilder } from '../formats/looks.ts';
import { readingTime } from '../formats/time.ts';
import { collectStyles, lookOf, regionPlacement, propertiesOf, type TtmlStyles } from './style.ts';
import { textOfNodes, type XmlNode } from './xml.ts';

interface Clock {
  /** Frames per second as they are shown; `nominal` is the number that time code counts. */
  frameRate: number;
  nominal?: number;
  subFrameRate: number;
  tickRate: number;
  /** Whether times of the clock form are time code, which counts frames and may skip some numbers. */
  timeCode?: 'drop' | 'nonDrop';
  /** Time of the programme's first frame in ms (EBU-TT). */
  origin?: number;
}

interface Reading {
  known: TtmlStyles;
  clock: Clock;
  agents: ReadonlyMap<string, string>;
  paragraphs: number;
  add(cue: Cue): Cue | undefined;
  warn: Warn;
  count: PartCounter;
  /** Cues whose end was set from their length. */
  endless: Cue[];
}

/** Properties that an element inherits. `end` is Infinity without a bound. */
interface Within {
  start: number;
  end: number;
  look: Look;
  region: string | undefined;
  /** Inherited `textAlign`. */
  align: string | undefined;
  isPreserved: boolean;
  isHidden: boolean;
  isTimed: boolean;
  /** Whether its children follow one another. */
  isSequence: boolean;
}

export function readTtml(root: XmlNode): SubtitleDocument {
  const { warnings, warn } = warningList();
  const { cues, add } = cueList(warn);
  const reading: Reading = {
    known: collectStyles(root),
    clock: clockOf(root),
    agents: agentsOf(root),
    paragraphs: 0,
    add,
    warn,
    count: partCounter(),
    endless: [],
  };
  const body = root.children.find((child) => child.name === 'body');
  if (root.name !== 'tt') warn('bad-header', 1, 'the root element is not tt');
  const top: Within = {
    start: 0,
    end: Infinity,
    look: { ...PLAIN },
    region: undefined,
    align: undefined,
    isPreserved: root.attributes.get('space') === 'preserve',
    isHidden: false,
    isTimed: false,
    isSequence: false,
  };
  if (body) walk(body, top, reading);
  endBeforeNext(reading.endless, cues);
  const language = root.attributes.get('lang') ?? '';
  const title = root.children
    .find((child) => child.name === 'head')
    ?.children.flatMap((child) => [child, ...child.children])
    .find((child) => child.name === 'title');
  return {
    format: 'ttml',
    cues,
    warnings,
    ...(/^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{1,8}){0,6}$/.test(language) ? { language } : {}),
    ...(title ? { title: textOfNodes(title.children).trim().slice(0, 500) } : {}),
  };
}

/** Ends cues without an end of their own before the next one begins. */
function endBeforeNext(endless: readonly Cue[], cues: readonly Cue[]): void {
  if (endless.length === 0) return;
  const starts = cues.map(({ start }) => start).sort((a, b) => a - b);
  let n = 0;
  for (const cue of endless.toSorted((a, b) => a.start - b.start)) {
    while (n < starts.length && (starts[n] ?? 0) <= cue.start) n++;
    cue.end = Math.min(cue.end, starts[n] ?? cue.end);
  }
}

/** A number without a unit, which is a number of seconds. */
const BARE = /^\d{1,12}(?:[.,]\d{1,9})?$/;

/** Returns a TTML time in ms, or undefined. A comma is read as a decimal mark. */
export function ttmlTime(text: string, clock: Clock): number | undefined {
  const value = text.trim().replace(',', '.');
  if (value.length > 32) return undefined;
  const offset = /^(\d{1,12}(?:\.\d{1,9})?)(h|ms|m|s|f|t)?$/.exec(value);
  if (offset) {
    const seconds = { h: 3600, m: 60, s: 1, ms: 0.001, f: 1 / clock.frameRate, t: 1 / clock.tickRate }[
      (offset[2] ?? 's') as 'h'
    ];
    return Math.round(Number(offset[1]) * seconds * 1000);
  }
  const parsed = /^(\d{1,6}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9})|[:;](\d{1,4})(?:\.(\d{1,4}))?)?$/.exec(value);
  if (!parsed) return undefined;
  const [, hours, minutes, seconds, fraction, frames, subFrames] = parsed;
  const base = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  if (clock.timeCode && clock.nominal !== undefined && fraction === undefined) {
    const whole = Math.floor(base / 60);
    // Two numbers are skipped every minute except the tenth. Source: SMPTE ST 12-1.
    const dropped = clock.timeCode === 'drop' ? 2 * (whole - Math.floor(whole / 10)) : 0;
    return Math.round(
      ((base * clock.nominal + Number(frames ?? 0) + Number(subFrames ?? 0) / clock.subFrameRate - dropped) /
        clock.frameRate) *
        1000,
    );
  }
  const frame = (Number(frames ?? 0) + Number(subFrames ?? 0) / clock.subFrameRate) / clock.frameRate;
  return Math.round((base + Number(`0.${fraction ?? 0}`) + frame) * 1000);
}

function clockOf(root: XmlNode): Clock {
  const number = (name: string): number | undefined => {
    const value = root.attributes.get(name) ?? '';
    return /^\d{1,9}$/.test(value) && Number(value) > 0 ? Number(value) : undefined;
  };
  const [, top, bottom] =
    /^(\d{1,6})[\s:](\d{1,6})$/.exec((root.attributes.get('frameRateMultiplier') ?? '').trim()) ?? [];
  const multiplier = Number(top) > 0 && Number(bottom) > 0 ? Number(top) / Number(bottom) : 1;
  const nominal = number('frameRate') ?? 30;
  const frameRate = nominal * multiplier;
  const subFrameRate = number('subFrameRate') ?? 1;
  const isTimeCode = root.attributes.get('timeBase') === 'smpte';
  const clock: Clock = {
    frameRate,
    nominal,
    subFrameRate,
    tickRate: number('tickRate') ?? (number('frameRate') ? frameRate * subFrameRate : 1),
    ...(isTimeCode && { timeCode: root.attributes.get('dropMode') === 'dropNTSC' ? 'drop' : 'nonDrop' }),
  };
  const origin = isTimeCode ? ttmlTime(startOfProgramme(root), clock) : undefined;
  return origin === undefined ? clock : { ...clock, origin };
}

/** Returns the time code at which the programme begins, according to EBU-TT; broadcasters count from ten hours. */
function startOfProgramme(node: XmlNode): string {
  for (const child of node.children) {
    if (child.name === 'documentStartOfProgramme') return textOfNodes(child.children);
    const inside = child.name === 'body' ? '' : startOfProgramme(child);
    if (inside !== '') return inside;
  }
  return '';
}

function agentsOf(root: XmlNode): Map<string, string> {
  const out = new Map<string, string>();
  const walkHead = (node: XmlNode): void => {
    for (const child of node.children) {
      if (child.name === 'agent')
        out.set(child.attributes.get('id') ?? '', textOfNodes(child.children).trim().slice(0, 200));
      else if (child.name !== 'body') walkHead(child);
    }
  };
  walkHead(root);
  return out;
}

/**
 * Returns the interval of an element inside its parent's, from `reference` on; undefined if its times are malformed.
 */
function within(node: XmlNode, parent: Within, reading: Reading, reference = parent.start): Within | undefined {
  const read = (name: string): number | undefined | 'bad' => {
    const text = node.attributes.get(name);
    if (text !== undefined && BARE.test(text.trim()))
      reading.warn('loose-time', reading.paragraphs, 'a time without a unit was read as seconds');
    return text === undefined ? undefined : (ttmlTime(text, reading.clock) ?? 'bad');
  };
  const times = [read('begin'), read('end'), read('dur')];
  const isShown = node.name === 'p' || node.name === 'span';
  if (isShown && times[0] === 'bad') return undefined;
  if (times.includes('bad'))
    reading.warn('bad-timing', reading.paragraphs, 'a time that could not be read was ignored');
  const [begin, end, duration] = times.map((time) => (time === 'bad' ? undefined : time));
  const start = reference + (begin ?? 0);
  const ends = [
    parent.end,
    end === undefined ? Infinity : reference + end,
    duration === undefined ? Infinity : start + duration,
  ];
  const space = node.attributes.get('space');
  const properties = propertiesOf(node.attributes, reading.known.styles);
  return {
    isHidden: properties.get('display') === 'none',
    start,
    end: Math.min(...ends),
    look: lookOf(properties, parent.look),
    region: node.attributes.get('region') ?? parent.region,
    align: properties.get('textAlign') ?? parent.align,
    isPreserved: space === undefined ? parent.isPreserved : space === 'preserve',
    isTimed: begin !== undefined || end !== undefined || duration !== undefined || parent.isSequence,
    isSequence: node.attributes.get('timeContainer') === 'seq',
  };
}

/** Reads an element and returns its end: the stated one, or that of its last child. */
function walk(node: XmlNode, parent: Within, reading: Reading, reference = parent.start): number {
  const isParagraph = node.name === 'p';
  if (isParagraph) reading.paragraphs++;
  const here = within(node, parent, reading, reference);
  if (!here) reading.warn('bad-timing', reading.paragraphs, 'an element without valid times was left out');
  if (!here || here.isHidden) return reference;
  let last = here.start;
  if (isParagraph) last = paragraph(node, here, reading);
  else {
    for (const child of node.children) {
      if (child.name !== 'div' && child.name !== 'p' && child.name !== 'body') continue;
      const ends = walk(child, here, reading, here.isSequence ? last : here.start);
      last = here.isSequence ? ends : Math.max(last, ends);
    }
  }
  return here.end === Infinity ? last : here.end;
}

/** Adds the cues of a paragraph and returns the end of the last one. */
function paragraph(node: XmlNode, here: Within, reading: Reading): number {
  const line = reading.paragraphs;
  const origin = reading.clock.origin ?? 0;
  let last = here.start;
  const speaker = reading.agents.get(node.attributes.get('agent') ?? '');
  const emit = (spans: Span[], at: Within): void => {
    if (spans.length === 0) return;
    const hasEnd = at.end !== Infinity && at.end >= at.start;
    if (!hasEnd) {
      const code = at.end === Infinity ? 'missing-end' : 'negative-duration';
      if (!at.isTimed) {
        reading.warn(code, line, 'a cue without times was left out');
        return;
      }
      reading.warn(code, line, 'a cue has no valid end; it was set from its length');
    }
    const placement = regionPlacement(at.region, at.align, reading.known);
    const end = hasEnd ? at.end : at.start + readingTime(plainText(spans).length);
    last = Math.max(last, end);
    const cue = reading.add({
      start: Math.max(0, at.start - origin),
      end: Math.max(0, end - origin),
      spans,
      ...(placement ? { placement } : {}),
      ...(speaker ? { speaker } : {}),
      origin: { line },
    });
    if (cue && !hasEnd) reading.endless.push(cue);
  };
  // A span with its own times is a separate cue.
  const fill = (parts: readonly XmlNode[], at: Within, builder: SpanBuilder): void => {
    for (const part of parts) {
      if (part.name === '') addText(part.text, at, builder);
      else if (part.name === 'br') builder.break(at.look);
      else if (part.name === 'span' && part.attributes.get('ruby') !== 'delimiter') {
        const inner = within(part, at, reading, at.isSequence ? Math.max(at.start, last) : at.start);
        if (!inner) reading.warn('bad-timing', line, 'an element without valid times was left out');
        else if (inner.isHidden) continue;
        else if (inner.isTimed) separate(part.children, inner);
        else fill(part.children, inner, builder);
      }
    }
  };
  const separate = (parts: readonly XmlNode[], at: Within): void => {
    const builder = spanBuilder(reading.count);
    fill(parts, at, builder);
    emit(tidied(builder.spans(), at.isPreserved), at);
  };
  separate(node.children, here);
  return last;
}

function addText(text: string, at: Within, builder: SpanBuilder): void {
  if (!at.isPreserved) {
    builder.text(text.replaceAll(/[\t\n\r ]+/g, ' '), at.look);
    return;
  }
  text.split(/\r\n|\n|\r/).forEach((line, n) => {
    if (n > 0) builder.break(at.look);
    builder.text(line, at.look);
  });
}

/** Removes white space at both ends of every line, unless it is to be preserved. */
function tidied(spans: readonly Span[], isPreserved: boolean): Span[] {
  if (isPreserved) return [...spans];
  return spansOfRuns(
    runsOf(spans).map(({ runs, at }) => {
      let space = true;
      const parts = runs.map((part) => {
        let text = part.text;
        if (space) text = text.replace(/^ /, '');
        if (text !== '') space = text.endsWith(' ');
        return { look: part.look, text };
      });
      for (let last = parts.length - 1; last >= 0; last--) {
        const part = parts[last];
        if (!part) break;
        part.text = part.text.replace(/ $/, '');
        if (part.text !== '') break;
      }
      return { runs: parts, at };
    }),
  );
}
