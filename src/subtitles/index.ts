/**
 * The subtitles' door: what each film and episode has and lacks, and fetching what is missing.
 *
 * The pure engine (reading, converting, measuring) is handed on from here to the domains above.
 */
import type { Catalog } from '../catalog/index.ts';
import type { Config, Sealer } from '../config/index.ts';
import type { Bus } from '../lib/bus.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../lib/db/index.ts';
import type { Ffmpeg } from '../lib/ffmpeg/index.ts';
import { Failure } from '../lib/failure.ts';
import { createKeyedLock } from '../lib/lock.ts';
import type { Log } from '../lib/log.ts';
import type { Net } from '../lib/net.ts';
import type { Processes } from '../lib/process.ts';
import { type Batches, createBatches } from './batches/batches.ts';
import { type Cleanup, createCleanup } from './cleanup/cleanup.ts';
import { createDrafts, type Drafts } from './drafts/drafts.ts';
import { createWorkbench, type Workbench } from './editing/workbench.ts';
import { createFetch, type Fetched, type FetchRequest } from './fetch.ts';
import { calmly, createFollower } from './inventory-follow.ts';
import { mainFile } from './inventory-item.ts';
import { inventory, type InventoryQuery, type InventoryReply } from './inventory.ts';
import { createInstaller } from './install.ts';
import { createPreserved } from './preserved.ts';
import { createSpeech, type Listening, type Speech } from './speech/speech.ts';
import { createProviderSet, type ProviderSet } from './provider-set.ts';
import { hidingStore } from './store/hiding.ts';
import { installingStore } from './store/installing.ts';
import { inventoryStore } from './store/inventory.ts';
import { providerStore } from './store/providers.ts';

export { subtitleMigrations } from './store/tables.ts';
export type { Cue, Format, ReadSubtitle, SubtitleDocument, Target, VttStream } from './engine/index.ts';
export { convert, createVttStream, detectFormat, FORMATS, LIMITS, mediaType, readSubtitle, readText, toAss, toSrt, toVtt } from './engine/index.ts';

export interface SubtitleNeeds {
  db: Database;
  bus: Bus;
  clock: Clock;
  log: Log;
  config: Pick<Config, 'get' | 'on'>;
  catalog: Catalog;
  net: Pick<Net, 'request'>;
  processes: Processes;
  ffmpeg: Pick<Ffmpeg, 'extractText' | 'extractAudio'>;
  sealer: Sealer;
  /** 0..1, for the chance in waiting times; tests hold it. */
  random?: () => number;
}

export interface Subtitles {
  inventory(query: InventoryQuery): Promise<InventoryReply>;
  /** Refuses before anything is asked or written where it can; see `fetch.ts`. */
  fetch(request: FetchRequest, signal: AbortSignal): Promise<Fetched>;
  batches: Batches;
  workbench: Workbench;
  drafts: Pick<Drafts, 'read' | 'start' | 'cancel'>;
  cleanup: Pick<Cleanup, 'plan' | 'apply'>;
  /** The audio of an item: loudness and speech. */
  audio(asked: { id: string; language?: string | undefined; from?: number | undefined; to?: number | undefined }, listening: Listening): ReturnType<Speech['audio']>;
  testProviders(signal: AbortSignal): ReturnType<ProviderSet['test']>;
  /** Settles what a killed process left and follows the catalogue from now on. */
  start(): Promise<void>;
  /** Waits until the inventory is as the catalogue is now. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

export async function createSubtitles(needs: SubtitleNeeds): Promise<Subtitles> {
  const { db, bus, clock, log, config, catalog, net, processes, ffmpeg, sealer, random = Math.random } = needs;
  const items = inventoryStore(db);
  const installing = installingStore(db);
  const provided = providerStore(db);
  const stopping = new AbortController();
  const announce = () => bus.announce('subtitles.changed');
  const languages = (): string[] => [config.get('subtitles.language') ?? ''].filter((language) => language !== '');

  const providers = await createProviderSet({ config, sealer, net, clock, store: provided, random });
  const folders = createKeyedLock();
  const preserved = createPreserved(config.get('paths.data'));
  const installer = createInstaller({ store: installing, preserved, catalog, clock, log, folders });
  const catchUp = createFollower({ catalog, store: items, changed: announce, signal: stopping.signal });
  const told = async (): Promise<void> => {
    await catchUp().catch((error: unknown) => log.fault('subtitles.not-followed', error));
    announce();
  };
  const fetch = createFetch({
    catalog, ffmpeg, clock, log, inventory: items, installing, installer, providers, languages,
    changed: told,
  });

  const speech = createSpeech({ processes, ffmpeg, cache: config.get('paths.cache'), clock, log });
  const drafts = createDrafts({});
  const workbench = createWorkbench({});
  const cleanup = createCleanup({ catalog, store: hidingStore(db), history: installing, clock, log, folders, changed: told });
  const batches = createBatches({});

  const underway = new Set<Promise<unknown>>();
  /** Waited for when the server stops. */
  const follow = async (): Promise<void> => {
    const work = catchUp().then(async () => {
      if (stopping.signal.aborted) return;
      await installer.recover();
      await cleanup.recover();
      await cleanup.follow();
    });
    underway.add(work);
    await work.finally(() => underway.delete(work));
  };
  const followSoon = () => void follow().catch((error: unknown) => log.fault('subtitles.not-followed', error));
  const nudges = calmly(followSoon);
  const stops = [bus.on('catalog.changed', nudges.ask), config.on('subtitles.language', announce), nudges.stop];

  return {
    inventory: (query) =>
      inventory({ inventory: items, installing, providers: provided, languages, libraries: () => catalog.libraries(), providerStates: () => providers.states() }, query),
    fetch: async (request, signal) => {
      const work = fetch(request, AbortSignal.any([signal, stopping.signal]));
      underway.add(work);
      return work.finally(() => underway.delete(work));
    },
    batches,
    workbench,
    drafts,
    cleanup: {
      plan: cleanup.plan,
      apply: async (asked, signal) => {
        const work = cleanup.apply(asked, AbortSignal.any([signal, stopping.signal]));
        underway.add(work);
        return work.finally(() => underway.delete(work));
      },
    },
    audio: async ({ id, language, ...part }, listening) => {
      const subject = await catalog.subject(id);
      const file = subject && mainFile(subject);
      if (!subject || subject.gone || !file) throw new Failure('missing', 'no such film or episode');
      return speech.audio({ file, root: await catalog.root(file.root), language }, part, listening);
    },
    testProviders: (signal) => providers.test(signal),
    start: async () => {
      await installer.recover();
      await cleanup.recover();
      await drafts.recover();
      // The inventory of a large library takes its time; nobody has to wait for it.
      followSoon();
    },
    catchUp,
    close: async () => {
      for (const stop of stops) stop();
      stopping.abort(new Error('the server is stopping'));
      await Promise.allSettled(underway);
      await drafts.close();
      await speech.close();
    },
  };
}
