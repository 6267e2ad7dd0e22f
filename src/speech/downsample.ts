/** Downsamples a part of a curve to the width of a screen. Pure. */

export const MAX_PLACES = 1024;

export interface AudioOverview {
  /** In seconds, like `from` and `to`. */
  duration: number;
  from: number;
  to: number;
  /** Peak loudness of each value, 0 to 1. */
  waveform: number[];
  /** Average probability of speech of each value, 0 to 1. */
  speech: number[];
}

interface Curve {
  duration: number;
  speech: Uint8Array;
  level: Uint8Array;
}

/** Returns the part between `from` and `to` (seconds, clamped and put in order). A part has at least one value. */
export function downsample(
  { duration, speech, level }: Curve,
  part: { from?: number | undefined; to?: number | undefined },
): AudioOverview {
  const count = speech.length;
  const clamp = (value: number | undefined, otherwise: number): number =>
    Math.min(count, Math.max(0, value === undefined || Number.isNaN(value) ? otherwise : Math.round(value * 100)));
  const [a, b] = [clamp(part.from, 0), clamp(part.to, count)];
  const first = Math.min(a, b, Math.max(0, count - 1));
  const last = Math.min(count, Math.max(a, b, first + 1));
  const places = Math.min(MAX_PLACES, last - first);
  const waveform: number[] = [];
  const said: number[] = [];
  for (let place = 0; place < places; place++) {
    const from = first + Math.floor(((last - first) * place) / places);
    const to = first + Math.floor(((last - first) * (place + 1)) / places);
    let [loudest, total] = [0, 0];
    for (let at = from; at < to; at++) {
      loudest = Math.max(loudest, level[at] ?? 0);
      total += speech[at] ?? 0;
    }
    waveform.push(round(loudest / 255));
    said.push(round(total / 255 / (to - from)));
  }
  return { duration, from: first / 100, to: last / 100, waveform, speech: said };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
