/** Tracks and audiobooks as the audio player shows them. */
import type { Card } from '../../../contract/catalog/cards.ts';
import { itemFacts } from '../../../contract/catalog/kinds.ts';
import type { ArtKind } from '../../kit/art/artwork.tsx';
import { listed } from '../../lib/format.ts';

export interface ListenItem {
  id: string;
  kind: 'track' | 'audiobook';
  title: string;
  /** Artists of a track, authors of an audiobook, in words. */
  by: string;
  /** Album of a track. */
  group?: { id: string; title: string } | undefined;
  duration?: number | undefined;
  art?: { id: string; kind: ArtKind; version: string } | undefined;
}

/** Whether an item is listened to, and not watched. */
export const isListenedTo = ({ kind }: Pick<Card, 'kind'>): boolean => {
  const { role, medium } = itemFacts(kind);
  return role === 'item' && medium === 'audio';
};

/** Members of the card of a track or an audiobook. */
interface AudioFacts {
  artists?: readonly string[] | undefined;
  album?: { id: string; title: string } | undefined;
}
type ListenCard = Pick<Card, 'id' | 'kind' | 'title' | 'images' | 'duration'> & AudioFacts;

/** `group` is the album, where the cards of its tracks do not repeat it. */
export function listenItemOf(card: ListenCard, group: ListenItem['group'] = card.album): ListenItem {
  const { id, title, duration, images, artists = [] } = card;
  const { poster } = images;
  return {
    id,
    kind: card.kind === 'audiobook' ? 'audiobook' : 'track',
    title,
    by: listed(artists),
    group,
    duration,
    art: poster === undefined ? undefined : { id, kind: 'poster', version: poster },
  };
}
