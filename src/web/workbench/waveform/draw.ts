/** Draws the waveform on a canvas: loudness, speech, the lines of both sides as bars, anchors and times. */
import { position } from '../../lib/format.ts';
import type { WorkbenchCue } from '../model/rows.ts';
import { plainOf } from '../model/srt.ts';
import { ticksOf, cuesWithin, xOf, type WaveformView } from './geometry.ts';
import type { AudioPiece } from './use-audio.ts';

export interface Colours {
  text: string;
  muted: string;
  faint: string;
  line: string;
  accent: string;
  wash: string;
  good: string;
  surface: string;
}
export interface Scene {
  width: number;
  height: number;
  view: WaveformView;
  pieces: readonly AudioPiece[];
  current: readonly WorkbenchCue[];
  proposed: readonly WorkbenchCue[];
  /** Indexes of the chosen line. */
  selected: { current: number | undefined; proposed: number | undefined };
  /** Seconds, where each anchor has brought its line. */
  anchors: readonly number[];
  colours: Colours;
  /** Pixels of a rem. */
  unit: number;
}

export const coloursOf = (element: Element): Colours => {
  const style = getComputedStyle(element);
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: of('text'),
    muted: of('muted'),
    faint: of('faint'),
    line: of('line'),
    accent: of('accent'),
    wash: of('accent-wash'),
    good: of('good'),
    surface: of('surface'),
  };
};

/** Heights in rem: times above, the bars of both sides, and the curve in what is left. */
const TIMES = 1.125;
export const BAR = 1.25;
const GAP = 0.25;
export const rowTops = (height: number, unit: number) => ({
  current: TIMES * unit,
  proposed: height - BAR * unit,
  curve: (TIMES + BAR + GAP) * unit,
  curveEnd: height - (BAR + GAP) * unit,
});

type Context = CanvasRenderingContext2D;

/** Probability from which on speech is marked. */
const SPEAKS = 0.5;

function drawPiece(context: Context, scene: Scene, { from, to, waveform, speech }: AudioPiece): void {
  const { view, width, height, unit, colours } = scene;
  const { curve, curveEnd } = rowTops(height, unit);
  const middle = (curve + curveEnd) / 2;
  const half = (curveEnd - curve) / 2;
  const step = (to - from) / Math.max(1, waveform.length);
  const first = Math.max(0, Math.floor((view.from - from) / step));
  const end = Math.min(waveform.length, Math.ceil((view.to - from) / step) + 1);
  if (end <= first) return;
  const left = xOf(view, width, from + first * step);
  context.clearRect(left, curve, xOf(view, width, from + end * step) - left, curveEnd - curve);
  const wide = Math.max(1, xOf(view, width, step) - xOf(view, width, 0));
  for (let at = first; at < end; at++) {
    const x = xOf(view, width, from + at * step);
    const isSpoken = (speech[at] ?? 0) >= SPEAKS;
    if (isSpoken) {
      context.fillStyle = colours.wash;
      context.fillRect(x, curve, wide + 0.5, curveEnd - curve);
    }
    const tall = Math.max(1, (waveform[at] ?? 0) * half);
    context.fillStyle = isSpoken ? colours.accent : colours.faint;
    context.fillRect(x, middle - tall, wide > 3 ? wide - 1 : wide, tall * 2);
  }
}

/** So many pixels are needed for words to be worth writing into a bar. */
const MIN_WORDS = 44;

function drawBars(
  context: Context,
  scene: Scene,
  cues: readonly WorkbenchCue[],
  { top, selected, isStrong }: { top: number; selected: number | undefined; isStrong: boolean },
): void {
  const { view, width, unit, colours } = scene;
  const tall = BAR * unit;
  let drawn = -1;
  for (const { index, start, end, text } of cuesWithin(cues, view)) {
    const x = xOf(view, width, start);
    const wide = Math.max(1, xOf(view, width, end) - x - 1);
    const isChosen = index === selected;
    // Most of a hundred thousand lines share their pixel with another line.
    if (x + wide <= drawn && !isChosen) continue;
    drawn = Math.max(drawn, Math.ceil(x + wide));
    context.fillStyle = isChosen ? colours.accent : isStrong ? colours.good : colours.faint;
    context.globalAlpha = isChosen ? 1 : 0.34;
    context.fillRect(x, top + 1, wide, tall - 2);
    context.globalAlpha = 1;
    // An edge in full colour, because the bar is pale for the words in it.
    context.fillRect(x, isStrong ? top + tall - 3 : top + 1, wide, 2);
    if (wide < MIN_WORDS) continue;
    context.save();
    context.beginPath();
    context.rect(x, top, wide - 4, tall);
    context.clip();
    context.fillStyle = isChosen ? colours.surface : colours.text;
    context.fillText(plainOf(text).replace(/\s+/g, ' '), Math.max(4, x + 4), top + tall / 2 + 0.5);
    context.restore();
  }
}

function drawTimes(context: Context, { view, width, height, unit, colours }: Scene): void {
  const { step, times } = ticksOf(view, width, 5.5 * unit);
  context.fillStyle = colours.muted;
  for (const time of times) {
    const x = xOf(view, width, time);
    context.fillText(
      step < 1 ? `${position(time)}.${Math.round((time % 1) * 10)}` : position(time),
      x + 4,
      (TIMES * unit) / 2,
    );
    context.globalAlpha = 0.5;
    context.fillStyle = colours.line;
    context.fillRect(x, 0, 1, height);
    context.globalAlpha = 1;
    context.fillStyle = colours.muted;
  }
}

export function draw(canvas: HTMLCanvasElement, scene: Scene): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const { width, height, view, unit, colours } = scene;
  const sharp = Math.min(3, devicePixelRatio || 1);
  if (canvas.width !== Math.round(width * sharp) || canvas.height !== Math.round(height * sharp)) {
    canvas.width = Math.round(width * sharp);
    canvas.height = Math.round(height * sharp);
  }
  context.setTransform(sharp, 0, 0, sharp, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = `${0.75 * unit}px Inter Variable, system-ui, sans-serif`;
  context.textBaseline = 'middle';
  for (const piece of scene.pieces) drawPiece(context, scene, piece);
  drawTimes(context, scene);
  const lanes = rowTops(height, unit);
  drawBars(context, scene, scene.current, { top: lanes.current, selected: scene.selected.current, isStrong: false });
  drawBars(context, scene, scene.proposed, { top: lanes.proposed, selected: scene.selected.proposed, isStrong: true });
  for (const time of scene.anchors) {
    const x = xOf(view, width, time);
    context.fillStyle = colours.text;
    context.fillRect(x - 1, TIMES * unit, 2, height - TIMES * unit);
    context.beginPath();
    context.moveTo(x - 0.4 * unit, TIMES * unit);
    context.lineTo(x + 0.4 * unit, TIMES * unit);
    context.lineTo(x, TIMES * unit + 0.55 * unit);
    context.fill();
  }
}
