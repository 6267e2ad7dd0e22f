/** What the catalogue hands to the domains above it, and what its own parts hand each other. */
import type { Card } from '../contract/catalog/cards.ts';
import type { Item, Show } from '../contract/catalog/items.ts';
import type { LibraryKind } from '../contract/catalog/kinds.ts';
import type { Policy } from '../contract/identity/profiles.ts';
import type { MediaInfo } from './probe/types.ts';

/** The kinds of rows that the catalogue holds for films and shows. */
export type RowKind = 'movie' | 'show' | 'season' | 'episode';

/** The rating ceilings as numbers: an item is seen when its rank is not above the ceiling's. */
export const RANK = { family: 0, teen: 1, all: 2 } as const satisfies Record<Policy['rating'], number>;

/** One row of the shelf: everything a listing filters, sorts or counts by. Times are milliseconds since the epoch. */
export interface ShelfRow {
  id: string;
  kind: RowKind;
  library: string;
  title: string;
  /** Folded for sorting: no article, no diacritics, lower case, numbers padded. */
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
  show: string | null;
  seasonNumber: number | null;
  episodeNumber: number | null;
  available: boolean;
}

/** Ids of items by what of them a search matches. */
export interface TextMatches {
  people: readonly string[];
  plot: readonly string[];
}

/** What a listing asks of the shelf. Ids of items, where given, have been looked up for the Profile. */
export interface ShelfQuery {
  q?: string | undefined;
  /** Matches of `q` in people and plots, and their version. */
  texts?: TextMatches | undefined;
  textsVersion?: number | undefined;
  kinds: readonly RowKind[];
  library?: string | undefined;
  genre?: string | undefined;
  year?: number | undefined;
  rating?: string | undefined;
  resolution?: string | undefined;
  language?: string | undefined;
  show?: string | undefined;
  /** Only these, the highest value first unless `sort` says otherwise: ids and, for example, when each was played last. */
  only?: ReadonlyMap<string, number> | undefined;
  /** All but these. */
  except?: ReadonlySet<string> | undefined;
  /** Names what `only` and `except` were made of, and changes with it: such an answer is kept as any other. */
  personal?: string | undefined;
  sort: 'title' | 'added' | 'year' | 'released' | 'rating' | 'duration' | 'random' | 'given' | 'match';
  order: 'ascending' | 'descending';
  seed?: number | undefined;
  letter?: string | undefined;
  /** Begins after this position, whatever `letter` and `offset` say. */
  after?: ShelfPosition | undefined;
  offset: number;
  limit: number;
}

/** The sort keys of a row: its place in an order, whether the row is still there or not. */
export interface ShelfPosition {
  /** Null for rows that have no such value. */
  value: number | null;
  /** The beginning of the folded title. */
  title: string;
  year: number;
  id: string;
}

export interface Counted {
  value: string;
  count: number;
}
export interface ShelfPage {
  ids: string[];
  /** The slots of these rows, which belong to them in this version of the shelf. */
  slots: Uint32Array;
  version: number;
  total: number;
  /** The page begins here: at `offset`, at the first title of the letter, or after the position. */
  offset: number;
  /** The position of the last row of the page, where more rows follow. */
  last?: ShelfPosition;
  facets: {
    genres: Counted[];
    years: Counted[];
    ratings: Counted[];
    resolutions: Counted[];
    languages: Counted[];
    libraries: Counted[];
  };
  letters: { letter: string; offset: number }[];
}

/**
 * The shelf: the whole catalogue in columns in memory, so that a page at any depth, its facets and a
 * search are answered from arrays. The tables stay the truth; the shelf is loaded from them and
 * follows every committed change.
 */
export interface Shelf {
  /** Puts rows in, or changes those it has; takes out what is named in `gone`. */
  apply(rows: readonly ShelfRow[], gone: readonly string[]): void;
  page(query: ShelfQuery, policy: Policy): ShelfPage;
  /** Whether the policy lets this row be seen; false for ids it does not know. */
  isSeen(id: string, policy: Policy): boolean;
  row(id: string): ShelfRow | undefined;
  /** Of a show: its episodes that the policy lets be seen, in the order of season and number. */
  episodesOf(show: string, policy: Policy): string[];
  /** Counts by library of what a policy lets be seen: films and shows. */
  countByLibrary(policy: Policy): Map<string, number>;
  size(): number;
  /** Grows with every change. */
  version(): number;
}

/** A file that can be opened: where it is, for the domains that read bytes. Never leaves the server. */
export interface PlayableFile {
  /** The id of the version. */
  id: string;
  item: string;
  library: string;
  /** Absolute path of the library's root, and the path below it. */
  root: string;
  relative: string;
  size: number;
  modifiedMs: number;
  part: number;
  info: MediaInfo | undefined;
  available: boolean;
}

/** A sidecar beside a video, as the last scan saw it. */
export interface Sidecar {
  /** Below the library's root. */
  relative: string;
  name: string;
  language: string | undefined;
  role: 'normal' | 'forced' | 'sdh';
  format: string;
  title: string | undefined;
  isHidden: boolean;
  isDefault: boolean;
  size: number;
  modifiedMs: number;
  /** The version that it stands beside. */
  version: string;
}

/** An edit decision list (`Film.edl`) next to a file, as the last scan saw it. */
export interface EditList {
  /** Below the library's root. */
  relative: string;
  size: number;
  modifiedMs: number;
  /** Version and part that it belongs to. */
  version: string;
  part: number;
}

/** An item as background work sees it: films and episodes only. */
export interface Subject {
  id: string;
  kind: 'movie' | 'episode';
  title: string;
  year: number | undefined;
  show: { id: string; title: string; year: number | undefined; ids: Record<string, string> } | undefined;
  season: number | undefined;
  episode: number | undefined;
  episodeEnd: number | undefined;
  ids: Record<string, string>;
  added: number;
  available: boolean;
  files: PlayableFile[];
  sidecars: Sidecar[];
  editLists: EditList[];
  /** Grows with every change of any item: the cursor of `changedSince`. */
  change: number;
  gone: boolean;
}

/** The catalogue as one Profile may see it. Everything a Profile is shown comes through here. */
export interface Seen {
  library(query: LibraryQuery): Promise<LibraryReply>;
  /** The same as JSON, checked against the contract. */
  libraryJson(query: LibraryQuery): Promise<string>;
  /** How long a film or episode is, null where that is not known; undefined for anything else and for what may not be seen. */
  duration(id: string): number | null | undefined;
  /** Watch history of the Profile, and the next episodes of its shows. */
  watched: {
    history(query: { limit: number; cursor?: string | undefined }): Promise<HistoryReply>;
    /** The next episode of each show watched lately, the show watched last first; shows with an episode under way are left out. */
    nextUp(limit: number): Promise<{ items: Card[]; total: number }>;
  };
  recent(query: { library?: string | undefined; limit: number }): Promise<{ items: Card[]; total: number }>;
  show(id: string): Promise<Show | undefined>;
  item(id: string): Promise<Item | undefined>;
  cards(ids: readonly string[]): Promise<Card[]>;
  /** Where a picture is: an image file in a library, or a frame of a video. */
  picture(id: string, kind: 'poster' | 'backdrop' | 'thumb' | 'logo'): Promise<Picture | undefined>;
  /** The file to play: of the version, or of the best one. */
  file(id: string, version?: string, part?: number): Promise<PlayableFile | undefined>;
  subject(id: string): Promise<Subject | undefined>;
  isSeen(id: string): boolean;
}
export interface LibraryQuery extends Omit<
  ShelfQuery,
  'kinds' | 'only' | 'except' | 'personal' | 'sort' | 'order' | 'show' | 'after' | 'offset' | 'texts' | 'textsVersion'
> {
  /** The list that cursors are bound to, where it is not the library itself. */
  list?: 'library' | 'shows';
  view: string;
  offset?: number | undefined;
  cursor?: string | undefined;
  sort?: ShelfQuery['sort'] | undefined;
  order?: ShelfQuery['order'] | undefined;
}
export interface LibraryReply extends Omit<ShelfPage, 'ids' | 'slots' | 'version' | 'offset' | 'last'> {
  items: Card[];
  nextCursor?: string;
}
export interface HistoryReply {
  items: { item: Card; at: string; position: number; watched: boolean }[];
  total: number;
  nextCursor?: string;
}
export interface Picture {
  root: string;
  relative: string;
  size: number;
  modifiedMs: number;
  /** Set where the picture is a frame of a video: at which second. */
  frameAt: number | undefined;
  /** Changes with the picture. */
  version: string;
}

export interface LibraryState {
  id: string;
  name: string;
  kind: LibraryKind;
  path: string;
  items: number;
  isOnline: boolean;
  isWatching: boolean;
  lastScanAt: number | undefined;
}

/** A file that a scan could not place or read, and why. */
export interface Unplaced {
  id: string;
  library: string;
  /** Below the library's root; of a folder that may not be read with a slash at the end. */
  file: string;
  reason: string;
  evidence: string[];
  seenAt: number;
}
