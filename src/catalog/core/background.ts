/** The catalogue without a filter, for work in the background. No reply is made from it. */
import { isPersonal, kindsWith } from '../../contract/catalog/kinds.ts';
import type { Policy } from '../../contract/identity/profiles.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ReadingStore } from '../store/reading.ts';
import type { ScanningStore } from '../store/scanning.ts';
import type { BackgroundLyrics, CatalogBackground } from '../types.ts';
import type { IndexSync } from './index-sync.ts';
import type { LoudnessStore } from '../store/loudness.ts';
import type { ItemFiles } from './item/file-cache.ts';
import { filesOf } from './item/files.ts';
import { subjectOf } from './item/subject.ts';
import type { PageNeeds } from './kind.ts';
import type { BackgroundLayers } from './layers.ts';
import type { Libraries } from './libraries.ts';
import type { LibraryLifecycle } from './library-lifecycle.ts';
import type { Reach } from './reach.ts';
import type { Roots } from './roots.ts';
import { rescanSidecars } from './scan/sidecars.ts';
import { yieldTurn } from './scan/scope.ts';
import { createTrackLoudness } from './track-loudness.ts';
import type { Snapshot } from './snapshot/index.ts';

export interface BackgroundCatalogNeeds {
  pages: Omit<PageNeeds, 'itemFiles'> & { itemFiles: ItemFiles; store: ReadingStore };
  scanning: ScanningStore;
  libraries: Libraries;
  lifecycle: LibraryLifecycle;
  reach: Reach;
  roots: Roots;
  snapshot: Snapshot;
  sync: IndexSync;
  layers: BackgroundLayers;
  measured: LoudnessStore;
  /** Reads the lyrics of a track. */
  lyricsOf: BackgroundLyrics['of'];
  clock: Clock;
  /** Allows everything. */
  policy: Policy;
}

const VIDEOS: readonly string[] = kindsWith({ role: 'item', medium: 'video' }).filter((kind) => !isPersonal(kind));
const SIDECAR_SCAN_TIMEOUT_MS = 60_000;

export function createBackground(needs: BackgroundCatalogNeeds): CatalogBackground {
  const { pages, scanning, libraries, lifecycle, reach, roots, snapshot, sync, clock, policy } = needs;
  const { store, index, kinds, itemFiles } = pages;
  const uncached = { ...pages, itemFiles: { of: itemFiles.once } };

  const rescan = async (library: string, items: readonly string[]): Promise<void> => {
    const row = libraries.find(library);
    if (!row) return;
    const folders = (await Promise.all(items.map(store.files))).flat().map(({ folder }) => folder);
    const { directoryReader } = reach.helpers(row.path);
    await snapshot.during(async () =>
      sync.applied(
        await rescanSidecars(
          { store: scanning, kinds, directoryReader, clock, optionsOf: libraries.optionsOf },
          { library: row, items, folders },
          AbortSignal.timeout(SIDECAR_SCAN_TIMEOUT_MS),
        ),
      ),
    );
  };

  return {
    changedSince: async (change, most, library) => {
      const subjects = [];
      for (const item of await store.changedSince(change, most, library)) {
        subjects.push(await subjectOf(uncached, item));
        // Requests wait for one subject (0.4 ms) at most.
        await yieldTurn();
      }
      return subjects;
    },
    goneSince: store.goneSince,
    subject: async (id) => {
      const item = await store.item(id);
      return item && VIDEOS.includes(item.kind) ? subjectOf(pages, item) : undefined;
    },
    seasons: (show) => {
      const bySeason = Map.groupBy(index.itemsOf(show, policy), (id) => index.row(id)?.section ?? 1);
      return Promise.resolve([...bySeason].sort(([a], [b]) => a - b).map(([, episodes]) => episodes));
    },
    works: async function* () {
      for await (const works of store.works()) {
        yield works;
        await yieldTurn();
      }
    },
    work: store.work,
    outline: store.outline,
    layers: needs.layers,
    loudness: createTrackLoudness({
      store: needs.measured,
      reachable: () => libraries.all().flatMap(({ id }) => (libraries.isOnline(id) ? [id] : [])),
      fileOf: async (item) => (await filesOf({ ...pages, itemFiles: { of: itemFiles.stated } }, item))[0],
    }),
    lyrics: {
      changedSince: async (...asked) =>
        (await store.tracksChangedSince(...asked)).map((track) => ({
          ...track,
          available: libraries.isOnline(track.library),
        })),
      of: needs.lyricsOf,
    },
    libraries: () => lifecycle.states(policy),
    isOnline: libraries.isOnline,
    optionsOf: libraries.optionsOf,
    root: roots.open,
    sidecarsChanged: async (...ids) => {
      const items = (await Promise.all(ids.map(store.item))).filter((item) => item !== undefined);
      for (const [library, some] of Map.groupBy(items, (item) => item.library))
        await rescan(
          library,
          some.map(({ id }) => id),
        );
    },
  };
}
