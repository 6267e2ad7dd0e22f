/**
 * Lets one player at a time play sound: a player that begins stops the other, and the music of other tabs. A film in
 * another tab continues, because it may be shown on another screen.
 */
import { notifyTabs, onTabNotice } from './tabs.ts';

type Player = 'film' | 'audio';

const stops = new Map<Player, () => void>();

/** Registers how a player is paused. Returns a function that removes it. */
export function onSoundTaken(player: Player, pause: () => void): () => void {
  stops.set(player, pause);
  return () => {
    if (stops.get(player) === pause) stops.delete(player);
  };
}

/** Called when a player begins to play: pauses the others. */
export function takeSound(player: Player): void {
  for (const [other, pause] of stops) if (other !== player) pause();
  notifyTabs({ kind: 'sound' });
}
onTabNotice(({ kind }) => kind === 'sound' && stops.get('audio')?.());
