/** The page of an audiobook, with its neighbours in its series. */
import type { Item } from '../../../contract/catalog/items.ts';
import { itemPage } from '../../core/item/page.ts';
import type { PageNeeds, Viewer } from '../../core/kind.ts';
import { audiobookSeriesId } from '../../core/library-index/series-ids.ts';
import type { ItemRecord } from '../../store/records.ts';
import { volumesOf } from './series.ts';

export async function audiobookPage(needs: PageNeeds, item: ItemRecord, viewer: Viewer): Promise<Item> {
  const page = await itemPage(needs, item, viewer);
  const row = needs.index.row(item.id);
  const series = row && audiobookSeriesId(row);
  // Other libraries may hold the same books again, so the neighbours are of the same library.
  const volumes = series === undefined ? [] : volumesOf(needs.index, series, viewer.policy);
  const at = volumes.indexOf(item.id);
  const [previous, next] = at < 0 ? [] : [volumes[at - 1], volumes[at + 1]];
  return { ...page, ...(next !== undefined && { next }), ...(previous !== undefined && { previous }) };
}
