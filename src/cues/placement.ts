/**
 * Between the two ways of placing a cue: anchors and points (ASS, SRT, TTML) and WebVTT's settings.
 * A document keeps what its format said; these two functions say it in the other way.
 */
import type { Anchor, Cue, CueSettings, Placement, Region } from './cue.ts';

/** A line's height in per cent of the picture, as browsers draw it. */
const LINE_HEIGHT = 5.33;

/**
 * WebVTT settings of a placement. Browsers differ in what they know of `line:…,end` and
 * `position:…,line-left`, so neither is used: the height of the text is taken off instead.
 */
function settingsOf(placement: Placement, lines: number): CueSettings | undefined {
  const { anchor = 2, point } = placement;
  const across = (anchor - 1) % 3;
  const down = anchor >= 7 ? 0 : anchor >= 4 ? 1 : 2;
  const out: CueSettings = {};
  if (point) {
    const height = lines * LINE_HEIGHT;
    out.line = within(point.y - (down === 2 ? height : down === 1 ? height / 2 : 0), 0, 100 - height);
    out.snapToLines = false;
    if (across !== 1 || Math.abs(point.x - 50) > 1) out.position = within(point.x, 0, 100);
  } else if (down === 0) [out.line, out.snapToLines] = [0, true];
  else if (down === 1) [out.line, out.snapToLines] = [within(50 - (lines * LINE_HEIGHT) / 2, 0, 50), false];
  if (across !== 1) {
    out.align = across === 0 ? 'left' : 'right';
    out.position ??= across === 0 ? 2 : 98;
  }
  return Object.keys(out).length > 0 ? out : undefined;
}

/** The anchor that WebVTT settings come nearest to; nothing for the usual place at the bottom. */
export function anchoredPlacement(settings: CueSettings, regions: ReadonlyMap<string, Region>): Placement | undefined {
  const region = settings.region === undefined ? undefined : regions.get(settings.region);
  const down = region ? third(region.viewportAnchor.y) : verticalOf(settings);
  const across = horizontalOf(settings);
  const anchor = ((2 - down) * 3 + across + 1) as Anchor;
  return anchor === 2 ? undefined : { anchor };
}

/** Where a cue is, whichever way it says so. */
export function placementOfCue(cue: Cue, regions: ReadonlyMap<string, Region>): Placement | undefined {
  return cue.placement ?? (cue.settings && anchoredPlacement(cue.settings, regions));
}

/** How a cue is placed in WebVTT, whichever way it says so. */
export function settingsOfCue(cue: Cue, lines: number): CueSettings | undefined {
  return cue.settings ?? (cue.placement && settingsOf(cue.placement, lines));
}

function verticalOf({ line, snapToLines }: CueSettings): number {
  if (line === undefined) return 2;
  // Some fifteen lines fit; from the seventh on it is no longer the top.
  if (snapToLines) return line < 0 || line > 9 ? 2 : line > 5 ? 1 : 0;
  return third(line);
}

function horizontalOf({ align, position, vertical }: CueSettings): number {
  if (vertical) return 1;
  const isLeft = align === 'left' || align === 'start';
  const isRight = align === 'right' || align === 'end';
  if (!isLeft && !isRight) return position === undefined ? 1 : third(position);
  return position === undefined || (isLeft ? position < 50 : position > 50) ? (isLeft ? 0 : 2) : 1;
}

const third = (percent: number): number => (percent < 34 ? 0 : percent < 67 ? 1 : 2);

const within = (value: number, least: number, most: number): number =>
  Math.round(Math.min(Math.max(value, least), Math.max(least, most)) * 100) / 100;
