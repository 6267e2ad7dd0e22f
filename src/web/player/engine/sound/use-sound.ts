/** Night mode and the delay of the sound, applied to the element that plays. */
import { useEffect } from 'preact/hooks';
import { useStore } from '../../../lib/store.ts';
import { playerPreferences } from '../preferences.ts';
import { playsHlsNatively } from '../../../parts/playback/stream-support.ts';
import { endSound, soundOf } from './graph.ts';

export interface SoundControls {
  /** Whether this browser lets the page change the sound of what plays. */
  canShape: boolean;
}
/** `delay` is in seconds. Apple's browsers give pages no access to the sound of streams that they play natively. */
export function useSound(
  video: HTMLVideoElement | null,
  { delay, isStream }: { delay: number; isStream: boolean },
): SoundControls {
  const { isNight } = useStore(playerPreferences);
  const canShape = typeof AudioContext === 'function' && !(isStream && playsHlsNatively());
  const isWanted = canShape && (isNight || delay > 0);
  useEffect(() => {
    if (!video || !isWanted) return;
    const graph = soundOf(video);
    if (!graph) return;
    graph.setDelay(delay);
    graph.setNight(isNight);
    graph.resume();
    video.addEventListener('play', graph.resume);
    return () => {
      video.removeEventListener('play', graph.resume);
      graph.setDelay(0);
      graph.setNight(false);
    };
  }, [video, isWanted, isNight, delay]);
  useEffect(() => () => video && endSound(video), [video]);
  return { canShape };
}
