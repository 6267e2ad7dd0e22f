/**
 * Resolves TTML's styles and regions: the properties that a chain of references and inheritance produces for an
 * element. Source: W3C TTML2, sections 10 and 11; IMSC 1.1 text profile.
 */
import type { Anchor, Placement } from '../cue.ts';
import { htmlColor } from '../formats/color.ts';
import type { Look } from '../formats/looks.ts';
import type { XmlNode } from './xml.ts';

export type Attributes = ReadonlyMap<string, string>;

/** Maximum number of style references of an element that count: the last ones, which win. */
const MAX_REFERENCES = 4;
/** Attributes that decide the look and position of text; no other is inherited from one style to the next. */
const PROPERTIES = [
  'fontStyle',
  'fontWeight',
  'textDecoration',
  'color',
  'ruby',
  'display',
  'textAlign',
  'displayAlign',
  'origin',
  'extent',
] as const;

export interface TtmlStyles {
  /** Styles by id, with the properties of all styles that they refer to. */
  styles: ReadonlyMap<string, Attributes>;
  regions: ReadonlyMap<string, Attributes>;
  /** Size of the root container in pixels, for regions in pixels. */
  extent?: { x: number; y: number };
  cells: { x: number; y: number };
}

/** Collects the styles and regions of a document's head by id, and resolves each of them once. */
export function collectStyles(root: XmlNode): TtmlStyles {
  const styles = new Map<string, Attributes>();
  const regions = new Map<string, Attributes>();
  const walk = (node: XmlNode): void => {
    for (const child of node.children) {
      const id = child.attributes.get('id') ?? '';
      if (child.name === 'style' && node.name !== 'region' && id) styles.set(id, child.attributes);
      else if (child.name === 'region' && id) {
        const nested = child.children
          .filter((inner) => inner.name === 'style')
          .flatMap((inner) => [...inner.attributes].filter(([key]) => key !== 'id'));
        regions.set(id, new Map([...nested, ...child.attributes]));
      }
      if (child.name !== 'body') walk(child);
    }
  };
  walk(root);
  const extent = pair(root.attributes.get('extent') ?? '', /^([\d.]{1,9})px$/);
  const cells = pair(root.attributes.get('cellResolution') ?? '', /^(\d{1,4})$/);
  const known = resolvedStyles(styles);
  const placed = new Map([...regions].map(([id, attributes]) => [id, propertiesOf(attributes, known)]));
  return {
    styles: known,
    regions: placed,
    cells: cells && cells.x > 0 && cells.y > 0 ? cells : { x: 32, y: 15 },
    ...(extent && extent.x > 0 && extent.y > 0 ? { extent } : {}),
  };
}

/**
 * Returns the properties of an element: those of its `style` references, of which a later one wins, overridden by its
 * own attributes.
 */
export function propertiesOf(attributes: Attributes, styles: ReadonlyMap<string, Attributes>): Attributes {
  const references = referencesOf(attributes);
  if (references.length === 0) return attributes;
  const found = new Map<string, string>();
  for (const source of [...references.map((id) => styles.get(id)), attributes]) {
    for (const name of source ? PROPERTIES : []) {
      const value = source?.get(name);
      if (value !== undefined) found.set(name, value);
    }
  }
  return found;
}

function referencesOf(attributes: Attributes): string[] {
  const written = attributes.get('style');
  return written === undefined
    ? []
    : written
        .split(/\s+/)
        .filter((id) => id !== '')
        .slice(-MAX_REFERENCES);
}

/**
 * Resolves each style once, however many refer to it and however long the chain is: ten levels of four references are
 * a million paths through forty styles. A reference back to a style that is still being resolved counts for nothing.
 */
function resolvedStyles(written: ReadonlyMap<string, Attributes>): Map<string, Attributes> {
  const done = new Map<string, Attributes>();
  const open = new Set<string>();
  const waiting = [...written.keys()].reverse();
  for (let id = waiting.at(-1); id !== undefined; id = waiting.at(-1)) {
    const attributes = written.get(id);
    const isNew = attributes !== undefined && !open.has(id) && !done.has(id);
    const needed = isNew
      ? referencesOf(attributes).filter((one) => written.has(one) && one !== id && !open.has(one) && !done.has(one))
      : [];
    open.add(id);
    waiting.push(...needed);
    if (needed.length > 0) continue;
    if (attributes && !done.has(id)) done.set(id, propertiesOf(attributes, done));
    open.delete(id);
    waiting.pop();
  }
  return done;
}

/**
 * Returns the look of an element with these properties within one of look `parent`. White is the default, so it is no
 * colour.
 */
export function lookOf(properties: Attributes, parent: Look): Look {
  const look: Look = { ...parent };
  const style = properties.get('fontStyle');
  const weight = properties.get('fontWeight');
  const decoration = properties.get('textDecoration');
  const color = properties.get('color');
  if (style !== undefined) look.italic = style === 'italic' || style === 'oblique';
  if (weight !== undefined) look.bold = weight === 'bold';
  if (decoration !== undefined) {
    const words = decoration.split(/\s+/);
    look.underline =
      words.includes('underline') || (look.underline && !words.includes('noUnderline') && !words.includes('none'));
    look.strike =
      words.includes('lineThrough') || (look.strike && !words.includes('noLineThrough') && !words.includes('none'));
  }
  const ruby = properties.get('ruby');
  if (ruby !== undefined)
    look.ruby =
      ruby === 'base' || ruby === 'baseContainer'
        ? 'base'
        : ruby === 'text' || ruby === 'textContainer'
          ? 'text'
          : undefined;
  if (color !== undefined) {
    const found = ttmlColor(color);
    look.color = found === '#ffffff' ? undefined : found;
  }
  return look;
}

/**
 * Returns the position of a region's text. The alignment of the paragraph, its own or inherited, wins over the
 * region's.
 */
export function regionPlacement(
  regionId: string | undefined,
  own: string | undefined,
  known: TtmlStyles,
): Placement | undefined {
  const region = known.regions.get(regionId ?? '');
  if (!region) return undefined;
  const align = own ?? region.get('textAlign') ?? 'center';
  const display = region.get('displayAlign') ?? 'before';
  const origin = length2(region.get('origin') ?? '', known);
  const size = length2(region.get('extent') ?? '', known);
  const across = align === 'left' || align === 'start' ? 0 : align === 'right' || align === 'end' ? 2 : 1;
  const down = display === 'before' ? 0 : display === 'center' ? 1 : 2;
  const anchor = ((2 - down) * 3 + across + 1) as Anchor;
  if (!origin || !size) return anchor === 2 ? undefined : { anchor };
  const point = { x: round(origin.x + (size.x * across) / 2), y: round(origin.y + (size.y * down) / 2) };
  const isCentred = across === 1 && Math.abs(point.x - 50) <= 2;
  if (isCentred && point.y >= 75) return down === 0 ? { anchor, point } : undefined;
  if (isCentred && down === 0 && point.y <= 25) return { anchor: 8 };
  return { anchor, point };
}

const round = (value: number): number => Math.round(Math.min(100, Math.max(0, value)) * 100) / 100;

function length2(text: string, known: TtmlStyles): { x: number; y: number } | undefined {
  const [first = '', second = ''] = text.trim().split(/\s+/, 2);
  const x = toPercent(first, known.extent?.x, known.cells.x);
  const y = toPercent(second, known.extent?.y, known.cells.y);
  return x === undefined || y === undefined ? undefined : { x, y };
}

function toPercent(text: string, pixels: number | undefined, cells: number): number | undefined {
  const parsed = /^(-?\d{1,6}(?:\.\d{1,6})?)(%|px|c)$/.exec(text);
  const value = Number(parsed?.[1]);
  if (!parsed || !Number.isFinite(value)) return undefined;
  if (parsed[2] === '%') return value;
  if (parsed[2] === 'c') return (value / cells) * 100;
  return pixels ? (value / pixels) * 100 : undefined;
}

function pair(text: string, shape: RegExp): { x: number; y: number } | undefined {
  const [first = '', second = ''] = text.trim().split(/\s+/, 2);
  const x = Number(shape.exec(first)?.[1] ?? Number.NaN);
  const y = Number(shape.exec(second)?.[1] ?? Number.NaN);
  return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : undefined;
}

function ttmlColor(text: string): string | undefined {
  const rgb = /^rgba?\(\s?(\d{1,3})\s?,\s?(\d{1,3})\s?,\s?(\d{1,3})\s?(?:,[^)]{0,10})?\)$/.exec(text.trim());
  if (!rgb) return htmlColor(text);
  const hex = (part: string | undefined): string => Math.min(255, Number(part)).toString(16).padStart(2, '0');
  return `#${hex(rgb[1])}${hex(rgb[2])}${hex(rgb[3])}`;
}
