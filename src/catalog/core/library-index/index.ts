/**
 * The library index: the whole catalogue in columns in memory.
 *
 * Any page, its facets and its letters are read from arrays. Orders stay sorted and are repaired when rows change, and
 * the result of a query is cached until the next change. The tables are authoritative.
 */
import { itemFacts, type ItemKind } from '../../../contract/catalog/kinds.ts';
import type { Policy } from '../../../contract/identity/profiles.ts';
import { letterStart } from './filter.ts';
import { createItemGroups, type ItemOrder } from './groups.ts';
import { createOrders } from './orders.ts';
import { createPhotoCounts } from './photo-counts.ts';
import { indexAfter, positionAt } from './positions.ts';
import { createRatings } from './ratings.ts';
import { createResults, policyKey } from './results.ts';
import { createRoles } from './roles.ts';
import { createIndexRules } from './rules.ts';
import { createIndexRows, type IndexImage, type IndexRows } from './rows.ts';
import { createSearch } from './search.ts';
import { createSearchQueue } from './search-queue.ts';
import type { FacetName, IndexPage, IndexQuery, IndexRow, LibraryIndex, ShownCounts, SortName } from './types.ts';
import { createVisibility } from './visibility.ts';
import { createVisibleChanges, type VisibleChanges } from './visible-changes.ts';

/** The facts of the registered kinds that the index needs. */
export interface IndexKinds {
  /** Returns how a group sorts its items, by the kind of these items. */
  orderOf(item: ItemKind): ItemOrder;
  /** Returns what is added to the search score of rows of a kind. */
  searchWeight(kind: ItemKind): number;
  facetsFor(kinds: readonly ItemKind[]): readonly FacetName[];
  /** The orders that are sorted in advance. */
  sorts: readonly SortName[];
}

export interface LoadableIndex extends LibraryIndex {
  /** Adds the rows that `fill` puts, one at a time, before the first query. */
  load(fill: (put: (row: IndexRow) => void) => Promise<void>): Promise<void>;
  /** Starts to compute in the background what the first queries would otherwise have to wait for. */
  warm(): void;
  /** Returns the rows outside of groups that the policy allows and a source places in a set of films. */
  inFilmSets(policy: Policy): { id: string; filmSet: string }[];
  idsOutside(libraries: ReadonlySet<string>): string[];
  /** Rates an item or group by hand; undefined removes the rating. */
  rate(id: string, rating: string | undefined): void;
  /** Takes over what Owners rated, by id, before the first rows. */
  rateAll(ratings: ReadonlyMap<string, string>): void;
  /** Reads certifications that name no country as those of this one. */
  useCountry(country: string | undefined): void;
  /** Returns all rows as views of the columns. Copy them before anything changes. */
  image(): IndexImage;
  /** Fills an empty index with an image, whose arrays belong to the index from then on. */
  restore(image: IndexImage): void;
  /**
   * Changes since they were last taken, as the policies that can see them. Rows of the first `load` are not changes.
   */
  readonly changes: VisibleChanges;
}

/** The parts of an index, which share its columns. */
function createParts(kinds: IndexKinds) {
  const rows = createIndexRows();
  const roleOf = createRoles(rows);
  const orders = createOrders(rows, kinds.sorts);
  const search = createSearch(rows, orders.sortByTitle, kinds.searchWeight);
  const groups = createItemGroups(rows, roleOf, kinds.orderOf);
  const queue = createSearchQueue(rows, groups, { search, warmOrder: orders.warm });
  const ratings = createRatings(rows, groups, roleOf);
  const visibility = createVisibility(rows, groups, ratings, roleOf);
  const results = createResults({ rows, orders, search, queue, visibility, facetsFor: kinds.facetsFor });
  const rules = createIndexRules({ rows, groups, orders, visibility });
  const changes = createVisibleChanges(rows, groups, ratings, roleOf);
  /** The number of items of each library, by policy. Work in the background asks for each file that it looks at. */
  const counted = new Map<string, ReadonlyMap<string, number>>();
  return { rows, roleOf, orders, groups, ratings, queue, visibility, results, rules, changes, counted };
}

type Lookups = Pick<
  LoadableIndex,
  'isVisible' | 'row' | 'works' | 'inFilmSets' | 'itemsOf' | 'ratingOf' | 'counts' | 'idsOutside'
>;

function* slotsOf(rows: IndexRows): Generator<number> {
  for (let slot = 0; slot < rows.ids.end(); slot++) if (rows.isThere(slot)) yield slot;
}

export function createLibraryIndex(kinds: IndexKinds): LoadableIndex {
  const parts = createParts(kinds);
  const { rows, roleOf, orders, groups, ratings, queue, visibility, results, rules, changes, counted } = parts;
  /** True after the first load. A later load puts rows that did not change, and some new ones. */
  let isLoaded = false;
  let version = 0;

  /** Searches find items by the title of their group, too. */
  const indexItemsAgain = (group: string) => {
    for (const slot of groups.of(group)) queue.add(slot);
  };
  const put = (row: IndexRow, isChange = true) => {
    const slot = rows.ids.give(row.id);
    const isNew = !rows.isThere(slot);
    const wasGroup = roleOf(slot) === 'group';
    const hadTitle = wasGroup && rows.titles.is(slot, row.title);
    const isNoted = isChange || (isLoaded && isNew);
    if (isNoted && !isNew) changes.note(slot);
    if (!isNew) groups.unlink(slot, row.id);
    rows.put(slot, row);
    groups.link(slot, row.id);
    ratings.refresh(slot);
    const isGroup = roleOf(slot) === 'group';
    if (isGroup ? !hadTitle : wasGroup) indexItemsAgain(row.id);
    if (isNoted) changes.note(slot);
    orders.touch(slot);
    rules.touch(slot);
    queue.add(slot);
  };
  const drop = (id: string) => {
    const slot = rows.ids.find(id);
    if (slot < 0) return;
    if (roleOf(slot) === 'group') indexItemsAgain(id);
    changes.note(slot);
    groups.unlink(slot, id);
    rows.drop(slot);
    rows.ids.free(slot);
    ratings.dropped(id);
    orders.touch(slot);
    rules.touch(slot);
    queue.add(slot);
  };
  const changed = () => {
    version++;
    visibility.clear();
    results.clear();
    rules.clear();
    counted.clear();
    queue.continue();
  };
  const page = (query: IndexQuery, policy: Policy): IndexPage => {
    const { sorted, facets, letters } = results.of(query, policy, version);
    const found = sorted.slots;
    const start = query.sort === 'title' ? letterStart(letters, query, found.length) : undefined;
    const offset = query.after ? indexAfter(rows, query, sorted, query.after) : (start ?? query.offset);
    const end = Math.min(offset + query.limit, found.length);
    const slots = found.subarray(offset, end);
    return {
      ids: Array.from(slots, rows.ids.get),
      slots,
      version,
      total: found.length,
      offset,
      facets,
      letters,
      ...(end > offset && end < found.length && { last: positionAt(rows, query, sorted, end - 1) }),
    };
  };

  return {
    ...createLookups(parts),
    load: async (fill) => {
      await fill((row) => put(row, false));
      ratings.refreshAll();
      isLoaded = true;
      changed();
    },
    image: rows.image,
    restore: (image) => {
      rows.restore(image);
      groups.linkAll();
      ratings.refreshAll();
      isLoaded = true;
      for (const slot of slotsOf(rows)) queue.add(slot);
      changed();
    },
    warm: queue.warm,
    changes,
    apply: (rowsChanged, gone) => {
      if (rowsChanged.length === 0 && gone.length === 0) return;
      for (const id of gone) drop(id);
      for (const row of rowsChanged) put(row);
      changed();
    },
    ...createRatingChanges(parts, changed),
    page,
    photos: createPhotoCounts(rows, (query, policy) => results.of(query, policy, version).sorted.slots),
    matching: rules.page,
    size: rows.ids.size,
    version: () => version,
  };
}

/** Changes of ratings, which change no row. What they hide and show is noted before and after. */
function createRatingChanges(
  { rows, ratings, changes }: ReturnType<typeof createParts>,
  changed: () => void,
): Pick<LoadableIndex, 'rate' | 'rateAll' | 'useCountry'> {
  return {
    rate: (id, rating) => {
      const slot = rows.ids.find(id);
      const reached = slot < 0 ? [] : ratings.reach(slot);
      reached.forEach(changes.note);
      ratings.set(id, rating);
      reached.forEach(changes.note);
      changed();
    },
    rateAll: ratings.setAll,
    useCountry: (country) => {
      changes.noteAll();
      ratings.useCountry(country);
      changes.noteAll();
      changed();
    },
  };
}

function createLookups({ rows, groups, ratings, visibility, counted }: ReturnType<typeof createParts>): Lookups {
  return {
    isVisible: (id, policy) => {
      const slot = rows.ids.find(id);
      return slot >= 0 && visibility.shows(policy)(slot);
    },
    row: (id) => {
      const slot = rows.ids.find(id);
      return slot < 0 ? undefined : rows.at(slot);
    },
    works: {
      slotIn: rows.ids.findIn,
      idAt: rows.ids.get,
      place: (id) => {
        const slot = rows.ids.find(id);
        const kind = slot < 0 ? null : rows.kinds.get(slot);
        return kind === null ? undefined : { kind, year: rows.years.get(slot) };
      },
      of: (policy) => {
        const isShown = visibility.shows(policy);
        return (slot) => {
          const kind = isShown(slot) ? rows.kinds.get(slot) : null;
          if (kind === null) return undefined;
          return itemFacts(kind).canBeAlone === true ? null : rows.parents.get(slot);
        };
      },
    },
    itemsOf: (group, policy) => {
      const isShown = visibility.showsItem(policy);
      const { slots, ids } = groups.ordered(group);
      return ids.filter((_, i) => isShown(slots[i] ?? -1));
    },
    ratingOf: (id) => {
      const slot = rows.ids.find(id);
      return slot < 0 ? undefined : ratings.of(slot);
    },
    inFilmSets: (policy) => {
      const isShown = visibility.shows(policy);
      const found: { id: string; filmSet: string }[] = [];
      for (const slot of slotsOf(rows)) {
        const filmSet = rows.filmSets.get(slot);
        if (filmSet !== null && rows.parents.number(slot) === 0 && isShown(slot))
          found.push({ id: rows.ids.get(slot), filmSet });
      }
      return found;
    },
    counts: {
      byLibrary: (policy) => {
        const key = policyKey(policy);
        const known = counted.get(key);
        if (known) return known;
        const isShown = visibility.shows(policy);
        const { libraries } = rows;
        const counts = new Uint32Array(libraries.values.length);
        for (let slot = 0; slot < rows.ids.end(); slot++) {
          if (rows.parents.number(slot) !== 0 || !isShown(slot)) continue;
          const library = libraries.number(slot);
          counts[library] = (counts[library] as number) + 1;
        }
        const made = new Map(
          rows.libraries.values.flatMap((library, number) =>
            library !== null && counts[number] ? [[library, counts[number]]] : [],
          ),
        );
        counted.set(key, made);
        return made;
      },
      shown: (policy) => {
        const isShown = visibility.shows(policy);
        const counts: ShownCounts = { shown: 0, total: 0, hidden: { libraries: 0, rating: 0, unrated: 0, items: 0 } };
        for (const slot of slotsOf(rows)) {
          if (rows.parents.number(slot) !== 0) continue;
          counts.total++;
          if (isShown(slot)) counts.shown++;
          else counts.hidden[visibility.hiddenBy(policy, slot)]++;
        }
        return counts;
      },
    },
    idsOutside: (libraries) =>
      Array.from(slotsOf(rows))
        .filter((slot) => !libraries.has(rows.libraries.get(slot) ?? ''))
        .map(rows.ids.get),
  };
}
