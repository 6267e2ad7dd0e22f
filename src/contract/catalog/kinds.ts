/**
 * The kinds of libraries and of items, each declared once.
 *
 * The values of the API, the views of the library, the server's registry of kinds and the lists of the dashboard are
 * derived from these two tables. This file imports nothing, so that the dashboard can load it without a schema library.
 */

interface ItemKindFacts {
  /**
   * `item`: consists of files and is played, read or looked at. `group`: holds items, and a Profile sees it if it may
   * see at least one of them. `section`: a numbered part of a group, which is listed as part of that group only.
   * `extra`: belongs to an item, group or section and is shown on its page only; it is played, but not watched.
   */
  role: 'item' | 'group' | 'section' | 'extra';
  /** The kind of group that holds it. */
  parent?: string;
  /** The medium of an item's files. Subtitles, markers and playback of films concern `video` only. */
  medium?: 'video' | 'audio' | 'text' | 'picture';
  /** Made by the household itself: no provider knows it, and it is looked at rather than finished. */
  isPersonal?: boolean;
  /** Its place is hard to find again, so that a start on another device does not replace it at once. */
  isPlaceKept?: boolean;
  /** Listened to again and again, so that it is neither continued nor listed as unwatched. */
  isReplayed?: boolean;
  /** Whether an item of this kind may be without a group. Lists show such an item directly. */
  canBeAlone?: true;
}

export const ITEM_KINDS = {
  movie: { role: 'item', medium: 'video' },
  episode: { role: 'item', medium: 'video', parent: 'show' },
  show: { role: 'group' },
  season: { role: 'section', parent: 'show' },
  track: { role: 'item', medium: 'audio', parent: 'album', isReplayed: true },
  album: { role: 'group', isReplayed: true },
  artist: { role: 'group' },
  audiobook: { role: 'item', medium: 'audio', isPlaceKept: true },
  series: { role: 'group' },
  book: { role: 'item', medium: 'text', parent: 'series', canBeAlone: true },
  photo: { role: 'item', medium: 'picture', isPersonal: true },
  video: { role: 'item', medium: 'video', isPersonal: true },
  extra: { role: 'extra', medium: 'video' },
} as const satisfies Record<string, ItemKindFacts>;
export type ItemKind = keyof typeof ITEM_KINDS;

interface LibraryKindFacts {
  /** Its name in the dashboard. */
  title: string;
  /**
   * The kinds that a scan places in such a library, in the order in which they are tried. Empty: this version does not
   * scan such libraries yet.
   */
  holds: readonly ItemKind[];
}

export const LIBRARY_KINDS = {
  movies: { title: 'Films', holds: ['movie'] },
  shows: { title: 'Shows', holds: ['show'] },
  music: { title: 'Music', holds: ['album'] },
  audiobooks: { title: 'Audiobooks', holds: ['audiobook'] },
  books: { title: 'Books', holds: ['series'] },
  photos: { title: 'Photos', holds: ['photo', 'video'] },
  mixed: { title: 'Films and shows together', holds: ['show', 'movie'] },
} as const satisfies Record<string, LibraryKindFacts>;
export type LibraryKind = keyof typeof LIBRARY_KINDS;

/** A kind that some library holds: the server must have an implementation of it. */
export type PlacedKind = (typeof LIBRARY_KINDS)[LibraryKind]['holds'][number];

/** Returns the keys of a table in the order of their declaration. */
export const kindNames = <K extends string>(table: Readonly<Record<K, unknown>>): K[] => Object.keys(table) as K[];

/** Returns whether this version scans libraries of a kind. */
export const isScannedKind = (kind: LibraryKind): boolean => LIBRARY_KINDS[kind].holds.length > 0;

/** Views of the whole library, and views of lists that belong to a Profile. */
const GENERAL_VIEWS = ['all', 'list', 'unwatched', 'continue', 'history'] as const;
/** Views of one kind of library. A mixed library is shown in the views of the kinds that it holds. */
type KindView = Exclude<LibraryKind, 'mixed'>;
export type View = (typeof GENERAL_VIEWS)[number] | KindView;
export const VIEWS: readonly View[] = [
  ...GENERAL_VIEWS,
  ...kindNames(LIBRARY_KINDS).filter((kind): kind is KindView => kind !== 'mixed'),
];

/** Returns the facts of a kind in a form that has every member. */
export const itemFacts = (kind: ItemKind): ItemKindFacts & { parent?: ItemKind } => ITEM_KINDS[kind];

/** Returns the kinds that a list of these kinds shows: also items of their groups that may be without a group. */
export const listedKinds = (kinds: readonly ItemKind[]): ItemKind[] => [
  ...kinds,
  ...kindNames(ITEM_KINDS).filter((kind) => {
    const { parent, canBeAlone } = itemFacts(kind);
    return canBeAlone === true && parent !== undefined && kinds.includes(parent);
  }),
];

/** Returns the kinds of items with this role and, if one is given, this medium. */
export const kindsWith = ({ role, medium }: Pick<ItemKindFacts, 'role' | 'medium'>): ItemKind[] =>
  kindNames(ITEM_KINDS).filter((kind) => {
    const own = itemFacts(kind);
    return own.role === role && (medium === undefined || own.medium === medium);
  });

/** Returns whether an item of a kind, or a group, may be in a collection: one that is part of another may not. */
export const isCollectable = (kind: ItemKind, isPart: boolean): boolean => {
  const { role, parent, canBeAlone, isPersonal: isOwn } = itemFacts(kind);
  const isWhole = parent === undefined || (canBeAlone === true && !isPart);
  return (role === 'item' || role === 'group') && isWhole && isOwn !== true;
};

/** Returns whether items of a kind are made by the household itself. */
export const isPersonal = (kind: ItemKind): boolean => itemFacts(kind).isPersonal === true;
