/** Extras as a Profile may see them: those of what it may see. */
import {
  EXTRA_TYPES,
  type Extra,
  type ExtraType,
  type TrailerPage,
  type TrailerSite,
} from '../../../contract/catalog/extras.ts';
import type { Card } from '../../../contract/catalog/cards.ts';
import type { Policy } from '../../../contract/identity/profiles.ts';
import { fold } from '../../naming/text.ts';
import type { ItemRecord } from '../../store/records.ts';
import { cardImages, cardOf } from '../cards/cards.ts';
import type { PageNeeds, Viewer } from '../kind.ts';
import type { IndexRow } from '../library-index/types.ts';
import type { ExtraLink } from './extra-links.ts';

/** Returns the link of an extra that a policy shows; undefined for anything else. */
export function seenExtra(
  { extras, index }: Pick<PageNeeds, 'extras' | 'index'>,
  id: string,
  policy: Policy,
): ExtraLink | undefined {
  const link = extras.of(id);
  if (!link || !index.isVisible(link.owner, policy)) return undefined;
  const { owner, season } = link;
  // A season is seen by those who see one of its episodes.
  const isSeasonSeen = (): boolean =>
    index.itemsOf(owner, policy).some((item) => (index.row(item)?.section ?? 1) === season);
  return season === null || isSeasonSeen() ? link : undefined;
}

/** Returns an extra as a row of the library index, which does not hold it. */
export const extraRow = (item: ItemRecord): IndexRow => ({
  id: item.id,
  kind: item.kind as IndexRow['kind'],
  library: item.library,
  title: item.title,
  sortTitle: item.sort_title,
  originalTitle: null,
  year: item.year,
  released: null,
  rating: null,
  communityRating: null,
  added: item.added,
  duration: item.duration,
  resolution: item.resolution,
  genres: [],
  languages: item.languages,
  parent: null,
  section: null,
  number: null,
});

export const extraType = ({ detail }: Pick<ItemRecord, 'detail'>): ExtraType => detail.extra?.type ?? 'other';

/**
 * Returns the title without those of what it belongs to: `Film (1999) - On the ice` is `On the ice`. If nothing is
 * left, the title is the type.
 */
export function extraTitle(item: Pick<ItemRecord, 'title' | 'detail'>, owners: readonly string[]): string {
  const type = extraType(item);
  const plain = type === 'other' ? 'Extra' : `${type.charAt(0).toUpperCase()}${type.slice(1).replaceAll('-', ' ')}`;
  const words = item.title.split(' ');
  const owner = owners
    .map((title) => fold(title).split(' '))
    .find((own) => own[0] !== '' && own.every((word, at) => fold(words[at] ?? '') === word));
  const rest = words
    .slice(owner?.length ?? 0)
    .join(' ')
    .replace(/^[ -]*(?:\((?:18|19|20)\d\d\)|s\d{1,4}e\d{1,4}(?![\p{L}\p{N}]))/iu, '')
    .replace(/^[ .:–-]+/, '');
  return rest === '' || fold(rest) === fold(plain) ? plain : rest;
}

/** Returns the titles of the owner of an extra, and of the group of that. */
export function ownerTitles({ index }: Pick<PageNeeds, 'index'>, owner: string): string[] {
  const row = index.row(owner);
  const group = row?.parent == null ? undefined : index.row(row.parent);
  return [row?.title, group?.title].filter((title) => title !== undefined);
}

/** Returns the cards of the extras among these ids that the viewer may see. They have no watch state. */
export async function extraCards(needs: PageNeeds, ids: readonly string[], viewer: Viewer): Promise<Card[]> {
  const items = await needs.store.items(ids.filter((id) => seenExtra(needs, id, viewer.policy)));
  return items.map((item) => cardOf(needs, extraRow(item), { more: item, viewer: { ...viewer, watched: new Map() } }));
}

const TRAILER_PAGES: Readonly<Record<TrailerSite, string>> = {
  youtube: 'https://www.youtube.com/watch?v=',
  vimeo: 'https://vimeo.com/',
};
/** Returns the trailers of an item that are on the internet. */
export const trailerLinksOf = (item: Pick<ItemRecord, 'detail'> | undefined): TrailerPage[] =>
  (item?.detail.trailers ?? []).map(({ site, key, title }) => ({ site, title, url: `${TRAILER_PAGES[site]}${key}` }));

/** Returns the extras of an item, group or section that the policy shows, by type and title. */
export async function extrasOf(needs: PageNeeds, id: string, policy: Policy): Promise<Extra[]> {
  const { extras, store, isOnline } = needs;
  const links = new Map(extras.belongingTo(id).map((extra) => [extra, seenExtra(needs, extra, policy)]));
  const items = await store.items([...links.keys()].filter((extra) => links.get(extra)));
  return items
    .map((item): Extra => {
      const { owner = '', season = null } = links.get(item.id) ?? {};
      return {
        id: item.id,
        type: extraType(item),
        title: extraTitle(item, ownerTitles(needs, owner)),
        ...(season !== null && { season }),
        ...(item.duration !== null && { duration: item.duration }),
        available: isOnline(item.library),
        images: cardImages(extraRow(item), item.images),
      };
    })
    .sort(
      (a, b) =>
        EXTRA_TYPES.indexOf(a.type) - EXTRA_TYPES.indexOf(b.type) ||
        a.title.localeCompare(b.title, 'en', { numeric: true }) ||
        (a.id < b.id ? -1 : 1),
    );
}
