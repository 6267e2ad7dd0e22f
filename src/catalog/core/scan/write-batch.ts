/** Writes one batch of a scan: puts the files of each item together, has its kind draft it, and resolves its id. */
import type { MediaInfo } from '../../probe/types.ts';
import { type FileRecord, type FolderRecord, isSameRecord } from '../../store/records.ts';
import { type ItemGroup, guessFile } from './group.ts';
import type { Headers } from './headers.ts';
import type { GuessedFile, PlacedFile, KindPlacement, WantedItem } from './placement.ts';
import type { Resolver } from './resolve.ts';
import { type ScanScope, yieldTurn } from './scope.ts';
import type { Views } from './views.ts';

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

/** Files without a readable header make an item only if they belonged to one before. */
const isUsable = ({ row }: GuessedFile): boolean => row.problem === null || row.item !== null;

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
  for (const { row, had } of loose) put({ ...row, item: null }, had);
  for (const group of groups) {
    for (const file of group.files) {
      file.row.evidence = file.guess.evidence;
      if (!isUsable(file)) put({ ...file.row, item: null }, group.folder.had.get(file.row.id));
    }
  }
  await yieldTurn();
  const items = await itemsOf(tools, groups, headers);
  await yieldTurn();
  const wanted: { item: Item; wanted: WantedItem }[] = [];
  for (const item of items) wanted.push({ item, wanted: await draftOf(tools, item) });
  await yieldTurn();
  const ids = await resolver.settle(
    wanted.map((one) => one.wanted),
    signal,
  );
  for (const [i, { item }] of wanted.entries())
    for (const row of withVersions(item.files)) put({ ...row, item: ids[i] ?? null }, item.had.get(row.id));
  count(scope, groups);
  await yieldTurn();
  scope.applied(
    await scope.store.put({
      folders,
      files,
      infos: headers.fresh,
      noInfos: headers.none,
      items: resolver.flush(),
      left: [...left],
      now: scope.now,
    }),
  );
}

function count({ tally }: ScanScope, groups: readonly ItemGroup[]): void {
  for (const { files, folder } of groups) {
    for (const { row } of files) {
      if (folder.moved.has(row.id)) tally.moved++;
      else if (!folder.had.has(row.id)) tally.added += row.problem === null ? 1 : 0;
      else if (folder.unread.has(row.id)) tally.changed++;
    }
  }
}

/** Puts the groups of one item together, including its files in folders that did not change. */
async function itemsOf(tools: BatchTools, groups: readonly ItemGroup[], headers: Headers): Promise<Item[]> {
  const items = new Map<string, Item>();
  for (const group of groups) {
    const files = group.files.filter(isUsable);
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
  const path = ({ row }: GuessedFile) => `${row.folder}/${row.name}`;
  for (const item of items.values()) item.files.sort((a, b) => (path(a) < path(b) ? -1 : 1));
  return [...items.values()];
}

/** Adds parts and versions in other folders, which are found by the item that they belong to. */
async function addOthers({ scope, views }: BatchTools, items: ReadonlyMap<string, Item>): Promise<void> {
  const { store, library, lost, claimed, kinds } = scope;
  const keys = new Map(
    [...items].flatMap(([key, { files }]) =>
      files.flatMap(({ row }) => (row.item === null ? [] : [[row.item, key] as const])),
    ),
  );
  const spread = [...items].filter(([, { first }]) => first.home !== undefined).map(([key]) => key);
  if (spread.length > 0) for (const { id, key } of await store.itemsByKey(library.id, spread)) keys.set(id, key);
  const own = new Set([...items.values()].flatMap(({ files }) => files.map(({ row }) => row.id)));
  const others = (await store.filesOfItems([...keys.keys()])).filter(
    (row) =>
      row.missing === null &&
      row.library === library.id &&
      !own.has(row.id) &&
      !lost.has(row.id) &&
      !claimed.has(row.id),
  );
  if (others.length === 0) return;
  const infos: ReadonlyMap<string, MediaInfo> = await store.infosOf(others.map(({ id }) => id));
  for (const row of others) {
    const view = (await views.of(row.folder)) ?? { path: row.folder, videos: [row.name], companions: [] };
    const guess = guessFile(scope, row, [...view.videos, ...view.companions.map(({ n }) => n)]);
    const item = items.get(keys.get(row.item ?? '') ?? '');
    // A file whose name now means another item is placed with its own folder.
    if (!item || kinds.placementOf(guess)?.itemKey(guess, row.name) !== item.first.key) continue;
    item.had.set(row.id, row);
    item.files.push({ row, guess, view, isAlone: view.videos.length === 1, info: infos.get(row.id) });
  }
}

async function draftOf({ resolver, views, signal }: BatchTools, { first, files }: Item): Promise<WantedItem> {
  const movedFrom = files.find(({ row }) => first.folder.moved.has(row.id))?.row.item ?? undefined;
  const { placement }: { placement: KindPlacement } = first;
  const placed = await placement.draft(
    { key: first.key, files, view: first.view, isAlone: first.isAlone, home: first.home, movedFrom },
    { views, group: (wanted) => resolver.group(wanted, signal), section: resolver.section },
  );
  return { ...placed, rows: files.map(({ row }) => row), movedFrom, isTouched: first.isTouched };
}

/** Sets the version and part of every file. The parts of one version share its id. */
function withVersions(files: readonly PlacedFile[]): FileRecord[] {
  const versions = new Map<string, string>();
  return files
    .toSorted((a, b) => (a.guess.part ?? 1) - (b.guess.part ?? 1))
    .map(({ row, guess }): FileRecord => {
      const label = [guess.edition, guess.version].filter((word) => word !== undefined && word !== '').join(' · ');
      const same = `${label}|${guess.part === undefined ? row.id : ''}`;
      const version = versions.get(same) ?? row.id;
      versions.set(same, version);
      return { ...row, label, part: guess.part ?? 1, version };
    });
}

/** `seen` is the time at which a file was last found new or changed. */
const isSameFile = (had: FileRecord, row: FileRecord): boolean =>
  isSameRecord(
    had,
    row,
    (Object.keys(row) as (keyof FileRecord)[]).filter((name) => name !== 'seen'),
  );
