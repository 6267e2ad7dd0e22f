/**
 * A document of any format to the text of another. Each keeps what its target can hold: italic,
 * bold, underline, colour, place and speaker. Cues come out in order of time.
 */
import {
  inOrder,
  isWrapping,
  plainText,
  type Cue,
  type Format,
  type Region,
  type Span,
  type SubtitleDocument,
} from './cue.ts';
import { htmlColor } from './formats/color.ts';
import { writeAss } from './formats/write-ass.ts';
import { writeMicroDvd } from './formats/write-microdvd.ts';
import { writeSami } from './formats/write-sami.ts';
import { writeSrt } from './formats/write-srt.ts';
import { writeTtml } from './ttml/write.ts';
import { rewriteVtt } from './webvtt/rewrite.ts';
import { colorsOf, cueBlock, exactColor, headerOf } from './webvtt/write.ts';

/** Formats that can be written: every one that is read. */
export type Target = Format;

/** WebVTT that is safe to hand to a browser: everything escaped, styles filtered, in order of time. */
export function toVtt(document: SubtitleDocument): string {
  const regions = document.regions ?? [];
  const names = new Set(regions.map((region) => region.id));
  const cues = once(document);
  const colors = new Set<string>();
  for (const cue of cues) colorsOf(cue.spans, colors);
  return (
    headerOf({ styles: document.styles ?? [], regions, colors }) +
    cues.map((cue) => cueBlock(cue, exactColor, names)).join('')
  );
}

/** SRT with `<i> <b> <u> <font color>` and `{\an8}`. */
export function toSrt(document: SubtitleDocument): string {
  return writeSrt(plainColors(document, once(document)), regionsOf(document));
}

/** ASS. A document that was read from ASS or SSA is written back in its own version, with every unchanged line as it was. */
export function toAss(document: SubtitleDocument, version: 'ass' | 'ssa' = 'ass'): string {
  if (document.format !== 'vtt') return writeAss(document, version);
  return writeAss({ ...document, cues: plainColors(document, document.cues) }, version);
}

/**
 * The writer by its name, for files. Text comes out, UTF-8 when it is encoded. A document that was read from
 * WebVTT, ASS or SSA is written back into what it was read from, style sheets and all; a browser is given
 * `toVtt`. What a target cannot hold is left
 * out: places but the top, looks inside a line (MicroDVD), places and overlaps (SAMI), voices inside a cue.
 */
export function convert(document: SubtitleDocument, target: Target): string {
  switch (target) {
    case 'vtt':
      return document.format === 'vtt' && document.script ? rewriteVtt(document, document.script) : toVtt(document);
    case 'srt':
      return toSrt(document);
    case 'ass':
    case 'ssa':
      return toAss(document, target);
    case 'ttml':
      return writeTtml({ ...document, cues: plainColors(document, once(document)) });
    case 'sami':
      return writeSami(plainColors(document, once(document)), document);
    case 'microdvd':
      return writeMicroDvd(plainColors(document, once(document)), regionsOf(document), document.frameRate);
  }
}

const regionsOf = (document: SubtitleDocument): Map<string, Region> =>
  new Map((document.regions ?? []).map((region) => [region.id, region]));

/** WebVTT says colours by classes, which no other format has. */
function plainColors(document: SubtitleDocument, cues: readonly Cue[]): readonly Cue[] {
  return document.format === 'vtt' ? cues.map((cue) => ({ ...cue, spans: withColors(cue.spans) })) : cues;
}

/** The media type a format is served with. */
export function mediaType(format: Format): string {
  const types: Record<Format, string> = {
    vtt: 'text/vtt; charset=utf-8',
    srt: 'application/x-subrip; charset=utf-8',
    ass: 'text/x-ssa; charset=utf-8',
    ssa: 'text/x-ssa; charset=utf-8',
    ttml: 'application/ttml+xml; charset=utf-8',
    microdvd: 'text/plain; charset=utf-8',
    sami: 'application/x-sami; charset=utf-8',
  };
  return types[format];
}

/** In order of time. ASS draws outlines by repeating a line on another layer: it is said once. */
function once(document: SubtitleDocument): Cue[] {
  const cues = inOrder(document.cues);
  if (document.format !== 'ass' && document.format !== 'ssa') return cues;
  const seen = new Set<string>();
  let at = -1;
  return cues.filter((cue) => {
    if (cue.start !== at) seen.clear();
    at = cue.start;
    const key = `${cue.end} ${cue.placement?.anchor ?? 2}\n${plainText(cue.spans)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** WebVTT's colour classes as colours, for formats that have no classes. */
function withColors(spans: readonly Span[]): Span[] {
  return spans.map((span) => {
    if (!isWrapping(span)) return span;
    const children = withColors(span.children);
    const name = span.kind === 'class' ? span.classes?.find((each) => colorOfClass(each) !== undefined) : undefined;
    const color = name === undefined ? undefined : colorOfClass(name);
    return color === undefined ? { ...span, children } : { kind: 'color', color, children };
  });
}

/** `yellow`, or `cff8800` as the writer here names it. */
function colorOfClass(name: string): string | undefined {
  if (/^c[0-9a-f]{6}$/.test(name)) return `#${name.slice(1)}`;
  return /^(?:white|lime|cyan|red|yellow|magenta|blue|black)$/.test(name) ? htmlColor(name) : undefined;
}
