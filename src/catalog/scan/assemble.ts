/**
 * Assembling: gathered folders become items. Headers are read, names guessed, drafts made, ids found,
 * and each batch is written whole. Headers of the next batches are read while one is placed and written;
 * batches are written in the order in which they were found.
 */
import type { Nfo } from '../naming/nfo.ts';
import type { MediaInfo } from '../probe/types.ts';
import type { FileTable, FolderTable } from '../store/tables.ts';
import type { Gathered } from './gather.ts';
import { type Group, groupKey, groupsOf, named, type Named, showKey } from './group.ts';
import { type Headers, readHeaders } from './headers.ts';
import { UNTRUSTED } from './look.ts';
import { type Draft, episodeKey, episodeOf, filmOf, type FolderView, seasonOf, showOf, type Video } from './place.ts';
import { createResolver, type Resolver, type Wanted } from './resolve.ts';
import { breathe, parentOf, type Scope } from './scope.ts';
import { createViews, type Views } from './views.ts';

/** Videos in one batch: enough to spare transactions, few enough that nobody waits for the writer. */
const VIDEOS_AT_ONCE = 48;
/** Names that are read in one turn. */
const NAMED_AT_ONCE = 16;
/** Batches whose headers are read ahead. */
const BATCHES_AHEAD = 3;

export interface Assembler {
  /** Returns once there is room for more. Fails when a batch before failed. */
  take(gathered: readonly Gathered[], signal: AbortSignal): Promise<void>;
  /** Places again what stands below folders whose pictures or NFO changed. Answers folders that are to be written at the very end. */
  finish(signal: AbortSignal): Promise<FolderTable[]>;
}

interface Batch {
  groups: Group[];
  folders: FolderTable[];
  loose: { row: FileTable; had: FileTable | undefined }[];
}
interface Tools {
  scope: Scope;
  resolver: Resolver;
  views: Views;
  signal: AbortSignal;
}
const fresh = (): Batch => ({ groups: [], folders: [], loose: [] });

export function createAssembler(scope: Scope): Assembler {
  const { store, library } = scope;
  const views = createViews(scope);
  const resolver = createResolver(scope);
  const taken = new Set<string>();
  const again = new Set<string>();
  const held: FolderTable[] = [];
  const running = new Set<Promise<void>>();
  let tail: Promise<void> = Promise.resolve();
  let failure: { error: unknown } | undefined;

  const submit = async (batch: Batch, signal: AbortSignal): Promise<void> => {
    const reading = readHeaders(scope, batch.groups, signal);
    const before = tail;
    const job = Promise.all([before, reading])
      .then(([, headers]) => (failure ? undefined : write({ scope, resolver, views, signal }, batch, headers)))
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => running.delete(job));
    tail = job;
    running.add(job);
    while (running.size >= BATCHES_AHEAD) await Promise.race(running);
    if (failure) throw failure.error;
  };

  const take = async (gathered: readonly Gathered[], signal: AbortSignal) => {
    for (const one of gathered) {
      taken.add(one.folder.path);
      views.put(one);
    }
    let batch = fresh();
    let [videos, named] = [0, 0];
    const flush = () => {
      const full = batch;
      [batch, videos] = [fresh(), 0];
      return submit(full, signal);
    };
    for (const one of gathered) {
      const { groups, loose } = groupsOf(one, library);
      if ((named += one.videos.length + 1) >= NAMED_AT_ONCE) {
        named = 0;
        await breathe();
      }
      batch.loose.push(...loose.map((row) => ({ row, had: one.had.get(row.id) })));
      for (const each of groups) {
        batch.groups.push(each);
        videos += each.rows.length;
        if (videos >= VIDEOS_AT_ONCE) await flush();
      }
      const isAgain = one.videos.length === 0 && one.asides.length > 0 && one.folder.path !== '';
      if (isAgain) again.add(one.folder.path);
      // The folder's row comes last: a scan that is cut off before it lists the folder again.
      const isLast = isAgain || one.hasLost || one.hasFolders;
      if (isLast) held.push(one.folder);
      batch.folders.push(isLast ? { ...one.folder, mtime: UNTRUSTED, signature: '' } : one.folder);
      if (batch.folders.length + batch.loose.length >= VIDEOS_AT_ONCE) await flush();
    }
    await flush();
  };

  return {
    take,
    finish: async (signal) => {
      const folders = scope.isFirst
        ? []
        : (await store.foldersBelow(library.id, [...again])).filter(({ path }) => !taken.has(path));
      for (let i = 0; i < folders.length; i += 50) await take(await views.fromTables(folders.slice(i, i + 50)), signal);
      await tail;
      if (failure) throw failure.error;
      return held;
    },
  };
}

/** Everything that belongs to one item, in whichever folders. */
interface Item {
  first: Group;
  rows: Named[];
  /** Rows as the tables have them, by id. */
  had: Map<string, FileTable>;
  videos: Video[];
}

async function write(tools: Tools, { groups, folders, loose }: Batch, headers: Headers): Promise<void> {
  const { scope, signal } = tools;
  const left = new Set<string>();
  const files: FileTable[] = [];
  const put = (row: FileTable, had: FileTable | undefined) => {
    if (had?.item != null && had.item !== row.item) left.add(had.item);
    if (!had || !isSame(had, row)) files.push(row);
  };
  for (const { row, had } of loose) put({ ...row, item: null }, had);
  const usable = ({ row }: Named) => row.problem === null || row.item !== null;
  for (const { rows, folder } of groups) {
    for (const one of rows) {
      one.row.evidence = JSON.stringify(one.guess.evidence);
      if (!usable(one)) put({ ...one.row, item: null }, folder.had.get(one.row.id));
    }
  }
  await breathe();
  const items = await itemsOf(tools, groups, { usable, headers });
  await breathe();
  const wanted = await draftsOf(tools, items);
  await breathe();
  const ids = await tools.resolver.settle(
    wanted.map(({ wanted: one }) => one),
    signal,
  );
  for (const [i, { item }] of wanted.entries())
    for (const row of versioned(item.rows)) put({ ...row, item: ids[i] ?? null }, item.had.get(row.id));
  count(scope, groups);
  await breathe();
  scope.applied(
    await scope.store.put({
      folders,
      files,
      infos: headers.fresh,
      noInfos: headers.none,
      items: tools.resolver.flush(),
      left: [...left],
      now: scope.now,
    }),
  );
}

function count({ tally }: Scope, groups: readonly Group[]): void {
  for (const { rows, folder } of groups) {
    for (const { row } of rows) {
      if (folder.moved.has(row.id)) tally.moved++;
      else if (!folder.had.has(row.id)) tally.added += row.problem === null ? 1 : 0;
      else if (folder.unread.has(row.id)) tally.changed++;
    }
  }
}

/** Puts the groups of one item together, with those of its files that stand in folders which did not change. */
async function itemsOf(
  tools: Tools,
  groups: readonly Group[],
  { usable, headers }: { usable(one: Named): boolean; headers: Headers },
): Promise<Item[]> {
  const items = new Map<string, Item>();
  for (const each of groups) {
    const rows = each.rows.filter(usable);
    if (rows.length === 0) continue;
    const item = items.get(each.key) ?? { first: { ...each }, rows: [], had: new Map<string, FileTable>(), videos: [] };
    item.first.isTouched ||= each.isTouched;
    item.rows.push(...rows);
    for (const { row } of rows) {
      const had = each.folder.had.get(row.id);
      if (had) item.had.set(row.id, had);
    }
    items.set(each.key, item);
    item.videos.push(...(await videosOf(tools, rows, each, headers.known)));
  }
  if (!tools.scope.isFirst || [...items.values()].some(({ first }) => first.home !== undefined))
    await addOthers(tools, items);
  const place = ({ row }: Named) => `${row.folder}/${row.name}`;
  for (const item of items.values()) {
    const order = item.rows
      .map((one, i) => ({ one, video: item.videos[i] as Video }))
      .sort((a, b) => (place(a.one) < place(b.one) ? -1 : 1));
    [item.rows, item.videos] = [order.map(({ one }) => one), order.map(({ video }) => video)];
  }
  return [...items.values()];
}

const videosOf = (
  { views }: Tools,
  rows: readonly Named[],
  { view, isAlone }: Pick<Group, 'view' | 'isAlone'>,
  infos: ReadonlyMap<string, MediaInfo | undefined>,
): Promise<Video[]> =>
  Promise.all(
    rows.map(async ({ row, guess }) => ({
      name: row.name,
      guess,
      info: infos.get(row.id),
      nfos: await views.nfo(view, row.name, isAlone),
    })),
  );

/** Parts and versions in other folders: found by the item that their neighbours belong to. */
async function addOthers(tools: Tools, items: ReadonlyMap<string, Item>): Promise<void> {
  const { store, library, lost } = tools.scope;
  const films = [...items].filter(([, { first }]) => first.home !== undefined);
  const known = new Map(
    [...items].flatMap(([key, { rows }]) =>
      rows.flatMap(({ row }) => (row.item === null ? [] : [[row.item, key] as const])),
    ),
  );
  for (const { id, key } of films.length === 0
    ? []
    : await store.itemsByKey(
        library.id,
        films.map(([key]) => key),
      ))
    known.set(id, key);
  const own = new Set([...items.values()].flatMap(({ rows }) => rows.map(({ row }) => row.id)));
  const others = (await store.filesOfItems([...known.keys()])).filter(
    (row) =>
      row.missing === null &&
      row.library === library.id &&
      !own.has(row.id) &&
      !lost.has(row.id) &&
      !tools.scope.claimed.has(row.id),
  );
  if (others.length === 0) return;
  const infos = new Map(
    [...(await store.infosOf(others.map(({ id }) => id)))].map(([id, text]) => [id, JSON.parse(text) as MediaInfo]),
  );
  for (const row of others) {
    const view = (await tools.views.of(row.folder)) ?? { path: row.folder, videos: [row.name], asides: [] };
    const guess = named(library, row, [...view.videos, ...view.asides.map(({ n }) => n)]);
    const item = items.get(known.get(row.item ?? '') ?? '');
    // A file whose name makes it another item by now is placed with its own folder.
    if (!item || groupKey(guess, row.name) !== item.first.key) continue;
    item.rows.push({ row, guess });
    item.had.set(row.id, row);
    item.videos.push(...(await videosOf(tools, [{ row, guess }], { view, isAlone: view.videos.length === 1 }, infos)));
  }
}

async function draftsOf(tools: Tools, items: readonly Item[]): Promise<{ item: Item; wanted: Wanted }[]> {
  const drafts: { item: Item; wanted: Wanted }[] = [];
  for (const item of items) {
    const { first, rows, videos } = item;
    const movedFrom = rows.find(({ row }) => first.folder.moved.has(row.id))?.row.item ?? undefined;
    const base = {
      rows: rows.map(({ row }) => row),
      movedFrom,
      isTouched: first.isTouched,
      show: undefined,
      season: undefined,
    };
    if (videos[0]?.guess.kind === 'movie') {
      const home = first.home === undefined ? undefined : await tools.views.of(first.home);
      const nfo = home && (await tools.views.nfo(home, '', true));
      const view = home ?? first.view;
      drafts.push({
        item,
        wanted: {
          ...base,
          key: first.key,
          draft: filmOf(
            view,
            nfo && nfo.length > 0 ? videos.map((one) => ({ ...one, nfos: nfo })) : videos,
            first.isAlone && view.videos.length <= rows.length,
          ),
        },
      });
    } else drafts.push({ item, wanted: { ...base, ...(await episodeDraft(tools, item, movedFrom)) } });
  }
  return drafts;
}

async function episodeDraft(
  { resolver, views, signal }: Tools,
  { first, rows, videos }: Item,
  movedFrom: string | undefined,
) {
  const said = (videos[0] as Video).guess;
  const folder = said.show?.folder;
  const view = folder === undefined ? undefined : await views.of(folder);
  const nfo = view ? await views.showNfo(view) : undefined;
  const show = await resolver.show(
    {
      key: showKey(said),
      movedFrom,
      isTold: folder !== undefined || nfo !== undefined,
      draft: () => showOf(said, view, nfo),
    },
    signal,
  );
  const own: Nfo | undefined = videos.find(({ nfos }) => nfos.length > 0)?.nfos[0];
  const number = own?.season ?? said.season ?? (said.date === undefined ? 1 : Number(said.date.slice(0, 4)));
  const season = await resolver.season(show.id, number, async () =>
    seasonOf(number, view, await seasonView(views, first.view, folder)),
  );
  return {
    key: `episode:${show.id}:${number}:${episodeKey(said, rows[0]?.row.name ?? '')}`,
    draft: episodeOf(first.view, videos, show.draft, number),
    show: show.id,
    season,
  };
}

/** The folder of a season: right below the show's. An episode may have one of its own inside. */
async function seasonView(views: Views, own: FolderView, show: string | undefined): Promise<FolderView | undefined> {
  if (show === undefined || own.path === show) return undefined;
  let path = own.path;
  while (path !== '' && parentOf(path) !== show) path = parentOf(path);
  return path === own.path ? own : path === '' ? undefined : views.of(path);
}

/** Gives every file its version and part: parts of one version share its id. */
function versioned(rows: readonly Named[]): FileTable[] {
  const firsts = new Map<string, string>();
  return rows
    .toSorted((a, b) => (a.guess.part ?? 1) - (b.guess.part ?? 1))
    .map(({ row, guess: said }): FileTable => {
      const label = [said.edition, said.version].filter((word) => word !== undefined && word !== '').join(' · ');
      const same = `${label}|${said.part === undefined ? row.id : ''}`;
      const version = firsts.get(same) ?? row.id;
      firsts.set(same, version);
      return { ...row, label, part: said.part ?? 1, version };
    });
}

/** `seen` is when it was last found new or different. */
const isSame = (had: FileTable, row: FileTable): boolean =>
  (Object.keys(row) as (keyof FileTable)[]).every((key) => key === 'seen' || had[key] === row[key]);

export type { Draft };
