/**
 * The arithmetic of the waveform: the part of the film in view, the pixel of a time in it, and the pieces of the
 * server's curve that cover it. Pure; seconds and pixels.
 */
export interface WaveformView {
  from: number;
  to: number;
}
/** Nothing closer than this is worth drawing: the curve has a hundred values a second. */
const CLOSEST = 4;

const limited = (value: number, least: number, most: number): number =>
  Math.min(Math.max(least, most), Math.max(least, value));

/** A view of that length around or after a time, within the film. */
function placed(from: number, length: number, duration: number): WaveformView {
  const long = limited(length, Math.min(CLOSEST, duration), duration);
  const start = limited(from, 0, duration - long);
  return { from: start, to: start + long };
}
export const wholeView = (duration: number): WaveformView => ({ from: 0, to: duration });
/** Closer by `factor` (over 1) or farther, with the time `at` staying where it is. Zero shows the whole. */
export function zoomed({ from, to }: WaveformView, factor: number, at: number, duration: number): WaveformView {
  if (factor === 0) return wholeView(duration);
  const length = limited((to - from) / factor, Math.min(CLOSEST, duration), duration);
  const part = to > from ? (limited(at, from, to) - from) / (to - from) : 0.5;
  return placed(limited(at, from, to) - part * length, length, duration);
}
export const panned = ({ from, to }: WaveformView, by: number, duration: number): WaveformView =>
  placed(from + by, to - from, duration);

/** A view in which a time can be seen: the same one, or turned over like a page. */
export function showing(view: WaveformView, time: number, duration: number): WaveformView {
  const length = view.to - view.from;
  if (time >= view.from && time <= view.to - length * 0.02) return view;
  return placed(time - length * 0.1, length, duration);
}

export const xOf = ({ from, to }: WaveformView, width: number, time: number): number =>
  to > from ? ((time - from) / (to - from)) * width : 0;
export const timeAt = ({ from, to }: WaveformView, width: number, x: number): number =>
  from + (width > 0 ? limited(x / width, 0, 1) : 0) * (to - from);

/**
 * The pieces of the curve that cover a view: one or two of a ladder of halves, so that moving about asks for the same
 * ones again.
 */
export function tilesOf({ from, to }: WaveformView, duration: number): WaveformView[] {
  if (duration <= 0) return [];
  let parts = 1;
  while (duration / (parts * 2) >= Math.max(to - from, CLOSEST)) parts *= 2;
  if (parts === 1) return [wholeView(duration)];
  const length = duration / parts;
  const first = Math.max(0, Math.floor(from / length));
  const last = Math.min(parts - 1, Math.floor(Math.max(from, to - 0.001) / length));
  return Array.from({ length: last - first + 1 }, (_, n) => ({
    from: (first + n) * length,
    to: (first + n + 1) * length,
  }));
}

const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
/** Returns the times to label: round ones, at least `apart` pixels from each other. */
export function ticksOf(view: WaveformView, width: number, apart: number): { step: number; times: number[] } {
  const least = ((view.to - view.from) / Math.max(1, width)) * apart;
  const step = STEPS.find((one) => one >= least) ?? 3600;
  const times: number[] = [];
  for (let n = Math.ceil(view.from / step); n * step <= view.to && times.length < 200; n++)
    times.push(Math.round(n * step * 1000) / 1000);
  return { step, times };
}

/** The cues that reach into a view. They are in order of their start; a long one before it is found too. */
export function cuesWithin<C extends { start: number; end: number }>(
  cues: readonly C[],
  { from, to }: WaveformView,
): C[] {
  const first = firstFrom(cues, from);
  const found: C[] = [];
  for (let at = Math.max(0, first - LOOK_BACK); at < cues.length; at++) {
    const cue = cues[at];
    if (!cue || cue.start > to) break;
    if (cue.end >= from) found.push(cue);
  }
  return found;
}
const LOOK_BACK = 50;
function firstFrom(cues: readonly { start: number }[], time: number): number {
  let low = 0;
  let high = cues.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cues[middle]?.start ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
/** The cues that are on at a time. */
export const onAt = <C extends { start: number; end: number }>(cues: readonly C[], time: number): C[] =>
  cuesWithin(cues, { from: time, to: time }).filter(({ start, end }) => start <= time && end > time);
