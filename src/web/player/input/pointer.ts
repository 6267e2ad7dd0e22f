/**
 * A mouse or a finger on the picture: a click plays or pauses, two go to full screen; taps are read by `gestures`,
 * moves by `swipe`.
 */
import { useEffect, useRef } from 'preact/hooks';
import { seekWords } from '../engine/actions.ts';
import type { Player } from '../engine/actions.ts';
import type { ControlsVisibility } from '../engine/shown.ts';
import type { Film } from '../engine/timeline.ts';
import { meaningOf, ROW_MS, sideOf, tapped, type Tap } from './gestures.ts';
import { moveOf, type Move, type Swipe } from './swipe.ts';
import { later } from '../../lib/pending-work.ts';

interface Needs {
  film: Film | undefined;
  player: Player;
  shown: ControlsVisibility;
  full: { toggle: () => void };
  say: (what: string) => void;
}
interface Held {
  swipe: Swipe;
  move: Move | undefined;
  /** The volume when the finger went down. */
  volume: number;
}

/** Listeners for the element that holds the picture. */
export function usePicture({ film, player, shown, full, say }: Needs) {
  const row = useRef<Tap | undefined>(undefined);
  const cancel = useRef<() => void>(undefined);
  const held = useRef<Held | undefined>(undefined);
  const hasMoved = useRef(false);
  useEffect(() => () => cancel.current?.(), []);
  const tap = (event: MouseEvent) => {
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    row.current = tapped(row.current, sideOf(event.clientX - left, width), event.timeStamp);
    const meaning = meaningOf(row.current);
    cancel.current?.();
    if (meaning?.is === 'toggle') player.toggle();
    else if (meaning?.is === 'seek') player.seekBy(meaning.by);
    else if (meaning) cancel.current = later(ROW_MS, () => (shown.isShown ? shown.hide() : shown.poke()));
  };
  const onClick = (event: MouseEvent) => {
    const isFinger = (event as PointerEvent).pointerType === 'touch';
    if (hasMoved.current) {
      hasMoved.current = false;
      return undefined;
    }
    if (isFinger) return tap(event);
    // The second click of a double one takes back what the first did.
    player.toggle();
    return undefined;
  };
  const onDblClick = (event: MouseEvent) => {
    if ((event as PointerEvent).pointerType !== 'touch') full.toggle();
  };
  const onPointerDown = (event: PointerEvent) => {
    hasMoved.current = false;
    if (event.pointerType !== 'touch' || !event.isPrimary || !film) return;
    const { left, top, width, height } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    held.current = {
      swipe: { x: event.clientX - left, y: event.clientY - top, width, height },
      move: undefined,
      volume: film.video.volume,
    };
  };
  const onPointerMove = (event: PointerEvent) => {
    const now = held.current;
    if (!now || !film || event.pointerType !== 'touch') return;
    const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    now.move = moveOf(
      now.swipe,
      { dx: event.clientX - left - now.swipe.x, dy: event.clientY - top - now.swipe.y },
      film.duration(),
      now.move?.is,
    );
    if (!now.move) return;
    hasMoved.current = true;
    if (now.move.is === 'seek')
      say(seekWords(now.move.by, Math.min(film.duration(), Math.max(0, film.time() + now.move.by))));
    else player.volumeBy(now.volume + now.move.by - film.video.volume);
  };
  const onPointerUp = () => {
    const move = held.current?.move;
    held.current = undefined;
    if (move?.is === 'seek') player.seekBy(move.by);
  };
  const onPointerCancel = () => {
    held.current = undefined;
  };
  return { onClick, onDblClick, onPointerDown, onPointerMove, onPointerUp, onPointerCancel };
}
