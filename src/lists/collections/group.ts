/**
 * Which collections there are. They are derived from the items that one Profile may see, each time: from the sets that
 * files and TMDB name, and from what Owners stored about collections. A hidden item therefore takes part in no number,
 * name, id or order. Pure functions.
 *
 * Sets with the same id at TMDB are one collection; a set without an id joins one of the same name. A stored collection
 * matches by the keys of the sets that it had when an Owner changed it, and by its name.
 */
import { hash } from 'node:crypto';
import type { CollectableItem } from '../../catalog/index.ts';
import type { CollectionEntryRow, CollectionRow } from '../store/collections.ts';
import { foldCollectionName } from './names.ts';

/** A set as a source names it. */
export interface NamedSet {
  /** Its id at TMDB. */
  id?: string;
  name: string;
  isFromFiles?: true;
}
/** A collection that an Owner made or changed, with its items. */
export interface StoredCollection extends CollectionRow {
  entries: ReadonlyMap<string, CollectionEntryRow>;
}

/** A collection as one Profile may see it. */
export interface SeenCollection {
  id: string;
  name: string;
  /** Keys of the sets that it is made of. */
  keys: readonly string[];
  /** The row and entries that an Owner stored. */
  stored: StoredCollection | undefined;
  members: ReadonlySet<string>;
}

const SET_KEY = 'tmdb:';
const NAME_KEY = 'name:';
const nameKey = (name: string): string => `${NAME_KEY}${foldCollectionName(name)}`;
const isSetKey = (key: string): boolean => key.startsWith(SET_KEY);

/** Returns the number at TMDB of the set that a collection is made of; undefined if no source has one. */
export const setIdOf = ({ keys }: Pick<SeenCollection, 'keys'>): string | undefined =>
  keys.find(isSetKey)?.slice(SET_KEY.length);

/** Returns the id of a collection that nothing is stored about. */
const idOfKey = (key: string): string => hash('sha1', `collection ${key}`).slice(0, 16);

/** A TMDB set of one film is no collection; a set that a file names is. */
const MIN_SERVICE_SET = 2;

interface Group {
  keys: Set<string>;
  /** The names of its sets, and how many items state each. */
  named: Map<string, number>;
  items: string[];
  isFromFiles: boolean;
}

const emptyGroup = (): Group => ({ keys: new Set(), named: new Map(), items: [], isFromFiles: false });

function join(group: Group, { item, set }: { item: string; set: NamedSet }): void {
  if (set.id !== undefined) group.keys.add(SET_KEY + set.id);
  group.keys.add(nameKey(set.name));
  group.named.set(set.name, (group.named.get(set.name) ?? 0) + 1);
  group.items.push(item);
  group.isFromFiles ||= set.isFromFiles === true;
}

/** Groups items by the id of their set at TMDB, and those without one by its name. */
function groupsOf(inSets: readonly { item: string; set: NamedSet }[]): Group[] {
  const byId = new Map<string, Group>();
  const byName = new Map<string, Group>();
  const groupIn = (groups: Map<string, Group>, key: string): Group => {
    const group = groups.get(key) ?? emptyGroup();
    groups.set(key, group);
    return group;
  };
  for (const one of inSets) if (one.set.id !== undefined) join(groupIn(byId, one.set.id), one);
  const withName = new Map<string, Group>();
  for (const [, group] of [...byId].sort(([a], [b]) => Number(a) - Number(b)))
    for (const key of group.keys) if (!withName.has(key)) withName.set(key, group);
  for (const one of inSets) {
    if (one.set.id !== undefined) continue;
    const key = nameKey(one.set.name);
    join(withName.get(key) ?? groupIn(byName, key), one);
  }
  return [...byId.values(), ...byName.values()];
}

/** Keys by which a stored collection is matched. One that an Owner deleted has only those of its sets. */
function matchKeysOf(stored: StoredCollection): Set<string> {
  const keys = new Set(stored.keys);
  if (stored.name !== null && stored.deleted === null) keys.add(nameKey(stored.name));
  return keys;
}

/** Sets of the same name with different ids are different sets. */
function isMatch(group: Group, keys: ReadonlySet<string>): boolean {
  const shared = [...keys].filter((key) => group.keys.has(key));
  if (shared.some(isSetKey)) return true;
  return shared.length > 0 && !([...keys].some(isSetKey) && [...group.keys].some(isSetKey));
}

/** Returns the name that most items state. */
function nameOf(groups: readonly Group[]): string {
  const counts = new Map<string, number>();
  for (const [name, count] of groups.flatMap(({ named }) => [...named]))
    counts.set(name, (counts.get(name) ?? 0) + count);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0] ?? '';
}

/** Returns the key that the id is made of, as long as nothing is stored. */
const mainKey = (keys: Iterable<string>): string =>
  [...keys].sort((a, b) => Number(isSetKey(b)) - Number(isSetKey(a)) || (a < b ? -1 : 1))[0] ?? '';

/** Returns the collections that a Profile may see. With `isOwner` also those that have no visible item. */
export function collectionsOf(
  inSets: readonly { item: string; set: NamedSet }[],
  stored: readonly StoredCollection[],
  { isOwner, isSeen }: { isOwner: boolean; isSeen(item: string): boolean },
): SeenCollection[] {
  // Collections that are there count before deleted ones, and older ones before later ones.
  const matchable = stored
    .toSorted(
      (a, b) => Number(a.deleted !== null) - Number(b.deleted !== null) || a.made - b.made || (a.id < b.id ? -1 : 1),
    )
    .map((row) => ({ row, keys: matchKeysOf(row) }));
  const groupsByRow = new Map<StoredCollection, Group[]>();
  const fresh: Group[] = [];
  for (const group of groupsOf(inSets)) {
    const row = matchable.find(({ keys }) => isMatch(group, keys))?.row;
    if (row) groupsByRow.set(row, [...(groupsByRow.get(row) ?? []), group]);
    else fresh.push(group);
  }
  const found: SeenCollection[] = [];
  const add = (groups: readonly Group[], row: StoredCollection | undefined) => {
    const keys = [...new Set(groups.flatMap((group) => [...group.keys]))].sort();
    const items = groups.flatMap((group) => group.items);
    const isSet = groups.some(({ isFromFiles }) => isFromFiles) || items.length >= MIN_SERVICE_SET;
    const members = new Set(isSet ? items : []);
    let isAdded = false;
    for (const { item, state } of row?.entries.values() ?? []) {
      if (state === 'removed') members.delete(item);
      if (state !== 'added' || !isSeen(item)) continue;
      isAdded = true;
      for (const one of items) if (row?.entries.get(one)?.state !== 'removed') members.add(one);
      members.add(item);
    }
    const isThere = members.size > 0 || (isOwner && (row?.by_hand === 1 || isSet || isAdded));
    if (!isThere) return;
    found.push({
      id: row?.id ?? idOfKey(mainKey(keys)),
      name: row?.name ?? nameOf(groups),
      keys,
      stored: row,
      members,
    });
  };
  for (const group of fresh) add([group], undefined);
  for (const { row } of matchable) if (row.deleted === null) add(groupsByRow.get(row) ?? [], row);
  return found;
}

/** Returns the collection with an id, or with the id that it had before something was stored about it. */
export const findCollection = (all: readonly SeenCollection[], id: string): SeenCollection | undefined =>
  all.find((one) => one.id === id) ?? all.find(({ keys }) => keys.some((key) => idOfKey(key) === id));

const DAYS_PER_YEAR = 365.25;
const releaseOf = ({ released, year }: CollectableItem): number =>
  released ?? (year === null ? Infinity : (year - 1970) * DAYS_PER_YEAR);

/** Returns the items of a collection in its order: by their release, or as an Owner put them, with new ones behind. */
export function orderedItems(
  { members, stored }: Pick<SeenCollection, 'members' | 'stored'>,
  find: (item: string) => CollectableItem | undefined,
): string[] {
  const isGiven = stored?.order_by === 'given';
  return [...members]
    .flatMap((item) => {
      const facts = find(item);
      const place = isGiven ? (stored.entries.get(item)?.place ?? Infinity) : 0;
      return facts ? [{ item, place, released: releaseOf(facts), title: facts.sortTitle }] : [];
    })
    .sort(
      (a, b) =>
        compare(a.place, b.place) ||
        compare(a.released, b.released) ||
        compare(a.title, b.title) ||
        compare(a.item, b.item),
    )
    .map(({ item }) => item);
}
const compare = <V extends string | number>(a: V, b: V): number => (a === b ? 0 : a < b ? -1 : 1);
