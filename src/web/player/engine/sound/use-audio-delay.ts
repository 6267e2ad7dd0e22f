/**
 * The delay of the audio in both directions: later by Web Audio (`use-sound`), earlier by the stream. A file that plays
 * as it is becomes a stream for that, and stays one until it is opened again.
 */
import { useEffect } from 'preact/hooks';
import { sentence } from '../../../data/client.ts';
import type { Delays } from '../delays.ts';
import type { Change } from '../../../parts/playback/plan.ts';
import { isStreamOurs } from '../../../parts/playback/stream-support.ts';
import type { OpenStream } from '../stream/types.ts';
import { MAX_DELAY_S } from './graph.ts';
import { playerWords as m } from '../../../messages/player.ts';
import { decimal } from '../../../lib/format.ts';

interface Needs {
  delays: Delays;
  onDelays: (change: Partial<Delays>) => Delays;
  /** Whether a stream plays, and not the file as it is. */
  isStream: boolean;
  stream: OpenStream | undefined;
  again: (change: Change) => Promise<void>;
  /** Returns the position, in seconds. */
  time: () => number;
  say: (what: string) => void;
}
export interface AudioDelay {
  /** Seconds later, negative is earlier, and the limits of it. */
  delay: number;
  least: number;
  most: number;
  set: (seconds: number) => void;
}
export const delayWords = (seconds: number): string =>
  seconds === 0
    ? m.audioInItsOriginalTiming
    : (seconds > 0 ? m.audioLater : m.audioEarlier)({ seconds: decimal(Math.abs(seconds), 2) });

export function useAudioDelay({ delays, onDelays, isStream, stream, again, time, say }: Needs): AudioDelay {
  const delay = delays.audio;
  const canEarlier = isStreamOurs();
  const isEarlier = canEarlier && delay < 0;
  useEffect(() => stream?.setEarlier?.(isEarlier ? -delay : 0), [stream, delay, isEarlier]);
  useEffect(() => {
    if (!isEarlier || isStream) return;
    again({ isStream: true, at: time() }).catch((error: unknown) => {
      onDelays({ audio: 0 });
      say(m.audioCannotBeMovedEarlier({ why: sentence(error) }));
    });
  }, [isEarlier, isStream]);
  return {
    delay,
    least: canEarlier ? -MAX_DELAY_S : 0,
    most: MAX_DELAY_S,
    set: (seconds) => {
      if (seconds < 0 && !canEarlier) return say(m.audioCannotBeMovedEarlierIn);
      say(delayWords(onDelays({ audio: seconds }).audio));
    },
  };
}
