/** Chooses which of several versions of an item is played and downloaded. The address keeps the choice. */
import chevron from 'lucide/dist/esm/icons/chevron-down.mjs';
import { Menu } from '../../kit/layers/menu.tsx';
import { facts, formatDuration, resolution, size } from '../../lib/format.ts';
import { hrefOf } from '../../lib/navigation/addresses.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { catalogWords as m } from '../../messages/catalog.ts';
import type { DetailedItem } from '../../parts/details/types.ts';
import { type ItemVersion, versionQuery } from './version.ts';
import css from './item.module.css';

export const VersionChoice = ({ item, version }: { item: DetailedItem; version: ItemVersion | undefined }) => {
  const { id, versions } = item;
  if (versions.length < 2 || version === undefined) return null;
  return (
    <div className={css.versions}>
      <Menu
        label={m.versionIs({ version: resolution(version.label) })}
        icon={chevron}
        isIconAfter
        items={versions.map((one) => ({
          label: facts(
            resolution(one.label),
            size(one.size),
            one.duration !== undefined && formatDuration(one.duration),
            !one.available && m.unavailable,
          ).join(' · '),
          isChosen: one === version,
          onChoose: () =>
            go(hrefOf({ page: 'item', params: { id }, query: { version: versionQuery(item, one) } }), {
              replace: true,
            }),
        }))}
      />
    </div>
  );
};
