/** Items of the menu of a card. */
import bookmark from 'lucide/dist/esm/icons/bookmark.mjs';
import check from 'lucide/dist/esm/icons/check.mjs';
import info from 'lucide/dist/esm/icons/info.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import square from 'lucide/dist/esm/icons/square-check.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { useIsOwner } from '../../data/session.ts';
import { MenuItems, type MenuItem } from '../../kit/layers/menu.tsx';
import { listItemsOf } from './add-to-list.tsx';
import { isListenedTo, listenItemOf } from '../listening/items.ts';
import { listenTo } from '../listening/requests.ts';
import { albumTracks, playTracks, queueEntries } from '../listening/tracks.ts';
import { forget, setListed, setWatched } from './actions.ts';
import { doneWords } from './done-words.ts';
import { openMenu, type OpenMenu } from './open-menu.ts';
import { pageOf, type Card } from './cards.tsx';
import { seen, wayToPlay } from './play.ts';
import { catalogWords as m } from '../../messages/catalog.ts';

function itemsOf(card: Card, select: (() => void) | undefined, isOwner: boolean): MenuItem[] {
  const { userData } = card;
  const way = wayToPlay(card);
  const isAudio = isListenedTo(card);
  const isUnderWay = seen(card) !== undefined;
  // A show is marked on its page, season by season.
  const isPlayed =
    card.kind !== 'show' &&
    card.kind !== 'season' &&
    card.kind !== 'series' &&
    card.kind !== 'album' &&
    card.kind !== 'track';
  return [
    ...(way
      ? [
          {
            label: way.label,
            icon: play,
            onChoose: () =>
              isAudio ? listenTo([listenItemOf(card)]) : go(hrefOf({ page: 'player', params: { id: way.id } })),
          },
        ]
      : []),
    ...(isAudio && way ? queueEntries(() => Promise.resolve([listenItemOf(card)])) : []),
    ...(card.kind === 'album' && card.available
      ? [
          { label: m.play, icon: play, onChoose: () => playTracks(albumTracks(card.id)) },
          ...queueEntries(albumTracks(card.id)),
        ]
      : []),
    { label: m.details, icon: info, onChoose: () => go(hrefOf(pageOf(card))) },
    ...(isPlayed
      ? [
          {
            label: doneWords(card.kind)[userData.watched ? 'unmark' : 'mark'],
            icon: check,
            onChoose: () => void setWatched(card, !userData.watched),
          },
        ]
      : []),
    {
      label: userData.listed ? m.removeFromMyList : m.addToMyList,
      icon: bookmark,
      onChoose: () => void setListed(card, !userData.listed),
    },
    ...listItemsOf(card, isOwner),
    ...(isUnderWay ? [{ label: m.removeFromContinueWatching, icon: x, onChoose: () => void forget(card) }] : []),
    ...(select ? [{ label: m.select, icon: square, onChoose: select }] : []),
  ];
}

export const CardMenuItems = ({ card, anchor, select }: OpenMenu) => (
  <MenuItems
    items={itemsOf(card, select, useIsOwner())}
    label={m.menuOf({ title: card.title })}
    anchor={anchor}
    close={() => openMenu.set(undefined)}
  />
);
