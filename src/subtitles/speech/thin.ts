/** A part of a curve at no more places than a screen has. Pure. */

export const MOST_PLACES = 1024;

export interface Thinned {
  /** Seconds. */
  duration: number;
  from: number;
  to: number;
  /** 0 to 1: the loudest of each place. */
  waveform: number[];
  /** 0 to 1: how likely somebody speaks on average at each place. */
  speech: number[];
}

interface Curve {
  duration: number;
  speech: Uint8Array;
  level: Uint8Array;
}

/** `from` and `to` are seconds, brought into the audio and into order; a part is never shorter than one value. */
export function thinned(
  { duration, speech, level }: Curve,
  part: { from?: number | undefined; to?: number | undefined },
): Thinned {
  const count = speech.length;
  const clamp = (value: number | undefined, otherwise: number): number =>
    Math.min(count, Math.max(0, value === undefined || Number.isNaN(value) ? otherwise : Math.round(value * 100)));
  const [a, b] = [clamp(part.from, 0), clamp(part.to, count)];
  const first = Math.min(a, b, Math.max(0, count - 1));
  const last = Math.min(count, Math.max(a, b, first + 1));
  const places = Math.min(MOST_PLACES, last - first);
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
