/** Keys of the audio player's view. */
import { useEffect } from 'preact/hooks';
import { isInLayer, isTyping } from '../../../lib/keyboard.ts';
import type { KeyWords } from '../../../kit/layers/key-map.tsx';
import { listenWords as m } from '../../../messages/listening.ts';
import {
  next,
  nextRepeat,
  previous,
  seekBy,
  setVolume,
  toggle,
  toggleMuted,
  toggleShuffle,
} from '../engine/controls.ts';
import { bookPreferences } from '../engine/book.ts';
import { entryNow, listenPreferences } from '../engine/state.ts';

const VOLUME_STEP = 0.05;
const JUMP_S = 10;

const louder = (by: number) => setVolume(listenPreferences.get().volume + by);
/** A book jumps as far as its buttons. */
const jumpBy = (way: 'skipBack' | 'skipForward') =>
  seekBy((way === 'skipBack' ? -1 : 1) * (entryNow()?.item.kind === 'audiobook' ? bookPreferences.get()[way] : JUMP_S));
/** By the name of the key; letters in lower case without Shift. */
const ACTIONS: Readonly<Record<string, () => void>> = {
  ' ': toggle,
  k: toggle,
  MediaPlayPause: toggle,
  j: () => jumpBy('skipBack'),
  l: () => jumpBy('skipForward'),
  N: next,
  P: previous,
  MediaTrackNext: next,
  MediaTrackPrevious: previous,
  '+': () => louder(VOLUME_STEP),
  '-': () => louder(-VOLUME_STEP),
  m: toggleMuted,
  s: toggleShuffle,
  r: nextRepeat,
};
export const listeningKeyHelp = (): KeyWords => [
  [['Space', 'K'], m.keyPlay],
  [['J', 'L'], m.keyJump],
  [['⇧ N', '⇧ P'], m.keyNext],
  [['+', '−'], m.keyVolume],
  [['M'], m.keyMute],
  [['S'], m.keyShuffle],
  [['R'], m.keyRepeat],
  [['?'], m.keyHelp],
];

export function useListeningKeys(help: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isTyping(target) ||
        isInLayer(target)
      )
        return;
      // A button that has the focus is pressed by the space bar.
      if (event.key === ' ' && target.closest('button, a')) return;
      const { key } = event;
      const name = key.length === 1 ? (event.shiftKey ? key.toUpperCase() : key.toLowerCase()) : key;
      const action = name === '?' ? help : ACTIONS[name];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [help]);
}
