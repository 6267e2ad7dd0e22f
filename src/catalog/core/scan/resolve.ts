/**
 * Resolving: which item a draft is. It is the one with the same key, else the one that its file belonged to before it
 * moved, else a new one. Items that did not change are not written, so that a second scan changes nothing.
 */
import { itemFacts, type ItemKind } from '../../../contract/catalog/kinds.ts';
import { newId } from '../../../lib/ids.ts';
import { sortTitleOf } from '../../naming/text.ts';
import { folderKey } from '../paths.ts';
import { type FileRecord, isSameRecord, type ItemRecord, type ItemToStore } from '../../store/records.ts';
import type { KnownItem } from '../../store/layers/index.ts';
import { createFormerItems } from './former-items.ts';
import { guessStoredFile } from './group.ts';
import type { FilesOfItem, ItemDraft, PlacementTools, WantedGroup, WantedItem } from './placement.ts';
import type { ScanScope } from './scope.ts';
import type { Views } from './views.ts';
import { windowKey } from './windows.ts';

export interface Resolver {
  /** Returns the group with this key. Creates it if there is none. */
  group(wanted: WantedGroup, signal: AbortSignal): Promise<{ id: string; draft: ItemDraft }>;
  section(group: string, number: number, draft: () => Promise<ItemDraft>): Promise<string>;
  /** Returns the stored items with these keys. */
  known(keys: readonly string[]): Promise<Map<string, KnownItem>>;
  /** Returns ids in the order of what was wanted. `known` are the stored items with keys that were asked for. */
  settle(
    wanted: readonly WantedItem[],
    known: ReadonlyMap<string, ItemRecord | undefined>,
    signal: AbortSignal,
  ): Promise<string[]>;
  /** Returns what has to be written since the last call, and the groups and sections that items left. */
  flush(): { items: ItemToStore[]; vacated: string[] };
}

export function createResolver(scope: ScanScope, views: Views): Resolver {
  const { store, library, clock, now } = scope;
  const groups = new Map<string, Promise<{ id: string; draft: ItemDraft }>>();
  const sections = new Map<string, Promise<string>>();
  /** Keys of items that this scan has written. */
  const settled = new Set<string>();
  let vacated = new Set<string>();
  let waiting = new Map<string, ItemToStore>();

  const queue = (had: ItemRecord | undefined, item: ItemToStore, isTouched = false) => {
    if (isTouched || !had || !isSameItem(had, item)) waiting.set(item.id, item);
  };
  const byKeys = async (keys: readonly string[]): Promise<Map<string, KnownItem>> =>
    new Map((await storedOf(keys)).map((item) => [item.key, item]));
  /** In the first scan, only items that the scan itself wrote are stored. */
  const storedOf = async (keys: readonly string[]): Promise<KnownItem[]> => {
    const asked = scope.isFirst ? keys.filter((key) => settled.has(key)) : keys;
    return asked.length === 0 ? [] : store.itemsByKey(library.id, asked);
  };
  /** The first scan of a library dates items by their files; items found later are dated by when they are found. */
  const addedAt = (rows: readonly FileRecord[]) =>
    library.last_full === null && rows.length > 0
      ? Math.min(clock.now(), Math.max(...rows.map(({ mtime }) => Math.round(mtime))))
      : clock.now();

  const findGroup = async (wanted: WantedGroup, signal: AbortSignal) => {
    const { key, otherKey = key, movedFrom, isNamedByFolder } = wanted;
    const made = wanted.draft();
    const stored = await byKeys([key, otherKey]);
    const own = stored.get(key) ?? stored.get(otherKey);
    const had = own ?? (movedFrom === undefined ? undefined : await former.desertedGroup(movedFrom, signal));
    const item = itemOf(made, { id: had?.id ?? newId(), key, library: library.id, added: had?.added ?? now });
    // A group that is named after one of its files keeps its first name.
    if (had?.key === key && !isNamedByFolder) queue(had, { ...item, title: had.title, sort_title: had.sort_title });
    else queue(had, item);
    // Items without genres or a rating have those of their group as it is shown.
    const shown = had?.shown;
    return { id: item.id, draft: shown ? { ...made, genres: [...shown.genres], ...ratingOf(shown) } : made };
  };
  const findSection = async (key: string, group: string, number: number, draft: () => Promise<ItemDraft>) => {
    const had = (await byKeys([key])).get(key);
    // The sections of a group that came from another library have the same keys there.
    const other = had ?? (scope.isFirst ? undefined : await store.sectionOf(group, number));
    const item = itemOf(await draft(), {
      id: other?.id ?? newId(),
      key,
      library: library.id,
      added: other?.added ?? now,
      group,
    });
    queue(other, item);
    return item.id;
  };

  const group: Resolver['group'] = (wanted, signal) => {
    const finding = groups.get(wanted.key) ?? findGroup(wanted, signal);
    groups.set(wanted.key, finding);
    return finding;
  };
  const section: Resolver['section'] = (of, number, draft) => {
    const key = `season:${of}:${number}`;
    const finding = sections.get(key) ?? findSection(key, of, number, draft);
    sections.set(key, finding);
    return finding;
  };
  const keyOf = (row: FileRecord, signal: AbortSignal) =>
    keyOfStoredFile(scope, row, { views, group: (wanted) => group(wanted, signal), section });
  const former = createFormerItems({ scope, views, keyOf });

  return {
    group,
    section,
    known: byKeys,
    settle: async (wanted, known, signal) => {
      const had = await byKeys(wanted.map(({ key }) => key).filter((key) => !known.has(key)));
      for (const { key } of wanted) {
        const item = known.get(key);
        if (item) had.set(key, item);
      }
      const moved = await former.movedItems(
        wanted.filter(({ key }) => !had.has(key)),
        { all: wanted, signal },
      );
      const taken = new Set<string>([...had.values()].map(({ id }) => id));
      return wanted.map(({ key, draft, group, section, movedFrom, rows, isTouched }) => {
        const former = movedFrom === undefined || taken.has(movedFrom) ? undefined : moved.get(movedFrom);
        // A film that turns out to be a trailer does not become one: it is gone.
        const from = former && roleOf(former.kind) === roleOf(draft.kind) ? former : undefined;
        const before = had.get(key) ?? from;
        const id = before?.id ?? newId();
        taken.add(id);
        settled.add(key);
        for (const [was, is] of [
          [before?.show, group],
          [before?.season, section],
        ] as const)
          if (was != null && was !== is) vacated.add(was);
        const added = before?.added ?? addedAt(rows);
        queue(before, itemOf(draft, { id, key, library: library.id, added, group, section }), isTouched);
        return id;
      });
    },
    flush: () => {
      const result = { items: [...waiting.values()], vacated: [...vacated] };
      [waiting, vacated] = [new Map(), new Set()];
      return result;
    },
  };
}

const ratingOf = ({ rating }: ItemRecord): Pick<ItemDraft, 'rating'> => (rating === null ? {} : { rating });
const roleOf = (kind: string): string => itemFacts(kind as ItemKind).role;

/** Returns the key of the item that a stored file makes now; undefined if it makes none. */
async function keyOfStoredFile(scope: ScanScope, row: FileRecord, tools: PlacementTools): Promise<string | undefined> {
  const { guess, view } = await guessStoredFile(scope, tools.views, row);
  const placement = scope.kinds.placementOf(guess);
  if (!placement) return undefined;
  const key = placement.itemKey(guess, row.name);
  const file = { row, guess, view, isAlone: false, info: undefined };
  const item: FilesOfItem = {
    key: row.window ? windowKey(key, row.window.number) : key,
    files: [file],
    view,
    isAlone: false,
    home: placement.home(guess, row.folder),
    movedFrom: undefined,
  };
  return (await placement.draft(item, tools)).key;
}

interface ItemPlace {
  id: string;
  key: string;
  library: string;
  added: number;
  group?: string | undefined;
  section?: string | undefined;
}
const itemOf = (draft: ItemDraft, { id, key, library, added, group, section }: ItemPlace): ItemToStore => ({
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
  community_rating: draft.communityRating ?? null,
  added,
  duration: draft.duration ?? null,
  resolution: draft.resolution ?? null,
  hdr: draft.hdr ?? null,
  codecs: draft.codecs ?? [],
  camera: draft.camera ?? null,
  folder: draft.folder === undefined ? null : folderKey(library, draft.folder),
  genres: draft.genres,
  languages: draft.languages,
  artists: draft.artists ?? [],
  images: draft.images,
  show: group ?? null,
  season: section ?? null,
  season_number: draft.section ?? null,
  episode_number: draft.number ?? null,
  episode_end: draft.numberEnd ?? null,
  confidence: draft.confidence,
  detail: draft.detail,
  present: 1,
  missing: null,
});

const isSameItem = (had: ItemRecord, item: ItemToStore): boolean =>
  isSameRecord<ItemToStore>(had, item, Object.keys(item) as (keyof ItemToStore)[]);
