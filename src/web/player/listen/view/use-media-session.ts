/** Title, artwork and buttons for headphones, keyboards and lock screens. */
import { useEffect } from 'preact/hooks';
import { artUrl } from '../../../kit/art/artwork.tsx';
import { useStore } from '../../../lib/store.ts';
import { jump, next, previous, seekBy } from '../engine/controls.ts';
import { pause, resume } from '../engine/engine.ts';
import { bookPreferences } from '../engine/book.ts';
import { listenClock, listening } from '../engine/state.ts';
import { stop } from '../engine/engine.ts';
import { repeat } from '../../../lib/pending-work.ts';

const ART_WIDTHS = [320, 720];

const HANDLERS: Readonly<Record<string, MediaSessionActionHandler>> = {
  play: resume,
  pause,
  nexttrack: next,
  previoustrack: previous,
  stop,
  seekbackward: ({ seekOffset }) => seekBy(-(seekOffset ?? bookPreferences.get().skipBack)),
  seekforward: ({ seekOffset }) => seekBy(seekOffset ?? bookPreferences.get().skipForward),
  seekto: ({ seekTime }) => seekTime !== undefined && jump(seekTime),
};

function setHandlers(isOn: boolean): void {
  for (const [name, handler] of Object.entries(HANDLERS))
    try {
      navigator.mediaSession.setActionHandler(name as MediaSessionAction, isOn ? handler : null);
    } catch {
      // This engine does not know that button.
    }
}

export function useListeningSession(): void {
  const { queue, isPlaying, speed } = useStore(listening);
  const entry = queue.entries[queue.at];
  const item = entry?.item;
  useEffect(() => {
    if (!item || !navigator.mediaSession || typeof MediaMetadata !== 'function') return undefined;
    const { art } = item;
    navigator.mediaSession.metadata = new MediaMetadata({
      title: item.title,
      artist: item.by,
      album: item.group?.title ?? '',
      artwork: art
        ? ART_WIDTHS.map((width) => ({ src: artUrl(art.id, { kind: art.kind, width, version: art.version }) }))
        : [],
    });
    setHandlers(true);
    return () => {
      setHandlers(false);
      navigator.mediaSession.metadata = null;
    };
  }, [item]);
  useEffect(() => {
    if (!item || !navigator.mediaSession) return undefined;
    navigator.mediaSession.playbackState = isPlaying ? 'playing' : 'paused';
    const tell = () => {
      const { time, duration } = listenClock.get();
      if (duration > 0)
        navigator.mediaSession.setPositionState?.({
          duration,
          position: Math.min(time, duration),
          playbackRate: item.kind === 'audiobook' ? speed : 1,
        });
    };
    tell();
    // The system counts on by itself; a seek is what it has to hear of.
    return repeat(5000, tell);
  }, [item, isPlaying, speed]);
}
