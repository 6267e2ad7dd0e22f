/**
 * The slideshow: when the next photo has its turn. A photo stays for the chosen time. A clip plays to its end, but for
 * two minutes at most; while it is paused the slideshow waits.
 */
import { useEffect, useState } from 'preact/hooks';
import type { ClipStatus } from '../../../parts/playback/clip-player.ts';
import { later } from '../../../lib/pending-work.ts';

/** Longest time of a clip in a slideshow. */
const MAX_CLIP_MS = 120_000;
/** Time in which a clip has to begin; the server may need 20 s to convert the first part. */
const MAX_LOADING_MS = 30_000;

/** Milliseconds from now until the next photo; undefined while the slideshow waits. `clip` is undefined for a photo. */
export function slideMs(seconds: number, clip: ClipStatus | undefined): number | undefined {
  if (clip === undefined || clip === 'failed') return seconds * 1000;
  if (clip === 'loading') return MAX_LOADING_MS;
  if (clip === 'playing') return MAX_CLIP_MS;
  return clip === 'ended' ? 0 : undefined;
}

interface Needs {
  /** Undefined while it is off, or waits. */
  ms: number | undefined;
  /** Id of the photo on show. */
  id: string;
  /** Undefined after the last. */
  next: (() => void) | undefined;
  onEnd: () => void;
}

export function useSlideshow({ ms, id, next, onEnd }: Needs): void {
  const [due, setDue] = useState<string>();
  useEffect(() => {
    if (ms === undefined) return;
    const stop = later(ms, () => setDue(id), { isBackground: true });
    return () => {
      stop();
      setDue(undefined);
    };
  }, [ms, id]);
  const isDue = due === id;
  useEffect(() => {
    if (isDue) (next ?? onEnd)();
  }, [isDue]);
}
