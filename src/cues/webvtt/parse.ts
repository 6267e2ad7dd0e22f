/**
 * The WebVTT parser, line by line. Source: W3C WebVTT, section 6.1 ("WebVTT parser algorithm", "collect a WebVTT
 * block"). The standard goes back to a line that begins the next block; here such a line is passed to the next block,
 * so that the input can arrive in pieces.
 *
 * Every cue that a browser reads is read with the same result. A cue that browsers drop because of a malformed time is
 * read, too, if its time has a clear meaning and it has text; it changes nothing else.
 *
 * Promises: each line is examined a bounded number of times; only `events` throws.
 */
import type { Cue, Region, SubtitleDocument } from '../cue.ts';
import {
  cueList,
  isTooLate,
  LEFT_OUT_TOO_LATE,
  partCounter,
  type PartCounter,
  warningList,
  type Warn,
  withinVideo,
} from '../limits.ts';
import { linesOf, rawLinesOf } from '../formats/lines.ts';
import { cueText } from './cue-text.ts';
import { cueSettings, looseTimingLine, regionSettings, timingLine } from './settings.ts';

/** First and last line of a cue, from 1. The first one is the identifier's or that of the times. */
export interface Extent {
  from: number;
  to: number;
}

export interface VttEvents {
  cue(cue: Cue, lines: Extent): void;
  region?(region: Region): void;
  style?(css: string): void;
  warn?: Warn;
}

export interface VttOptions {
  /** Whether to read exactly the cues that browsers read, at any time. */
  isStandard?: boolean;
}

/** Parses lines without their ends. `end` completes the last block. */
export function vttParser(
  events: VttEvents,
  { isStandard = false }: VttOptions = {},
): { line(text: string): void; end(): void } {
  const regions = new Map<string, Region>();
  let state: 'signature' | 'after-signature' | 'between' | 'block' | 'failed' = 'signature';
  let block = newBlock(false, 0);
  let number = 0;
  // Styles and regions must precede the first cue.
  let hasCue = false;
  const warn = events.warn ?? (() => {});
  const count = partCounter();

  const finish = (): void => {
    if (state !== 'block') return;
    state = 'between';
    if (block.cue) {
      const cue = completed(block, warn, count);
      if (!block.isLoose) events.cue(cue, { from: block.line, to: block.last });
      else if (cue.spans.length > 0) {
        warn('loose-time', block.line, 'a time that browsers reject was read as it is meant');
        events.cue(cue, { from: block.line, to: block.last });
      }
    } else if (block.isTooLate) warn('over-limit', block.line, LEFT_OUT_TOO_LATE);
    else if (block.kind === 'style') events.style?.(block.buffer.join('\n'));
    else if (block.kind === 'region') {
      const region = regionSettings(block.buffer.join('\n'));
      regions.set(region.id, region);
      events.region?.(region);
    } else if (block.hasArrow) warn('bad-timing', block.line, 'a cue without valid times was left out');
    else if (!block.isHeader && !/^NOTE(?:[\t ]|$)/.test(block.buffer[0] ?? ''))
      warn('stray-text', block.line, 'text outside a cue was left out');
  };
  const feed = (text: string): void => {
    block.count++;
    const isArrow = text.includes('-->');
    if (isArrow && !block.isHeader && (block.count === 1 || (block.count === 2 && !block.hasArrow)))
      hasCue = beginCue(block, text, { line: number, regions, warn, isStandard }) || hasCue;
    else if (isArrow) {
      finish();
      begin(text, false);
    } else if (text === '') finish();
    else {
      if (!block.isHeader && block.count === 2 && !hasCue) startSpecial(block);
      block.buffer.push(text);
      block.last = number;
    }
  };
  const begin = (text: string, isHeader: boolean): void => {
    state = 'block';
    block = newBlock(isHeader, number);
    feed(text);
  };
  return {
    line(raw) {
      number++;
      const text = raw.includes('\0') ? raw.replaceAll('\0', '\ufffd') : raw;
      if (state === 'block') feed(text);
      else if (state === 'signature') {
        state = isSignature(text) ? 'after-signature' : 'failed';
        if (state === 'failed') warn('no-header', 1, 'the file does not begin with WEBVTT');
      } else if (state === 'after-signature') {
        if (text === '') state = 'between';
        else begin(text, true);
      } else if (state === 'between' && text !== '') begin(text, false);
    },
    end: finish,
  };
}

/** Whether a first line is WebVTT's signature: the word alone, or followed by a space or a tab. */
export function isSignature(line: string): boolean {
  return line.startsWith('WEBVTT') && (line.length === 6 || line[6] === ' ' || line[6] === '\t');
}

/**
 * Reads a whole text according to the standard: without the signature there are no cues. Text outside cues is kept for
 * `rewrite.ts`.
 */
export function readVtt(text: string): SubtitleDocument {
  const { warnings, warn } = warningList();
  const { cues, add } = cueList(warn);
  const regions: Region[] = [];
  const styles: string[] = [];
  const parser = vttParser({
    cue: add,
    region: (region) => regions.push(region),
    style: (css) => styles.push(css),
    warn,
  });
  for (const line of linesOf(text)) parser.line(line);
  parser.end();
  return {
    format: 'vtt',
    cues,
    warnings,
    script: rawLinesOf(text),
    ...(regions.length > 0 ? { regions } : {}),
    ...(styles.length > 0 ? { styles } : {}),
  };
}

interface Block {
  isHeader: boolean;
  line: number;
  /** Last line of the cue's text; set if there is text below the times. */
  last: number;
  count: number;
  hasArrow: boolean;
  /** Whether its times are malformed but could be read. */
  isLoose: boolean;
  isTooLate: boolean;
  kind: 'plain' | 'style' | 'region';
  buffer: string[];
  cue?: Cue;
}

function newBlock(isHeader: boolean, line: number): Block {
  return {
    isHeader,
    line,
    last: line,
    count: 0,
    hasArrow: false,
    isLoose: false,
    isTooLate: false,
    kind: 'plain',
    buffer: [],
  };
}

interface CueLine {
  line: number;
  regions: ReadonlyMap<string, Region>;
  warn: Warn;
  isStandard: boolean;
}

/** Begins a cue if the line is one of times. Returns whether it is one for browsers, too. */
function beginCue(block: Block, text: string, { line, regions, warn, isStandard }: CueLine): boolean {
  block.hasArrow = true;
  block.last = line;
  const valid = timingLine(text);
  const isOther = /^(?:NOTE|STYLE|REGION)(?:[\t ]|$)/.test(block.buffer[0] ?? '');
  const timing = valid ?? (isStandard || isOther ? undefined : looseTimingLine(text));
  if (!timing) return false;
  if (!isStandard && isTooLate(timing.start)) {
    block.isTooLate = true;
    return valid !== undefined;
  }
  block.isLoose = valid === undefined;
  const id = block.buffer.join('\n');
  const settings = cueSettings(timing.rest, regions, () => warn('bad-setting', line, 'a cue setting was left out'));
  block.cue = {
    start: timing.start,
    end: isStandard ? timing.end : withinVideo(timing.end),
    spans: [],
    ...(id ? { id } : {}),
    ...(settings ? { settings } : {}),
    origin: { line, raw: text },
  };
  block.buffer = [];
  return valid !== undefined;
}

/** The second line distinguishes a STYLE or REGION block from a cue with an identifier. */
function startSpecial(block: Block): void {
  const first = block.buffer[0] ?? '';
  if (/^STYLE[\t\n\f\r ]*$/.test(first)) block.kind = 'style';
  else if (/^REGION[\t\n\f\r ]*$/.test(first)) block.kind = 'region';
  else return;
  block.buffer = [];
}

function completed(block: Block, warn: Warn, count: PartCounter): Cue {
  const cue = block.cue as Cue;
  const line = cue.origin?.line ?? block.line;
  if (cue.end <= cue.start) warn('negative-duration', line, 'a cue ends before it starts');
  cue.spans = cueText(block.buffer.join('\n'), (what) => warn('bad-tag', line, `${what} was left out`), count);
  return cue;
}
