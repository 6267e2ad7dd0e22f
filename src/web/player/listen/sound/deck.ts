/** Interface of the two ways to play a sound: decoded samples without gaps, or a media element. */
import type { StreamFailure } from '../../engine/stream/judge.ts';

export interface DeckEvents {
  playing: () => void;
  /** Waits for data. */
  waiting: () => void;
  /** The next sound has begun without a gap. */
  moved: (key: number) => void;
  /** The last sound has ended. */
  ended: () => void;
  failed: (failure: StreamFailure) => void;
}
export interface Deck {
  play: () => void;
  pause: () => void;
  /** Seconds of the sound that is heard. */
  time: () => number;
  /** Length of the sound that is heard; 0 if it is not known. */
  duration: () => number;
  seek: (seconds: number) => void;
  setVolume: (factor: number) => void;
  /** Speed with the pitch kept. Decoded samples have none but 1. */
  setSpeed: (speed: number) => void;
  close: () => void;
}
