/**
 * Playback preferences stored on this device: how subtitles look, the volume, the speed, and whether the next episode
 * begins by itself.
 */
import { createStore } from '../../lib/store.ts';

export const SIZES = ['small', 'medium', 'large', 'huge'] as const;
export const HEIGHTS = ['low', 'middle', 'high'] as const;
export const GROUNDS = ['outline', 'shade', 'box'] as const;
export const COLOURS = ['white', 'yellow'] as const;
export interface PlayerPreferences {
  size: (typeof SIZES)[number];
  height: (typeof HEIGHTS)[number];
  ground: (typeof GROUNDS)[number];
  colour: (typeof COLOURS)[number];
  volume: number;
  isMuted: boolean;
  /** Undefined: as the server's settings say. */
  isAutoplay: boolean | undefined;
  /** Speech forward, loud passages down. */
  isNight: boolean;
  /** Whether the film waits while the pointer is on a subtitle. */
  isHoverPause: boolean;
  isStats: boolean;
}
export const USUAL: PlayerPreferences = {
  size: 'medium',
  height: 'low',
  ground: 'shade',
  colour: 'white',
  volume: 1,
  isMuted: false,
  isAutoplay: undefined,
  isNight: false,
  isHoverPause: false,
  isStats: false,
};
const STORAGE_KEY = 'matinee.player';

const oneOf = <T extends string>(all: readonly T[], value: unknown, usual: T): T =>
  all.includes(value as T) ? (value as T) : usual;
/** Reads what was kept; anything odd in it becomes the usual. */
export function preferencesFrom(text: string | null): PlayerPreferences {
  let kept: Partial<Record<keyof PlayerPreferences, unknown>> = {};
  try {
    const read: unknown = JSON.parse(text ?? '{}');
    if (typeof read === 'object' && read !== null) kept = read;
  } catch {
    // Not ours, or cut off: the usual.
  }
  const { volume } = kept;
  return {
    size: oneOf(SIZES, kept.size, USUAL.size),
    height: oneOf(HEIGHTS, kept.height, USUAL.height),
    ground: oneOf(GROUNDS, kept.ground, USUAL.ground),
    colour: oneOf(COLOURS, kept.colour, USUAL.colour),
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : USUAL.volume,
    isMuted: kept.isMuted === true,
    isAutoplay: typeof kept.isAutoplay === 'boolean' ? kept.isAutoplay : undefined,
    isNight: kept.isNight === true,
    isHoverPause: kept.isHoverPause === true,
    isStats: kept.isStats === true,
  };
}
const read = (): string | null => {
  if (typeof document === 'undefined') return null;
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
};

export const playerPreferences = createStore<PlayerPreferences>(preferencesFrom(read()));
export function prefer(change: Partial<PlayerPreferences>): void {
  playerPreferences.change((now) => ({ ...now, ...change }));
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(playerPreferences.get()));
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}
