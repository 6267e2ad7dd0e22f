/**
 * Writes TTML in IMSC's text profile: clock times, one paragraph per cue, looks as spans, positions as regions,
 * speakers as agents, ruby as in TTML 2. White space is preserved, so that text does not change.
 */
import { plainText, type Cue, type Placement, type Region, type Span, type SubtitleDocument } from '../cue.ts';
import { placementOfCue } from '../placement.ts';
import { runsOf, spansOfRuns, type Look } from '../formats/looks.ts';
import { clockTime } from '../formats/time.ts';

/** `document.cues` are written in their order. */
export function writeTtml(document: SubtitleDocument): string {
  const known = new Map((document.regions ?? []).map((region) => [region.id, region]));
  const regions = new Map<string, string>();
  const agents = new Map<string, string>();
  const body = document.cues.map((cue) => paragraph(cue, known, regions, agents)).join('');
  const title = document.title === undefined ? '' : `      <ttm:title>${escaped(document.title)}</ttm:title>\n`;
  const people = [...agents]
    .map(
      ([name, id]) =>
        `      <ttm:agent xml:id="${id}" type="person"><ttm:name type="full">${escaped(name)}</ttm:name></ttm:agent>\n`,
    )
    .join('');
  const language = /^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{1,8}){0,6}$/.test(document.language ?? '') ? document.language : '';
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" ' +
      `xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xml:lang="${language}" xml:space="preserve">\n  <head>\n`,
    title + people === '' ? '' : `    <metadata>\n${title}${people}    </metadata>\n`,
    regions.size === 0
      ? ''
      : `    <layout>\n${[...regions]
          .map(([attributes, id]) => `      <region xml:id="${id}" ${attributes}/>\n`)
          .join('')}    </layout>\n`,
    '  </head>\n  <body>\n    <div>\n',
    body,
    '    </div>\n  </body>\n</tt>\n',
  ].join('');
}

function paragraph(
  cue: Cue,
  known: ReadonlyMap<string, Region>,
  regions: Map<string, string>,
  agents: Map<string, string>,
): string {
  const { speaker, spans } = spokenBy(cue);
  const inner = spansOfRuns(
    runsOf(spans).map(({ runs, at }) => ({
      at: coloured(at),
      runs: runs.map(({ text, look }) => ({ text, look: coloured(look) })),
    })),
  );
  if (!/[^\s\p{Cc}\ufffe\uffff]/u.test(plainText(inner))) return '';
  const placement = placementOfCue(cue, known);
  // Text at the bottom needs no region.
  const region =
    placement && (placement.point || (placement.anchor ?? 2) !== 2)
      ? idOf(regions, regionAttributes(placement), 'r')
      : undefined;
  const agent = speaker === '' ? undefined : idOf(agents, speaker, 'a');
  const attributes =
    `begin="${clockTime(cue.start, '.')}" ` +
    `end="${clockTime(Math.max(cue.start, cue.end), '.')}"${region ? ` region="${region}"` : ''}` +
    `${agent ? ` ttm:agent="${agent}"` : ''}`;
  return `      <p ${attributes}>${inner.map(spanText).join('')}</p>\n`;
}

/** White is the default, so it is no colour. */
const coloured = (look: Look): Look => (look.color === '#ffffff' ? { ...look, color: undefined } : look);

function idOf(ids: Map<string, string>, key: string, letter: string): string {
  const id = ids.get(key) ?? `${letter}${ids.size + 1}`;
  ids.set(key, id);
  return id;
}

/** A voice around the whole cue is its speaker. */
function spokenBy(cue: Cue): { speaker: string; spans: readonly Span[] } {
  const only = cue.spans.length === 1 ? cue.spans[0] : undefined;
  if (cue.speaker === undefined && only?.kind === 'voice') return { speaker: nameOf(only.name), spans: only.children };
  return { speaker: nameOf(cue.speaker ?? ''), spans: cue.spans };
}

const nameOf = (name: string): string =>
  name
    .replaceAll(/[\s\p{Cc}\ufffe\uffff]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .trim();

/**
 * An anchor alone is the whole picture with an alignment; with a point it is a region that begins, ends or is centred
 * there.
 */
function regionAttributes({ anchor = 2, point }: Placement): string {
  const across = (anchor - 1) % 3;
  const down = anchor >= 7 ? 0 : anchor >= 4 ? 1 : 2;
  const align =
    `tts:displayAlign="${['before', 'center', 'after'][down]}" ` +
    `tts:textAlign="${['left', 'center', 'right'][across]}"`;
  if (!point) return align;
  const [x, width] = stretch(point.x, across);
  const [y, height] = stretch(point.y, down);
  return `${align} tts:origin="${x}% ${y}%" tts:extent="${width}% ${height}%"`;
}

/** Returns the start and length of a region whose beginning (0), middle (1) or end (2) is at a position; per cent. */
function stretch(at: number, part: number): [from: number, length: number] {
  if (part === 0) return [at, round(100 - at)];
  if (part === 2) return [0, at];
  const half = Math.min(at, 100 - at);
  return [round(at - half), round(half * 2)];
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

const STYLES: Partial<Record<Span['kind'], string>> = {
  bold: 'tts:fontWeight="bold"',
  italic: 'tts:fontStyle="italic"',
  underline: 'tts:textDecoration="underline"',
  strike: 'tts:textDecoration="lineThrough"',
  ruby: 'tts:ruby="container"',
  'ruby-text': 'tts:ruby="text"',
};

function spanText(span: Span): string {
  switch (span.kind) {
    case 'text':
      return escaped(span.text);
    case 'break':
      return '<br/>';
    case 'timestamp':
      return '';
    default:
  }
  if (span.kind === 'ruby') {
    const parts = span.children.map((child) =>
      child.kind === 'ruby-text' ? spanText(child) : wrapped('tts:ruby="base"', spanText(child)),
    );
    return `<span ${STYLES.ruby}>${parts.join('')}</span>`;
  }
  const inner = span.children.map(spanText).join('');
  const style =
    span.kind === 'color'
      ? /^#[0-9a-f]{6}$/.test(span.color)
        ? `tts:color="${span.color}"`
        : undefined
      : STYLES[span.kind];
  return style === undefined ? inner : wrapped(style, inner);
}

const wrapped = (style: string, inner: string): string => (inner === '' ? '' : `<span ${style}>${inner}</span>`);

/** Characters that XML 1.0 cannot hold become spaces, and so do line ends, which would be breaks. */
function escaped(text: string): string {
  return text
    .replaceAll(/(?!\t)[\p{Cc}\ufffe\uffff]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
