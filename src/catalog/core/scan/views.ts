/** Folders as placing sees them: those of this scan, and from the tables those that did not change. */
import type { Nfo } from '../../naming/nfo.ts';
import type { FolderRecord } from '../../store/records.ts';
import { joined } from '../paths.ts';
import { type GatheredFolder, NOT_READ } from './gather.ts';
import type { FolderView, PlacementTools } from './placement.ts';
import type { ScanScope } from './scope.ts';

export interface Views {
  put(one: GatheredFolder): void;
  of: PlacementTools['views']['of'];
  nfo: PlacementTools['views']['nfo'];
  bytes: PlacementTools['views']['bytes'];
  text: PlacementTools['views']['text'];
  /** Returns folders with their content from the tables, to be placed again. */
  fromTables(folders: readonly FolderRecord[]): Promise<GatheredFolder[]>;
}

const MAX_CACHED_NFOS = 500;
const MAX_CACHED_FOLDERS = 2_000;
const MAX_CACHED_SMALL_FILES = 8;
const NONE: readonly Nfo[] = [];

export function createViews({
  store,
  library,
  libraryKind,
  kinds,
  probe,
  readText,
  lost,
  optionsOf,
}: ScanScope): Views {
  const { nfo: areNfosRead = true } = optionsOf(library.id);
  const folders = new Map<string, FolderView>();
  const nfos = new Map<string, Promise<readonly Nfo[]>>();
  const small = new Map<string, Promise<Uint8Array | undefined>>();
  const keep = (view: FolderView) => {
    folders.set(view.path, view);
    if (folders.size > MAX_CACHED_FOLDERS) folders.delete(folders.keys().next().value ?? '');
  };
  const read = (path: string): Promise<readonly Nfo[]> => {
    const cached = nfos.get(path);
    if (cached) return cached;
    const reading = readText(library.id, path).then(async (bytes) => {
      const parsed = bytes && (await probe.parseText('nfo', bytes));
      return parsed?.ok ? parsed.documents : NONE;
    });
    nfos.set(path, reading);
    // The NFO of a show is read once for all its episodes, but is not kept for the whole scan.
    if (nfos.size > MAX_CACHED_NFOS) nfos.delete(nfos.keys().next().value ?? '');
    return reading;
  };
  return {
    put: ({ folder, videos, companions }) =>
      keep({ path: folder.path, videos: videos.map(({ name }) => name), companions }),
    of: async (path) => {
      const cached = folders.get(path);
      if (cached) return cached;
      const companions = (await store.companions(library.id, [path])).get(path);
      if (companions === undefined) return undefined;
      const videos = (await store.filesIn(library.id, [path]))
        .filter(({ missing, probed }) => missing === null && probed !== NOT_READ)
        .map(({ name }) => name);
      const view: FolderView = { path, videos, companions };
      keep(view);
      return view;
    },
    nfo: async (view, names) => {
      if (!areNfosRead) return NONE;
      for (const name of names) {
        const own = view.companions.find(({ n }) => n.toLowerCase() === name.toLowerCase())?.n;
        if (own !== undefined) return read(joined(view.path, own));
      }
      return NONE;
    },
    bytes: async (view, name) => {
      const path = joined(view.path, name);
      const found = small.get(path) ?? readText(library.id, path);
      small.set(path, found);
      // A sheet is asked for by every file of its folder.
      if (small.size > MAX_CACHED_SMALL_FILES) small.delete(small.keys().next().value ?? '');
      return found;
    },
    text: async (view, names) => {
      for (const name of names) {
        const own = view.companions.find(({ n }) => n.toLowerCase() === name.toLowerCase())?.n;
        const bytes = own === undefined ? undefined : await readText(library.id, joined(view.path, own));
        if (bytes) return new TextDecoder().decode(bytes);
      }
      return undefined;
    },
    fromTables: async (records) => {
      const files = Map.groupBy(
        await store.filesIn(
          library.id,
          records.map(({ path }) => path),
        ),
        ({ folder }) => folder,
      );
      return records.map((folder): GatheredFolder => {
        const rows = (files.get(folder.path) ?? []).filter(({ missing, id }) => missing === null && !lost.has(id));
        const videos = rows.filter(({ name, size }) => kinds.isMedia(libraryKind, name) && size > 0);
        return {
          folder,
          companions: folder.aside,
          formerCompanions: [],
          videos,
          names: [...videos.map(({ name }) => name), ...folder.aside.map(({ n }) => n)],
          had: new Map(videos.map((row) => [row.id, row])),
          flaws: [],
          unread: new Set(),
          moved: new Set(),
          hasLost: false,
          hasFolders: false,
          changedTexts: [],
        };
      });
    },
  };
}
