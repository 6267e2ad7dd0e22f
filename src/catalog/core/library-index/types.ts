/** Rows, queries and pages of the library index. */
import type { Facets, SeriesCount } from '../../../contract/catalog/cards.ts';
import type { ItemKind } from '../../../contract/catalog/kinds.ts';
import type { RuleLeaf, RuleQuery } from '../../../contract/catalog/rule-fields.ts';
import type { Policy } from '../../../contract/identity/profiles.ts';
import type { WatchRows } from '../watch-rows.ts';

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
  /** The certification as a tag states it. What the index returns may be set by hand (`ratings.ts`). */
  rating: string | null;
  communityRating: number | null;
  added: number;
  duration: number | null;
  /** The height class: sd, 720p, 1080p, 4k, 8k. */
  resolution: string | null;
  /** The camera that took it. */
  camera?: string | null;
  /** The folder that it is listed under, with its library: see `folderKey`. */
  folder?: string | null;
  genres: readonly string[];
  /** Languages of the audio tracks. */
  languages: readonly string[];
  /** Artists of an album or track, authors of an audiobook. */
  artists?: readonly string[];
  /** Name of the series of an audiobook, and the number of the book if it has one. */
  series?: readonly string[];
  /** Studios and publishers. */
  studios?: readonly string[];
  /** The class of high dynamic range; null for standard range. */
  hdr?: string | null;
  /** Codecs of its video and sound. */
  codecs?: readonly string[];
  /** JSON of the set of films that it belongs to. */
  filmSet?: string | null;
  /** The group that holds the item, such as the show of an episode. */
  parent: string | null;
  /** Number of the section of the group, such as a season. */
  section: number | null;
  /** Number within the section, such as that of an episode. */
  number: number | null;
  /** Place of a special among the other items of its group: section times `AIRS_PER_SEASON`, and a number. */
  airsAt?: number | null;
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

/** The rating of an item, as an Owner sees it. */
export interface ItemRating {
  /** The certification that counts; null without one. */
  rating: string | null;
  /** Its age; undefined if the item is unrated. */
  age: number | undefined;
  /** The certification that an Owner set for this item itself. */
  set: string | undefined;
  /** The certification that tags state. */
  stated: string | null;
}

/** Number of rows outside of groups that a policy shows, and of those that it hides, by the first reason. */
export interface ShownCounts {
  shown: number;
  total: number;
  hidden: Record<'libraries' | 'rating' | 'unrated' | 'items', number>;
}

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
  camera?: string | undefined;
  /** The folder, as in the rows. */
  folder?: string | undefined;
  artist?: string | undefined;
  /** Id of a series. Its books are listed by themselves. */
  series?: string | undefined;
  parent?: string | undefined;
  /** Whether items of a group are left out if the query lists groups of its kind. */
  isGrouped?: boolean | undefined;
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

export interface DayCount {
  /** Days since the epoch; null for rows without a day. */
  day: number | null;
  count: number;
}
export interface FolderCount {
  folder: string;
  count: number;
  /** The id of its first row in the order of the query. */
  first: string;
  /** Its earliest and latest day; null if no row has one. */
  from: number | null;
  to: number | null;
}

/** The items that have a text subtitle, next to the video or inside it, and the languages of these. */
export interface SubtitledItems {
  /** Changes with the items. */
  version: number;
  /** All of them, also those whose subtitles name no language. */
  all: ReadonlySet<string>;
  /** Those with a subtitle in a language, by its tag. A tag with a region is also listed under the bare language. */
  byLanguage: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The Profile that asks for the matches of a rule. */
export interface RuleAsker {
  policy: Policy;
  watched: WatchRows;
  /** Identifies what the Profile watched, and changes with it. */
  watchKey: string;
  now: number;
  /** The items that conditions on other tables mean, with a key that changes with them. */
  named: ReadonlyMap<RuleLeaf, ReadonlySet<string>>;
  namedKey: string;
  /** Items with subtitles, asked for by a rule about them. */
  subtitled: SubtitledItems;
}

export interface RuleQuestion {
  query: RuleQuery;
  now: number;
  /** Returns the items of a playlist that the Profile may see. */
  itemsOfPlaylist(id: string): Promise<ReadonlySet<string>>;
  /** Changes with the playlists of the Profile. */
  playlistVersion: string;
  from: { after?: string | undefined; index: number };
  limit: number;
}

export interface RuleMatches {
  ids: string[];
  /** Index of the first of these ids. */
  start: number;
  total: number;
  /** Length of all matches together, in seconds. */
  duration: number;
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
  facets: Record<Exclude<FacetName, 'series'>, FacetCount[]> & { series: SeriesCount[] };
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
  photos: {
    /** Counts the rows of a query by their day, in the order of the query. */
    days(query: IndexQuery, policy: Policy): DayCount[];
    /** Counts the rows of a query by their folder. */
    folders(query: IndexQuery, policy: Policy): FolderCount[];
    /** Returns the folder of an id as rows have it; a text that no row has for an unknown one. */
    folderOf(id: string): string;
  };
  /**
   * Returns some of the items that a rule matches, in its order: those after an id, or from an index on if the id does
   * not match. A rule that takes long is evaluated in slices; rows that change meanwhile do not match it.
   */
  matching(
    query: RuleQuery,
    asker: RuleAsker,
    page: { from: { after?: string | undefined; index: number }; limit: number },
  ): Promise<RuleMatches>;
  /** Returns whether the policy allows this row; false for unknown ids. */
  isVisible(id: string, policy: Policy): boolean;
  row(id: string): IndexRow | undefined;
  works: {
    /** Returns what places a work among others: a tenth of the cost of `row`. */
    place(id: string): Pick<IndexRow, 'kind' | 'year'> | undefined;
    /**
     * Returns the slot of an id that is a part of a text, -1 without one: thousands of strings would be garbage at
     * once. Slots are valid in this version of the index.
     */
    slotIn(text: string, from: number, to: number): number;
    /** Returns the id in a slot. */
    idAt(slot: number): string;
    /**
     * Returns a function for many slots that returns the id of the work that each belongs to: an episode belongs to its
     * show, and a track to its album. It returns null for works themselves, and undefined for rows that the policy does
     * not allow. Valid in this version of the index.
     */
    of(policy: Policy): (slot: number) => string | null | undefined;
  };
  /** Returns the items of a group that the policy allows, in the order of the group. */
  itemsOf(group: string, policy: Policy): string[];
  /** Returns the rating of an item or group, and where it comes from. */
  ratingOf(id: string): ItemRating | undefined;
  counts: {
    /** Counts films and shows that a policy shows, and why it hides the others. */
    shown(policy: Policy): ShownCounts;
    /** Returns the number of visible rows of each library. Items that belong to a group do not count. */
    byLibrary(policy: Policy): ReadonlyMap<string, number>;
  };
  size(): number;
  /** Grows with every change. */
  version(): number;
}
