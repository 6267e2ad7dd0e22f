/**
 * Converts between the two ways of placing a cue: anchors and points (ASS, SRT, TTML), and WebVTT's settings. A
 * document stores the placement of its format; these functions convert it.
 */
import type { Anchor, Cue, CueSettings, Placement, Region } from './cue.ts';

/** Height of a line in per cent of the picture, as browsers draw it. */
const LINE_HEIGHT = 5.33;

/**
 * Returns the WebVTT settings of a placement. Not all browsers support `line:…,end` and `position:…,line-left`, so
 * neither is used: the height of the text is subtracted instead.
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

/** Returns the anchor nearest to WebVTT settings; undefined for the default position at the bottom. */
export function anchoredPlacement(settings: CueSettings, regions: ReadonlyMap<string, Region>): Placement | undefined {
  const region = settings.region === undefined ? undefined : regions.get(settings.region);
  const down = region ? third(region.viewportAnchor.y) : verticalOf(settings);
  const across = horizontalOf(settings);
  const anchor = ((2 - down) * 3 + across + 1) as Anchor;
  return anchor === 2 ? undefined : { anchor };
}

/** Returns the placement of a cue, whichever form it has. */
export function placementOfCue(cue: Cue, regions: ReadonlyMap<string, Region>): Placement | undefined {
  return cue.placement ?? (cue.settings && anchoredPlacement(cue.settings, regions));
}

/** Returns the WebVTT settings of a cue, whichever form its position has. */
export function settingsOfCue(cue: Cue, lines: number): CueSettings | undefined {
  return cue.settings ?? (cue.placement && settingsOf(cue.placement, lines));
}

function verticalOf({ line, snapToLines }: CueSettings): number {
  if (line === undefined) return 2;
  // About fifteen lines fit; from the seventh on a line is no longer at the top.
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
