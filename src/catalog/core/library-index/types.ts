/** Rows, queries and pages of the library index. */
import type { Facets } from '../../../contract/catalog/cards.ts';
import type { ItemKind } from '../../../contract/catalog/kinds.ts';
import type { Policy } from '../../../contract/identity/profiles.ts';

/** The rating ceilings as numbers: an item is visible if its rank is not above that of the ceiling. */
export const RATING_RANK = { family: 0, teen: 1, all: 2 } as const satisfies Record<Policy['rating'], number>;

/**
 * One row of the index: everything that a listing filters, sorts or counts by. Times are milliseconds since the epoch.
 */
export interface IndexRow {
  id: string;
  kind: ItemKind;
  library: string;
  title: string;
  /** Title for sorting: lower case, without article and diacritics, numbers padded. */
  sortTitle: string;
  originalTitle: string | null;
  year: number | null;
  /** Days since the epoch. */
  released: number | null;
  rating: string | null;
  /** 0 family, 1 teen, 2 all; unrated is 2. */
  ratingRank: number;
  communityRating: number | null;
  added: number;
  duration: number | null;
  /** The height class: sd, 720p, 1080p, 4k, 8k. */
  resolution: string | null;
  genres: readonly string[];
  /** Languages of the audio tracks. */
  languages: readonly string[];
  /** The group that holds the item, such as the show of an episode. */
  parent: string | null;
  /** Number of the section of the group, such as a season. */
  section: number | null;
  /** Number within the section, such as that of an episode. */
  number: number | null;
}

/** An item that changed; without a row if the index holds it no longer. */
export interface IndexChange {
  id: string;
  library: string;
  row?: IndexRow;
}

/** Ids of items by the texts in which a search matches. */
export interface TextMatches {
  people: readonly string[];
  plot: readonly string[];
}

export type SortName = 'title' | 'added' | 'year' | 'released' | 'rating' | 'duration' | 'random';
export type FacetName = keyof Facets;

/** A listing. Ids of items, where given, have been looked up for the Profile. */
export interface IndexQuery {
  q?: string | undefined;
  /** Matches of `q` in people and plots, and the version of these matches. */
  texts?: TextMatches | undefined;
  textsVersion?: number | undefined;
  kinds: readonly ItemKind[];
  library?: string | undefined;
  genre?: string | undefined;
  year?: number | undefined;
  rating?: string | undefined;
  resolution?: string | undefined;
  language?: string | undefined;
  parent?: string | undefined;
  /**
   * Only these ids, with a value each, for example the time of the last play. Sorted by value, highest first, if `sort`
   * is `given`.
   */
  only?: ReadonlyMap<string, number> | undefined;
  /** All ids except these. */
  except?: ReadonlySet<string> | undefined;
  /** Identifies the content of `only` and `except`, and changes with it, so that the result can be cached. */
  personal?: string | undefined;
  sort: SortName | 'given' | 'match';
  order: 'ascending' | 'descending';
  seed?: number | undefined;
  letter?: string | undefined;
  /** Starts after this position. Has precedence over `letter` and `offset`. */
  after?: IndexPosition | undefined;
  offset: number;
  limit: number;
}

/** The sort keys of a row: its position in an order, even if the row no longer exists. */
export interface IndexPosition {
  /** Null for rows without such a value. */
  value: number | null;
  /** The beginning of the sort title. */
  title: string;
  year: number;
  id: string;
}

export interface FacetCount {
  value: string;
  count: number;
}
export interface IndexPage {
  ids: string[];
  /** The slots of these rows, valid in this version of the index. */
  slots: Uint32Array;
  version: number;
  total: number;
  /** Index of the first row: `offset`, that of the first title of the letter, or that after the position. */
  offset: number;
  /** The position of the last row of the page, if more rows follow. */
  last?: IndexPosition;
  facets: Record<FacetName, FacetCount[]>;
  letters: { letter: string; offset: number }[];
}

/**
 * The library index: the whole catalogue in columns in memory, so that any page, its facets and a search are read from
 * arrays. The tables are authoritative; the index is loaded from them and follows every committed change.
 */
export interface LibraryIndex {
  /** Adds rows or changes them, and removes the ids in `gone`. */
  apply(rows: readonly IndexRow[], gone: readonly string[]): void;
  page(query: IndexQuery, policy: Policy): IndexPage;
  /** Returns whether the policy allows this row; false for unknown ids. */
  isVisible(id: string, policy: Policy): boolean;
  row(id: string): IndexRow | undefined;
  /** Returns the items of a group that the policy allows, in the order of the group. */
  itemsOf(group: string, policy: Policy): string[];
  /** Returns the number of visible rows of each library. Items that belong to a group do not count. */
  countByLibrary(policy: Policy): Map<string, number>;
  size(): number;
  /** Grows with every change. */
  version(): number;
}
