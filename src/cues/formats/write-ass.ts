/**
 * Writes ASS. A document that was read from ASS or SSA is written back line by line: a line with an unchanged cue stays
 * byte for byte, a changed one gets new fields, a removed one is left out, new ones follow. A changed text keeps the
 * overrides of its line as far as they still apply; where the pace of a line changed, the times within its overrides
 * are scaled. Any other document becomes a script with one plain style.
 */
import { inOrder, plainText, type Cue, type Region, type Span, type SubtitleDocument } from '../cue.ts';
import { scaledTimes } from '../change/override-times.ts';
import { placementOfCue } from '../placement.ts';
import { spliced, type MarkedLine } from '../splice.ts';
import { cueOf, eventOf, newScript, scan, type AssEvent, type AssScript } from './read-ass.ts';
import { overridesOf } from './ass-text.ts';
import { toAssColor } from './color.ts';
import { withoutEnd } from './lines.ts';
import { canonicalSpans } from './looks.ts';
import { assTime } from './time.ts';

const CANVAS = { width: 1920, height: 1080 };
const HEADER = [
  '[Script Info]',
  'ScriptType: v4.00+',
  'WrapStyle: 0',
  'ScaledBorderAndShadow: yes',
  `PlayResX: ${CANVAS.width}`,
  `PlayResY: ${CANVAS.height}`,
  '',
  '[V4+ Styles]',
  'Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, ' +
    'Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, ' +
    'MarginR, MarginV, Encoding',
  'Style: Default,Arial,72,&H00FFFFFF,&H000000FF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,3,1,2,60,60,50,1',
  '',
  '[Events]',
  'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
  '',
].join('\n');

const SSA_HEADER = [
  '[Script Info]',
  'ScriptType: v4.00',
  `PlayResX: ${CANVAS.width}`,
  `PlayResY: ${CANVAS.height}`,
  '',
  '[V4 Styles]',
  'Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, TertiaryColour, BackColour, Bold, Italic, ' +
    'BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, AlphaLevel, Encoding',
  'Style: Default,Arial,72,16777215,255,0,0,0,0,1,3,1,2,60,60,50,0,1',
  '',
  '[Events]',
  'Format: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
  '',
].join('\n');

/** `version` is for documents without a script. */
export function writeAss(document: SubtitleDocument, version: 'ass' | 'ssa' = 'ass'): string {
  if (document.script && (document.format === 'ass' || document.format === 'ssa'))
    return rewritten(document, document.script);
  const regions = new Map((document.regions ?? []).map((region) => [region.id, region]));
  return (
    (version === 'ssa' ? SSA_HEADER : HEADER) +
    inOrder(document.cues)
      .map((cue) => newLine(cue, regions, version))
      .join('')
  );
}

/** Returns the text field of spans: override blocks, `\N`, `\h`. */
function assTextOf(spans: readonly Span[]): string {
  return canonicalSpans(spans).map(spanText).join('');
}

function rewritten(document: SubtitleDocument, lines: readonly string[]): string {
  // The parts were counted while reading; here a line is read several times.
  const script = { ...newScript(document.format === 'ssa' ? 'ssa' : 'ass'), count: () => {} };
  const byLine = new Map<number, Cue>();
  const added: Cue[] = [];
  for (const cue of document.cues) {
    const line = cue.origin?.line;
    if (line !== undefined && cue.origin?.raw === lines[line - 1] && !byLine.has(line)) byLine.set(line, cue);
    else added.push(cue);
  }
  const out: string[] = [...lines];
  let last = -1;
  scan(lines, script, (raw, number) => {
    last = number - 1;
    const event = eventOf(raw, script);
    if (event?.kind !== 'dialogue') return;
    const before = cueOf(event, script, number, raw);
    // A line that is no cue stays as it is.
    if (typeof before !== 'object') return;
    const cue = byLine.get(number);
    if (!cue) out[number - 1] = '';
    else out[number - 1] = changedLine({ raw, event, before, script }, cue);
  });
  if (added.length > 0) {
    const end = /\r?\n?$/.exec(lines[0] ?? '')?.[0] || '\n';
    const at = last < 0 ? out.length - 1 : last;
    const regions = new Map((document.regions ?? []).map((region) => [region.id, region]));
    const body = inOrder(added)
      .map((cue) => fieldsLine(cue, script, regions) + end)
      .join('');
    const before = out[at] ?? '';
    out[at] = (before === '' || /[\r\n]$/.test(before) ? before : before + end) + body;
  }
  return out.join('');
}

interface Line {
  raw: string;
  event: AssEvent;
  before: Cue;
  script: AssScript;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Only changed fields are rewritten: new times leave the text field as it was. */
function changedLine(given: Line, cue: Cue): string {
  const { raw, event, before, script } = given;
  const changes = new Map<string, string>();
  if (before.start !== cue.start) changes.set('start', assTime(cue.start));
  if (before.end !== cue.end) changes.set('end', assTime(cue.end));
  if (before.style !== cue.style) changes.set('style', field(cue.style ?? 'Default'));
  if (before.speaker !== cue.speaker) changes.set('name', field(cue.speaker ?? ''));
  if (before.layer !== cue.layer && script.fields.includes('layer')) changes.set('layer', String(cue.layer ?? 0));
  const had = event.values.get('text') ?? '';
  const text = changedText(given, cue, cue.pace === undefined ? had : scaledTimes(had, cue.pace));
  if (text !== had) changes.set('text', text);
  if (changes.size === 0) return raw;
  const end = raw.slice(withoutEnd(raw).length);
  let from = raw.indexOf(':') + 1;
  let out = raw.slice(0, from);
  const line = withoutEnd(raw);
  script.fields.forEach((name, n) => {
    const isLast = n === script.fields.length - 1;
    const to = isLast ? line.length : line.indexOf(',', from);
    const value = line.slice(from, to);
    const space = n === 0 ? (/^\s*/.exec(value)?.[0] ?? '') : '';
    // If two fields have the same name, the last one counts.
    out +=
      (n > 0 ? ',' : '') +
      (changes.has(name) && script.fields.lastIndexOf(name) === n ? space + (changes.get(name) ?? '') : value);
    from = to + 1;
  });
  return out + end;
}

/** Returns the text field: as it was, or with the new text within its own overrides, or rewritten. */
function changedText({ event, before, script, raw }: Line, cue: Cue, text: string): string {
  if (isSame(before.spans, cue.spans) && isSame(before.placement, cue.placement)) return text;
  const means = (candidate: string): boolean => {
    const read = cueOf({ ...event, values: new Map(event.values).set('text', candidate) }, script, 0, raw);
    return typeof read === 'object' && isSame(read.spans, cue.spans) && isSame(read.placement, cue.placement);
  };
  const fresh = placed(cue, new Map(), script) + assTextOf(cue.spans);
  if (
    !/\{[^\\{}]+\}/.test(text) &&
    (text.match(/\{[^{}]*\}/g) ?? []).every((block) => overridesOf(block.slice(1, -1)).every(isModelled))
  )
    return fresh;
  return (
    [...spliced(writtenOf(text, script.hasSoftBreaks), plainText(cue.spans), escaped), ownOverrides(text) + fresh].find(
      means,
    ) ?? fresh
  );
}

/** Whether the cue model represents an override; the others are fades, outlines, fonts, karaoke. */
const isModelled = (tag: string): boolean => /^(?:[ibus]\d{0,3}$|1?c(?![a-z])|an?\d|pos|r|p\d)/.test(tag);

/** Returns each character of a text field with its position among the overrides. */
function writtenOf(raw: string, hasSoftBreaks: boolean): MarkedLine {
  const [from, to]: [number[], number[]] = [[], []];
  let plain = '';
  for (let at = 0; at < raw.length;) {
    const close = raw[at] === '{' ? raw.indexOf('}', at) : -1;
    if (close >= 0) {
      at = close + 1;
      continue;
    }
    const pair =
      raw[at] === '\\'
        ? { N: '\n', n: hasSoftBreaks ? '\n' : ' ', h: '\u00a0', '{': '{', '}': '}' }[raw[at + 1] ?? '']
        : undefined;
    plain += pair ?? raw.charAt(at);
    from.push(at);
    to.push((at += pair === undefined ? 1 : 2));
  }
  return { raw, plain, from, to };
}

/** Returns the overrides that the cue model does not represent, that precede the text and apply to the whole line. */
function ownOverrides(text: string): string {
  const blocks = /^(?:\{[^{}]*\})*/.exec(text)?.[0] ?? '';
  const own = overridesOf(blocks.replaceAll(/[{}]/g, '')).filter(
    (tag) => !isModelled(tag) && !/^(?:move|k|K)/.test(tag),
  );
  return own.length === 0 ? '' : `{${own.map((tag) => `\\${tag}`).join('')}}`;
}

function newLine(cue: Cue, regions: ReadonlyMap<string, Region>, version: 'ass' | 'ssa'): string {
  if (plainText(cue.spans).trim() === '') return '';
  const script = { ...newScript(version), ...CANVAS };
  return `${fieldsLine({ ...cue, style: 'Default' }, script, regions)}\n`;
}

function fieldsLine(cue: Cue, script: AssScript, regions: ReadonlyMap<string, Region>): string {
  const { speaker, spans } = spokenBy(cue);
  const values: Record<string, string> = {
    layer: String(cue.layer ?? 0),
    marked: 'Marked=0',
    start: assTime(cue.start),
    end: assTime(cue.end),
    style: field(cue.style ?? 'Default'),
    name: field(speaker),
    actor: field(speaker),
    marginl: '0',
    marginr: '0',
    marginv: '0',
    effect: '',
    text: placed(cue, regions, script) + assTextOf(spans),
  };
  return `Dialogue: ${script.fields.map((name) => values[name] ?? '').join(',')}`;
}

/** Moves a voice around the whole cue into the line's own field. */
function spokenBy(cue: Cue): { speaker: string; spans: readonly Span[] } {
  const only = cue.spans.length === 1 ? cue.spans[0] : undefined;
  if (cue.speaker === undefined && only?.kind === 'voice') return { speaker: only.name, spans: only.children };
  return { speaker: cue.speaker ?? '', spans: cue.spans };
}

function placed(cue: Cue, regions: ReadonlyMap<string, Region>, script: AssScript): string {
  const placement = placementOfCue(cue, regions);
  if (!placement) return '';
  const styled = script.styles.get(cue.style ?? '')?.anchor ?? 2;
  const { anchor = 2, point } = placement;
  const pixel = (percent: number, whole: number): number => Math.round((percent / 100) * whole * 10) / 10;
  const tags =
    `${anchor === styled ? '' : `\\an${anchor}`}` +
    `${point ? `\\pos(${pixel(point.x, script.width)},${pixel(point.y, script.height)})` : ''}`;
  return tags && `{${tags}}`;
}

/** A field other than the text cannot hold a comma or a line end. */
const field = (text: string): string =>
  text
    .replaceAll(/[,\r\n]/g, ' ')
    .trim()
    .slice(0, 200);

function spanText(span: Span): string {
  switch (span.kind) {
    case 'text':
      return escaped(span.text.replaceAll('\n', ' '));
    case 'break':
      return '\\N';
    case 'timestamp':
      return '';
    default:
  }
  const inner = span.children.map(spanText).join('');
  if (inner === '') return '';
  switch (span.kind) {
    case 'italic':
      return `{\\i1}${inner}{\\i0}`;
    case 'bold':
      return `{\\b1}${inner}{\\b0}`;
    case 'underline':
      return `{\\u1}${inner}{\\u0}`;
    case 'strike':
      return `{\\s1}${inner}{\\s0}`;
    case 'color':
      return /^#[0-9a-f]{6}$/.test(span.color) ? `{\\c${toAssColor(span.color)}}${inner}{\\c}` : inner;
    case 'ruby-text':
      return `(${inner})`;
    default:
      return inner;
  }
}

/** Escapes text so that it is no override and does not turn a following one into text; a line end is a break. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\r\0]/g, ' ')
    .replaceAll(/\\(?=[Nnh{}]|$)/g, '\\\u2060')
    .replaceAll('{', '\\{')
    .replaceAll('}', '\\}')
    .replaceAll('\u00a0', '\\h')
    .replaceAll('\n', '\\N');
