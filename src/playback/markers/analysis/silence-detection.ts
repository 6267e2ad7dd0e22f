/** Detects silent spans while reading the samples of an audio stream. Stores one number per twentieth of a second. */

export interface SilentSpan {
  start: number;
  end: number;
}

/** Length of the windows that are looked at, in seconds. */
const WINDOW_S = 0.05;
/** Loudest sample of a silent window: -40 dB. */
const QUIET = 327;
const MIN_SILENCE_S = 0.2;
const MAX_SILENCES = 2_000;

export interface Silences {
  /** Takes 16-bit samples, little-endian. A piece may end inside a sample. */
  add(bytes: Uint8Array): void;
  /** Returns the silences in seconds after the first sample. */
  end(): SilentSpan[];
}

export function createSilences(rate: number): Silences {
  const window = Math.round(rate * WINDOW_S);
  const spans: SilentSpan[] = [];
  let [windows, inWindow, loudest, low, since] = [0, 0, 0, -1, -1];

  const sample = (value: number): void => {
    const loud = Math.abs(value);
    if (loud > loudest) loudest = loud;
    if (++inWindow === window) close();
  };
  const close = (): void => {
    const isQuiet = loudest <= QUIET;
    if (isQuiet && since < 0) since = windows;
    if (!isQuiet && since >= 0) keep();
    windows++;
    [inWindow, loudest] = [0, 0];
  };
  const keep = (): void => {
    const [start, end] = [since * WINDOW_S, windows * WINDOW_S];
    if (end - start >= MIN_SILENCE_S && spans.length < MAX_SILENCES) spans.push({ start, end });
    since = -1;
  };

  return {
    add: (bytes) => {
      let at = 0;
      if (low >= 0 && bytes.length > 0) {
        sample(((low | ((bytes[0] ?? 0) << 8)) << 16) >> 16);
        [low, at] = [-1, 1];
      }
      for (; at + 1 < bytes.length; at += 2) sample((((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)) << 16) >> 16);
      if (at < bytes.length) low = bytes[at] ?? 0;
    },
    end: () => {
      if (since >= 0) keep();
      return spans;
    },
  };
}
