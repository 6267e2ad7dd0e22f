/**
 * Writes WebVTT that is safe for a browser: every `&`, `<` and `>` of the text is escaped, every name is reduced to the
 * characters allowed there, and style sheets are kept only if they are plain rules.
 */
import { isWrapping, type Cue, type CueSettings, type Region, type Span } from '../cue.ts';
import { nearestClass, VTT_CLASSES } from '../formats/color.ts';
import { clockTime } from '../formats/time.ts';
import { settingsOfCue } from '../placement.ts';

/** Returns the class of a colour; a stream has sent its style sheet already and uses the nearest one. */
export type ClassOf = (color: string) => string;
export const nearestColor: ClassOf = (color) => VTT_CLASSES.get(color) ?? nearestClass(color);
export const exactColor: ClassOf = (color) => VTT_CLASSES.get(color) ?? `c${color.slice(1)}`;

/** Style sheet of the eight standard colours, which some browsers lack. */
export const STANDARD_STYLE = `STYLE\n${[...VTT_CLASSES]
  .map(([color, name]) => `::cue(.${name}) { color: ${color}; }`)
  .join('\n')}\n`;

/** Returns the blocks before the first cue: signature, styles, regions. */
export function headerOf(parts: {
  styles: readonly string[];
  regions: readonly Region[];
  colors: Iterable<string>;
}): string {
  const rules = colorRules(parts.colors);
  const own = rules.join('\n');
  // Styles that an earlier pass of this writer added are not repeated.
  const kept = parts.styles
    .map((css) =>
      isPlainStyle(css)
        ? css
            .split('\n')
            .filter((line) => line.trim() !== '' && !rules.includes(line))
            .join('\n')
        : '',
    )
    .filter((css) => css !== '');
  const blocks = [...kept, ...(own ? [own] : [])].map((css) => `STYLE\n${css}\n`);
  return ['WEBVTT\n', ...blocks, ...parts.regions.filter((region) => isName(region.id)).map(regionBlock)].join('\n');
}

/** Returns one cue with a blank line before it, or '' if it has no text. */
export function cueBlock(cue: Cue, classOf: ClassOf, regions: ReadonlySet<string>): string {
  const text = payloadOf(cue, classOf);
  if (text === '') return '';
  const id =
    cue.id !== undefined && cue.id !== '' && !/[\r\n<>&]/.test(cue.id) && !/^(?:NOTE|STYLE|REGION|WEBVTT)/.test(cue.id)
      ? `${cue.id}\n`
      : '';
  return (
    `\n${id}${clockTime(cue.start, '.')} --> ${clockTime(cue.end, '.')}${settingsAfter(cue, text, regions)}\n` +
    `${text}\n`
  );
}

/** Returns the text of a cue, or '' if nothing is visible. */
export function payloadOf(cue: Cue, classOf: ClassOf): string {
  const speaker = cue.speaker === undefined ? '' : annotation(cue.speaker);
  const inner = serialize(cue.spans, classOf).replaceAll(/\n+/g, '\n').replace(/^\n/, '').replace(/\n$/, '');
  if (inner.trim() === '') return '';
  return speaker && !inner.startsWith('<v') ? `<v ${speaker}>${inner}</v>` : inner;
}

/** Returns the settings after the times of a cue with this text. */
export function settingsAfter(cue: Cue, text: string, regions: ReadonlySet<string>): string {
  const settings = settingsOfCue(cue, text.split('\n').length);
  return settings ? settingsText(settings, regions) : '';
}

/** Returns a style sheet with one rule per line for colours that have their own class. */
export const colorRules = (colors: Iterable<string>): string[] =>
  [...new Set(colors)]
    .toSorted()
    .filter((color) => /^#[0-9a-f]{6}$/.test(color))
    .map((color) => `::cue(.${exactColor(color)}) { color: ${color}; }`);

/** Collects the colours of spans. */
export function colorsOf(spans: readonly Span[], into: Set<string>): void {
  for (const span of spans) {
    if (span.kind === 'color') into.add(span.color);
    if (isWrapping(span)) colorsOf(span.children, into);
  }
}

/** Escapes text completely; line ends, which would end the cue, become spaces. */
export function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\r\n]/g, ' ')
    .replaceAll('\0', '\ufffd');
}

function serialize(spans: readonly Span[], classOf: ClassOf): string {
  return spans.map((span) => spanText(span, classOf)).join('');
}

function spanText(span: Span, classOf: ClassOf): string {
  switch (span.kind) {
    case 'text':
      return escapeText(span.text);
    case 'break':
      return '\n';
    case 'timestamp':
      return `<${clockTime(span.at, '.')}>`;
    default:
  }
  const inner = serialize(span.children, classOf);
  if (inner === '') return '';
  const classes =
    'classes' in span && span.classes
      ? span.classes
          .filter(isName)
          .map((name) => `.${name}`)
          .join('')
      : '';
  switch (span.kind) {
    case 'italic':
      return `<i${classes}>${inner}</i>`;
    case 'bold':
      return `<b${classes}>${inner}</b>`;
    case 'underline':
      return `<u${classes}>${inner}</u>`;
    case 'class':
      return classes ? `<c${classes}>${inner}</c>` : inner;
    case 'color':
      return /^#[0-9a-f]{6}$/.test(span.color) ? `<c.${classOf(span.color)}>${inner}</c>` : inner;
    case 'ruby':
      return `<ruby${classes}>${inner}</ruby>`;
    case 'ruby-text':
      return `<rt${classes}>${inner}</rt>`;
    case 'voice':
      return span.name || classes ? `<v${classes} ${annotation(span.name)}>${inner}</v>` : inner;
    case 'language':
      return /^[a-zA-Z0-9-]{1,64}$/.test(span.language) ? `<lang${classes} ${span.language}>${inner}</lang>` : inner;
    // WebVTT has no strikethrough.
    case 'strike':
      return inner;
  }
}

const annotation = (name: string): string =>
  escapeText(name.trim())
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300)
    .replace(/&[a-z]{0,3}$/, '');

/** Whether a class or region name cannot end its tag or its line. */
const isName = (name: string): boolean => name.length > 0 && name.length <= 64 && !/[\s.&<>]|--/.test(name);

function settingsText(settings: CueSettings, regions: ReadonlySet<string>): string {
  const out: string[] = [];
  if (settings.vertical) out.push(`vertical:${settings.vertical}`);
  if (settings.line !== undefined)
    out.push(
      `line:${number(settings.line)}${settings.snapToLines ? '' : '%'}` +
        `${settings.lineAlign ? `,${settings.lineAlign}` : ''}`,
    );
  if (settings.position !== undefined)
    out.push(`position:${number(settings.position)}%${settings.positionAlign ? `,${settings.positionAlign}` : ''}`);
  if (settings.size !== undefined) out.push(`size:${number(settings.size)}%`);
  if (settings.align) out.push(`align:${settings.align}`);
  if (settings.region !== undefined && regions.has(settings.region) && isName(settings.region))
    out.push(`region:${settings.region}`);
  return out.map((part) => ` ${part}`).join('');
}

function regionBlock(region: Region): string {
  const { regionAnchor: inside, viewportAnchor: outside } = region;
  return [
    'REGION',
    `id:${region.id}`,
    `width:${number(region.width)}%`,
    `lines:${number(region.lines)}`,
    `regionanchor:${number(inside.x)}%,${number(inside.y)}%`,
    `viewportanchor:${number(outside.x)}%,${number(outside.y)}%`,
    ...(region.scroll ? ['scroll:up'] : []),
    '',
  ].join('\n');
}

/** Returns a number without an exponent. */
const number = (value: number): string => String(Math.round(value * 1000) / 1000).replace(/e.*$/, '');

/** Whether a style sheet has only rules for `::cue` with plain declarations, which cannot load or run anything. */
function isPlainStyle(css: string): boolean {
  if (css.length > 65_536 || css.includes('-->') || /[@\\<]|url|image|expression|import|var\s?\(|attr\s?\(/i.test(css))
    return false;
  return css.split('}').every((rule) => rule.trim() === '' || /^\s*::cue(?:-region)?\b/.test(rule));
}
