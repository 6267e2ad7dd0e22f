/** The page of an item that is played: its streams, versions, subtitles, and its neighbours in its group. */
import type { Item } from '../../../contract/catalog/items.ts';
import { resolutionOf } from '../../probe/media-facts.ts';
import type { ItemRecord } from '../../store/records.ts';
import { cardOf } from '../cards/cards.ts';
import type { PageNeeds, Viewer } from '../kind.ts';
import type { IndexRow } from '../library-index/types.ts';
import { filesOf, type OpenableFile, itemSidecars } from './files.ts';
import { shownStreams, tracksOf } from './tracks.ts';

/** Returns the facts that the pages of items and groups have in common. */
export const sharedFacts = ({ original_title, genres, detail: { plot, studios, people, ids } }: ItemRecord) => ({
  ...(original_title !== null && { originalTitle: original_title }),
  ...(plot !== undefined && { plot }),
  genres: [...genres],
  studios,
  people,
  ids,
});

/** The caller has checked that the Profile may see the item. */
export async function itemPage(needs: PageNeeds, item: ItemRecord, viewer: Viewer): Promise<Item> {
  const { index } = needs;
  const card = cardOf(needs, index.row(item.id) as IndexRow, { more: item, viewer });
  const files = await filesOf(needs, item.id);
  const best = files[0];
  const sidecars = await itemSidecars(needs.store, files);
  const { tagline, edition, evidence } = item.detail;
  return {
    ...card,
    ...sharedFacts(item),
    ...(tagline !== undefined && { tagline }),
    ...(edition !== undefined && { edition }),
    ...(best?.info && { container: best.info.container }),
    ...(best && { size: best.size }),
    streams: shownStreams(best?.info),
    chapters: (best?.info?.chapters ?? []).map(({ start, end, title }, i) => ({
      start,
      end,
      title: title ?? `Chapter ${i + 1}`,
    })),
    markers: [],
    subtitles: tracksOf(best, sidecars),
    versions: versionsOf(files, viewer.isOwner),
    ...(viewer.isOwner && { guess: { confidence: item.confidence, evidence } }),
    ...neighbours(needs, item, viewer),
    links: best?.available
      ? { media: `/media/${item.id}`, ...(viewer.policy.download && { download: `/download/${item.id}` }) }
      : {},
  };
}

function neighbours(
  { index }: PageNeeds,
  { id, show: group }: ItemRecord,
  { policy }: Viewer,
): Pick<Item, 'next' | 'previous'> {
  const all = group === null ? [] : index.itemsOf(group, policy);
  const at = all.indexOf(id);
  const [next, previous] = at < 0 ? [] : [all[at + 1], all[at - 1]];
  return { ...(next !== undefined && { next }), ...(previous !== undefined && { previous }) };
}

function versionsOf(files: readonly OpenableFile[], isOwner: boolean): Item['versions'] {
  return [...Map.groupBy(files, ({ id }) => id)].map(([id, parts]) => {
    const first = parts[0] as OpenableFile;
    const resolution = resolutionOf(first.info) as Item['resolution'];
    return {
      id,
      label: first.label === '' ? (resolution ?? 'Original') : first.label,
      ...(isOwner && { file: first.relative }),
      ...(first.info && { container: first.info.container }),
      size: parts.reduce((sum, { size }) => sum + size, 0),
      ...(first.info?.duration !== undefined && {
        duration: parts.reduce((sum, { info }) => sum + (info?.duration ?? 0), 0),
      }),
      parts: parts.length,
      ...(resolution !== undefined && { resolution }),
      streams: shownStreams(first.info),
      available: parts.every(({ available }) => available),
      ...(first.problem !== null && { problem: first.problem }),
    };
  });
}
