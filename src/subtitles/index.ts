/**
 * The interface of subtitles: the inventory, fetching, the workbench, drafts and the clean-up.
 *
 * Domains above convert subtitles only with `delivery`, which keeps large texts off the main thread.
 */
import type { RecordSubtitleActivity } from './recording.ts';
import type { CatalogBackground, PlayableFile, SidecarFacts } from '../catalog/index.ts';
import type { Config, Sealer } from '../config/index.ts';
import { debounce } from '../lib/coalesce.ts';
import type { Bus } from '../lib/bus.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../lib/db/index.ts';
import type { Ffmpeg } from '../lib/ffmpeg/index.ts';
import { Failure } from '../lib/failure.ts';
import type { Root } from '../lib/files.ts';
import { createKeyedLock } from '../lib/lock.ts';
import type { Log } from '../lib/log.ts';
import type { Net } from '../lib/net.ts';
import type { Processes } from '../lib/process.ts';
import { type Audit, createAudit } from './audit/audit.ts';
import { type Batches, createBatches } from './batches/batches.ts';
import { type Cleanup, createCleanup } from './cleanup/cleanup.ts';
import { createDrafts } from './drafts/drafts.ts';
import type { Drafts } from './drafts/types.ts';
import { methodsOf } from './drafts/methods.ts';
import { createOcr } from './drafts/ocr.ts';
import { pgsOf, type PictureTrack } from './drafts/picture-track.ts';
import { createTranscriber } from './drafts/transcribe.ts';
import { createEditWorker } from './editing/edit-worker/edit-worker.ts';
import { createEmbeddedTexts } from './editing/embedded.ts';
import { createWorkbench, type Workbench } from './editing/workbench.ts';
import { createFetch, type Fetching, type FetchRequest } from './fetching/fetch.ts';
import { createCandidateLists } from './fetching/candidate-lists.ts';
import { type CandidateListing, createCandidateListing } from './fetching/list-candidates.ts';
import { createFollower } from './inventory/follow.ts';
import { createReadabilityCheck } from './inventory/readability.ts';
import { mainFile, unreadableIn } from './inventory/item.ts';
import { createInventoryDetails, type InventoryDetails } from './inventory/item-details.ts';
import { createSubtitledReader } from './inventory/subtitled.ts';
import { readInventory, type InventoryQuery, type InventoryReply } from './inventory/inventory.ts';
import { createInstaller } from './install/install.ts';
import { createPreserved } from './history/preserved.ts';
import type { ListeningOptions, Speech } from '../speech/index.ts';
import { draftsOnParts, type FetchedItem, fetchOnParts, onPart, workbenchOnParts } from './parts/on-parts.ts';
import { catalogOfParts, createPartFinder, type PartAddress } from './parts/part-catalog.ts';
import { createProviderSet, type ProviderSet } from './providers/provider-set.ts';
import { createRunningWork } from './running-work.ts';
import { createSubtitleReader } from './worker/reader.ts';
import type { SubtitleReader } from './worker/types.ts';
import { auditStore } from './store/audits.ts';
import { draftStore } from './store/drafts.ts';
import { hidingStore } from './store/hiding.ts';
import { installingStore } from './store/installing.ts';
import { inventoryStore } from './store/inventory.ts';
import { readabilityStore } from './store/readability.ts';
import { providerStore } from './store/providers.ts';
import { upkeepStore } from './store/upkeep.ts';
import { createWanted, distinctLanguages, type WantedList } from './wanted.ts';

export { subtitleMigrations } from './store/migrations.ts';

export interface SubtitleNeeds {
  db: Database;
  bus: Bus;
  clock: Clock;
  log: Log;
  config: Pick<Config, 'all' | 'change' | 'get' | 'on' | 'pending'>;
  catalog: CatalogBackground;
  speech: Speech;
  net: Pick<Net, 'request'>;
  processes: Processes;
  ffmpeg: Pick<Ffmpeg, 'extractText' | 'extractAudio' | 'extractPictures' | 'probe' | 'writeAudio'>;
  sealer: Sealer;
  /** Returns what records an event in the transaction of its change. */
  recorded?: RecordSubtitleActivity;
  /** Returns 0 to 1, for jitter in waiting times. Replaced by tests. */
  random?: () => number;
}

export interface Subtitles {
  inventory(query: InventoryQuery): Promise<InventoryReply>;
  /** Returns one item with the history of its subtitles. */
  item: InventoryDetails['item'];
  /** Fetches one subtitle. Checks everything it can before it asks a provider or writes; see `fetch.ts`. */
  fetch(request: FetchRequest & PartAddress, signal: AbortSignal): Promise<FetchedItem>;
  batches: Pick<Batches, 'fetchWanted' | 'maintain' | 'tasks'> & {
    /** The list of subtitles that batches fetch. */
    wanted: Pick<WantedList, 'list' | 'save'>;
  };
  workbench: Workbench & {
    audit: Omit<Audit, 'follow'>;
    /** Lists what the providers offer for an item, and why each candidate was refused. Installs nothing. */
    candidates(
      asked: Parameters<CandidateListing['list']>[0] & PartAddress,
      signal: AbortSignal,
    ): ReturnType<CandidateListing['list']>;
    /** Makes a draft of a listed candidate. Installs nothing. */
    open(asked: Parameters<Fetching['open']>[0] & PartAddress, signal: AbortSignal): ReturnType<Fetching['open']>;
    /** Returns the loudness of an item's audio, and the probability of speech over time. */
    audio(
      asked: PartAddress & { language?: string | undefined; from?: number | undefined; to?: number | undefined },
      listening: ListeningOptions,
    ): ReturnType<Speech['audio']>;
  };
  drafts: Omit<Drafts, 'recover' | 'close'>;
  cleanup: Pick<Cleanup, 'plan' | 'apply'>;
  /** Conversion for players, and which files they are not offered. */
  delivery: SidecarFacts & {
    /** Converts a subtitle; a large one in another process. */
    convert: SubtitleReader['convert'];
    /**
     * Returns a picture track as PGS. Pictures of a Matroska file or a DVD index are converted. Reads the whole file.
     */
    toPgs(track: PictureTrack, source: { file: PlayableFile; root: Root }, signal: AbortSignal): Promise<Uint8Array>;
  };
  testProviders(signal: AbortSignal): ReturnType<ProviderSet['test']>;
  /**
   * Finishes or reverts the writes of a killed process, and follows the catalogue from then on. `begin` starts the
   * named task; without it, no work is scheduled.
   */
  start(begin?: (task: string) => void): Promise<void>;
  /** Waits until the inventory matches the catalogue, and every file that can be opened was read. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

export async function createSubtitles(given: SubtitleNeeds): Promise<Subtitles> {
  const { db, bus, clock, log, config, ffmpeg } = given;
  const catalog = catalogOfParts(given.catalog);
  const needs = { ...given, catalog };
  const finder = createPartFinder(given.catalog);
  const on = onPart(finder);
  const parts = await openParts(needs);
  const { installing, running, providers, installer, catchUp, refreshInventory: changed } = parts;
  const drafts = openDrafts(needs, parts);
  const fetching = createFetch({ ...needs, ...parts, drafts, changed });
  const listing = createCandidateListing({ ...needs, ...parts, changed });
  const isAsDelivered = (source: string): boolean => source === 'subtitles_b';
  const inventoryNeeds = {
    ...parts,
    finder,
    providers: parts.providerRows,
    libraries: () => catalog.libraries(),
    providerStates: () => providers.states(),
  };
  const one = createInventoryDetails({ ...given, ...inventoryNeeds });
  const byKey = createWorkbench({ ...needs, ...parts, drafts, isAsDelivered, stateOf: one.state, changed });
  const workbench = workbenchOnParts(byKey, finder);
  const fetch = fetchOnParts(fetching, finder);
  const hiding = hidingStore(db, given.recorded);
  const cleanup = createCleanup({ ...needs, ...parts, store: hiding, history: installing, changed });
  const subtitled = createSubtitledReader(parts.inventory);
  const now = (): number => clock.now();
  const batches = createBatches({ ...needs, ...parts, now, upkeep: upkeepStore(db), fetching, finder });
  const audit = createAudit({ ...needs, ...inventoryNeeds, now, fixes: byKey.fixes, isAsDelivered });

  const follow = (): Promise<void> =>
    running.run(running.signal, async (until) => {
      await catchUp();
      if (until.aborted) return;
      await installer.recover();
      await cleanup.recover();
      await cleanup.follow();
      if (!until.aborted) await parts.checkFiles();
    });
  const followSoon = () => void follow().catch((error: unknown) => log.fault('subtitles.not-followed', error));
  // A scan announces many changes, and reading its results while it runs would slow it down.
  const nudges = debounce(followSoon, { quietMs: 1_000, mostMs: 10_000 });
  const stops = [
    bus.on('catalog.changed', nudges.ask),
    bus.on('subtitles.changed', subtitled.changed),
    config.on('subtitles.language', parts.announce),
    config.on('subtitles.wanted', parts.announce),
    nudges.stop,
  ];

  return {
    inventory: (query) => readInventory(inventoryNeeds, query),
    item: one.item,
    fetch: (request, signal) => running.run(signal, (until) => fetch(request, until)),
    batches: {
      ...batches,
      wanted: parts.wanted,
      fetchWanted: (asked, signal) => running.run(signal, (until) => batches.fetchWanted(asked, until)),
      maintain: (asked, signal) => running.run(signal, (until) => batches.maintain(asked, until)),
    },
    workbench: {
      ...workbench,
      audit,
      candidates: (asked, signal) => running.run(signal, (until) => on(listing.list)(asked, until)),
      open: (request, signal) => running.run(signal, (until) => on(fetching.open)(request, until)),
      audio: on((asked, listening) => readAudio(needs, asked, listening)),
      apply: (asked, signal) => running.run(signal, (until) => workbench.apply(asked, until)),
      deleteInstalled: (asked, signal) => running.run(signal, (until) => workbench.deleteInstalled(asked, until)),
      restore: (asked, signal) => running.run(signal, (until) => workbench.restore(asked, until)),
    },
    drafts: draftsOnParts(drafts, finder),
    cleanup: {
      plan: cleanup.plan,
      apply: (asked, signal) => running.run(signal, (until) => cleanup.apply(asked, until)),
    },
    delivery: {
      convert: parts.players.convert,
      unreadable: async (item) => unreadableIn(await parts.inventory.tracksOfItem(item)),
      subtitled: subtitled.items,
      toPgs: (track, source, signal) => running.run(signal, (until) => pgsOf(track, { ...source, ffmpeg }, until)),
    },
    testProviders: (signal) => providers.test(signal),
    start: async (begin) => {
      await installer.recover();
      await cleanup.recover();
      await drafts.recover();
      // The inventory of a large library takes time, so the start does not wait for it.
      followSoon();
      if (begin) stops.push(batches.follow(begin), await audit.follow(begin));
    },
    catchUp: async () => {
      await catchUp();
      await parts.checkFiles();
    },
    close: async () => {
      for (const stop of stops) stop();
      await running.stop();
      await drafts.close();
      await Promise.all([parts.editWorker.close(), parts.reader.close(), parts.players.close()]);
    },
  };
}

/** Opens the stores, workers and caches that the operations share. */
async function openParts({
  db,
  bus,
  clock,
  log,
  config,
  catalog,
  net,
  processes,
  ffmpeg,
  sealer,
  recorded,
  random = Math.random,
}: SubtitleNeeds) {
  const wanted = createWanted({ config, catalog });
  const inventoryRows = inventoryStore(db);
  const installing = installingStore(db, recorded);
  const providerRows = providerStore(db);
  const running = createRunningWork();
  const announce = () => bus.announce('subtitles.changed');
  const folders = createKeyedLock();
  const preserved = createPreserved(config.get('paths.data'));
  const catchUp = createFollower({ catalog, store: inventoryRows, changed: announce, signal: running.signal });
  const reader = createSubtitleReader({ processes, log });
  return {
    inventory: inventoryRows,
    installing,
    providerRows,
    audits: auditStore(db),
    running,
    announce,
    wanted,
    languages: () => distinctLanguages(wanted.all()),
    providers: await createProviderSet({ config, sealer, net, clock, store: providerRows, random }),
    candidates: createCandidateLists({ clock }),
    folders,
    preserved,
    installer: createInstaller({ store: installing, preserved, catalog, clock, log, folders }),
    catchUp,
    checkFiles: createReadabilityCheck({
      catalog,
      store: readabilityStore(db),
      reader,
      changed: announce,
      log,
      signal: running.signal,
    }),
    refreshInventory: async (): Promise<void> => {
      await catchUp().catch((error: unknown) => log.fault('subtitles.not-followed', error));
      announce();
    },
    editWorker: createEditWorker({ processes, log }),
    reader,
    // Players have their own reader, so that they never wait for the workbench or a batch.
    players: createSubtitleReader({ processes, log }),
    embedded: createEmbeddedTexts({ ffmpeg, cache: config.get('paths.cache'), log }),
  };
}

/** Opens drafts with their methods: text recognition, transcription and alignment. */
function openDrafts(
  { db, catalog, clock, log, config, speech, processes, ffmpeg }: SubtitleNeeds,
  parts: Awaited<ReturnType<typeof openParts>>,
): Drafts {
  const transcriber = createTranscriber({
    processes,
    ffmpeg,
    folder: `${config.get('paths.cache')}/drafts`,
    settings: () => ({
      program: config.get('binaries.whisper'),
      model: config.get('subtitles.transcription_model'),
      architecture: config.get('subtitles.transcription_architecture'),
    }),
  });
  return createDrafts({
    catalog,
    store: draftStore(db),
    transcriber,
    clock,
    log,
    changed: parts.announce,
    isWaiting: (item) => speech.stateOf(item)?.state === 'waiting',
    methods: methodsOf({
      ...parts,
      catalog,
      speech,
      log,
      transcriber,
      ocr: createOcr({ processes, ffmpeg, tesseract: () => config.get('binaries.tesseract'), log }),
    }),
  });
}

/** Returns the loudness of an item's audio, and the probability of speech over time. */
async function readAudio(
  { catalog, speech }: SubtitleNeeds,
  { id, language, ...part }: Parameters<Subtitles['workbench']['audio']>[0],
  listening: ListeningOptions,
): ReturnType<Speech['audio']> {
  const subject = await catalog.subject(id);
  const file = subject && mainFile(subject);
  if (!subject || subject.gone || !file)
    throw new Failure('missing', 'no such film or episode', { reason: 'no-such-item' });
  return speech.audio({ file, root: await catalog.root(file.root), language }, part, listening);
}
