/** The sound of the element that plays: its volume, and which of the players on the page may be heard. */
import { useEffect } from 'preact/hooks';
import { onSoundTaken, takeSound } from '../../../data/sound-focus.ts';
import { playerPreferences } from '../preferences.ts';

/**
 * The audio player is silent while a film is heard, and the other way round. Without its sound a film leaves the music
 * alone.
 */
export function useSoundFocus(video: HTMLVideoElement | null): void {
  useEffect(() => {
    if (!video) return;
    const take = () => !video.paused && !video.muted && takeSound('film');
    take();
    video.addEventListener('play', take);
    video.addEventListener('volumechange', take);
    const release = onSoundTaken('film', () => !video.muted && video.pause());
    return () => {
      video.removeEventListener('play', take);
      video.removeEventListener('volumechange', take);
      release();
    };
  }, [video]);
}

/** The volume of last time. */
export function useKeptVolume(video: HTMLVideoElement | null): void {
  useEffect(() => {
    if (!video) return;
    const { volume, isMuted } = playerPreferences.get();
    video.volume = volume;
    video.muted = isMuted;
  }, [video]);
}
