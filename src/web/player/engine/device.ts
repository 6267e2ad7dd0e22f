/**
 * Requests to the device while a film plays: show title and picture on the lock screen, and go to full screen.
 */
import { useEffect, useState } from 'preact/hooks';
import type { Item } from '../../../contract/catalog/items.ts';
import { artUrl } from '../../kit/art/artwork.tsx';
import type { Film } from './timeline.ts';

export interface SessionActions {
  play: () => void;
  pause: () => void;
  seekBy: (seconds: number) => void;
  seekTo: (seconds: number) => void;
  stop: () => void;
  next: (() => void) | undefined;
  previous: (() => void) | undefined;
}
type Named = Pick<Item, 'id' | 'title' | 'images' | 'show'>;

/** Title, picture and buttons for headphones, keyboards and lock screens. */
export function useMediaSession(
  film: Film | undefined,
  { id, title, images, show }: Named,
  actions: SessionActions,
): void {
  useEffect(() => {
    const { mediaSession } = navigator;
    const video = film?.video;
    if (!mediaSession || !film || !video || typeof MediaMetadata !== 'function') return;
    const picture = (['poster', 'thumb', 'backdrop'] as const).find((kind) => images[kind] !== undefined);
    const artwork = picture
      ? [320, 720].map((width) => ({ src: artUrl(id, { kind: picture, width, version: images[picture] ?? '' }) }))
      : [];
    mediaSession.metadata = new MediaMetadata({ title, ...(show && { artist: show.title }), artwork });
    const handlers: readonly [string, MediaSessionActionHandler | null][] = [
      ['play', () => actions.play()],
      ['pause', () => actions.pause()],
      ['seekbackward', ({ seekOffset }) => actions.seekBy(-(seekOffset ?? 10))],
      ['seekforward', ({ seekOffset }) => actions.seekBy(seekOffset ?? 30)],
      ['seekto', ({ seekTime }) => seekTime !== undefined && actions.seekTo(seekTime)],
      ['stop', () => actions.stop()],
      ['nexttrack', actions.next ? () => actions.next?.() : null],
      ['previoustrack', actions.previous ? () => actions.previous?.() : null],
    ];
    const set = (name: string, handler: MediaSessionActionHandler | null) => {
      try {
        mediaSession.setActionHandler(name as MediaSessionAction, handler);
      } catch {
        // This engine does not know that button.
      }
    };
    for (const [name, handler] of handlers) set(name, handler);
    const tell = () => {
      const duration = film.duration();
      if (duration > 0)
        mediaSession.setPositionState?.({
          duration,
          playbackRate: video.playbackRate,
          position: Math.min(Math.max(0, film.time()), duration),
        });
    };
    // While the place that was gone to is loaded, it is shown already.
    const moments = ['durationchange', 'seeking', 'seeked', 'ratechange', 'play', 'pause'];
    for (const name of moments) video.addEventListener(name, tell);
    tell();
    return () => {
      for (const name of moments) video.removeEventListener(name, tell);
      for (const [name] of handlers) set(name, null);
      mediaSession.metadata = null;
    };
  }, [film, id, title, actions.next, actions.previous]);
}

interface OldVideo extends HTMLVideoElement {
  webkitEnterFullscreen?: () => void;
}
/**
 * Full screen of the whole page, not of the picture, so that it stays on from episode to episode and menus
 * are in it. On a phone that allows full screen only for the picture, the picture takes it.
 */
export function useFullscreen(video: HTMLVideoElement | null): {
  isFull: boolean;
  canFull: boolean;
  toggle: () => void;
  leave: () => boolean;
} {
  const [isFull, setFull] = useState(document.fullscreenElement != null);
  useEffect(() => {
    const look = () => setFull(document.fullscreenElement != null);
    document.addEventListener('fullscreenchange', look);
    return () => document.removeEventListener('fullscreenchange', look);
  }, []);
  const root = document.documentElement;
  const old = video as OldVideo | null;
  const canPage = typeof root.requestFullscreen === 'function' && document.fullscreenEnabled !== false;
  const enter = () => {
    if (canPage) root.requestFullscreen({ navigationUI: 'hide' }).catch(() => undefined);
    else old?.webkitEnterFullscreen?.();
  };
  const leave = (): boolean => {
    if (!document.fullscreenElement) return false;
    document.exitFullscreen().catch(() => undefined);
    return true;
  };
  return {
    isFull,
    canFull: canPage || typeof old?.webkitEnterFullscreen === 'function',
    toggle: () => void (leave() || enter()),
    leave,
  };
}

/** Picture in picture, where there is one. */
export function usePictureInPicture(video: HTMLVideoElement | null): {
  canPip: boolean;
  isPip: boolean;
  toggle: () => void;
} {
  const [isPip, setPip] = useState(false);
  useEffect(() => {
    if (!video) return;
    // The browser's own window has a button to close it, so this page is not the only one who knows.
    const look = () => setPip(document.pictureInPictureElement === video);
    const moments = ['enterpictureinpicture', 'leavepictureinpicture'];
    for (const name of moments) video.addEventListener(name, look);
    return () => {
      for (const name of moments) video.removeEventListener(name, look);
    };
  }, [video]);
  const canPip = document.pictureInPictureEnabled === true && video !== null && !video.disablePictureInPicture;
  const toggle = () => {
    if (!canPip) return;
    const done = document.pictureInPictureElement ? document.exitPictureInPicture() : video.requestPictureInPicture();
    Promise.resolve(done).catch(() => undefined);
  };
  return { canPip, isPip, toggle };
}
