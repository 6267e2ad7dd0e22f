/** How far subtitles and sound of an item are moved. Remembered on this device for the items that were touched last. */
import { useState } from 'preact/hooks';
import { MAX_DELAY_S } from './sound/graph.ts';

export interface Delays {
  /** Seconds later; negative is earlier. */
  subtitle: number;
  /** Seconds later; negative is earlier. */
  audio: number;
}
const NONE: Delays = { subtitle: 0, audio: 0 };
const STORAGE_KEY = 'matinee.delays';
const MAX_ITEMS = 200;
const MAX_SUBTITLE_S = 600;

const rounded = (value: unknown, least: number, most: number, step: number): number =>
  typeof value === 'number' && Number.isFinite(value)
    ? Math.min(most, Math.max(least, Math.round(value / step) * step))
    : 0;
export const tidy = ({ subtitle, audio }: { [K in keyof Delays]?: unknown }): Delays => ({
  subtitle: Number(rounded(subtitle, -MAX_SUBTITLE_S, MAX_SUBTITLE_S, 0.1).toFixed(1)),
  audio: Number(rounded(audio, -MAX_DELAY_S, MAX_DELAY_S, 0.05).toFixed(2)),
});

/** Pairs of item and delays, the one that was changed last at the end. Anything odd is left out. */
export function delaysFrom(text: string | null): [string, Delays][] {
  try {
    const read: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(read)) return [];
    return read
      .flatMap((one: unknown): [string, Delays][] =>
        Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'object' && one[1] !== null
          ? [[one[0], tidy(one[1] as Delays)]]
          : [],
      )
      .slice(-MAX_ITEMS);
  } catch {
    return [];
  }
}
/** The list with an item's delays changed; nothing is kept of an item that is as it was. */
export function withDelays(all: readonly [string, Delays][], item: string, delays: Delays): [string, Delays][] {
  const others = all.filter(([id]) => id !== item);
  return (delays.subtitle === 0 && delays.audio === 0 ? others : [...others, [item, delays] as [string, Delays]]).slice(
    -MAX_ITEMS,
  );
}

const read = (): [string, Delays][] => {
  try {
    return delaysFrom(localStorage.getItem(STORAGE_KEY));
  } catch {
    return [];
  }
};

export function useDelays(item: string): [Delays, (change: Partial<Delays>) => Delays] {
  const [delays, setDelays] = useState<Delays>(() => new Map(read()).get(item) ?? NONE);
  const change = (asked: Partial<Delays>): Delays => {
    const next = tidy({ ...delays, ...asked });
    setDelays(next);
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(withDelays(read(), item, next)));
    } catch {
      // Storage may be forbidden; the delay then lasts as long as the page.
    }
    return next;
  };
  return [delays, change];
}
