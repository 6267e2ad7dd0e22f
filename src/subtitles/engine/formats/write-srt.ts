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

function serialize(spans: readonly Span[]): string {
  return spans.map(spanText).join('');
}

function spanText(span: Span): string {
  switch (span.kind) {
    case 'text': return literal(span.text);
    case 'break': return '\n';
    case 'timestamp': return '';
    default:
  }
  const inner = serialize(span.children);
  if (inner === '') return '';
  switch (span.kind) {
    case 'italic': return `<i>${inner}</i>`;
    case 'bold': return `<b>${inner}</b>`;
    case 'underline': return `<u>${inner}</u>`;
    case 'strike': return `<s>${inner}</s>`;
    case 'color': return /^#[0-9a-f]{6}$/.test(span.color) ? `<font color="${span.color}">${inner}</font>` : inner;
    // The base and its reading stand side by side, as people write them by hand.
    case 'ruby-text': return `(${inner})`;
    default: return inner;
  }
}

function literal(text: string): string {
  return text
    .replaceAll(/[\r\n\0]/g, ' ')
    .replaceAll(/<(?=[/a-zA-Z])/g, '<\u2060')
    .replaceAll(/\{(?=\\|\/?[biu]\})/g, '{\u2060')
    .replaceAll('->', '-\u2060>')
    .replaceAll('→', '\u2060→');
}
