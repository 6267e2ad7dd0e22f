/**
 * Resolving: which item a draft is. One of the same key, else the one its file belonged to before it
 * moved, else a new one. What did not change is not written again, so that a rescan changes nothing.
 */
import { newId } from '../../lib/ids.ts';
import { sortTitleOf } from '../naming/text.ts';
import type { FileTable, ItemTable } from '../store/tables.ts';
import type { Draft } from './place.ts';
import type { Scope } from './scope.ts';

export type ItemRow = Omit<ItemTable, 'change'>;

export interface Wanted {
  key: string;
  draft: Draft;
  show: string | undefined;
  season: string | undefined;
  rows: readonly FileTable[];
  /** The item of a file that moved here. */
  movedFrom: string | undefined;
  /** Whether its files or subtitles changed, which those who follow changes are to hear of. */
  isTouched: boolean;
}

export interface WantedShow {
  key: string;
  movedFrom: string | undefined;
  /** Whether a folder or an NFO says what it is; else it is named as one of its files is, and the first name stays. */
  isTold: boolean;
  draft(): Draft;
}

export interface Resolver {
  /** The show of this key; made when there is none. */
  show(wanted: WantedShow, signal: AbortSignal): Promise<{ id: string; draft: Draft }>;
  season(show: string, number: number, draft: () => Promise<Draft>): Promise<string>;
  /** Ids in the order of what was wanted. */
  settle(wanted: readonly Wanted[], signal: AbortSignal): Promise<string[]>;
  /** What has to be written since the last call. */
  flush(): ItemRow[];
}

export function createResolver(scope: Scope): Resolver {
  const { store, library, clock, now } = scope;
  const shows = new Map<string, Promise<{ id: string; draft: Draft }>>();
  const seasons = new Map<string, Promise<string>>();
  let waiting = new Map<string, ItemRow>();

  const queue = (had: ItemTable | undefined, row: ItemRow, isTouched = false) => {
    if (isTouched || !had || !isSame(had, row)) waiting.set(row.id, row);
  };
  const byKey = async (key: string) => (scope.isFirst ? undefined : (await store.itemsByKey(library.id, [key]))[0]);
  /** The first look at a library takes files for as old as they are; later ones are added when they are found. */
  const added = (rows: readonly FileTable[]) =>
    library.last_full === null && rows.length > 0
      ? Math.min(clock.now(), Math.max(...rows.map(({ mtime }) => Math.round(mtime))))
      : clock.now();

  /** The show of an episode that moved, where no other file of it is left where it was: its folder was renamed. */
  const deserted = async (episode: string, signal: AbortSignal): Promise<ItemTable | undefined> => {
    const [from] = await store.itemsById([episode]);
    const [show] = from?.show == null ? [] : await store.itemsById([from.show]);
    if (!show) return undefined;
    const files = (await store.filesOfShow(show.id)).filter(
      ({ id, missing }) => missing === null && !scope.claimed.has(id),
    );
    return (await scope.onDisk(files, signal)).size > 0 ? undefined : show;
  };
  /** Items that still have a file in another place than the given ones: what moved was one of their files only. */
  const elsewhere = async (
    ids: readonly string[],
    own: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<Set<string | null>> => {
    const rest = (await store.filesOfItems(ids)).filter(
      ({ missing, id }) => missing === null && !own.has(id) && !scope.claimed.has(id) && !scope.lost.has(id),
    );
    const there = await scope.onDisk(rest, signal);
    return new Set(rest.filter(({ id }) => there.has(id)).map(({ item }) => item));
  };

  return {
    show: ({ key, movedFrom, isTold, draft }, signal) => {
      const known = shows.get(key);
      if (known) return known;
      const finding = (async () => {
        const made = draft();
        const had = (await byKey(key)) ?? (movedFrom === undefined ? undefined : await deserted(movedFrom, signal));
        const row = rowOf(made, { id: had?.id ?? newId(), key, library: library.id, added: had?.added ?? now });
        // Named by one of its files: the name that it got first stays.
        if (had?.key === key && !isTold) queue(had, { ...row, title: had.title, sort_title: had.sort_title });
        else queue(had, row);
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
        // Of a show that came from another library, the season is there too, under the same key.
        const other = had ?? (scope.isFirst ? undefined : await store.seasonOf(show, number));
        const row = rowOf(await draft(), {
          id: other?.id ?? newId(),
          key,
          library: library.id,
          added: other?.added ?? now,
          show,
        });
        queue(other, row);
        return row.id;
      })();
      seasons.set(key, finding);
      return finding;
    },
    settle: async (wanted, signal) => {
      const had = new Map(
        (scope.isFirst
          ? []
          : await store.itemsByKey(
              library.id,
              wanted.map(({ key }) => key),
            )
        ).map((item) => [item.key, item]),
      );
      const former = new Map(
        (
          await store.itemsById(
            wanted.flatMap(({ key, movedFrom }) => (movedFrom !== undefined && !had.has(key) ? [movedFrom] : [])),
          )
        ).map((item) => [item.id, item]),
      );
      const away =
        former.size === 0
          ? new Set<string | null>()
          : await elsewhere(
              [...former.keys()],
              new Set(wanted.flatMap(({ rows }) => rows.map(({ id }) => id))),
              signal,
            );
      const taken = new Set<string>([...had.values()].map(({ id }) => id));
      return wanted.map(({ key, draft, show, season, movedFrom, rows, isTouched }) => {
        const from =
          movedFrom !== undefined && !away.has(movedFrom) && !taken.has(movedFrom) ? former.get(movedFrom) : undefined;
        const before = had.get(key) ?? (from?.kind === draft.kind ? from : undefined);
        const id = before?.id ?? newId();
        taken.add(id);
        queue(
          before,
          rowOf(draft, { id, key, library: library.id, added: before?.added ?? added(rows), show, season }),
          isTouched,
        );
        return id;
      });
    },
    flush: () => {
      const rows = [...waiting.values()];
      waiting = new Map();
      return rows;
    },
  };
}

function rowOf(
  draft: Draft,
  {
    id,
    key,
    library,
    added,
    show,
    season,
  }: {
    id: string;
    key: string;
    library: string;
    added: number;
    show?: string | undefined;
    season?: string | undefined;
  },
): ItemRow {
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
    added,
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

const isSame = (had: ItemTable, row: ItemRow): boolean =>
  (Object.keys(row) as (keyof ItemRow)[]).every((key) => had[key] === row[key]);
