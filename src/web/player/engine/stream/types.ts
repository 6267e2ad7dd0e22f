/** A stream that is in the media element, whichever way it gets there. */
import type { StreamFailure } from './judge.ts';

export interface StreamEvents {
  /** Something came: what failed before is over. */
  loaded: () => void;
  /** Loading failed, and nothing more comes by itself. */
  failed: (failed: StreamFailure) => void;
  /** The browser could not decode what came, and what could be tried here was tried. */
  undecodable: (stream: 'video' | 'audio' | undefined) => void;
}
/** Sound tracks of a stream in the order of the file; another one plays within a second. */
export interface StreamTracks {
  count: number;
  playing: number;
  choose: (at: number) => void;
}
export interface StreamFacts {
  /** Bits per second, as measured while loading. */
  bandwidth?: number;
  codecs?: string;
}
export interface OpenStream {
  /** Continues after a temporary failure. */
  resume: () => void;
  close: () => void;
  /** Whether something is on its way; undefined where the element loads by itself. */
  isLoading?: () => boolean;
  /** Undefined where the element chooses among the tracks itself. */
  tracks: () => StreamTracks | undefined;
  facts: () => StreamFacts;
  /** Plays audio so many seconds earlier than pictures; undefined where that is not possible. */
  setEarlier?: (seconds: number) => void;
  /** Calls back when the tracks, or the one that plays, have changed. Returns how to stop listening. */
  onTracks: (changed: () => void) => () => void;
}
export interface StreamNeeds {
  video: HTMLVideoElement;
  url: string;
  /** Seconds on the clock of the element. */
  at: number;
  on: StreamEvents;
}
