/** Actions on an item: play it, add it to My list, mark it as watched, download it, manage its subtitles. */
import bookmark from 'lucide/dist/esm/icons/bookmark.mjs';
import captions from 'lucide/dist/esm/icons/captions.mjs';
import check from 'lucide/dist/esm/icons/check.mjs';
import download from 'lucide/dist/esm/icons/download.mjs';
import history from 'lucide/dist/esm/icons/rotate-ccw-clock.mjs';
import next from 'lucide/dist/esm/icons/chevron-right.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import restart from 'lucide/dist/esm/icons/rotate-ccw.mjs';
import previous from 'lucide/dist/esm/icons/chevron-left.mjs';
import x from 'lucide/dist/esm/icons/x.mjs';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { forget, removeItemFromHistory, setListed, setWatched } from '../../parts/catalog/actions.ts';
import { LastActions } from '../../parts/catalog/banner.tsx';
import { seen } from '../../parts/catalog/play.ts';
import { RateMenu } from '../../parts/catalog/rate.tsx';
import { ItemMenu } from '../../parts/editing/item-menu.tsx';
import { useIsOwner } from '../../data/session.ts';
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import type { MenuItem } from '../../kit/layers/menu.tsx';
import { position, size } from '../../lib/format.ts';
import type { DetailedItem } from '../../parts/details/types.ts';
import { downloadsOf, type ItemVersion, versionQuery } from './version.ts';
import { catalogWords as m } from '../../messages/catalog.ts';

/** Begins a download without leaving the page. */
function save(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}

export const Actions = ({ item, version }: { item: DetailedItem; version: ItemVersion | undefined }) => {
  const isOwner = useIsOwner();
  const { userData, id } = item;
  const isUnderWay = seen(item) !== undefined;
  const to = (other: string) => () => go(hrefOf({ page: 'item', params: { id: other } }));
  const files = downloadsOf(item, version);
  const query = { version: versionQuery(item, version) };
  const first: MenuItem[] = [
    ...(isUnderWay
      ? [
          {
            label: m.playFromTheBeginning,
            icon: restart,
            onChoose: () => go(hrefOf({ page: 'player', params: { id }, query: { ...query, start: '0' } })),
          },
        ]
      : []),
  ];
  const rest: MenuItem[] = [
    ...(isUnderWay ? [{ label: m.removeFromContinueWatching, icon: x, onChoose: () => void forget(item) }] : []),
    ...(userData.lastPlayedAt !== undefined
      ? [{ label: m.removeAllFromHistory, icon: history, onChoose: () => void removeItemFromHistory(item) }]
      : []),
    ...(item.next ? [{ label: m.nextEpisode, icon: next, onChoose: to(item.next) }] : []),
    ...(item.previous ? [{ label: m.previousEpisode, icon: previous, onChoose: to(item.previous) }] : []),
    ...(isOwner && (item.kind === 'movie' || item.kind === 'episode')
      ? [{ label: m.subtitles, icon: captions, onChoose: () => go(hrefOf({ page: 'subtitleItem', params: { id } })) }]
      : []),
    ...(version && files.length > 0
      ? [{ label: m.downloadOf({ size: size(version.size) }), icon: download, onChoose: () => files.forEach(save) }]
      : []),
  ];
  return (
    <>
      {item.links.media !== undefined && item.available && (
        <ButtonLink look="primary" isLarge icon={play} isFilled to={{ page: 'player', params: { id }, query }}>
          {isUnderWay ? m.resumeAt({ position: position(userData.position) }) : m.play}
        </ButtonLink>
      )}
      {/* An extra is neither watched nor listed. */}
      {item.extra === undefined && (
        <Button
          isLarge
          icon={check}
          aria-pressed={userData.watched}
          onClick={() => void setWatched(item, !userData.watched)}
        >
          {userData.watched ? m.watched : m.markAsWatched}
        </Button>
      )}
      {item.extra === undefined && <RateMenu item={item} />}
      <LastActions>
        {item.extra === undefined && (
          <Button
            isLarge
            icon={bookmark}
            isFilled={userData.listed}
            aria-pressed={userData.listed}
            onClick={() => void setListed(item, !userData.listed)}
          >
            {userData.listed ? m.onMyList : m.myList}
          </Button>
        )}
        <ItemMenu item={item} first={first} items={rest} />
      </LastActions>
    </>
  );
};
