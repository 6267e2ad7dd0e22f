/** A mouse or a finger on the picture: a click plays or pauses, two go to full screen; taps are read by `gestures`. */
import { useEffect, useRef } from 'preact/hooks';
import type { Player } from '../engine/actions.ts';
import { meaningOf, ROW_MS, sideOf, tapped, type Tap } from './gestures.ts';
import type { Shown } from '../engine/shown.ts';

interface Needs {
  player: Player;
  shown: Shown;
  full: { toggle: () => void };
  say: (what: string) => void;
}
/** Listeners for the element that holds the picture. */
export function usePicture({ player, shown, full }: Needs) {
  const row = useRef<Tap | undefined>(undefined);
  const wait = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(wait.current), []);
  const tap = (event: MouseEvent) => {
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    row.current = tapped(row.current, sideOf(event.clientX - left, width), event.timeStamp);
    const meaning = meaningOf(row.current);
    clearTimeout(wait.current);
    if (meaning?.is === 'toggle') player.toggle();
    else if (meaning?.is === 'seek') player.seekBy(meaning.by);
    else if (meaning) wait.current = setTimeout(() => (shown.isShown ? shown.hide() : shown.poke()), ROW_MS);
  };
  const onClick = (event: MouseEvent) => {
    const isFinger = (event as PointerEvent).pointerType === 'touch';
    if (isFinger) return tap(event);
    // The second click of a double one takes back what the first did.
    player.toggle();
    return undefined;
  };
  const onDblClick = (event: MouseEvent) => {
    if ((event as PointerEvent).pointerType !== 'touch') full.toggle();
  };
  return { onClick, onDblClick };
}
