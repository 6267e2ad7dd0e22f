/**
 * Prepares a document for a writer of another format: cues in order of time and without repetitions, colour classes as
 * colours.
 */
import { inOrder, isWrapping, plainText, type Cue, type Region, type Span, type SubtitleDocument } from '../cue.ts';
import { htmlColor } from './color.ts';

export interface WritableCues {
  cues: readonly Cue[];
  /** WebVTT's regions by their id. */
  regions: ReadonlyMap<string, Region>;
}

export const writableCues = (document: SubtitleDocument): WritableCues => ({
  cues: withPlainColors(document, cuesOnce(document)),
  regions: new Map((document.regions ?? []).map((region) => [region.id, region])),
});

/** Replaces WebVTT's colour classes, which no other format has, by colours. */
export function withPlainColors({ format }: SubtitleDocument, cues: readonly Cue[]): readonly Cue[] {
  return format === 'vtt' ? cues.map((cue) => ({ ...cue, spans: withColors(cue.spans) })) : cues;
}

/**
 * Returns the cues in order of time. ASS draws outlines by repeating a line on another layer: only the first is kept.
 */
export function cuesOnce(document: SubtitleDocument): Cue[] {
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

function withColors(spans: readonly Span[]): Span[] {
  return spans.map((span) => {
    if (!isWrapping(span)) return span;
    const children = withColors(span.children);
    const name = span.kind === 'class' ? span.classes?.find((each) => colorOfClass(each) !== undefined) : undefined;
    const color = name === undefined ? undefined : colorOfClass(name);
    return color === undefined ? { ...span, children } : { kind: 'color', color, children };
  });
}

/** Returns the colour of a class: `yellow`, or `cff8800` as this server's writer names it. */
function colorOfClass(name: string): string | undefined {
  if (/^c[0-9a-f]{6}$/.test(name)) return `#${name.slice(1)}`;
  return /^(?:white|lime|cyan|red|yellow|magenta|blue|black)$/.test(name) ? htmlColor(name) : undefined;
}
