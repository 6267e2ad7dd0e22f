/**
 * Converts the text field of an ASS or SSA line to spans and a placement: override blocks (`{\i1\an8}`), `\N`, `\n`,
 * `\h`, and drawings. Source: the ASS format notes of Aegisub and libass.
 *
 * Promises: linear; an unknown override is ignored; drawings (`\p1`) produce no text.
 */
import type { Anchor, Placement, Span } from '../cue.ts';
import type { PartCounter } from '../limits.ts';
import { assColor } from './color.ts';
import { spanBuilder, type Look } from './looks.ts';

export interface OverrideState {
  look: Look;
  anchor?: Anchor | undefined;
  /** In pixels of the script's own resolution. */
  point?: { x: number; y: number } | undefined;
  isDrawing: boolean;
  /** Whether `\n` breaks the line, as it does only in one wrap style. */
  hasSoftBreaks: boolean;
  base: Look;
  placement(): Placement | undefined;
}

export interface AssContext {
  /** Look of the line's style, and of any style by name (`\rName`). */
  look: Look;
  styleLook?: (name: string) => Look | undefined;
  width: number;
  height: number;
  hasSoftBreaks?: boolean;
  /** Counts the parts of the document. */
  count?: PartCounter;
}

/** Canvas of ffmpeg and SSA, which SRT with `\pos` refers to. */
const OLD_CANVAS = { width: 384, height: 288 };

export function newState(look: Look, canvas: { width: number; height: number } = OLD_CANVAS): OverrideState {
  const state: OverrideState = {
    look: { ...look },
    base: look,
    isDrawing: false,
    hasSoftBreaks: false,
    placement: () => {
      if (state.anchor === undefined && !state.point) return undefined;
      const { point } = state;
      const percent = (value: number, whole: number): number =>
        Math.round(Math.min(100, Math.max(0, (value / whole) * 100)) * 100) / 100;
      return {
        ...(state.anchor === undefined ? {} : { anchor: state.anchor }),
        ...(point ? { point: { x: percent(point.x, canvas.width), y: percent(point.y, canvas.height) } } : {}),
      };
    },
  };
  return state;
}

export interface AssText {
  spans: Span[];
  placement?: Placement;
  hasDrawing: boolean;
}

/** Converts a whole text field. */
export function assText(text: string, context: AssContext): AssText {
  const builder = spanBuilder(context.count);
  const state = newState(context.look, context);
  state.hasSoftBreaks = context.hasSoftBreaks === true;
  let hasDrawing = false;
  let at = 0;
  let from = 0;
  const flush = (to: number, extra = ''): void => {
    if (!state.isDrawing) builder.text(text.slice(from, to) + extra, state.look);
  };
  while (at < text.length) {
    const c = text.charCodeAt(at);
    if (c === 123) {
      const close = text.indexOf('}', at);
      if (close < 0) break;
      flush(at);
      applyOverrides(state, text.slice(at + 1, close), context.styleLook);
      hasDrawing ||= state.isDrawing;
      at = from = close + 1;
    } else if (c === 92) {
      const next = text[at + 1];
      const isBreak = next === 'N' || (next === 'n' && state.hasSoftBreaks);
      if (isBreak || next === 'n' || next === 'h' || next === '{' || next === '}') {
        flush(at, isBreak ? '' : next === 'n' ? ' ' : next === 'h' ? '\u00a0' : next);
        if (isBreak && !state.isDrawing) builder.break(state.look);
        at = from = at + 2;
      } else at++;
    } else at++;
  }
  flush(text.length);
  const placement = state.placement();
  return { spans: builder.spans(), ...(placement ? { placement } : {}), hasDrawing };
}

/** Applies the overrides of one block, without its braces. */
export function applyOverrides(
  state: OverrideState,
  block: string,
  styleLook?: (name: string) => Look | undefined,
): void {
  for (const tag of overridesOf(block)) applyOne(state, tag, styleLook);
}

/** Splits a block into tags at backslashes outside parentheses: `\t(...)` is one tag. */
export function overridesOf(block: string): string[] {
  const out: string[] = [];
  let depth = 0;
  let from = -1;
  for (let at = 0; at < block.length; at++) {
    const c = block.charCodeAt(at);
    if (c === 40) depth++;
    else if (c === 41) depth = Math.max(0, depth - 1);
    else if (c === 92 && depth === 0) {
      if (from >= 0) out.push(block.slice(from, at));
      from = at + 1;
    }
  }
  if (from >= 0) out.push(block.slice(from));
  return out;
}

function applyOne(state: OverrideState, tag: string, styleLook?: (name: string) => Look | undefined): void {
  if (tag.length > 200) return;
  const parsed = /^([1-4]?[a-zA-Z]+)(.*)$/s.exec(tag);
  if (!parsed) return;
  const name = parsed[1] ?? '';
  const value = (parsed[2] ?? '').trim();
  const { look, base } = state;
  const isOn = (fallback: boolean): boolean => (value === '' ? fallback : value !== '0');
  if (name.startsWith('r') && name !== 'rnd' && !name.startsWith('rnd'))
    state.look = { ...(styleLook?.((name + value).slice(1)) ?? base) };
  else if (name === 'i') look.italic = isOn(base.italic);
  else if (name === 'b') look.bold = value === '' ? base.bold : value === '1' || Number(value) >= 600;
  else if (name === 'u') look.underline = isOn(base.underline);
  else if (name === 's') look.strike = isOn(base.strike);
  else if (name === 'p') state.isDrawing = Number.parseInt(value, 10) > 0;
  else if (name === 'q') state.hasSoftBreaks = value === '2';
  // The first alignment and position of a line count.
  else if (name === 'an' && /^[1-9]$/.test(value)) state.anchor ??= Number(value) as Anchor;
  else if (name === 'a' && /^\d{1,2}$/.test(value)) state.anchor ??= legacyAnchor(Number(value));
  else if (name === 'pos' || name === 'move') state.point ??= pointOf(value);
  else applyColor(state, name, value);
}

function applyColor(state: OverrideState, name: string, value: string): void {
  // `\cH0000FF&` without the first ampersand is common; the name then runs into the value.
  const found = /^1?c(.*)$/.exec(name);
  if (!found) return;
  const text = (found[1] ?? '') + value;
  state.look.color = text === '' ? state.base.color : (assColor(text) ?? state.look.color);
}

/** Converts SSA's alignment: 1 to 3 at the bottom, plus 4 at the top, plus 8 in the middle. */
export function legacyAnchor(value: number): Anchor | undefined {
  const across = value & 3;
  if (across === 0) return undefined;
  return (across + (value & 4 ? 6 : value & 8 ? 3 : 0)) as Anchor;
}

function pointOf(value: string): { x: number; y: number } | undefined {
  const parts = value
    .replace(/^\(/, '')
    .replace(/\)$/, '')
    .split(',')
    .map((part) => (/^\s*-?\d{1,6}(?:\.\d{0,6})?\s*$/.test(part) ? Number(part) : Number.NaN));
  const [x = Number.NaN, y = Number.NaN] = parts;
  return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : undefined;
}
