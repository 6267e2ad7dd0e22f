/** Folders as placing looks at them: those of this scan, and from the tables those that did not change. */
import { type Nfo, parseNfo } from '../naming/nfo.ts';
import { isVideoName } from '../naming/text.ts';
import { UNWANTED, type Gathered } from './gather.ts';
import { type Aside, type FolderView, nfoNameFor } from './place.ts';
import { joined, type Scope } from './scope.ts';

export interface Views {
  put(one: Gathered): void;
  of(path: string): Promise<FolderView | undefined>;
  /** What the NFO of a video says; of a file of several episodes there may be several. */
  nfo(view: FolderView, video: string, isAlone: boolean): Promise<readonly Nfo[]>;
  showNfo(view: FolderView): Promise<Nfo | undefined>;
  /** Folders with what the tables hold of them, to be placed again. */
  fromTables(
    folders: readonly { path: string; mtime: number; signature: string; aside: string }[],
  ): Promise<Gathered[]>;
}

const NFOS_KEPT = 500;
const FOLDERS_KEPT = 2_000;
const NONE: readonly Nfo[] = [];

export function createViews({ store, library, readText, lost }: Scope): Views {
  const kept = new Map<string, FolderView>();
  const nfos = new Map<string, Promise<readonly Nfo[]>>();
  const keep = (view: FolderView) => {
    kept.set(view.path, view);
    if (kept.size > FOLDERS_KEPT) kept.delete(kept.keys().next().value ?? '');
  };
  const read = (path: string): Promise<readonly Nfo[]> => {
    const had = nfos.get(path);
    if (had) return had;
    const reading = readText(library.id, path).then((bytes) => {
      const parsed = bytes && parseNfo(bytes);
      return parsed?.ok ? parsed.documents : NONE;
    });
    nfos.set(path, reading);
    // One of a show is read once for all its episodes, and not kept for the whole scan.
    if (nfos.size > NFOS_KEPT) nfos.delete(nfos.keys().next().value ?? '');
    return reading;
  };
  return {
    put: ({ folder, videos, asides }) => keep({ path: folder.path, videos: videos.map(({ name }) => name), asides }),
    of: async (path) => {
      const had = kept.get(path);
      if (had) return had;
      const aside = (await store.asides(library.id, [path])).get(path);
      if (aside === undefined) return undefined;
      const videos = (await store.filesIn(library.id, [path]))
        .filter(({ missing, probed }) => missing === null && probed !== UNWANTED)
        .map(({ name }) => name);
      const view: FolderView = { path, videos, asides: JSON.parse(aside) as Aside[] };
      keep(view);
      return view;
    },
    nfo: async (view, video, isAlone) => {
      const name = nfoNameFor(view, video, isAlone);
      return name === undefined ? NONE : read(joined(view.path, name));
    },
    showNfo: async (view) => {
      const name = view.asides.find(({ n }) => n.toLowerCase() === 'tvshow.nfo')?.n;
      return name === undefined ? undefined : (await read(joined(view.path, name)))[0];
    },
    fromTables: async (folders) => {
      const files = Map.groupBy(
        await store.filesIn(
          library.id,
          folders.map(({ path }) => path),
        ),
        ({ folder }) => folder,
      );
      return folders.map(({ path, mtime, signature, aside }): Gathered => {
        const rows = (files.get(path) ?? []).filter(({ missing, id }) => missing === null && !lost.has(id));
        const videos = rows.filter(({ name, size }) => isVideoName(name) && size > 0);
        const asides = JSON.parse(aside) as Aside[];
        return {
          folder: { library: library.id, path, mtime, signature, aside },
          asides,
          videos,
          names: [...videos.map(({ name }) => name), ...asides.map(({ n }) => n)],
          had: new Map(videos.map((row) => [row.id, row])),
          flaws: [],
          unread: new Set(),
          moved: new Set(),
          hasLost: false,
          hasFolders: false,
          stirred: [],
        };
      });
    },
  };
}
