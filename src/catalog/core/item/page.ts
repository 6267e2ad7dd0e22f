/** The page of an item that is played: its streams, versions, subtitles, and its neighbours in its group. */
import type { Certification } from '../../../contract/catalog/cards.ts';
import type { Item } from '../../../contract/catalog/items.ts';
import { resolutionOf } from '../../probe/media-facts.ts';
import type { ItemRecord } from '../../store/records.ts';
import { cardOf } from '../cards/cards.ts';
import { certificationOf } from '../item-ratings.ts';
import type { PageNeeds, Viewer } from '../kind.ts';
import { creditedPeople, portraitFinder, shownPeople } from '../people/identity.ts';
import { photoFacts } from './photo.ts';
import type { IndexRow } from '../library-index/types.ts';
import { audiobookFacts, chaptersOfFiles } from './audiobook.ts';
import { soundFactsOf } from './sound.ts';
import { extraRow, extraTitle, extraType, ownerTitles } from './extras.ts';
import { filesOf, type OpenableFile, markedSidecars } from './files.ts';
import { shownStreams, tracksOf } from './tracks.ts';

/** Returns the facts that the pages of items and groups have in common. */
export const sharedFacts = ({ original_title, genres, detail }: ItemRecord) => ({
  ...(original_title !== null && { originalTitle: original_title }),
  ...(detail.plot !== undefined && { plot: detail.plot }),
  genres: [...genres],
  studios: detail.studios,
  people: shownPeople(creditedPeople(detail), portraitFinder(detail)),
  ids: detail.ids,
});

/** Returns the rating with its age, for an Owner. */
export function certificationFor(
  { index }: PageNeeds,
  id: string,
  { isOwner }: Viewer,
): { certification?: Certification } {
  const rating = isOwner ? index.ratingOf(id) : undefined;
  return rating ? { certification: certificationOf(rating) } : {};
}

/** The caller has checked that the Profile may see the item. */
export const itemPage = (needs: PageNeeds, item: ItemRecord, viewer: Viewer): Promise<Item> =>
  pageOf(needs, item, needs.index.row(item.id) as IndexRow, viewer);

/** The same for an extra. It is not watched, so its state is always that of something new. */
export async function extraPage(needs: PageNeeds, item: ItemRecord, viewer: Viewer): Promise<Item> {
  const owner = needs.extras.of(item.id)?.owner ?? '';
  const title = extraTitle(item, ownerTitles(needs, owner));
  const page = await pageOf(needs, item, { ...extraRow(item), title }, { ...viewer, watched: new Map() });
  const { kind, title: ownerTitle } = needs.index.row(owner) as IndexRow;
  return { ...page, extra: { type: extraType(item), of: { id: owner, kind, title: ownerTitle } } };
}

async function pageOf(needs: PageNeeds, item: ItemRecord, row: IndexRow, viewer: Viewer): Promise<Item> {
  const card = cardOf(needs, row, { more: item, viewer });
  const files = await filesOf(needs, item.id);
  const best = files[0];
  const parts = files.filter(({ id }) => id === best?.id);
  const sidecars = await markedSidecars(needs, item.id, files);
  const { tagline, edition, evidence } = item.detail;
  return {
    ...card,
    ...sharedFacts(item),
    ...(tagline !== undefined && { tagline }),
    ...(edition !== undefined && { edition }),
    ...(best?.info && { container: best.info.container }),
    ...(best && { size: sizeOf(parts) }),
    streams: shownStreams(best?.info),
    ...soundFacts(best),
    ...bookFacts(item, parts),
    chapters: chaptersFor(item, parts),
    markers: [],
    subtitles: tracksOf(best, sidecars),
    versions: versionsOf(files, viewer.isOwner),
    ...certificationFor(needs, item.id, viewer),
    ...(viewer.isOwner && { guess: { confidence: item.confidence, evidence } }),
    ...(await photoFacts(needs, { item, row, files, viewer })),
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

function bookFacts(item: ItemRecord, parts: readonly OpenableFile[]): Pick<Item, 'audiobook'> {
  const audiobook = audiobookFacts(item, parts);
  return audiobook ? { audiobook } : {};
}

/** An audiobook without chapters in its files has those of its cue sheets, else each file is a chapter. */
function chaptersFor(item: ItemRecord, parts: readonly OpenableFile[]): Item['chapters'] {
  const chapters = chaptersOf(parts);
  const sheets = item.detail.audiobook?.chapters;
  if (chapters.length === 0 && sheets !== undefined) return sheets;
  return chapters.length === 0 && item.detail.audiobook !== undefined && parts.length > 1
    ? chaptersOfFiles(parts)
    : chapters;
}

function soundFacts(file: OpenableFile | undefined): Pick<Item, 'sound'> {
  const sound = soundFactsOf(file?.info);
  return sound ? { sound } : {};
}

const sizeOf = (parts: readonly OpenableFile[]): number => parts.reduce((sum, { size }) => sum + size, 0);

/** Returns the chapters of all parts on one timeline. They end where the length of a part is not known. */
function chaptersOf(parts: readonly OpenableFile[]): Item['chapters'] {
  const all: Item['chapters'] = [];
  let offset = 0;
  for (const { info } of parts) {
    for (const { start, end, title } of info?.chapters ?? [])
      all.push({
        start: start + offset,
        ...(end !== undefined && { end: end + offset }),
        title: title ?? `Chapter ${all.length + 1}`,
      });
    if (info?.duration === undefined) break;
    offset += info.duration;
  }
  return all;
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
      size: sizeOf(parts),
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
