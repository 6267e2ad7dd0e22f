/** Playing from a card: the item itself, or the episode that a show continues with. */
import type { Card } from '../../../contract/catalog/cards.ts';
import { episodeCode, formatDuration } from '../../lib/format.ts';
import { catalogWords as m } from '../../messages/catalog.ts';

type Playable = Pick<Card, 'id' | 'kind' | 'title' | 'show' | 'season' | 'episode' | 'available' | 'playNext'> &
  Pick<Card, 'userData' | 'duration'>;

/** How much of it has been seen, 0 to 1; undefined when it was not begun or is finished. */
export const seen = ({ userData, duration: length }: Pick<Card, 'userData' | 'duration'>): number | undefined =>
  userData.percent
    ? userData.percent / 100
    : length && !userData.watched && userData.position > 0
      ? Math.min(1, userData.position / length)
      : undefined;
/** The time that is left of it, in words. */
export const left = ({ userData, duration: length }: Pick<Card, 'userData' | 'duration'>): string | undefined =>
  userData.percent
    ? m.percentRead({ percent: userData.percent })
    : length
      ? m.left({ duration: formatDuration(Math.max(0, length - userData.position)) })
      : undefined;

export interface WayToPlay {
  /** Id of the item that plays. The player resumes where the Profile stopped. */
  id: string;
  /** Words of a button on a page that has the title: "Play", "Continue S1 E3". */
  label: string;
  /** Words of a button without a title next to it: "Play Charade". */
  name: string;
}

/** Returns what a card plays; undefined while its file cannot be reached, and for a show without episodes. */
export function wayToPlay(card: Playable): WayToPlay | undefined {
  if (!card.available || card.kind === 'photo' || card.kind === 'book' || card.kind === 'series') return undefined;
  const { title, playNext: next } = card;
  if (card.kind === 'show') {
    if (!next) return undefined;
    const isUnderWay = next.position > 0;
    const code = episodeCode(next);
    if (code === '') return { id: next.id, ...words(title, isUnderWay) };
    return {
      id: next.id,
      label: isUnderWay ? m.continueEpisode({ code }) : m.playEpisode({ code }),
      name: isUnderWay ? m.continueEpisodeOf({ code, title }) : m.playEpisodeOf({ code, title }),
    };
  }
  // An album is played from its page.
  if (card.kind === 'season' || card.kind === 'album') return undefined;
  const code = card.show ? episodeCode(card) : '';
  return { id: card.id, ...words(card.show ? `${card.show.title} ${code}`.trim() : title, seen(card) !== undefined) };
}

const words = (title: string, isUnderWay: boolean): Pick<WayToPlay, 'label' | 'name'> =>
  isUnderWay
    ? { label: m.resume, name: m.resumeWithTitle({ title }) }
    : { label: m.play, name: m.playWithTitle({ title }) };
