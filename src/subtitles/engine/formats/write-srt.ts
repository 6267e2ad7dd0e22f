/**
 * SRT: numbered cues with `<i> <b> <u> <s> <font color>` and `{\an8}`. SRT has no escapes, so text
 * that would read as a tag gets an invisible word joiner (U+2060) inside.
 */
import { plainText, type Cue, type Region, type Span } from '../cue.ts';
import { placementOfCue } from '../placement.ts';
import { trimmed } from './looks.ts';
import { clockTime } from './time.ts';

export function writeSrt(cues: readonly Cue[], regions: ReadonlyMap<string, Region>): string {
  let number = 0;
  const out: string[] = [];
  for (const cue of cues) {
    const spans = trimmed(cue.spans);
    if (plainText(spans).trim() === '') continue;
    const anchor = placementOfCue(cue, regions)?.anchor ?? 2;
    const lines = serialize(spans).split('\n').map((line) => line.trimEnd()).filter((line) => line !== '');
    const text = `${anchor === 2 ? '' : `{\\an${anchor}}`}${lines.join('\n')}`;
    out.push(`${++number}\n${clockTime(cue.start, ',')} --> ${clockTime(cue.end, ',')}\n${text}\n`);
  }
  return out.join('\n');
}

/** The text of a cue with the marks of SRT, as it would be written; empty when there is nothing to read. */
export const markedText = (spans: readonly Span[]): string => serialize(trimmed(spans)).split('\n').map((line) => line.trimEnd()).filter((line) => line !== '').join('\n');

/** What is open already: readers of SRT have italic inside italic as italic once, and so is it written. */
interface Inside {
  tags: readonly string[];
  color?: string;
}

function serialize(spans: readonly Span[], inside: Inside = { tags: [] }): string {
  return spans.map((span) => spanText(span, inside)).join('');
}

const TAGS: Partial<Record<Span['kind'], string>> = { italic: 'i', bold: 'b', underline: 'u', strike: 's' };

function spanText(span: Span, inside: Inside): string {
  switch (span.kind) {
    case 'text': return literal(span.text);
    case 'break': return '\n';
    case 'timestamp': return '';
    default:
  }
  const tag = TAGS[span.kind];
  const color = span.kind === 'color' && /^#[0-9a-f]{6}$/.test(span.color) ? span.color : undefined;
  const inner = serialize(span.children, { tags: tag === undefined ? inside.tags : [...inside.tags, tag], ...((color ?? inside.color) !== undefined && { color: color ?? inside.color ?? '' }) });
  if (inner === '') return '';
  if (tag !== undefined) return inside.tags.includes(tag) ? inner : `<${tag}>${inner}</${tag}>`;
  if (color !== undefined) return inside.color === color ? inner : `<font color="${color}">${inner}</font>`;
  // The base and its reading stand side by side, as people write them by hand.
  return span.kind === 'ruby-text' ? `(${inner})` : inner;
}

function literal(text: string): string {
  return text
    .replaceAll(/[\r\n\0]/g, ' ')
    .replaceAll(/<(?=[/a-zA-Z])/g, '<\u2060')
    .replaceAll(/\{(?=\\|\/?[biu]\})/g, '{\u2060')
    .replaceAll('->', '-\u2060>')
    .replaceAll('→', '\u2060→');
}
