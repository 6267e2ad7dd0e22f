/**
 * A kind: everything that the catalogue has to know to hold items of one sort and to show them.
 *
 * Kinds are values that `kinds/index.ts` registers. The core asks them and never compares the name of a kind. Each part
 * is required, so a kind without one of them does not compile; `README.md` says how to add a kind.
 */
import type { Card } from '../../contract/catalog/cards.ts';
import type { Pages } from '../../contract/catalog/items.ts';
import type { ITEM_KINDS, ItemKind } from '../../contract/catalog/kinds.ts';
import type { Policy } from '../../contract/identity/profiles.ts';
import type { ExtraLinks } from './item/extra-links.ts';
import type { ItemFiles } from './item/file-cache.ts';
import type { ItemOrder } from './library-index/groups.ts';
import type { IndexKinds } from './library-index/index.ts';
import type { FacetName, IndexRow, LibraryIndex, SortName } from './library-index/types.ts';
import type { FileGuess, FileToGuess, KindPlacement } from './scan/placement.ts';
import type { CardRecord, ReadingStore } from '../store/reading.ts';
import type { Details, ItemRecord } from '../store/records.ts';
import type { SidecarFacts } from '../types.ts';
import type { WatchRows } from './watch-rows.ts';

/** The Profile that a reply is for: its policy, and the rows of what it watched. */
export interface Viewer {
  policy: Policy;
  watched: WatchRows;
  isOwner: boolean;
  /** Whether a person looks in their own session, rather than a program with a key or a link. */
  isInSession?: boolean;
}

export interface CardNeeds {
  store: ReadingStore;
  index: LibraryIndex;
  kinds: Kinds;
  isOnline(library: string): boolean;
}
export interface PageNeeds extends CardNeeds {
  rootOf(library: string): string | undefined;
  /** Folder of the pictures that the server keeps itself. */
  keptPictures: string;
  /** Returns the name of a library. */
  nameOf(library: string): string | undefined;
  itemFiles: Pick<ItemFiles, 'of'>;
  sidecarFacts: SidecarFacts;
  extras: Pick<ExtraLinks, 'of' | 'belongingTo'>;
}

/** Words by which the search finds an item in addition to its titles. */
export interface SearchTexts {
  people: string;
  plot: string;
}

interface ListedRows<C extends keyof Pages> {
  /** Added to the score of a search, so that whole works come before their parts. */
  searchWeight: number;
  searchTexts(detail: Details): SearchTexts;
  /** Returns the members of a card that only this kind has. */
  card(
    row: IndexRow,
    more: Pick<CardRecord, 'episode_end' | 'detail'> | undefined,
    group: IndexRow | undefined,
  ): Partial<Card>;
  /** The collection of the API that has the pages of these rows: `/items/{id}`, `/shows/{id}`. */
  collection: C;
  /** Returns the page of a row. The caller has checked that the Profile may see it. */
  page(needs: PageNeeds, item: ItemRecord, viewer: Viewer): Promise<Pages[C]>;
}

/** Rows that consist of files. */
export type ItemRows = { [C in keyof Pages]: ListedRows<C> }[keyof Pages];

/** Rows that hold items. */
export type GroupRows = ItemRows & {
  /** How a group sorts its items. */
  itemOrder: ItemOrder;
  /** Returns the members of a card that depend on the Profile. `items` are those that it may see. */
  counts(items: readonly string[], watched: WatchRows, facts: GroupFacts): Partial<Card>;
  /** Returns the item that follows the one that was finished last; undefined if there is none to offer. */
  nextUp?:
    | ((items: readonly string[], watched: WatchRows, placeOf: PlaceInGroup, isRewatch: boolean) => string | undefined)
    | undefined;
  /** Whether a group without a poster shows that of its first item. */
  cover?: true;
  /** Returns the item to continue with, if a group of this kind is watched from item to item. `items` are in order. */
  next?: ((items: readonly string[], watched: WatchRows, placeOf: PlaceInGroup) => string | undefined) | undefined;
};
/** Rows of a group and of the items in it. */
export interface GroupFacts {
  group: IndexRow | undefined;
  rowOf(id: string): IndexRow | undefined;
}
/** Options of the list of next items. */
export interface NextUpOptions {
  now: number;
  /** Offers what is watched already, too. */
  isRewatch: boolean;
}
/** Returns the section of an item, and the place of a special. */
export type PlaceInGroup = (item: string) => Pick<IndexRow, 'section' | 'airsAt'> | undefined;

/** Sections are shown on the page of their group, and declare nothing. */
type SectionRows = Record<never, never>;

interface RowsOfRole {
  item: ItemRows;
  group: GroupRows;
  section: SectionRows;
  extra: SectionRows;
}
/** The kinds of rows that belong to a kind: itself, and those that it is the parent of. */
type RowsOf<K extends ItemKind> =
  | K
  | { [R in ItemKind]: (typeof ITEM_KINDS)[R] extends { parent: K } ? R : never }[ItemKind];

export interface CatalogKind<K extends ItemKind = ItemKind> {
  placement: KindPlacement;
  rows: { [R in RowsOf<K>]: RowsOfRole[(typeof ITEM_KINDS)[R]['role']] };
  /** The facets that these items have. */
  facets: readonly FacetName[];
  /** The orders that suit these items; the first one is used if a request names none. */
  sorts: readonly [SortName, ...SortName[]];
}

/** The registered kinds, as the core asks them. */
export interface Kinds extends IndexKinds {
  /** Returns the declaration of rows that have a card and a page; undefined for sections and unregistered kinds. */
  rows(kind: ItemKind): ItemRows | undefined;
  /** The same for groups. */
  group(kind: ItemKind): GroupRows | undefined;
  /** Returns the placement of a guess that makes an item; undefined for any other guess. */
  placementOf(guess: FileGuess): KindPlacement | undefined;
  /** Returns what a file is in its library. */
  guess(input: FileToGuess): FileGuess;
  /** Returns whether files of this name make items in libraries of a kind. */
  isMedia(library: FileToGuess['library'], name: string): boolean;
  /** The order that suits a listing of these kinds. */
  usualSort(kinds: readonly ItemKind[]): SortName;
  /** Identifies the rules of all placements. */
  placementVersions: string;
}
