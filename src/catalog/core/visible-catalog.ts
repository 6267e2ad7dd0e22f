/**
 * The catalogue as one Profile may see it: the one filter for everything that a Profile is shown.
 *
 * Items that the policy hides do not exist here: no count, facet, picture or error reveals them.
 */
import { isPersonal, itemFacts, type ItemKind, kindsWith } from '../../contract/catalog/kinds.ts';
import type { Pages } from '../../contract/catalog/items.ts';
import type { Policy } from '../../contract/identity/profiles.ts';
import type { Principal } from '../../contract/kernel/principal.ts';
import { iso } from '../../lib/clock.ts';
import type { ItemRecord } from '../store/records.ts';
import type { HistoryReply, LibraryQuery, RecentQuery, VisibleCatalog } from '../types.ts';
import { cardsOf } from './cards/cards.ts';
import type { CardPages } from './cards/pages.ts';
import { extraCards, extrasOf, trailerLinksOf, seenExtra } from './item/extras.ts';
import { filesOf, type OpenableFile } from './item/files.ts';
import { extraPage } from './item/page.ts';
import { pictureOf } from './item/picture.ts';
import { playedSubjectOf } from './item/subject.ts';
import type { PageNeeds, Viewer } from './kind.ts';
import { historyPage, listingOf } from './listing.ts';
import { createPersonalLists } from './personal-lists.ts';
import { ruleMatches } from './rule-matches.ts';
import type { TextSearch } from './text-search/index.ts';
import { historyId } from './watch-history.ts';
import type { Watching } from './watching.ts';

export interface VisibleCatalogNeeds extends PageNeeds {
  watching: Watching;
  texts: Pick<TextSearch, 'find' | 'version'>;
  pages: CardPages;
}
interface Asker {
  profile: string;
  policy: Policy;
  role: 'owner' | 'viewer';
  /** How the caller came. Only a session is shown places. */
  via?: Principal['via'];
}

/** Rows that are read at once while looking for recently added items. */
const RECENT_AT_ONCE = 200;
const ITEMS = kindsWith({ role: 'item' });
const PLAYED: readonly string[] = [
  ...kindsWith({ role: 'item', medium: 'video' }),
  ...kindsWith({ role: 'item', medium: 'audio' }),
  ...kindsWith({ role: 'extra', medium: 'video' }),
];
const SECTIONS: readonly string[] = kindsWith({ role: 'section' });

export function createVisibleCatalog(needs: VisibleCatalogNeeds, by: Asker): VisibleCatalog {
  const { index, store, kinds, watching, texts, pages } = needs;
  const { policy } = by;
  const viewer = async (): Promise<Viewer> => ({
    policy,
    watched: await watching.rows(by.profile),
    isOwner: by.role === 'owner',
    isInSession: by.via === 'session',
  });
  const isVisible = (id: string): boolean => index.isVisible(id, policy);
  const namesPlace = (id: string, files: readonly OpenableFile[]) =>
    by.via instanceof Set && hasPlace(needs, id, files);
  const extraOf = (id: string) => seenExtra(needs, id, policy);
  const isSeen = (id: string): boolean => isVisible(id) || extraOf(id) !== undefined;
  const visible = async (id: string): Promise<ItemRecord | undefined> => (isSeen(id) ? store.item(id) : undefined);
  const personal = createPersonalLists({ index, kinds, policy });

  const page = async <C extends keyof Pages>(collection: C, id: string): Promise<Pages[C] | undefined> => {
    const item = await visible(id);
    const rows = item && kinds.rows(item.kind as ItemKind);
    // The collection decides the type of the page.
    return rows?.collection === collection
      ? ((await rows.page(needs, item as ItemRecord, await viewer())) as Pages[C])
      : undefined;
  };
  const listed = async (query: LibraryQuery, { watched }: Viewer) => {
    const { query: asked, cursorAfter } = await listingOf(query, {
      ...{ profile: by.profile, watched, watching, texts, kinds },
      folderOf: index.photos.folderOf,
      durationOf: (id) => index.row(id)?.duration,
      finished: () => personal.finished(watched),
    });
    const { offset: _, last, ...found } = index.page(asked, policy);
    return { ...found, ...(last && { nextCursor: cursorAfter(last) }) };
  };

  return {
    isSeen,
    page,
    item: async (id) => {
      const extra = extraOf(id) && (await store.item(id));
      return extra ? extraPage(needs, extra, await viewer()) : page('items', id);
    },
    extras: {
      isExtra: (id) => extraOf(id) !== undefined,
      of: async (id) =>
        isVisible(id) || (await visibleSection(needs, id, policy)) ? extrasOf(needs, id, policy) : undefined,
      trailers: async (id) => trailerLinksOf(await visible(id)),
    },
    cards: async (ids) => {
      const who = await viewer();
      return [...(await cardsOf(needs, ids.filter(isVisible), who)), ...(await extraCards(needs, ids, who))];
    },
    library: async (query) => {
      const who = await viewer();
      const { ids, slots: _s, version: _v, ...found } = await listed(query, who);
      return { ...found, items: await cardsOf(needs, ids, who) };
    },
    libraryJson: async (query) => viewer().then(async (who) => pages.library(await listed(query, who), who)),
    watched: {
      duration: (id) => {
        const row = isVisible(id) ? index.row(id) : undefined;
        return row && ITEMS.includes(row.kind) ? row.duration : extraOf(id)?.duration;
      },
      isPlaceKept: (id) => {
        const row = isVisible(id) ? index.row(id) : undefined;
        return row !== undefined && itemFacts(row.kind).isPlaceKept === true;
      },
      itemsOf: (ids) => (ids.every(isVisible) ? ids.flatMap((id) => itemsIn(index, id, policy)) : undefined),
      history: async (query) => historyReply(needs, { profile: by.profile, isVisible, viewer: await viewer() }, query),
      matching: (question) => ruleMatches(needs, by, question),
      groupOf: (id) => (isVisible(id) ? (index.row(id)?.parent ?? undefined) : undefined),
      nextUp: async (limit, { isRewatch = false } = {}) => {
        const who = await viewer();
        const items = await cardsOf(
          needs,
          personal.nextUp(who.watched, limit, { now: watching.now(), isRewatch }),
          who,
        );
        return { items, total: items.length };
      },
    },
    recent: async (query) => {
      const items = await cardsOf(needs, recentIds(needs, query, policy), await viewer());
      return { items, total: items.length };
    },
    subject: async (id) => {
      const item = await visible(id);
      return item && PLAYED.includes(item.kind) ? playedSubjectOf(needs, item) : undefined;
    },
    file: async (id, version, part = 1) => {
      if (!isSeen(id)) return undefined;
      const files = await filesOf(needs, id);
      if (await namesPlace(id, files)) return undefined;
      return files.find((one) => one.part === part && (version === undefined || one.id === version));
    },
    picture: async (id, kind) => {
      const item = (await visible(id)) ?? (await visibleSection(needs, id, policy));
      return item && pictureOf(needs, item, kind);
    },
  };
}

/** Whether a photo's own bytes name the place where it was taken, which programs with a key are not shown. */
async function hasPlace(
  { index, store }: Pick<VisibleCatalogNeeds, 'index' | 'store'>,
  id: string,
  files: readonly OpenableFile[],
): Promise<boolean> {
  const row = index.row(id);
  if (!row || !isPersonal(row.kind)) return false;
  return (await store.place(files.map((file) => file.id))) !== undefined;
}

/** Returns a page of what a Profile has watched, with the cards of the items. */
async function historyReply(
  needs: VisibleCatalogNeeds,
  { profile, isVisible, viewer }: { profile: string; isVisible(id: string): boolean; viewer: Viewer },
  query: Parameters<VisibleCatalog['watched']['history']>[0],
): Promise<HistoryReply> {
  const { rows, ...found } = await historyPage(query, { profile, watching: needs.watching, isVisible });
  const ids = [...new Set(rows.map(({ item }) => item))];
  const cards = new Map((await cardsOf(needs, ids, viewer)).map((card) => [card.id, card]));
  const items = rows.flatMap(({ item, session, at, position, watched }) => {
    const card = cards.get(item);
    return card
      ? [{ id: historyId({ item, session }), item: card, at: iso(at), position, watched: watched === 1 }]
      : [];
  });
  return { ...found, items };
}

/** Returns items that were added last, newest first. New items of a group are listed once, as the group. */
function recentIds(
  { index }: Pick<PageNeeds, 'index'>,
  { library, limit, personal }: RecentQuery,
  policy: Policy,
): string[] {
  const kinds = personal === 'false' ? ITEMS.filter((kind) => !isPersonal(kind)) : ITEMS;
  const found = new Set<string>();
  // There may be hundreds of new items in one group.
  for (let offset = 0; found.size < limit; offset += RECENT_AT_ONCE) {
    const { ids } = index.page(
      { kinds, library, sort: 'added', order: 'descending', offset, limit: RECENT_AT_ONCE },
      policy,
    );
    for (const id of ids) found.add(index.row(id)?.parent ?? id);
    if (ids.length < RECENT_AT_ONCE) break;
  }
  return [...found].filter((id) => index.isVisible(id, policy)).slice(0, limit);
}

/** Returns the items of a group, or the item itself. */
const itemsIn = ({ row, itemsOf }: PageNeeds['index'], id: string, policy: Policy): string[] => {
  const found = row(id);
  return found === undefined ? [] : ITEMS.includes(found.kind) ? [id] : itemsOf(id, policy);
};

/** Returns a section, which is not in the index: it is visible if its group and one of its items are. */
async function visibleSection(
  { store, index }: PageNeeds,
  id: string,
  policy: Policy,
): Promise<ItemRecord | undefined> {
  const section = await store.item(id);
  if (!section || !SECTIONS.includes(section.kind)) return undefined;
  const { show: group, season_number: number } = section;
  if (group === null || !index.isVisible(group, policy)) return undefined;
  return index.itemsOf(group, policy).some((item) => (index.row(item)?.section ?? 1) === number) ? section : undefined;
}
