/**
 * Resolving: which item a draft is. One of the same key, else the one its file belonged to before it
 * moved, else a new one. What did not change is not written again, so that a rescan changes nothing.
 */
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { sortTitleOf } from '../naming/text.ts';
import type { ScanningStore } from '../store/scanning.ts';
import type { FileTable, ItemTable, LibraryTable } from '../store/tables.ts';
import type { Draft } from './place.ts';

export type ItemRow = Omit<ItemTable, 'change'>;

export interface Wanted {
  key: string;
  draft: Draft;
  show: string | undefined;
  season: string | undefined;
  rows: readonly FileTable[];
  /** The item of a file that moved here. */
  movedFrom: string | undefined;
}

export interface Resolver {
  /** The show of this key; made when there is none. */
  show(key: string, draft: () => Draft, movedFrom: string | undefined): Promise<{ id: string; draft: Draft }>;
  season(show: string, number: number, draft: () => Draft): Promise<string>;
  /** Ids in the order of what was wanted. */
  settle(wanted: readonly Wanted[]): Promise<string[]>;
  /** What has to be written since the last call. */
  flush(): ItemRow[];
}

export function createResolver({ store, library, clock, now }: { store: ScanningStore; library: LibraryTable; clock: Clock; now: number }): Resolver {
  const shows = new Map<string, Promise<{ id: string; draft: Draft }>>();
  const seasons = new Map<string, Promise<string>>();
  /** By id, because the files of one film may lie in two folders: the first that is found speaks for it. */
  let waiting = new Map<string, ItemRow>();
  // Numbers new items in the order they were found, so that "recently added" has an order within one scan.
  let tick = 0;
  const added = () => clock.now() + (tick++ % 1_000) / 1_000;

  const queue = (had: ItemTable | undefined, row: ItemRow) => {
    if (!waiting.has(row.id) && (!had || !isSame(had, row))) waiting.set(row.id, row);
  };
  const byKey = async (key: string) => (await store.itemsByKey(library.id, [key]))[0];

  return {
    show: (key, draft, movedFrom) => {
      const known = shows.get(key);
      if (known) return known;
      const finding = (async () => {
        const made = draft();
        let had = await byKey(key);
        if (!had && movedFrom !== undefined) had = await store.deserted(movedFrom, now);
        const row = rowOf(made, { id: had?.id ?? newId(), key, library: library.id, added: had?.added ?? added() });
        queue(had, row);
        return { id: row.id, draft: made };
      })();
      shows.set(key, finding);
      return finding;
    },
    season: (show, number, draft) => {
      const key = `season:${show}:${number}`;
      const known = seasons.get(key);
      if (known) return known;
      const finding = (async () => {
        const had = await byKey(key);
        const row = rowOf(draft(), { id: had?.id ?? newId(), key, library: library.id, added: had?.added ?? added(), show });
        queue(had, row);
        return row.id;
      })();
      seasons.set(key, finding);
      return finding;
    },
    settle: async (wanted) => {
      const had = new Map((await store.itemsByKey(library.id, wanted.map(({ key }) => key))).map((item) => [item.key, item]));
      const former = new Map((await store.itemsById(wanted.flatMap(({ key, movedFrom }) => (movedFrom !== undefined && !had.has(key) ? [movedFrom] : [])))).map((item) => [item.id, item]));
      const elsewhere = new Set((await store.filesOfItems([...former.keys()])).filter(({ missing, id }) => missing === null && !wanted.some(({ rows }) => rows.some((row) => row.id === id))).map(({ item }) => item));
      const taken = new Set<string>();
      const made = new Map<string, string>();
      const ids: string[] = [];
      for (const { key, draft, show, season, movedFrom } of wanted) {
        const before = had.get(key) ?? (movedFrom !== undefined && !elsewhere.has(movedFrom) && !taken.has(movedFrom) && former.get(movedFrom)?.kind === draft.kind ? former.get(movedFrom) : undefined);
        const id = made.get(key) ?? before?.id ?? newId();
        made.set(key, id);
        taken.add(id);
        queue(before, rowOf(draft, { id, key, library: library.id, added: before?.added ?? added(), show, season }));
        ids.push(id);
      }
      return ids;
    },
    flush: () => {
      const rows = [...waiting.values()];
      waiting = new Map();
      return rows;
    },
  };
}

function rowOf(draft: Draft, { id, key, library, added, show, season }: { id: string; key: string; library: string; added: number; show?: string | undefined; season?: string | undefined }): ItemRow {
  return {
    id,
    library,
    key,
    kind: draft.kind,
    title: draft.title,
    sort_title: draft.sortTitle === '' ? sortTitleOf(draft.title) : draft.sortTitle,
    original_title: draft.originalTitle ?? null,
    year: draft.year ?? null,
    released: draft.released ?? null,
    rating: draft.rating ?? null,
    rating_rank: draft.ratingRank,
    community_rating: draft.communityRating ?? null,
    added: Math.round(added),
    duration: draft.duration ?? null,
    resolution: draft.resolution ?? null,
    genres: JSON.stringify(draft.genres),
    languages: JSON.stringify(draft.languages),
    images: JSON.stringify(draft.images),
    show: show ?? null,
    season: season ?? null,
    season_number: draft.season ?? null,
    episode_number: draft.episode ?? null,
    episode_end: draft.episodeEnd ?? null,
    confidence: draft.confidence,
    detail: JSON.stringify(draft.detail),
    present: 1,
    missing: null,
  };
}

const isSame = (had: ItemTable, row: ItemRow): boolean => (Object.keys(row) as (keyof ItemRow)[]).every((key) => had[key] === row[key]);
