/**
 * The catalogue: what is in the libraries, what a Profile may see of it, and what changed.
 *
 * The tables are authoritative. A scan writes them, and the library index in memory follows every committed batch.
 */
import type { Config } from '../config/index.ts';
import type { CatalogFinding } from '../contract/catalog/findings.ts';
import { OWNER_POLICY, type Policy } from '../contract/identity/profiles.ts';
import type { Principal } from '../contract/kernel/principal.ts';
import type { Bus } from '../lib/bus.ts';
import { type Clock, CLOCK_SKEW_MS, isPlausible } from '../lib/clock.ts';
import { createDelayed } from '../lib/coalesce.ts';
import type { Database } from '../lib/db/index.ts';
import type { Ffmpeg } from '../lib/ffmpeg/index.ts';
import { removeFolder, type Root } from '../lib/files.ts';
import type { IoPool } from '../lib/io-pool.ts';
import type { Log } from '../lib/log.ts';
import type { Processes } from '../lib/process.ts';
import type { TaskDefinition } from '../lib/tasks/index.ts';
import { createBookReader } from '../lib/books/reader.ts';
import { type Art, createArt } from './core/art.ts';
import { createBackground } from './core/background.ts';
import { type CollectableItems, createCollectable } from './core/collectable.ts';
import { createCardPages } from './core/cards/pages.ts';
import { createEditing } from './core/editing.ts';
import { libraryFindings } from './core/findings.ts';
import type { OfferedPictures } from './core/image-candidates.ts';
import { createIndexSync } from './core/index-sync.ts';
import { createExtraLinks } from './core/item/extra-links.ts';
import { createItemRatings } from './core/item-ratings.ts';
import { createItemFiles, type ItemFiles } from './core/item/file-cache.ts';
import type { Viewer } from './core/kind.ts';
import { createKeptPictures, type KeptPictures } from './core/kept-pictures.ts';
import { createLibraries } from './core/libraries.ts';
import { createLibraryIndex } from './core/library-index/index.ts';
import { createLibraryLifecycle, type LibraryLifecycle, type StartScan } from './core/library-lifecycle.ts';
import { createPhotoLists, type PhotoLists } from './core/photo-lists.ts';
import { createPhotoPictures } from './core/photo-pictures/index.ts';
import { createReach } from './core/reach.ts';
import { createRoots } from './core/roots.ts';
import { NO_SUBTITLES } from './core/rule-matches.ts';
import { createLibraryScanner } from './core/scanner.ts';
import { createSnapshot } from './core/snapshot/index.ts';
import { personId } from './core/people/identity.ts';
import { createReplaceableSource, type SetFacts, type SetSource } from './core/page-source.ts';
import { createPeople, type PersonSource, type VisiblePeople } from './core/people/index.ts';
import { createTextSearch } from './core/text-search/index.ts';
import { type RefusedItems, unplacedPage } from './core/unplaced.ts';
import { createVisibleCatalog } from './core/visible-catalog.ts';
import { createWatching, type Watching } from './core/watching.ts';
import { kinds } from './kinds/index.ts';
import { musicNeedsOf } from './kinds/music/needs.ts';
import { createVisibleMusic, type FindPerson, lyricsOf } from './kinds/music/visible-music.ts';
import { ratingStore } from './store/ratings.ts';
import { loudnessStore } from './store/loudness.ts';
import { readingStore } from './store/reading.ts';
import { scanningStore } from './store/scanning.ts';
import { textSearchStore } from './store/text-search.ts';
import { watchingStore } from './store/watching.ts';
import { catalogTasks, scanInterval } from './tasks.ts';
import type {
  CatalogAdmin,
  CatalogBackground,
  LibraryState,
  SidecarFacts,
  VisibleCatalog,
  VisibleMusic,
} from './types.ts';

export * from './core/followed-changes.ts';
export { belongsTo } from './core/item/files.ts';
export { fold } from './naming/text.ts';
export type { CollectableItem, CollectableItems } from './core/collectable.ts';
export { tracksOf } from './core/item/tracks.ts';
export type { AudioGain, MediaInfo, Stream } from './probe/types.ts';
export { catalogMigrations } from './store/migrations.ts';
export type { BackgroundLayers, FactName, ItemLayers, LayerFacts, FactLayers, LayerSource } from './core/layers.ts';
export type { PageSource, SetFacts, SetSource } from './core/page-source.ts';
export type { PersonFacts, PersonSource, VisiblePeople } from './core/people/index.ts';
export type { OfferedPicture, OfferedPictures } from './core/image-candidates.ts';
export type { ImagePlace, Person, TrailerLink } from './store/records.ts';
export type { CatalogWork, GroupOutline } from './store/reading.ts';
export type { SubtitledItems } from './core/library-index/types.ts';
export type {
  CatalogAdmin,
  CatalogBackground,
  EditList,
  LibraryState,
  ArtworkSource,
  PlayableFile,
  Sidecar,
  SidecarFacts,
  Subject,
  TrackToMeasure,
  UnreadableSidecar,
  VisibleCatalog,
} from './types.ts';

/** A scan writes many batches; listeners are notified at most this often. */
const ANNOUNCE_INTERVAL_MS = 500;

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

/** The catalogue as requests use it: everything that they show comes from `seenBy`. */
export interface Catalog {
  /** Returns the catalogue filtered by a Profile's policy: the only one that a Profile may be shown. */
  seenBy(by: Pick<Principal, 'profile' | 'policy' | 'role'> & Partial<Pick<Principal, 'via'>>): VisibleCatalog;
  /** Returns artists, series of audiobooks, lyrics and queues filtered in the same way. */
  musicSeenBy(by: Pick<Principal, 'profile' | 'policy' | 'role'>): VisibleMusic;
  /** Returns people and their works filtered in the same way. */
  peopleSeenBy(by: Pick<Principal, 'profile' | 'policy' | 'role'>): VisiblePeople;
  /** Returns the libraries that a Profile may see, each with the number of its films and shows. */
  libraries(by: Pick<Principal, 'policy' | 'role'>): LibraryState[];
  /** Returns the photos and clips that a Profile may see, by day and by folder. */
  photosSeenBy(by: Pick<Principal, 'policy'>): PhotoLists;
  /** Returns the items that collections are made of, filtered in the same way. */
  collectableBy(by: Pick<Principal, 'policy'>): CollectableItems;
  /** Pictures that Owners upload for collections. */
  collectionPictures: KeptPictures;
  /** Texts and posters of sets of films from a metadata service. */
  sets: SetSource;
  watching: Watching;
  art: Art;
  /** Returns an open folder of a library, by its path. Files of the library are reached only through it. */
  root(path: string): Promise<Root>;
}

/** An open catalogue, as `app.ts` holds it. */
export interface OpenCatalog extends Catalog {
  background: CatalogBackground;
  admin: CatalogAdmin;
  /** Returns who can see what changed since the last call. Only one listener of `catalog.changed` may call it. */
  takeVisibleChanges(): (policy: Policy) => boolean;
  /** Takes over facts about sidecars; called once, by the domain that reads them. */
  useSidecarFacts(facts: SidecarFacts): void;
  /** Takes over items whose match with a work was refused; called once, by the domain that matches. */
  useRefusedItems(refused: RefusedItems): void;
  /** Takes over pictures that a metadata service offers; called once, by its domain. */
  useOfferedPictures(offered: OfferedPictures): void;
  /** Takes over what a metadata service says about people; called once, by its domain. */
  usePersonSource(source: PersonSource): void;
  /** Takes over what a metadata service says about sets of films; called once, by its domain. */
  useSetSource(source: SetSource): void;
  /** Scans and upkeep, run by the task list. */
  tasks: readonly TaskDefinition<never>[];
  findings(): Promise<CatalogFinding[]>;
  /** Starts watching and scanning. */
  start(scan: StartScan): Promise<void>;
  close(): Promise<void>;
}

/** Opens the catalogue: loads the configured libraries and the library index. `start` starts watching and scanning. */
export async function createCatalog(needs: CatalogNeeds): Promise<OpenCatalog> {
  let startScan: StartScan = () => {};
  const parts = createParts(needs, (...of) => startScan(...of));
  const { pages, libraries, lifecycle, index, sync, texts, watching, art, roots, reach, reading, snapshot, ratings } =
    parts;
  const cardPages = createCardPages(pages);
  const music = musicNeedsOf(parts);
  const background = createBackground({
    ...parts,
    clock: needs.clock,
    policy: OWNER_POLICY,
    lyricsOf: (id, signal) => lyricsOf(music, id, signal),
  });

  await lifecycle.open();
  await ratings.open();
  // The helper process of the first library starts while this process reads.
  for (const { path } of lifecycle.scanned().slice(0, 1)) reach.warm(path);
  await sync.open();
  await pages.extras.load();

  const sets = createReplaceableSource<SetFacts>();
  const peopleSeenBy: Catalog['peopleSeenBy'] = (by) =>
    parts.people.seenBy(pages, () => viewerOf(parts, by), by.policy);
  return {
    seenBy: ({ profile, policy, role, via }) =>
      createVisibleCatalog(
        { ...pages, watching, texts, pages: cardPages },
        { profile, policy, role, ...(via !== undefined && { via }) },
      ),
    musicSeenBy: (by) => {
      const personNamed: FindPerson = (name) => peopleSeenBy(by).person(personId({ name }), { limit: 1 });
      return createVisibleMusic({ ...music, personNamed }, () => viewerOf(parts, by), by.policy);
    },
    peopleSeenBy,
    // A count of items that the Profile may not see would reveal that they exist.
    libraries: ({ policy, role }) =>
      lifecycle
        .states(policy)
        .filter(({ id }) => role === 'owner' || policy.libraries === 'all' || policy.libraries.includes(id)),
    photosSeenBy: ({ policy }) => createPhotoLists(pages, policy),
    collectableBy: ({ policy }) => createCollectable(index, policy),
    // The folder of pictures of items, which a sweep of those leaves alone.
    collectionPictures: createKeptPictures(`${pages.keptPictures}/collections`),
    sets,
    watching,
    art,
    root: roots.open,
    background,
    admin: {
      ratings,
      edits: parts.edits,
      libraries: background.libraries,
      reload: lifecycle.reload,
      rename: lifecycle.rename,
      unplaced: (query) => unplacedPage({ store: reading, refused: parts.refused.of }, query),
    },
    takeVisibleChanges: index.changes.take,
    useSidecarFacts: (facts) => void Object.assign(pages.sidecarFacts, facts),
    useRefusedItems: (given) => void Object.assign(parts.refused, { of: given }),
    useOfferedPictures: (given) => void Object.assign(parts.offered, given),
    usePersonSource: parts.people.useSource,
    useSetSource: sets.use,
    tasks: tasksOf(needs, parts),
    findings: async () => libraryFindings(libraries.all(), libraries.isOnline, await reading.countUnplaced()),
    start: async (starter) => {
      startScan = starter;
      lifecycle.start();
      // Not earlier: it would compete with the start.
      index.warm();
      parts.followItems();
    },
    close: async () => {
      lifecycle.close();
      await snapshot.close();
      await Promise.all([
        texts.close(),
        parts.people.index.close(),
        reach.close(),
        roots.close(),
        parts.photos.close(),
        parts.books.close(),
      ]);
    },
  };
}

function createParts({ db, bus, clock, log, config, processes, ffmpeg, ioPool }: CatalogNeeds, startScan: StartScan) {
  const reading = readingStore(db);
  const measured = loudnessStore(db, () => itemFiles.forget());
  const itemFiles: ItemFiles = createItemFiles({ ...reading, ...measured });
  const extras = createExtraLinks(reading);
  const books = createBookReader({ processes });
  const watching = createWatching({ store: watchingStore(db), bus, clock });
  const scanning = scanningStore(db, itemFiles.forget, watching.reload);
  const libraries = createLibraries({ store: scanning, clock });
  const index = createLibraryIndex(kinds);
  const roots = createRoots(ioPool);
  const cache = config.get('paths.cache');
  const photos = createPhotoPictures({ processes });
  const texts = createTextSearch({
    store: textSearchStore(db),
    reading,
    kinds,
    failed: (error) => log.fault('catalog.texts', error),
  });
  const people = createPeople({ db, reading, failed: (error) => log.fault('catalog.people', error) });
  const followItems = () => [texts, people.index].forEach(({ follow }) => follow());
  const announce = createDelayed(ANNOUNCE_INTERVAL_MS, () => {
    bus.announce('catalog.changed');
    followItems();
  });
  const reach = createReach({
    processes,
    ffmpeg,
    log,
    rootFor: roots.open,
    hasFiles: scanning.hasFiles,
    settled: (library, isOnline) => lifecycle.settled(library, isOnline),
    returned: ({ id }) => startScan(id, false),
  });
  const snapshot = createSnapshot({
    folder: `${cache}/index`,
    log,
    index,
    store: { ...reading, setSnapshotKey: scanning.setSnapshotKey },
    libraries: () => libraries.all().map(({ id }) => id),
  });
  const sync = createIndexSync({ reading, index, libraries, snapshot, announce });
  const shared = { libraries, index, sync, snapshot, roots, reach, log };
  const lifecycle: LibraryLifecycle = createLibraryLifecycle({
    ...shared,
    store: scanning,
    config,
    startScan,
    announce,
  });
  const editing = createEditing({ db, clock, config, libraries, sync, snapshot });
  const country = () => config.get('metadata.country');
  config.on('metadata.country', (chosen) => sync.rated(() => index.useCountry(chosen)));
  return {
    ...shared,
    ratings: createItemRatings({ store: ratingStore(db), index, sync, clock, country }),
    ...editing,
    reading,
    measured,
    scanning,
    texts,
    people,
    followItems,
    lifecycle,
    watching,
    photos,
    books,
    art: createArt({
      cache,
      ffmpeg,
      log,
      rootFor: roots.open,
      clearFolder: removeFolder,
      photos,
      embedded: async (file, entry, signal) => (await books.entry(file, entry, { signal })).bytes,
    }),
    scan: createLibraryScanner({
      ...shared,
      store: scanning,
      kinds,
      clock,
      extrasLinked: async () => {
        await extras.load();
        announce();
      },
    }),
    pages: {
      store: reading,
      itemFiles,
      extras,
      index,
      kinds,
      sidecarFacts: { unreadable: async () => [], subtitled: async () => NO_SUBTITLES } as SidecarFacts,
      keptPictures: editing.pictures.folder,
      rootOf: (library: string) => libraries.find(library)?.path,
      nameOf: (library: string) => libraries.find(library)?.name,
      isOnline: libraries.isOnline,
    },
  };
}

const viewerOf = async (
  { watching }: { watching: Watching },
  { profile, policy, role }: Pick<Principal, 'profile' | 'policy' | 'role'>,
): Promise<Viewer> => ({ policy, watched: await watching.rows(profile), isOwner: role === 'owner' });

function tasksOf(
  { clock, config }: CatalogNeeds,
  {
    lifecycle,
    reach,
    libraries,
    scanning,
    sync,
    snapshot,
    art,
    watching,
    scan,
    pictures,
    keptPictures,
  }: ReturnType<typeof createParts>,
): readonly TaskDefinition<never>[] {
  const purge = async (before: number): Promise<number> => {
    const online = libraries.all().filter(({ path }) => reach.isOnline(path));
    const ids = await scanning.purge(
      online.map(({ id }) => id),
      before,
    );
    const now = clock.now();
    if (isPlausible(now)) await scanning.correctMissing(now + CLOCK_SKEW_MS, now);
    sync.dropped(ids);
    await pictures.sweep(await keptPictures(), now);
    return ids.length;
  };
  return catalogTasks({
    clock,
    every: () => scanInterval(config),
    // Libraries that are online do not wait for those that may not answer.
    libraries: () =>
      lifecycle.scanned().sort((a, b) => Number(reach.isOnline(b.path)) - Number(reach.isOnline(a.path))),
    scan,
    purge: (before) => snapshot.during(() => purge(before)),
    clearArt: art.clear,
    forgetHistory: async () =>
      void (await watching.forgetBefore(clock.now() - config.get('logging.playback_retention'))),
  });
}
