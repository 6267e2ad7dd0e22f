/**
 * The rows of the shelf in columns. A row object is made when somebody asks for one; filters, orders and counts
 * read the columns. An item costs less than two hundred bytes, room to grow counted in.
 */
import type { RowKind, ShelfRow } from '../types.ts';
import { createNumbers, createValues, type Numbers, type Values } from './columns.ts';
import { createIds, type Ids } from './ids.ts';
import { createTexts, type Texts } from './texts.ts';

export interface Rows {
  ids: Ids;
  titles: Texts;
  sortTitles: Texts;
  /** Number 0 means that the slot is empty. */
  kinds: Values<RowKind>;
  libraries: Values<string>;
  ratings: Values<string>;
  resolutions: Values<string>;
  genres: Values<readonly string[]>;
  languages: Values<readonly string[]>;
  shows: Values<string>;
  years: Values<number>;
  ranks: Numbers;
  released: Numbers;
  community: Numbers;
  added: Numbers;
  duration: Numbers;
  seasons: Numbers;
  episodes: Numbers;
  originalTitle(slot: number): string | null;
  isThere(slot: number): boolean;
  /** The row of a slot as an object; undefined for an empty one. */
  at(slot: number): ShelfRow | undefined;
  put(slot: number, row: ShelfRow): void;
  drop(slot: number): void;
  /** All rows as they are: views, to be copied before anything changes. */
  image(): RowsImage;
  /** Takes an image in place of no rows. */
  restore(image: RowsImage): void;
}

/** The columns, each by its name; what is added to `Rows` and has an image belongs in `columns` below. */
type Columns = Omit<Rows, 'originalTitle' | 'isThere' | 'at' | 'put' | 'drop' | 'image' | 'restore'>;
type ImageOf<C> = C extends { image(): infer I } ? I : never;
export type RowsImage = { [C in keyof Columns]: ImageOf<Columns[C]> } & {
  originals: readonly (readonly [slot: number, title: string])[];
};

export function createRows(): Rows {
  const originals = new Map<number, string>();
  const ids = createIds();
  const [titles, sortTitles] = [createTexts(), createTexts()];
  const kinds = createValues<RowKind>();
  const [libraries, ratings, resolutions, shows] = [
    createValues<string>(),
    createValues<string>(),
    createValues<string>(),
    createValues<string>(),
  ];
  const [genres, languages] = [createValues<readonly string[]>(), createValues<readonly string[]>()];
  const years = createValues<number>();
  const [ranks, released, community, added, duration, seasons, episodes] = [
    createNumbers(),
    createNumbers(),
    createNumbers(),
    createNumbers(),
    createNumbers(),
    createNumbers(),
    createNumbers(),
  ];
  const isThere = (slot: number): boolean => kinds.number(slot) !== 0;
  const originalTitle = (slot: number): string | null => originals.get(slot) ?? null;
  const columns: Columns = {
    ids,
    titles,
    sortTitles,
    kinds,
    libraries,
    ratings,
    resolutions,
    genres,
    languages,
    shows,
    years,
    ranks,
    released,
    community,
    added,
    duration,
    seasons,
    episodes,
  };
  return {
    ...columns,
    originalTitle,
    isThere,
    image: () =>
      ({
        ...Object.fromEntries(
          Object.entries(columns).map(([name, column]) => [name, (column as { image(): unknown }).image()]),
        ),
        originals: [...originals],
      }) as unknown as RowsImage,
    restore: (image) => {
      for (const [name, column] of Object.entries(columns))
        (column as { restore(of: unknown): void }).restore(image[name as keyof RowsImage]);
      for (const [slot, title] of image.originals) originals.set(slot, title);
    },
    put: (slot, row) => {
      titles.put(slot, row.title);
      sortTitles.put(slot, row.sortTitle);
      if (row.originalTitle === null) originals.delete(slot);
      else originals.set(slot, row.originalTitle);
      kinds.put(slot, row.kind);
      libraries.put(slot, row.library);
      ratings.put(slot, row.rating);
      resolutions.put(slot, row.resolution);
      genres.put(slot, row.genres);
      languages.put(slot, row.languages);
      shows.put(slot, row.show);
      years.put(slot, row.year);
      ranks.put(slot, row.ratingRank);
      released.put(slot, row.released);
      community.put(slot, row.communityRating);
      added.put(slot, row.added);
      duration.put(slot, row.duration);
      seasons.put(slot, row.seasonNumber);
      episodes.put(slot, row.episodeNumber);
    },
    drop: (slot) => {
      kinds.put(slot, null);
      originals.delete(slot);
      titles.put(slot, '');
      sortTitles.put(slot, '');
    },
    at: (slot) => {
      const kind = kinds.get(slot);
      if (kind === null) return undefined;
      return {
        id: ids.get(slot),
        kind,
        library: libraries.get(slot) ?? '',
        title: titles.get(slot),
        sortTitle: sortTitles.get(slot),
        originalTitle: originalTitle(slot),
        year: years.get(slot),
        released: released.get(slot),
        rating: ratings.get(slot),
        ratingRank: ranks.get(slot) ?? 2,
        communityRating: community.get(slot),
        added: added.get(slot) ?? 0,
        duration: duration.get(slot),
        resolution: resolutions.get(slot),
        genres: genres.get(slot) ?? [],
        languages: languages.get(slot) ?? [],
        show: shows.get(slot),
        seasonNumber: seasons.get(slot),
        episodeNumber: episodes.get(slot),
        available: true,
      };
    },
  };
}
