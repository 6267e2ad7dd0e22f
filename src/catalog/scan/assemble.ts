/**
 * Assembling: gathered folders become items. Headers are read, names guessed, drafts made, ids found,
 * and each batch is written whole.
 */
import type { Clock } from '../../lib/clock.ts';
import { guess } from '../naming/guess.ts';
import { parseNfo, type Nfo } from '../naming/nfo.ts';
import { fold, isVideoName } from '../naming/text.ts';
import type { Guess } from '../naming/types.ts';
import type { MediaInfo, Probe, ProbeFailure, ProbeResult } from '../probe/types.ts';
import { PROBE_VERSION } from '../probe/types.ts';
import type { ScanningStore } from '../store/scanning.ts';
import type { FileTable, ItemTable, LibraryTable } from '../store/tables.ts';
import type { Gathered } from './gather.ts';
import { type Aside, type Draft, episodeKey, episodeOf, filmOf, type FolderView, nfoNameFor, seasonOf, showOf, type Video } from './place.ts';
import { createResolver, type Resolver } from './resolve.ts';

/** Videos in one write: enough to spare transactions, few enough that nobody waits for the writer. */
const VIDEOS_AT_ONCE = 96;

export interface AssembleNeeds {
  store: ScanningStore;
  probe: Probe;
  clock: Clock;
  library: LibraryTable;
  now: number;
  readText(library: string, relative: string): Promise<Uint8Array | undefined>;
  applied(items: readonly ItemTable[]): void;
}

/** The files of one item in one folder. */
interface Group {
  key: string;
  folder: Gathered;
  view: FolderView;
  isAlone: boolean;
  rows: { row: FileTable; guess: Guess }[];
}

export interface Assembler {
  take(gathered: readonly Gathered[], signal: AbortSignal): Promise<void>;
  /** Places again what stands below folders whose pictures or NFO changed. */
  finish(signal: AbortSignal): Promise<void>;
}

const relative = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`);

export function createAssembler(needs: AssembleNeeds): Assembler {
  const { store, probe, library } = needs;
  const views = createViews(needs);
  const resolver = createResolver(needs);
  const taken = new Set<string>();
  const again = new Set<string>();

  const write = async (groups: readonly Group[], folders: readonly Gathered[], loose: readonly FileTable[], signal: AbortSignal) => {
    const batch = { folders: folders.map(({ folder }) => folder), files: [...loose] as FileTable[], infos: [] as { file: string; info: string }[] };
    const infos = await readHeaders(needs, groups, signal);
    for (const { row, info } of infos.fresh) batch.infos.push({ file: row.id, info: JSON.stringify(info) });
    const items = await makeItems(groups, infos.known, { resolver, views, signal });
    batch.files.push(...items.files);
    const written = await store.put({ ...batch, items: items.items });
    needs.applied(written);
    // A file that went to another item may have left an empty one behind.
    needs.applied(await store.settle(items.left, needs.now));
  };

  const take = async (gathered: readonly Gathered[], signal: AbortSignal) => {
    for (const one of gathered) {
      taken.add(one.folder.path);
      views.put(one);
      if (one.videos.length === 0 && one.asides.length > 0) again.add(one.folder.path);
    }
    let groups: Group[] = [];
    let folders: Gathered[] = [];
    let loose: FileTable[] = [];
    let videos = 0;
    const flush = async () => {
      if (groups.length + folders.length + loose.length === 0) return;
      const [g, f, l] = [groups, folders, loose];
      [groups, folders, loose, videos] = [[], [], [], 0];
      await write(g, f, l, signal);
    };
    for (const one of gathered) {
      const sorted = group(one, library);
      loose.push(...sorted.loose);
      for (const each of sorted.groups) {
        groups.push(each);
        videos += each.rows.length;
        if (videos >= VIDEOS_AT_ONCE) await flush();
      }
      // The folder's row comes last: a scan that is cut off before it lists the folder again.
      folders.push(one);
      if (folders.length >= VIDEOS_AT_ONCE) await flush();
    }
    await flush();
  };

  return {
    take,
    finish: async (signal) => {
      const below = [...again].flatMap((path) => (path === '' ? [] : [path]));
      if (below.length === 0 || taken.size === 0) return;
      const folders = (await store.foldersBelow(library.id, below)).filter(({ path }) => !taken.has(path));
      for (let i = 0; i < folders.length; i += 50) await take(await views.fromTables(folders.slice(i, i + 50)), signal);
    },
  };
}

/** Sorts the videos of a folder into items; what makes none is loose, with its reason. */
function group(one: Gathered, library: LibraryTable): { groups: Group[]; loose: FileTable[] } {
  const kind = library.kind === 'movies' || library.kind === 'shows' ? library.kind : 'mixed';
  const view: FolderView = { path: one.folder.path, videos: one.videos.map(({ name }) => name), asides: one.asides };
  const byKey = new Map<string, Group>();
  const loose: FileTable[] = [];
  const films = new Set<string>();
  for (const row of one.videos) {
    const said = guess({ kind, path: relative(row.folder, row.name), siblings: one.names });
    if (said.kind !== 'movie' && said.kind !== 'episode') {
      loose.push({ ...row, item: null, label: said.kind, problem: said.kind === 'unplaced' ? (said.reason ?? 'nothing in its name says what it is') : null, evidence: JSON.stringify(said.evidence) });
      continue;
    }
    if (said.kind === 'movie') films.add(said.folderKey);
    const key = said.kind === 'movie' ? `film:${said.folderKey}` : `${showKey(said)}#${episodeKey(said, row.name)}`;
    const had = byKey.get(key) ?? { key, folder: one, view, isAlone: false, rows: [] };
    had.rows.push({ row, guess: said });
    byKey.set(key, had);
  }
  for (const each of byKey.values()) each.isAlone = films.size === 1 && byKey.size === 1;
  return { groups: [...byKey.values()], loose };
}

export const showKey = ({ show, title }: Guess): string => `show:${fold(show?.title ?? title)}:${show?.year ?? ''}`;

const LOST: ReadonlySet<ProbeFailure> = new Set(['hung', 'unreadable']);

interface Headers {
  fresh: { row: FileTable; info: MediaInfo }[];
  known: Map<string, MediaInfo | undefined>;
}

/** Reads the headers that are new, and takes the others from the tables. Marks files that have none. */
async function readHeaders({ probe, store, library }: AssembleNeeds, groups: readonly Group[], signal: AbortSignal): Promise<Headers> {
  const rows = groups.flatMap(({ rows: own, folder }) => own.map(({ row }) => ({ row, isUnread: folder.unread.has(row.id) })));
  const unread = rows.filter(({ isUnread }) => isUnread).map(({ row }) => row);
  const results: ProbeResult[] = unread.length === 0 ? [] : await probe.probe(unread.map((row) => ({ path: `${library.path}/${relative(row.folder, row.name)}`, size: row.size, mtimeMs: row.mtime })), signal);
  const known = new Map<string, MediaInfo | undefined>();
  const fresh: Headers['fresh'] = [];
  for (const [i, row] of unread.entries()) {
    const result = results[i];
    if (result?.ok) fresh.push({ row, info: result.info });
    known.set(row.id, result?.ok ? result.info : undefined);
    row.problem = result?.ok ? null : (result?.sentence ?? 'it could not be read');
    // A disk that did not answer is asked again next time; a broken file only when it changes.
    row.probed = !result?.ok && result && LOST.has(result.reason) ? 0 : PROBE_VERSION;
  }
  const rest = rows.filter(({ isUnread }) => !isUnread).map(({ row }) => row.id);
  for (const [id, text] of await store.infosOf(rest)) known.set(id, JSON.parse(text) as MediaInfo);
  return { fresh, known };
}

interface Making {
  resolver: Resolver;
  views: Views;
  signal: AbortSignal;
}

/** Makes the items of some groups, with the ids they have or get. */
async function makeItems(groups: readonly Group[], infos: ReadonlyMap<string, MediaInfo | undefined>, { resolver, views }: Making) {
  const files: FileTable[] = [];
  const left = new Set<string>();
  const drafts: { key: string; draft: Draft; group: Group; show?: string; season?: string }[] = [];
  for (const each of groups) {
    const usable = each.rows.filter(({ row }) => row.problem === null || row.item !== null);
    for (const { row, guess: said } of each.rows) {
      row.evidence = JSON.stringify(said.evidence);
      if (usable.some((one) => one.row === row)) continue;
      if (row.item !== null) left.add(row.item);
      files.push({ ...row, item: null });
    }
    if (usable.length === 0) continue;
    const videos: Video[] = await Promise.all(usable.map(async ({ row, guess: said }) => ({ name: row.name, guess: said, info: infos.get(row.id), nfo: await views.nfo(each.view, row.name, each.isAlone) })));
    const own: Group = { ...each, rows: usable };
    const first = videos[0] as Video;
    if (first.guess.kind === 'movie') drafts.push({ key: each.key, draft: filmOf(each.view, videos, each.isAlone), group: own });
    else drafts.push({ ...(await episodeDraft(own, videos, { resolver, views })), group: own });
  }
  const ids = await resolver.settle(drafts.map(({ key, draft, group: own, show, season }) => ({ key, draft, show, season, rows: own.rows.map(({ row }) => row), movedFrom: own.rows.find(({ row }) => own.folder.moved.has(row.id))?.row.item ?? undefined })));
  for (const [i, { group: own }] of drafts.entries()) {
    const id = ids[i] as string;
    for (const placed of versioned(own)) {
      if (placed.item !== null && placed.item !== id) left.add(placed.item);
      files.push({ ...placed, item: id });
    }
  }
  return { items: resolver.flush(), files, left: [...left] };
}

async function episodeDraft(own: Group, videos: readonly Video[], { resolver, views }: Omit<Making, 'signal'>) {
  const first = videos[0] as Video;
  const said = first.guess;
  const key = showKey(said);
  const folder = said.show?.folder;
  const view = folder === undefined ? undefined : await views.of(folder);
  const nfo = view ? await views.showNfo(view) : undefined;
  const movedFrom = own.rows.map(({ row }) => row).find(({ id, item }) => item !== null && own.folder.moved.has(id));
  const show = await resolver.show(key, () => showOf(said, view, nfo), movedFrom?.item ?? undefined);
  const number = first.nfo?.season ?? said.season ?? (said.date === undefined ? 1 : Number(said.date.slice(0, 4)));
  const season = await resolver.season(show.id, number, () => seasonOf(number, view, own.view, said));
  return { key: `episode:${show.id}:${number}:${episodeKey(said, own.rows[0]?.row.name ?? '')}`, draft: episodeOf(own.view, videos, show.draft, number), show: show.id, season };
}

/** Gives every file its version and part: parts of one version share its id. */
function versioned({ rows }: Group): FileTable[] {
  const firsts = new Map<string, string>();
  return rows
    .toSorted((a, b) => (a.guess.part ?? 1) - (b.guess.part ?? 1))
    .map(({ row, guess: said }) => {
      const label = [said.edition, said.version].filter((word) => word !== undefined && word !== '').join(' · ');
      const part = said.part ?? 1;
      const same = `${label}|${said.part === undefined ? row.name : ''}`;
      const version = firsts.get(same) ?? row.id;
      firsts.set(same, version);
      return { ...row, label, part, version };
    });
}

export interface Views {
  put(one: Gathered): void;
  of(path: string): Promise<FolderView | undefined>;
  nfo(view: FolderView, video: string, isAlone: boolean): Promise<Nfo | undefined>;
  showNfo(view: FolderView): Promise<Nfo | undefined>;
  fromTables(folders: readonly { path: string; mtime: number; signature: string; aside: string }[]): Promise<Gathered[]>;
}

/** Folders that placing looks at: those of this scan, and from the tables those that did not change. */
function createViews({ store, library, readText }: AssembleNeeds): Views {
  const kept = new Map<string, FolderView>();
  const nfos = new Map<string, Promise<Nfo | undefined>>();
  const read = (path: string): Promise<Nfo | undefined> => {
    const had = nfos.get(path);
    if (had) return had;
    const reading = readText(library.id, path).then((bytes) => {
      const parsed = bytes && parseNfo(bytes);
      return parsed?.ok ? parsed.nfo : undefined;
    });
    nfos.set(path, reading);
    // An NFO is read once for all episodes of a show, and not kept for the whole scan.
    if (nfos.size > 500) nfos.delete(nfos.keys().next().value ?? '');
    return reading;
  };
  return {
    put: ({ folder, videos, asides }) => {
      kept.set(folder.path, { path: folder.path, videos: videos.map(({ name }) => name), asides });
      if (kept.size > 2_000) kept.delete(kept.keys().next().value ?? '');
    },
    of: async (path) => {
      const had = kept.get(path);
      if (had) return had;
      const aside = (await store.asides(library.id, [path])).get(path);
      const view: FolderView | undefined = aside === undefined ? undefined : { path, videos: [], asides: JSON.parse(aside) as Aside[] };
      if (view) kept.set(path, view);
      return view;
    },
    nfo: async (view, video, isAlone) => {
      const name = nfoNameFor(view, video, isAlone);
      return name === undefined ? undefined : read(relative(view.path, name));
    },
    showNfo: async (view) => (view.asides.some(({ n }) => n.toLowerCase() === 'tvshow.nfo') ? read(relative(view.path, view.asides.find(({ n }) => n.toLowerCase() === 'tvshow.nfo')?.n ?? '')) : undefined),
    fromTables: async (folders) => {
      const files = Map.groupBy(await store.filesIn(library.id, folders.map(({ path }) => path)), ({ folder }) => folder);
      return folders.map(({ path, mtime, signature, aside }) => {
        const videos = (files.get(path) ?? []).filter(({ missing, name }) => missing === null && isVideoName(name));
        const asides = JSON.parse(aside) as Aside[];
        return { folder: { library: library.id, path, mtime, signature, aside }, asides, names: [...videos.map(({ name }) => name), ...asides.map(({ n }) => n)], videos, unread: new Set<string>(), moved: new Set<string>(), lost: [] };
      });
    },
  };
}

