/** Writes one batch of a scan: puts the files of each item together, has its kind draft it, and resolves its id. */
import { isDoubt } from '../../../contract/catalog/clues.ts';
import { factsOf } from '../../naming/folder.ts';
import type { MediaInfo } from '../../probe/types.ts';
import { type FileRecord, type FolderRecord, isSameRecord, type ItemRecord } from '../../store/records.ts';
import { type ItemGroup, guessStoredFile, isListedPlacement } from './group.ts';
import type { Headers } from './headers.ts';
import type { GuessedFile, ItemDraft, PlacedFile, KindPlacement, WantedItem } from './placement.ts';
import type { Resolver } from './resolve.ts';
import { type ScanScope, yieldTurn } from './scope.ts';
import type { Views } from './views.ts';
import { createWindowWrites, type StoredWindows, windowKey, windowsOfFile } from './windows.ts';
import { DOUBT, DOUBTFUL_CONFIDENCE, isKeyOfWork, keyOfOtherWork, worksOf } from './works.ts';

export interface WriteBatch {
  groups: ItemGroup[];
  folders: FolderRecord[];
  loose: { row: FileRecord; had: FileRecord | undefined }[];
}
export interface BatchTools {
  scope: ScanScope;
  resolver: Resolver;
  views: Views;
  signal: AbortSignal;
}

/** All files of one item, in whatever folders. */
interface Item {
  first: ItemGroup;
  files: PlacedFile[];
  /** Rows as the tables have them, by id. */
  had: Map<string, FileRecord>;
}

/** Files without a readable header make an item only if they belonged to one before. A broken extra has no problem. */
const usableIn =
  ({ placement }: ItemGroup, { known }: Headers, windows: StoredWindows) =>
  ({ row }: GuessedFile): boolean =>
    row.item !== null ||
    windows.has(row.id) ||
    (isListedPlacement(placement) ? row.problem === null || isDoubt(row.problem) : known.get(row.id) !== undefined);

export async function writeBatch(
  tools: BatchTools,
  { groups, folders, loose }: WriteBatch,
  headers: Headers,
): Promise<void> {
  const { scope, resolver, signal } = tools;
  const left = new Set<string>();
  const files: FileRecord[] = [];
  const put = (row: FileRecord, had: FileRecord | undefined) => {
    if (had?.item != null && had.item !== row.item) left.add(had.item);
    if (!had || !isSameFile(had, row)) files.push(row);
  };
  const hadWindows = await windowsOfBatch(scope, groups, loose);
  const windowWrites = createWindowWrites(hadWindows);
  for (const { row, had } of loose) {
    put({ ...row, item: null }, had);
    windowWrites.add({ ...row, item: null });
  }
  for (const group of groups) {
    const isUsable = usableIn(group, headers, hadWindows);
    for (const file of group.files) {
      file.row.evidence = file.guess.evidence;
      if (isUsable(file)) continue;
      const problem = isListedPlacement(group.placement) ? file.row.problem : null;
      put({ ...file.row, item: null, problem }, group.folder.had.get(file.row.id));
    }
  }
  await yieldTurn();
  const items = await divided(tools, await itemsOf(tools, groups, headers, hadWindows), hadWindows);
  await yieldTurn();
  const { works, known } = await sortWorks(tools, items);
  await yieldTurn();
  const ids = await resolver.settle(
    works.map(({ wanted }) => wanted),
    known,
    signal,
  );
  const written = new Set<string>();
  for (const [i, { item, isDoubtful }] of works.entries())
    for (const row of withVersions(item.files, isDoubtful)) {
      windowWrites.add({ ...row, item: ids[i] ?? null });
      if (written.has(row.id)) continue;
      written.add(row.id);
      put({ ...row, item: row.window ? null : (ids[i] ?? null) }, item.had.get(row.id));
    }
  const { windows, left: leftWindows } = windowWrites.result();
  count(scope, groups);
  await yieldTurn();
  scope.applied(
    await scope.store.put({
      folders,
      files,
      infos: headers.fresh,
      noInfos: headers.none,
      ...resolver.flush(),
      windows,
      left: [...left, ...leftWindows],
      now: scope.now,
    }),
  );
}

function count({ tally }: ScanScope, groups: readonly ItemGroup[]): void {
  for (const { files, folder } of groups.filter(({ placement }) => isListedPlacement(placement))) {
    for (const { row } of files) {
      if (folder.moved.has(row.id)) tally.moved++;
      else if (!folder.had.has(row.id)) tally.added += row.problem === null ? 1 : 0;
      else if (folder.unread.has(row.id)) tally.changed++;
    }
  }
}

/** Puts the groups of one item together, including its files in folders that did not change. */
async function itemsOf(
  tools: BatchTools,
  groups: readonly ItemGroup[],
  headers: Headers,
  hadWindows: StoredWindows,
): Promise<Item[]> {
  const items = new Map<string, Item>();
  for (const group of groups) {
    const files = group.files.filter(usableIn(group, headers, hadWindows));
    if (files.length === 0) continue;
    const item = items.get(group.key) ?? { first: { ...group }, files: [], had: new Map<string, FileRecord>() };
    item.first.isTouched ||= group.isTouched;
    for (const file of files) {
      const had = group.folder.had.get(file.row.id);
      if (had) item.had.set(file.row.id, had);
      const { view, isAlone } = group;
      item.files.push({ ...file, view, isAlone, info: headers.known.get(file.row.id) });
    }
    items.set(group.key, item);
  }
  if (!tools.scope.isFirst || [...items.values()].some(({ first }) => first.home !== undefined))
    await addOthers(tools, items);
  for (const item of items.values()) item.files.sort(byPath);
  return [...items.values()];
}

/** Returns the windows that the files of a batch had. In the first scan there are none. */
const windowsOfBatch = async (
  { isFirst, store }: ScanScope,
  groups: readonly ItemGroup[],
  loose: WriteBatch['loose'],
): Promise<StoredWindows> =>
  isFirst ? new Map() : store.windowsOf([...groups.flatMap(({ files }) => files), ...loose].map(({ row }) => row.id));

/** Replaces each item whose file holds several tracks by an item for each of them. */
async function divided({ views }: BatchTools, items: readonly Item[], hadWindows: StoredWindows): Promise<Item[]> {
  const all: Item[] = [];
  for (const item of items) {
    const [file] = item.files;
    const { placement, key } = item.first;
    const own =
      file && placement.windows
        ? await windowsOfFile(placement, file, { had: hadWindows.get(file.row.id) ?? [], views })
        : [];
    if (own.length === 0) all.push(item);
    for (const one of own)
      all.push({ ...item, first: { ...item.first, key: windowKey(key, one.row.window?.number ?? 0) }, files: [one] });
  }
  return all;
}

/** Adds parts and versions in other folders, which are found by the item that they belong to. */
async function addOthers(tools: BatchTools, items: ReadonlyMap<string, Item>): Promise<void> {
  const { store, library } = tools.scope;
  const keys = new Map(
    [...items].flatMap(([, item]) =>
      item.files.flatMap(({ row }) => (row.item === null ? [] : [[row.item, item] as const])),
    ),
  );
  const spread = [...items].filter(([, { first }]) => first.home !== undefined).map(([key]) => key);
  if (spread.length > 0)
    for (const { id, key } of await store.itemsByKey(library.id, spread)) {
      const item = items.get(key);
      if (item) keys.set(id, item);
    }
  await addFilesOf(tools, keys, [...items.values()]);
}

/** Adds the present files of stored items that are placed as the item of the batch. Returns the items that grew. */
async function addFilesOf(
  { scope, views }: BatchTools,
  items: ReadonlyMap<string, Item>,
  batch: readonly Item[],
): Promise<Set<Item>> {
  const { store, library, lost, claimed, kinds } = scope;
  const grown = new Set<Item>();
  const own = new Set(batch.flatMap(({ files }) => files.map(({ row }) => row.id)));
  const others = (await store.filesOfItems([...items.keys()])).filter(
    (row) =>
      row.missing === null &&
      row.library === library.id &&
      !own.has(row.id) &&
      !lost.has(row.id) &&
      !claimed.has(row.id),
  );
  if (others.length === 0) return grown;
  const infos: ReadonlyMap<string, MediaInfo> = await store.infosOf(others.map(({ id }) => id));
  for (const row of others) {
    const { guess, view } = await guessStoredFile(scope, views, row);
    const item = items.get(row.item ?? '');
    // A file whose name now means another item is placed with its own folder.
    if (!item || kinds.placementOf(guess)?.itemKey(guess, row.name) !== item.first.key) continue;
    item.had.set(row.id, row);
    item.files.push({ row, guess, view, isAlone: factsOf(view.videos).mains === 1, info: infos.get(row.id) });
    item.files.sort(byPath);
    grown.add(item);
  }
  return grown;
}

const byPath = (a: GuessedFile, b: GuessedFile): number =>
  `${a.row.folder}/${a.row.name}` < `${b.row.folder}/${b.row.name}` ? -1 : 1;

/** One work of an item: usually all of its files. */
interface Work {
  item: Item;
  wanted: WantedItem;
  /** Whether another work is placed alike. */
  isDoubtful: boolean;
}

/** Drafts the items, with the files of stored items that they join, and keeps different works apart. */
async function sortWorks(
  tools: BatchTools,
  items: readonly Item[],
): Promise<{ works: Work[]; known: ReadonlyMap<string, ItemRecord | undefined> }> {
  const drafts = new Map<Item, WantedItem>();
  for (const item of items) drafts.set(item, await draftOf(tools, item));
  await yieldTurn();
  const keys = [...drafts.values()].map(({ key }) => key);
  const stored = await tools.resolver.known(keys);
  const known = new Map(keys.map((key) => [key, stored.get(key)]));
  // New files that join an item with files elsewhere: the draft is made of all of them.
  const joined = new Map(
    [...drafts].flatMap(([item, { key }]) => {
      const record = known.get(key);
      const isOwn = item.files.some(({ row }) => row.item === record?.id);
      return record === undefined || isOwn ? [] : [[record.id, item] as const];
    }),
  );
  if (joined.size > 0)
    for (const item of await addFilesOf(tools, joined, items)) drafts.set(item, await draftOf(tools, item));
  const works: Work[] = [];
  for (const [item, wanted] of drafts) {
    const parts = worksOf(item.first.placement, item.files);
    const isKept = parts.length === 1 && item.files.every(({ row }) => row.item === known.get(wanted.key)?.id);
    if (isKept) works.push({ item, wanted, isDoubtful: false });
    else works.push(...(await separate(tools, { item, wanted, parts })));
  }
  return { works, known };
}

/**
 * Chooses the key of each work: that of the item which its files belong to, else the first work has that of the item.
 * Files that belonged to another item take it with them.
 */
async function separate(
  tools: BatchTools,
  { item, wanted, parts }: { item: Item; wanted: WantedItem; parts: [PlacedFile, ...PlacedFile[]][] },
): Promise<Work[]> {
  const { key } = wanted;
  const owners = [...new Set(item.files.flatMap(({ row }) => row.item ?? []))];
  const records = new Map((await tools.scope.store.itemsById(owners)).map((record) => [record.id, record]));
  const keys = new Map<PlacedFile, string>();
  const used = new Set<string>();
  const use = (part: readonly [PlacedFile, ...PlacedFile[]], own: string) => {
    keys.set(part[0], own);
    used.add(own);
  };
  for (const part of parts) {
    const own = part
      .map(({ row }) => records.get(row.item ?? '')?.key)
      .find((one) => one !== undefined && isKeyOfWork(one, key) && !used.has(one));
    if (own !== undefined) use(part, own);
  }
  for (const part of parts) if (!keys.has(part[0])) use(part, used.has(key) ? keyOfOtherWork(key, part[0]) : key);
  const isDivided = parts.length > 1;
  const isDoubtful = isDivided && item.first.placement.isSureOfWorks !== true;
  const works: Work[] = [];
  for (const part of parts) {
    const own: Item = { ...item, files: part };
    const drafted = isDivided ? await draftOf(tools, own) : wanted;
    const from = part.find(({ row }) => row.item !== null && !isKeyOfWork(records.get(row.item)?.key ?? '', key));
    works.push({
      item: own,
      isDoubtful,
      wanted: {
        ...drafted,
        key: keys.get(part[0]) ?? key,
        draft: isDoubtful ? doubtful(drafted.draft) : drafted.draft,
        movedFrom: drafted.movedFrom ?? from?.row.item ?? undefined,
      },
    });
  }
  return works;
}

/** Returns a draft that a person should check. */
const doubtful = (draft: ItemDraft): ItemDraft => ({
  ...draft,
  confidence: Math.min(draft.confidence, DOUBTFUL_CONFIDENCE),
  detail: { ...draft.detail, evidence: [...draft.detail.evidence, DOUBT] },
});

async function draftOf({ resolver, views, signal }: BatchTools, { first, files }: Item): Promise<WantedItem> {
  const moved = files.find(({ row }) => first.folder.moved.has(row.id)) ?? files.find(({ row }) => row.item !== null);
  const movedFrom = moved?.row.item ?? undefined;
  const { placement }: { placement: KindPlacement } = first;
  const placed = await placement.draft(
    { key: first.key, files, view: first.view, isAlone: first.isAlone, home: first.home, movedFrom },
    { views, group: (wanted) => resolver.group(wanted, signal), section: resolver.section },
  );
  return { ...placed, rows: files.map(({ row }) => row), movedFrom, isTouched: first.isTouched };
}

/**
 * Sets the version and part of every file, and whether a person should check it. The parts of one version share its id.
 */
function withVersions(files: readonly PlacedFile[], isDoubtful: boolean): FileRecord[] {
  const versions = new Map<string, string>();
  return files
    .toSorted((a, b) => (a.guess.part ?? 1) - (b.guess.part ?? 1))
    .map(({ row, guess }): FileRecord => {
      const label = [guess.edition, guess.version].filter((word) => word !== undefined && word !== '').join(' · ');
      const same = `${label}|${guess.part === undefined ? row.id : ''}`;
      const version = versions.get(same) ?? row.id;
      versions.set(same, version);
      const problem = isDoubtful ? (row.problem ?? DOUBT) : isDoubt(row.problem) ? null : row.problem;
      return { ...row, label, part: guess.part ?? 1, version, problem };
    });
}

/** `seen` is the time at which a file was last found new or changed. */
const isSameFile = (had: FileRecord, row: FileRecord): boolean =>
  isSameRecord(
    had,
    row,
    (Object.keys(row) as (keyof FileRecord)[]).filter((name) => name !== 'seen'),
  );
