/**
 * Writes WebVTT that was read from a file back into that file: text that is not edited stays byte for byte, including
 * notes, styles, regions, identifiers, settings and line ends. For files only: browsers get the output of `toVtt`,
 * which keeps only plain parts.
 *
 * A changed cue gets new times in its line of times, or new words in its own mark-up as far as that keeps its meaning;
 * a removed one is deleted with its lines; a new one is inserted in order of time. Linear except for sorting.
 */
import { inOrder, isWrapping, plainText, type Cue, type Span, type SubtitleDocument } from '../cue.ts';
import { reference } from '../formats/entities.ts';
import { withoutEnd } from '../formats/lines.ts';
import { clockTime } from '../formats/time.ts';
import { spliced, type MarkedLine } from '../splice.ts';
import { cueText } from './cue-text.ts';
import { vttParser, type Extent } from './parse.ts';
import { looseTimingLine, timestampAt, timingLine } from './settings.ts';
import { colorRules, colorsOf, cueBlock, escapeText, exactColor, payloadOf, settingsAfter } from './write.ts';

/** Lines of a cue in the file. */
interface Block extends Extent {
  before: Cue;
  /** The edited cue; undefined if it was removed. */
  now?: Cue;
}

interface Rewriting {
  lines: readonly string[];
  regions: ReadonlySet<string>;
  /** Line end of the file. */
  end: string;
}

/** Returns `document.script` with the changes of `document.cues`. */
export function rewriteVtt(document: SubtitleDocument, lines: readonly string[]): string {
  const { blocks, added } = paired(document, lines);
  const rewriting: Rewriting = {
    lines,
    regions: new Set((document.regions ?? []).map(({ id }) => id)),
    end: /\r?\n?$/.exec(lines[0] ?? '')?.[0] || '\n',
  };
  const pieces: string[] = [];
  const newcomers = placed(blocks, added);
  const style = { at: 0 };
  let line = 1;
  let hasCue = false;
  blocks.forEach((block, n) => {
    for (; line < block.from; line++)
      pieces.push(hasCue || n === 0 ? (lines[line - 1] ?? '') : buried(lines, line, rewriting.end));
    if (n === 0) style.at = pieces.length;
    hasCue = insert(pieces, newcomers.get(n) ?? [], rewriting) || hasCue;
    const { now } = block;
    const text = now && rewritten(block, now, rewriting);
    line = block.to + 1;
    if (text !== undefined && text !== '') {
      pieces.push(text);
      hasCue = true;
    } else if (isBlank(lines[block.from - 2]) && isBlank(lines[line - 1])) line++;
  });
  for (; line <= lines.length; line++)
    pieces.push(hasCue || blocks.length === 0 ? (lines[line - 1] ?? '') : buried(lines, line, rewriting.end));
  if (blocks.length === 0) style.at = pieces.length;
  if (insert(pieces, newcomers.get(blocks.length) ?? [], rewriting)) pieces.pop();
  pieces.splice(
    style.at,
    0,
    styleBlock(document, { pieces: pieces.slice(0, style.at), next: pieces[style.at], end: rewriting.end }),
  );
  return pieces.join('');
}

/** Matches the cues of the document with the blocks of the file; the remaining cues are new. */
function paired(document: SubtitleDocument, lines: readonly string[]): { blocks: Block[]; added: Cue[] } {
  const blocks: Block[] = [];
  const parser = vttParser({ cue: (before, extent) => blocks.push({ before, ...extent }) });
  lines.forEach((raw, n) => parser.line(withoutEnd(n === 0 ? raw.replace(/^\ufeff/, '') : raw)));
  parser.end();
  const byLine = new Map(blocks.map((block) => [block.before.origin?.line, block]));
  const added: Cue[] = [];
  for (const cue of document.cues) {
    const block = cue.origin?.raw === undefined ? undefined : byLine.get(cue.origin.line);
    if (block && block.now === undefined && block.before.origin?.raw === cue.origin?.raw) block.now = cue;
    else added.push(cue);
  }
  return { blocks, added };
}

/** Returns new cues by the number of the block before which they are inserted: the first one that begins later. */
function placed(blocks: readonly Block[], added: readonly Cue[]): Map<number, Cue[]> {
  const out = new Map<number, Cue[]>();
  let n = 0;
  for (const cue of inOrder(added)) {
    for (let block = blocks[n]; block && (block.now ?? block.before).start <= cue.start; block = blocks[n]) n++;
    const list = out.get(n);
    if (list) list.push(cue);
    else out.set(n, [cue]);
  }
  return out;
}

const isBlank = (raw: string | undefined): boolean => raw !== undefined && withoutEnd(raw) === '';

/** Ends the present text with a blank line, so that a block may follow. */
function separate(pieces: string[], end: string): void {
  const last = pieces.findLast((piece) => piece !== '');
  if (last === undefined || isBlank(last)) return;
  pieces.push(/[\r\n]$/.test(last) ? end : end + end);
}

/** Adds new cues. Returns whether one of them had text. */
function insert(pieces: string[], cues: readonly Cue[], { regions, end }: Rewriting): boolean {
  const blocks = cues.map((cue) => cueBlock(cue, exactColor, regions)).filter((block) => block !== '');
  for (const block of blocks) {
    separate(pieces, end);
    pieces.push(block.slice(1).replaceAll('\n', end), end);
  }
  return blocks.length > 0;
}

/** A style sheet or a region below the first cue has no effect; if that cue is removed, it must still have none. */
function buried(lines: readonly string[], line: number, end: string): string {
  const raw = lines[line - 1] ?? '';
  return isBlank(lines[line - 2]) && /^(?:STYLE|REGION)[\t\f ]*$/.test(withoutEnd(raw)) ? `NOTE${end}${raw}` : raw;
}

/** Returns rules for the colours of new text; text in the file has its own classes. */
function styleBlock(
  document: SubtitleDocument,
  { pieces, next, end }: { pieces: string[]; next: string | undefined; end: string },
): string {
  const colors = new Set<string>();
  for (const cue of document.cues) colorsOf(cue.spans, colors);
  const known = (document.styles ?? []).join('\n');
  const rules = colorRules(colors).filter((rule) => !known.includes(rule));
  if (rules.length === 0) return '';
  const before = pieces.length;
  separate(pieces, end);
  return pieces.slice(before).join('') + ['STYLE', ...rules, ''].join(end) + (isBlank(next) ? '' : end);
}

/** Returns the lines of the edited cue; '' if it has no text any more. */
function rewritten({ before, from, to }: Block, now: Cue, { lines, regions, end }: Rewriting): string {
  const own = (first: number, last: number): string => lines.slice(first - 1, last).join('');
  const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  const at = before.origin?.line ?? from;
  const raw = own(at + 1, to);
  const tail = raw.slice(withoutEnd(raw).length);
  const body = withoutEnd(raw);
  const text = isSame(before.spans, now.spans) ? body : payload(body, now, end);
  if (text === '' && body !== '') return '';
  const settings =
    isSame(before.settings, now.settings) && now.placement === undefined
      ? undefined
      : settingsAfter(now, text, regions);
  const times = timesLine(lines[at - 1] ?? '', { before, now, settings });
  if (body === '' && text !== '') return own(from, at - 1) + withoutEnd(times) + end + text + end;
  return own(from, at - 1) + times + text + tail;
}

/** Returns the line of times with new ones; hours stay left out where they were. */
function timesLine(
  raw: string,
  { before, now, settings }: { before: Cue; now: Cue; settings: string | undefined },
): string {
  if (before.start === now.start && before.end === now.end && settings === undefined) return raw;
  const line = withoutEnd(raw);
  const valid = timingLine(line);
  const read = valid ?? looseTimingLine(line);
  if (!read) return raw;
  // A line that browsers reject gets both times in their form.
  const times = [
    valid && before.start === now.start ? undefined : now.start,
    valid && before.end === now.end ? undefined : now.end,
  ];
  const head = line.slice(0, line.length - read.rest.length).replaceAll(/[\d:.,]+/g, (old) => {
    const time = times.shift();
    if (time === undefined) return old;
    const clock = clockTime(time, '.');
    return old.length === 9 && time < 3_600_000 ? clock.slice(3) : clock;
  });
  return head + (settings ?? read.rest) + raw.slice(line.length);
}

/** Returns the lines of the edited text: in its former mark-up if that means the same, or else in new mark-up. */
function payload(raw: string, now: Cue, end: string): string {
  const wanted = JSON.stringify(now.spans);
  const means = (candidate: string): boolean => JSON.stringify(cueText(candidate)) === wanted;
  const lines = raw.replaceAll(/\r\n|\r/g, '\n');
  const timed = withTimes(lines, timesIn(now.spans));
  const fresh = payloadOf(now, exactColor);
  const found = means(timed)
    ? timed
    : spliced(writtenOf(timed), plainText(now.spans), escapeLines).find(
        (candidate) => isOneText(candidate) && means(candidate),
      );
  return (found ?? fresh).replaceAll('\n', end);
}

/** A blank line or an arrow would end the cue. */
const isOneText = (text: string): boolean => text.trim() !== '' && !text.includes('-->') && !/^\n|\n\n|\n$/.test(text);

const escapeLines = (text: string): string => text.split('\n').map(escapeText).join('\n');

function timesIn(spans: readonly Span[]): number[] {
  return spans.flatMap((span) =>
    span.kind === 'timestamp' ? [span.at] : isWrapping(span) ? timesIn(span.children) : [],
  );
}

/** Replaces the timestamps within a text, one after another. */
function withTimes(text: string, times: readonly number[]): string {
  let n = 0;
  return text.replaceAll(/<[^>]*(?:>|$)/g, (tag) => {
    const found = /^<\d/.test(tag) ? timestampAt(tag, 1) : undefined;
    if (!found || found.end !== tag.length - 1) return tag;
    const time = times[n++] ?? found.time;
    return time === found.time ? tag : `<${clockTime(time, '.')}>`;
  });
}

/** Returns each character of a text with its position among tags and references. */
function writtenOf(raw: string): MarkedLine {
  const [from, to]: [number[], number[]] = [[], []];
  let plain = '';
  for (let at = 0; at < raw.length;) {
    if (raw[at] === '<') {
      const close = raw.indexOf('>', at);
      at = close < 0 ? raw.length : close + 1;
      continue;
    }
    const found = raw[at] === '&' ? reference(raw, at) : { text: raw.charAt(at), length: 1 };
    for (let unit = 0; unit < found.text.length; unit++) {
      plain += found.text.charAt(unit);
      from.push(at);
      to.push(at + found.length);
    }
    at += found.length;
  }
  return { raw, plain, from, to };
}
