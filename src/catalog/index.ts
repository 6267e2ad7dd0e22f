/**
 * The catalogue's door: what is in the libraries, what a Profile may see of it, and what changed.
 *
 * The tables are the truth; a scan writes them, the shelf in memory follows every committed batch.
 */
import type { Config } from '../config/index.ts';
import type { Finding } from '../contract/ops/operations.ts';
import { OWNER_POLICY, type Policy } from '../contract/identity/profiles.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import type { Bus } from '../lib/bus.ts';
import { type Clock, CLOCK_SKEW_MS, isPlausible } from '../lib/clock.ts';
import type { Database } from '../lib/db/index.ts';
import type { Ffmpeg } from '../lib/ffmpeg/index.ts';
import { inRoot, openRoot, readBounded, removeFolder, type Root } from '../lib/files.ts';
import type { IoPool } from '../lib/io-pool.ts';
import { createKeyedLock, createLock } from '../lib/lock.ts';
import type { Log } from '../lib/log.ts';
import type { Processes } from '../lib/process.ts';
import type { TaskDefinition } from '../lib/tasks/index.ts';
import { type Art, createArt } from './art.ts';
import { type ItemNeeds, subjectOf } from './items.ts';
import { unplacedPaging, type UnplacedQuery } from './listing.ts';
import { createCardPages } from './cards/pages.ts';
import { createLibraries, isScanned, type Libraries } from './libraries.ts';
import { createReach } from './reach.ts';
import { sidecarsNow } from './scan/beside.ts';
import { offlineReport, type ScanReport, scanLibrary } from './scan/library.ts';
import { joined } from './scan/scope.ts';
import { createSeen } from './seen.ts';
import { createShelf } from './shelf/index.ts';
import { createSnapshot } from './snapshot/index.ts';
import { createItemFiles } from './store/files.ts';
import { readingStore, shelfRow } from './store/reading.ts';
import { scanningStore } from './store/scanning.ts';
import type { ItemTable, LibraryTable } from './store/tables.ts';
import { textStore } from './store/texts.ts';
import { watchingStore } from './store/watching.ts';
import { catalogTasks } from './tasks.ts';
import { createTexts } from './texts/index.ts';
import type { LibraryState, Seen, Subject, Unplaced } from './types.ts';
import { createWatcher } from './watch.ts';
import { createWatching, type Watching } from './watching.ts';

export { catalogMigrations } from './store/migrations.ts';
export type { MediaInfo, Stream } from './probe/types.ts';
export { tracksOf } from './items.ts';
export type { EditList, LibraryState, Picture, PlayableFile, Seen, Sidecar, Subject } from './types.ts';

const NFO_MOST = 1024 * 1024;
/** Announcements of a scan that writes many batches are gathered. */
const ANNOUNCE_MS = 500;

export interface CatalogNeeds {
  db: Database;
  bus: Bus;
  clock: Clock;
  log: Log;
  config: Config;
  processes: Processes;
  ffmpeg: Ffmpeg;
  ioPool: IoPool;
}

/** The catalogue as requests use it: whatever they show comes from `seenBy`. */
export interface Catalog {
  /** Returns the catalogue filtered by a Profile's policy: the only one that a Profile may be shown. */
  seenBy(by: Pick<Principal, 'profile' | 'policy' | 'role'>): Seen;
  /** Returns the libraries that a Profile may see, each with how many films and shows of it. */
  libraries(by: Pick<Principal, 'policy' | 'role'>): LibraryState[];
  watching: Watching;
  art: Art;
  /** Returns an open folder of a library, by its path: everything below it is reached through this. */
  root(path: string): Promise<Root>;
}

/**
 * The catalogue without a filter, for work in the background, which shows nothing to anybody, and for operations that
 * only an Owner may call. `app.ts` hands it to the modules that `test/architecture/policy.ts` lists.
 */
export interface CatalogBackground {
  /** Returns films and episodes that changed after `change`, the oldest change first. */
  changedSince(change: number, most: number): Promise<Subject[]>;
  /** Returns the ids that are gone for good since `change`. */
  goneSince(change: number, most: number): Promise<{ id: string; change: number }[]>;
  /** Returns a film or an episode. */
  subject(id: string): Promise<Subject | undefined>;
  /** Returns the ids of a show's episodes, one list for each season; none where there is no such show. */
  seasons(show: string): Promise<string[][]>;
  /** Returns every listed library, with how many films and shows it holds. */
  libraries(): LibraryState[];
  root: Catalog['root'];
  /** Looks at the folders of items again, after sidecars were written or removed there; at each folder once. */
  sidecarsChanged(...ids: string[]): Promise<void>;
}

/** Operations of the Owner's pages. */
export interface CatalogAdmin {
  libraries: CatalogBackground['libraries'];
  /** Takes the configured libraries as they are now. */
  retake(): Promise<void>;
  rename: Libraries['rename'];
  /** Returns files that have no place, and why. */
  unplaced(query: UnplacedQuery): Promise<{ items: Unplaced[]; total: number; nextCursor?: string }>;
}

/** An open catalogue, as `app.ts` holds it. */
export interface OpenCatalog extends Catalog {
  background: CatalogBackground;
  admin: CatalogAdmin;
  /** Returns who can see what changed since the last call; one listener of `catalog.changed` calls it. */
  takeTouched(): (policy: Policy) => boolean;
  /** Scans of the libraries' own, run by the task list. */
  tasks: readonly TaskDefinition<never>[];
  findings(): Promise<Finding[]>;
  /** Begins watching and scanning. */
  start(scan: (library: string, isFull: boolean) => void): Promise<void>;
  close(): Promise<void>;
}

/** Opens the catalogue: takes the configured libraries and loads the shelf. `start` begins watching and scanning. */
export async function createCatalog(needs: CatalogNeeds): Promise<OpenCatalog> {
  const { db, bus, clock, log, config, processes, ffmpeg, ioPool } = needs;
  const reading = readingStore(db);
  const itemFiles = createItemFiles(reading);
  const scanning = scanningStore(db, itemFiles.forget);
  const libraries = createLibraries({ store: scanning, clock });
  const shelf = createShelf();
  const watching = createWatching({ store: watchingStore(db), bus, clock });
  const roots = createRoots(ioPool);
  const reach = createReach({
    processes,
    ffmpeg,
    log,
    rootFor: roots.open,
    hasFiles: scanning.hasFiles,
    settled,
    returned: (library) => scan(library.id, false),
  });
  const art = createArt({
    cache: config.get('paths.cache'),
    ffmpeg,
    log,
    rootFor: roots.open,
    clearFolder: removeFolder,
  });
  const listed = () => libraries.all().map(({ id }) => id);
  const snapshot = createSnapshot({
    folder: `${config.get('paths.cache')}/index`,
    log,
    shelf,
    store: { ...reading, setSnapshotKey: scanning.setSnapshotKey },
    libraries: listed,
  });
  const scans = createKeyedLock();
  const texts = createTexts({ store: textStore(db), reading, failed: (error) => log.fault('catalog.texts', error) });
  const announce = gathered(() => {
    bus.announce('catalog.changed');
    texts.follow();
  });
  let scan: (library: string, isFull: boolean) => void = () => {};

  /** Libraries that are to be scanned in full once they answer. */
  const unscanned = new Set((await takeLibraries()).map(({ id }) => id));
  // It gets ready while this process reads.
  for (const { path } of scanned().slice(0, 1)) reach.warm(path);
  if (!(await snapshot.load(listed()))) await loadShelf();
  const watcher = createWatcher({ log, changed: (library) => scan(library, false) });

  /** What another kind of library makes of the same files is found out by looking at all of them again. */
  async function takeLibraries(): Promise<LibraryTable[]> {
    const kinds = new Map((await scanning.libraries()).map(({ id, kind }) => [id, kind]));
    const changed = await libraries.take(config.libraries());
    for (const { id, kind } of changed)
      if (kinds.has(id) && kinds.get(id) !== kind) await scanning.forgetSignatures(id);
    return changed;
  }
  async function loadShelf(): Promise<void> {
    await shelf.load((put) => reading.shelf((row) => void (libraries.find(row.library) && put(row))));
  }
  const applied = (items: readonly ItemTable[]): void => {
    if (items.length === 0) return;
    shelf.apply(
      items
        .filter(({ present, library, kind }) => present === 1 && kind !== 'season' && libraries.find(library))
        .map(shelfRow),
      items.filter(({ present }) => present === 0).map(({ id }) => id),
    );
    snapshot.changed();
    announce();
  };
  const rootOf = (library: string) => libraries.find(library)?.path;
  const itemNeeds: ItemNeeds = { store: reading, itemFiles, shelf, rootOf, isOnline: libraries.isOnline };
  const pages = createCardPages(itemNeeds);

  const scanOne = (
    library: LibraryTable,
    options: Parameters<typeof scanLibrary>[2],
    signal: AbortSignal,
  ): Promise<ScanReport> =>
    scans.run(
      library.id,
      () =>
        snapshot.during(async () => {
          const readText = async (id: string, path: string) => {
            const root = rootOf(id);
            return root === undefined
              ? undefined
              : readBounded(inRoot(await roots.open(root), path), NFO_MOST).catch(() => undefined);
          };
          const { looker, probe } = reach.helpers(library.path);
          const lookerOf = (id: string) => reach.onlineLooker(rootOf(id) ?? '');
          const isAnswering = () => reach.isAnswering(library);
          const isOnline = await reach.check(library);
          const report = isOnline
            ? await scanLibrary(
                { store: scanning, looker, probe, clock, rootOf, lookerOf, isAnswering, readText, applied },
                library,
                options,
                signal,
              )
            : offlineReport();
          if (isOnline && !report.isOnline) reach.lost(library);
          if (report.isOnline) libraries.scanned(library.id, clock.now(), options.isFull);
          log.info('catalog.scanned', {
            library: library.id,
            online: report.isOnline,
            folders: report.folders,
            files: report.files,
            added: report.added,
            changed: report.changed,
            moved: report.moved,
            missing: report.missing,
            odd: report.odd,
            denied: report.denied,
          });
          return report;
        }),
      signal,
    );

  /** An open folder of a disk that went away leads nowhere when it is back. */
  const turned = (library: LibraryTable, isOnline: boolean): void => {
    if (!libraries.setOnline(library.id, isOnline)) return;
    roots.forget(library.path);
    shelf.touched.noteLibrary(library.id);
    announce();
  };
  /** Called with each answer of a library: what waited for it begins. */
  function settled(library: LibraryTable, isOnline: boolean): void {
    if (!libraries.find(library.id)) return;
    turned(library, isOnline);
    follow();
    if (isOnline && unscanned.delete(library.id)) scan(library.id, true);
  }
  function scanned(): LibraryTable[] {
    return libraries.all().filter(isScanned);
  }
  /** Watches those that answer: watching one that does not would hold up this process. */
  function follow(): void {
    watcher.follow(
      scanned()
        .filter(({ path }) => reach.isOnline(path))
        .map(({ id, path }) => ({ id, path })),
    );
  }
  const takes = createLock();
  config.on('libraries', () => void retakeNow().catch((error: unknown) => log.fault('catalog.libraries', error)));
  const retakeNow = () => takes.run(() => snapshot.during(retake));
  async function retake(): Promise<void> {
    const changed = await takeLibraries();
    shelf.apply([], shelf.idsOutside(new Set(libraries.all().map(({ id }) => id))));
    // Now and not after loading: what was open in a removed library ends within a second.
    announce();
    await loadShelf();
    snapshot.changed();
    for (const { id } of changed) shelf.touched.noteLibrary(id);
    follow();
    announce();
    for (const library of changed) {
      if (isScanned(library) && reach.isOnline(library.path)) scan(library.id, true);
      else unscanned.add(library.id);
    }
    reach.follow(scanned());
  }

  const states = (policy: Policy): LibraryState[] => {
    const counts = shelf.countByLibrary(policy);
    return libraries.all().map(({ id, name, kind, path, last_scan }) => ({
      id,
      name,
      kind: kind as LibraryState['kind'],
      path,
      items: counts.get(id) ?? 0,
      isOnline: libraries.isOnline(id),
      isWatching: watcher.isWatching(id),
      lastScanAt: last_scan ?? undefined,
    }));
  };
  const seenNeeds = { ...itemNeeds, watching, texts, pages };
  const background: CatalogBackground = {
    changedSince: async (change, most) => {
      const rows = await reading.changedSince(change, most);
      const subjects: Subject[] = [];
      for (const row of rows) {
        subjects.push(await subjectOf({ ...itemNeeds, itemFiles: { of: itemFiles.once } }, row));
        // Background work: a request waits for one subject (0.4 ms) at most.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return subjects;
    },
    goneSince: reading.goneSince,
    subject: async (id) => {
      const row = await reading.item(id);
      return row && (row.kind === 'movie' || row.kind === 'episode') ? subjectOf(itemNeeds, row) : undefined;
    },
    seasons: async (show) => {
      const found = await createSeen(seenNeeds, { profile: '', policy: OWNER_POLICY, role: 'owner' }).show(show);
      return (found?.seasons ?? []).map(({ episodes }) => episodes.map(({ id }) => id));
    },
    libraries: () => states(OWNER_POLICY),
    root: roots.open,
    sidecarsChanged: async (...ids) => {
      const rows = (await Promise.all(ids.map((id) => reading.item(id)))).filter((row) => row !== undefined);
      for (const [id, some] of Map.groupBy(rows, ({ library }) => library)) {
        const library = libraries.find(id);
        if (!library) continue;
        const items = some.map((row) => row.id);
        const folders = (await Promise.all(items.map((item) => reading.files(item))))
          .flat()
          .map(({ folder }) => folder);
        await snapshot.during(async () =>
          applied(
            await sidecarsNow(
              { store: scanning, looker: reach.helpers(library.path).looker, clock },
              { library, items, folders },
              AbortSignal.timeout(60_000),
            ),
          ),
        );
      }
    },
  };

  return {
    seenBy: (by) => createSeen(seenNeeds, { profile: by.profile, policy: by.policy, role: by.role }),
    // A count over what the Profile may not see would tell that it is there.
    libraries: ({ policy, role }) =>
      states(policy).filter(
        ({ id }) => role === 'owner' || policy.libraries === 'all' || policy.libraries.includes(id),
      ),
    watching,
    art,
    root: roots.open,
    background,
    admin: {
      libraries: background.libraries,
      retake: retakeNow,
      rename: (id, name) => takes.run(() => libraries.rename(id, name)),
      unplaced: async (query) => {
        const { after, cursorAfter } = unplacedPaging(query);
        // One more than the page has says whether another follows.
        const { rows: found, total } = await reading.unplaced({ ...query, after, limit: query.limit + 1 });
        const rows = found.slice(0, query.limit);
        const last = rows.at(-1);
        return {
          total,
          ...(last && found.length > rows.length && { nextCursor: cursorAfter(last) }),
          items: rows.map((row) => ({
            id: row.id,
            library: row.library,
            file: joined(row.folder, row.name),
            reason: row.problem ?? '',
            evidence: JSON.parse(row.evidence) as string[],
            seenAt: row.seen,
          })),
        };
      },
    },
    takeTouched: shelf.touched.take,
    tasks: catalogTasks({
      clock,
      every: () => everyOf(config),
      // Those that answer are not kept waiting for those that may not.
      libraries: () => scanned().sort((a, b) => Number(reach.isOnline(b.path)) - Number(reach.isOnline(a.path))),
      scan: scanOne,
      purge: (before) =>
        snapshot.during(async () => {
          const ids = await scanning.purge(
            libraries
              .all()
              .filter(({ path }) => reach.isOnline(path))
              .map(({ id }) => id),
            before,
          );
          const now = clock.now();
          if (isPlausible(now)) await scanning.correctMissing(now + CLOCK_SKEW_MS, now);
          shelf.apply([], ids);
          snapshot.changed();
          return ids.length;
        }),
      clearArt: () => art.clear(),
      forgetHistory: async () =>
        void (await watching.forgetBefore(clock.now() - config.get('logging.playback_retention'))),
    }),
    findings: async () => findingsOf(libraries.all(), libraries.isOnline, await reading.countMissing()),
    start: async (starter) => {
      scan = starter;
      reach.follow(scanned());
      // Not before: it would take turns from the start.
      shelf.warm();
      texts.follow();
    },
    close: async () => {
      watcher.close();
      await snapshot.close();
      await Promise.all([texts.close(), reach.close(), roots.close()]);
    },
  };
}

function everyOf(config: Config): number | undefined {
  const chosen = config.get('scanning.frequency') ?? 'default';
  const fixed = { off: undefined, '5m': 300_000, '15m': 900_000, '1h': 3_600_000 } as const;
  if (chosen !== 'default') return fixed[chosen];
  const interval = config.get('scanning.interval');
  return interval > 0 ? interval : undefined;
}

function findingsOf(
  libraries: readonly LibraryTable[],
  isOnline: (id: string) => boolean,
  problems: number,
): Finding[] {
  const away = libraries
    .filter(({ id }) => !isOnline(id))
    .map(({ name }): Finding => ({
      level: 'warning',
      subject: name,
      sentence: 'This library cannot be reached or is empty. Its items are kept, and come back when it does.',
      setting: 'libraries',
    }));
  const unscanned = libraries
    .filter((library) => !isScanned(library))
    .map(({ name, kind }): Finding => ({
      level: 'warning',
      subject: name,
      sentence: `Libraries of the kind ${kind} are not scanned yet.`,
      setting: 'libraries',
    }));
  const unplaced: Finding[] =
    problems === 0
      ? []
      : [
          {
            level: 'warning',
            subject: 'Files without a place',
            sentence: `${problems} files could not be placed or read. They are listed with the reason.`,
          },
        ];
  return [...away, ...unscanned, ...unplaced];
}

/** Keeps library folders open; one that failed is tried again at the next call. */
function createRoots(ioPool: IoPool) {
  const kept = new Map<string, Promise<Root>>();
  return {
    open: (path: string): Promise<Root> => {
      const had = kept.get(path);
      if (had) return had;
      const opening = openRoot(path, ioPool.forLibrary(path));
      opening.catch(() => kept.delete(path));
      kept.set(path, opening);
      return opening;
    },
    forget: (path: string): void => {
      void kept
        .get(path)
        ?.then((root) => root.close())
        .catch(() => {});
      kept.delete(path);
    },
    close: async () => {
      for (const opening of kept.values())
        await opening.then(
          (root) => root.close(),
          () => {},
        );
      kept.clear();
    },
  };
}

/** Calls `work` soon after the first call, once for all that came until then. */
function gathered(work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      work();
    }, ANNOUNCE_MS);
    timer.unref();
  };
}
