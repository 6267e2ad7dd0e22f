/**
 * The catalogue as one Profile may see it: the one filter below everything that is shown to anybody.
 *
 * What the policy hides is not there: no count, no facet, no picture and no error tells that it exists.
 */
import type { Policy } from '../contract/identity/profiles.ts';
import { iso } from '../lib/clock.ts';
import { cardsOf, imageVersion } from './cards/cards.ts';
import type { CardPages } from './cards/pages.ts';
import { filesOf, itemOf, type ItemNeeds, type Looker, nextOf, showOf, subjectOf } from './items.ts';
import { historyPage, listingOf, PLAYED } from './listing.ts';
import type { ImagePlaces } from './scan/place.ts';
import type { ItemTable } from './store/tables.ts';
import type { Texts } from './texts/index.ts';
import type { LibraryQuery, Picture, Seen } from './types.ts';
import { isContinued, type Rows, type Watching } from './watching.ts';

export interface SeenNeeds extends ItemNeeds {
  watching: Watching;
  texts: Pick<Texts, 'find' | 'version'>;
  pages: CardPages;
}

const RECENT_AT_ONCE = 200;
/** Where in a video its frame is taken: past the logos, before anything is given away. */
const FRAME_PART = 0.12;

export function createSeen(needs: SeenNeeds, by: { profile: string; policy: Policy; role: 'owner' | 'viewer' }): Seen {
  const { shelf, store, watching, texts, pages } = needs;
  const { policy } = by;
  const looker = async (): Promise<Looker> => ({
    policy,
    watched: await watching.rows(by.profile),
    isOwner: by.role === 'owner',
  });
  const visible = async (id: string): Promise<ItemTable | undefined> =>
    shelf.isSeen(id, policy) ? store.item(id) : undefined;

  return {
    isSeen: (id) => shelf.isSeen(id, policy),
    cards: async (ids) =>
      cardsOf(
        needs,
        ids.filter((id) => shelf.isSeen(id, policy)),
        await looker(),
      ),
    library: async (query) => {
      const look = await looker();
      const { ids, slots: _s, version: _v, ...page } = await pageOf(query, look);
      return { ...page, items: await cardsOf(needs, ids, look) };
    },
    libraryJson: async (query) => {
      const look = await looker();
      return pages.library(await pageOf(query, look), look);
    },
    duration: (id) => {
      const row = shelf.isSeen(id, policy) ? shelf.row(id) : undefined;
      return row?.kind === 'movie' || row?.kind === 'episode' ? row.duration : undefined;
    },
    watched: {
      history: async (query) => {
        const { rows, ...page } = await historyPage(query, {
          profile: by.profile,
          watching,
          isSeen: (id) => shelf.isSeen(id, policy),
        });
        const cards = new Map(
          (await cardsOf(needs, [...new Set(rows.map(({ item }) => item))], await looker())).map((card) => [
            card.id,
            card,
          ]),
        );
        const items = rows.flatMap(({ item, at, position, watched }) => {
          const card = cards.get(item);
          return card ? [{ item: card, at: iso(at), position, watched: watched === 1 }] : [];
        });
        return { ...page, items };
      },
      nextUp: async (limit) => {
        const look = await looker();
        const items = await cardsOf(needs, nextEpisodes(look.watched, limit), look);
        return { items, total: items.length };
      },
    },
    recent: async ({ library, limit }) => {
      const found = new Set<string>();
      // A show stands for all its new episodes, of which there may be hundreds.
      for (let offset = 0; found.size < limit; offset += RECENT_AT_ONCE) {
        const { ids } = shelf.page(
          { kinds: PLAYED, library, sort: 'added', order: 'descending', offset, limit: RECENT_AT_ONCE },
          policy,
        );
        for (const id of ids) found.add(shelf.row(id)?.show ?? id);
        if (ids.length < RECENT_AT_ONCE) break;
      }
      const items = await cardsOf(
        needs,
        [...found].filter((id) => shelf.isSeen(id, policy)).slice(0, limit),
        await looker(),
      );
      return { items, total: items.length };
    },
    show: async (id) => {
      const row = await visible(id);
      return row?.kind === 'show' ? showOf(needs, row, await looker()) : undefined;
    },
    item: async (id) => {
      const row = await visible(id);
      return row && row.kind !== 'show' && row.kind !== 'season' ? itemOf(needs, row, await looker()) : undefined;
    },
    subject: async (id) => {
      const row = await visible(id);
      return row && (row.kind === 'movie' || row.kind === 'episode') ? subjectOf(needs, row) : undefined;
    },
    file: async (id, version, part = 1) => {
      if (!shelf.isSeen(id, policy)) return undefined;
      const files = await filesOf(needs, id);
      return files.find((file) => file.part === part && (version === undefined || file.id === version));
    },
    picture: async (id, kind) => {
      const row = (await visible(id)) ?? (await seasonSeen(id));
      return row && pictureOf(needs, row, kind);
    },
  };

  async function pageOf(query: LibraryQuery, { watched }: Looker) {
    const { query: asked, cursorAfter } = await listingOf(query, {
      profile: by.profile,
      watched,
      watching,
      texts,
      finished: () => finished(watched),
    });
    const { offset: _, last, ...page } = shelf.page(asked, policy);
    return { ...page, ...(last && { nextCursor: cursorAfter(last) }) };
  }

  function nextEpisodes(watched: Rows, most: number): string[] {
    const rows = [...watched.values()];
    const showOf = (item: string) => shelf.row(item)?.show ?? undefined;
    // An episode that is under way is on the row of what is continued.
    const passed = new Set(rows.filter(isContinued).map(({ item }) => showOf(item)));
    const next: string[] = [];
    for (const { item } of rows
      .filter(({ last_played: at }) => at !== null)
      .sort((a, b) => (b.last_played ?? 0) - (a.last_played ?? 0))) {
      const show = showOf(item);
      if (show === undefined || passed.has(show) || !shelf.isSeen(show, policy)) continue;
      passed.add(show);
      const episodes = shelf
        .episodesOf(show, policy)
        .map((id) => ({ id, season: shelf.row(id)?.seasonNumber ?? undefined }));
      const found = nextOf(episodes, watched);
      if (found) next.push(found.id);
      if (next.length === most) break;
    }
    return next;
  }

  /** What is watched to its end: films and episodes, and shows that have no unwatched episode left. */
  function finished(watched: Rows): Set<string> {
    const done = new Set([...watched.values()].filter((row) => row.watched === 1).map(({ item }) => item));
    const shows = new Set([...done].map((id) => shelf.row(id)?.show).filter((show) => show != null));
    for (const show of shows) if (shelf.episodesOf(show, policy).every((id) => done.has(id))) done.add(show);
    return done;
  }

  /** A season is not on the shelf by itself: it is seen when its show is, and one of its own episodes. */
  async function seasonSeen(id: string): Promise<ItemTable | undefined> {
    const row = await store.item(id);
    return row?.kind === 'season' &&
      row.show !== null &&
      shelf.isSeen(row.show, policy) &&
      shelf
        .episodesOf(row.show, policy)
        .some((episode) => (shelf.row(episode)?.seasonNumber ?? 1) === row.season_number)
      ? row
      : undefined;
  }
}

async function pictureOf(
  needs: ItemNeeds,
  row: ItemTable,
  kind: 'poster' | 'backdrop' | 'thumb' | 'logo',
): Promise<Picture | undefined> {
  const place = (JSON.parse(row.images) as ImagePlaces)[kind];
  const root = needs.rootOf(row.library);
  if (root === undefined) return undefined;
  if (place)
    return {
      root,
      relative: place.at,
      size: place.s,
      modifiedMs: place.m,
      frameAt: undefined,
      version: imageVersion(place),
    };
  if (kind !== 'thumb' || row.duration === null) return undefined;
  const file = (await filesOf(needs, row.id))[0];
  if (!file?.available) return undefined;
  return {
    root: file.root,
    relative: file.relative,
    size: file.size,
    modifiedMs: file.modifiedMs,
    frameAt: Math.round((file.info?.duration ?? row.duration) * FRAME_PART),
    version: imageVersion({ s: file.size, m: file.modifiedMs }),
  };
}
