/** Makes the lookups of `Kinds` from the registered kinds. */
import { PLACEMENT_CLUES } from '../../contract/catalog/clues.ts';
import {
  itemFacts,
  type ItemKind,
  LIBRARY_KINDS,
  type LibraryKind,
  kindNames,
  type PlacedKind,
} from '../../contract/catalog/kinds.ts';
import type { GroupRows, ItemRows, CatalogKind, Kinds } from './kind.ts';
import type { ItemOrder } from './library-index/groups.ts';
import type { FacetName } from './library-index/types.ts';
import type { FileGuess, FileType, FileToGuess, KindPlacement } from './scan/placement.ts';

/** A kind for each name that a library of the contract holds: one that is missing does not compile. */
export type KindRegistry = { readonly [K in PlacedKind]: CatalogKind<K> };

const inNoOrder: ItemOrder = () => (a, b) => a - b;
const NOT_PLACED: FileGuess = { kind: 'unplaced', evidence: [], reason: PLACEMENT_CLUES.kindNotScanned };

/** `extras` place the files that belong to an item without being one. */
export function createKinds(registered: KindRegistry, extras: readonly KindPlacement[] = []): Kinds {
  const all = kindNames(registered).map((name) => registered[name] as unknown as CatalogKind);
  const rows = new Map<ItemKind, ItemRows>();
  const owners = new Map<ItemKind, CatalogKind>();
  for (const kind of all) {
    for (const name of kindNames(kind.rows)) {
      owners.set(name, kind);
      if (itemFacts(name).role !== 'section') rows.set(name, kind.rows[name] as ItemRows);
    }
  }
  const group = (kind: ItemKind): GroupRows | undefined =>
    itemFacts(kind).role === 'group' ? (rows.get(kind) as GroupRows | undefined) : undefined;
  const facetsFor = (kinds: readonly ItemKind[]): FacetName[] => [
    ...new Set(kinds.flatMap((kind) => owners.get(kind)?.facets ?? [])),
  ];
  const placements = (library: LibraryKind): KindPlacement[] =>
    LIBRARY_KINDS[library].holds.map((name) => registered[name].placement);
  /** The placements of a library by the type of their files. */
  const byFileType = new Map(
    kindNames(LIBRARY_KINDS).map((library) => [
      library,
      [...Map.groupBy(placements(library), ({ fileType }) => fileType as FileType<unknown>)],
    ]),
  );
  const guess = (input: FileToGuess): FileGuess => {
    const types = byFileType.get(input.library) ?? [];
    const own = types.find(([type]) => type.isMedia(input.path)) ?? types[0];
    return own === undefined ? NOT_PLACED : own[0].guess(input, own[1]);
  };

  return {
    rows: (kind) => rows.get(kind),
    group,
    orderOf: (item) => group(itemFacts(item).parent ?? item)?.itemOrder ?? inNoOrder,
    searchWeight: (kind) => rows.get(kind)?.searchWeight ?? 0,
    facetsFor,
    sorts: [...new Set(all.flatMap(({ sorts }) => sorts))],
    usualSort: (kinds) => {
      const [first, ...others] = new Set(kinds.flatMap((kind) => owners.get(kind)?.sorts[0] ?? []));
      return first !== undefined && others.length === 0 ? first : 'title';
    },
    placementOf: ({ kind }) => [...all.map(({ placement }) => placement), ...extras].find(({ item }) => item === kind),
    guess,
    isMedia: (library, name) => (byFileType.get(library) ?? []).some(([type]) => type.isMedia(name)),
    placementVersions: [
      ...kindNames(registered).map((name) => `${name} ${registered[name].placement.version}`),
      ...extras.map(({ item, version }) => `${item} ${version}`),
    ].join(),
  };
}
