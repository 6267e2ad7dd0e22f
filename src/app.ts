/**
 * Puts the server together: the only place where that is done. Tests call it with their own outside
 * world; main.ts with the real one. Nothing listens until `listen` is called.
 */
import { createCatalog } from './catalog/index.ts';
import { catalogRoutes } from './catalog/routes.ts';
import type { Boot, Config } from './config/index.ts';
import { createConfig, openSealer } from './config/index.ts';
import { configRoutes } from './config/routes.ts';
import { ownCertificate } from './http/certificate.ts';
import type { Mounted } from './http/handle.ts';
import { createServer, type HttpServer } from './http/server.ts';
import { createIdentity, type Identity } from './identity/index.ts';
import { identityRoutes } from './identity/routes.ts';
import { coalesce } from './lib/coalesce.ts';
import { createBus } from './lib/bus.ts';
import type { Clock } from './lib/clock.ts';
import { explainDamage, openDatabase, type Database } from './lib/db/index.ts';
import { createEncoder } from './lib/ffmpeg/encode/index.ts';
import { createFfmpeg } from './lib/ffmpeg/index.ts';
import { ensurePrivateFolder, freeSpace } from './lib/files.ts';
import { createLanes } from './lib/lane.ts';
import type { RootLog } from './lib/log.ts';
import { createNet, type Net } from './lib/net.ts';
import { createProcesses } from './lib/process.ts';
import { createTasks } from './lib/tasks/index.ts';
import { MIGRATIONS } from './migrations.ts';
import {
  createDatabaseCare,
  createDiagnostics,
  createInstallation,
  createOps,
  createRoomCheck,
  databaseFile,
  laterFindings,
  taskOf,
  type Installation,
} from './ops/index.ts';
import { opsRoutes } from './ops/routes.ts';
import { createExtras, createHardware, createPlayback, type HardwareNeeds, type People } from './playback/index.ts';
import { hardwareRoutes, markerRoutes, playbackRoutes, trickplayRoutes } from './playback/routes.ts';
import { createSubtitles } from './subtitles/index.ts';
import { subtitleRoutes } from './subtitles/routes.ts';
import { createWebFiles } from './web-files/index.ts';
import { pageRoutes } from './web-files/routes.ts';

/** What comes from outside. */
export interface World {
  boot: Boot;
  clock: Clock;
  log: RootLog;
  version: string;
  /** Threads of the pool, as UV_THREADPOOL_SIZE has it. */
  threads: number;
  /** Where the built dashboard is. */
  dashboard: string;
  /** Only for tests: another way out, other disks, and other devices for video. */
  net?: Net;
  hardware?: Pick<HardwareNeeds, 'place' | 'sizes' | 'trialMs'>;
  room?: (path: string) => Promise<{ free: number; total: number }>;
}

export interface App {
  http: HttpServer;
  mounted: readonly Mounted[];
  config: Config;
  db: Database;
  /** Begins what runs in the background: tasks, scans, watching folders. */
  start(): Promise<void>;
  /** Finds out what this machine converts, unless that is known: takes a quarter of a minute of processor time. */
  detectHardware(): Promise<void>;
  close(): Promise<void>;
}

export async function createApp(world: World): Promise<App> {
  const { boot, clock, log } = world;
  const data = boot.get('paths.data');
  const cache = boot.get('paths.cache');
  await ensurePrivateFolder(data);
  await ensurePrivateFolder(cache);
  const url = boot.get('database.url');
  const place = url === undefined ? { file: databaseFile(data) } : { url };
  const installation = createInstallation({ folder: data, ...place, clock });
  const db = await openDatabase({
    ...place,
    migrations: MIGRATIONS,
    clock,
    mayCreate: installation.refuseNew,
    report: (error) => log.fault('database.failed', error),
  });
  const closing: (() => Promise<unknown> | unknown)[] = [() => db.close()];
  const close = async () => {
    for (const end of closing.toReversed())
      await Promise.resolve(end()).catch((error: unknown) => log.fault('stop.failed', error));
  };
  try {
    return await assemble(world, {
      db,
      file: 'file' in place ? place.file : undefined,
      data,
      cache,
      installation,
      closing,
      close,
    });
  } catch (error) {
    await close();
    throw explainDamage(error);
  }
}

interface Ground {
  db: Database;
  file: string | undefined;
  data: string;
  cache: string;
  installation: Installation;
  closing: (() => Promise<unknown> | unknown)[];
  close(): Promise<void>;
}

async function assemble(
  {
    boot,
    clock,
    log,
    version,
    threads,
    dashboard,
    net = createNet({ version }),
    room: roomOf = freeSpace,
    hardware: machine = {},
  }: World,
  { db, file, data, cache, installation, closing, close }: Ground,
): Promise<App> {
  const bus = createBus((error, topic) => log.fault('listener.failed', error, { topic }));
  const config = await createConfig({ boot, db, bus, log, clock });
  log.setLevel(config.get('logging.level'));
  config.on('logging.level', (level) => log.setLevel(level));
  const processes = await createProcesses({ log, temporary: `${cache}/work` });
  const lanes = createLanes({ threads });
  closing.push(
    () => net.close(),
    () => lanes.close(),
    () => processes.close(),
  );
  const ffmpeg = createFfmpeg({
    processes,
    programs: { ffmpeg: config.get('binaries.ffmpeg'), ffprobe: config.get('binaries.ffprobe') },
  });
  const encoders = createEncoder({ processes, program: config.get('binaries.ffmpeg') });
  const sealer = openSealer({ folder: data });

  const review = { now: () => {}, replies: () => {} };
  const identity = await createIdentity({
    db,
    bus,
    clock,
    log,
    config,
    sealer,
    revoked: () => review.now(),
    setUpDone: installation.remember,
  });
  closing.push(() => identity.close());
  await installation.settle(identity.setUpState());
  const catalog = await createCatalog({ db, bus, clock, log, config, processes, ffmpeg, lanes });
  closing.push(() => catalog.close());
  const subtitles = await createSubtitles({
    db,
    bus,
    clock,
    log,
    config,
    catalog: catalog.background,
    net,
    processes,
    ffmpeg,
    sealer,
  });
  closing.push(() => subtitles.close());
  const extras = createExtras({
    db,
    bus,
    catalog,
    unfiltered: catalog.background,
    ffmpeg,
    processes,
    clock,
    log,
    cache,
    fpcalc: config.get('binaries.fpcalc'),
    background: () => playback.background,
    startTask: async (name, input) => taskOf(await tasks.start(name, input)),
  });
  closing.push(() => extras.close());
  const hardware = createHardware({
    processes,
    program: config.get('binaries.ffmpeg'),
    ffmpeg,
    config,
    log,
    clock,
    cache,
    ...machine,
  });
  closing.push(() => hardware.close());
  const playback = await createPlayback({
    db,
    bus,
    clock,
    config,
    catalog,
    markers: extras.markers,
    hardware,
    processes,
    encoders,
    ffmpeg,
    cache,
    log,
    makeTicket: identity.makeTicket,
    measure: roomOf,
    ...subtitles.delivery,
    people: peopleOf(identity),
    reviewReplies: () => review.replies(),
    likedAudio: (by) => identity.operations.me.read(by).preferences.audio,
  });
  closing.push(() => playback.close());
  const care = await createDatabaseCare({ db, file, folder: data, clock, log });
  closing.push(() => care.close());
  const tasks = createTasks({
    db,
    bus,
    clock,
    log,
    declarations: [...catalog.tasks, ...subtitles.batches.tasks, ...extras.tasks, ...care.tasks],
  });
  const state = { isReady: false };
  const room = (path: string) => lanes.lane(path).run(() => roomOf(path));
  const hasRoom = createRoomCheck({ read: () => room(data), now: () => clock.monotonic() });
  const diagnostics = createDiagnostics({
    version,
    engine: db.engine,
    clock,
    ffmpeg,
    processes,
    programs: () => [
      {
        setting: 'binaries.ffmpeg',
        program: config.get('binaries.ffmpeg'),
        feature: 'Subtitle tracks and pictures from videos',
        isNeeded: true,
      },
      {
        setting: 'binaries.ffprobe',
        program: config.get('binaries.ffprobe'),
        feature: 'Reading unusual media files',
        isNeeded: true,
      },
      {
        setting: 'binaries.fpcalc',
        program: config.get('binaries.fpcalc'),
        feature: 'Finding intros and credits',
        isNeeded: false,
      },
      {
        setting: 'binaries.tesseract',
        program: config.get('binaries.tesseract'),
        feature: 'Reading picture subtitles',
        isNeeded: false,
      },
      {
        setting: 'binaries.whisper',
        program: config.get('binaries.whisper'),
        feature: 'Transcription',
        isNeeded: false,
      },
    ],
    room,
    folders: () =>
      (['paths.data', 'paths.cache', 'paths.media'] as const).map((setting) => ({
        setting,
        path: config.get(setting),
      })),
    further: [
      () => catalog.findings(),
      () => identity.findings(),
      () => subtitles.drafts.findings(),
      async () => [...playback.findings(), ...extras.findings()],
      () => care.findings(),
      () => hardware.findings(),
      () => laterFindings(config),
    ],
  });
  const ops = createOps({
    bus,
    tasks,
    clock,
    diagnostics,
    isReady: async () => state.isReady && (await hasRoom()),
    audience: { policyOf: identity.policyOf, watchedBy: catalog.watching.versionOf, takeTouched: catalog.takeTouched },
  });
  closing.push(() => tasks.stop(2_000));

  const files = createWebFiles({ folder: dashboard });
  const mounted: Mounted[] = [
    ...identityRoutes(identity),
    ...configRoutes(config),
    ...catalogRoutes({
      catalog,
      admin: catalog.admin,
      config,
      played: {
        durationOf: playback.playing.durationOf,
        creditsOf: extras.markers.creditsOf,
        markersOf: extras.markers.published,
        expect: playback.playing.expect,
      },
    }),
    ...subtitleRoutes(subtitles),
    ...playbackRoutes(playback),
    ...markerRoutes(extras),
    ...hardwareRoutes(hardware),
    ...trickplayRoutes(extras),
    ...pageRoutes(files),
    ...opsRoutes({ ops, serverName: () => config.get('server.name'), mounted: () => mounted }),
  ];
  const tls = config.get('tls.enabled')
    ? await ownCertificate({ folder: `${data}/tls`, hosts: config.get('tls.hosts') ?? [], clock })
    : undefined;
  const http = createServer({
    mounted,
    doors: { identify: identity.identify, current: identity.current, log },
    tls,
    lost: () => files.document(),
  });
  review.replies = () => http.review();
  review.now = () => {
    playback.playing.review();
    http.review();
  };
  // An item that was hidden, rated otherwise or taken away with its library ends the streams that show it.
  bus.on('catalog.changed', () => review.now());
  // A Profile that is gone takes what it watched with it; done again at every start, which is free when it was done.
  let removed = 0;
  const forgetRemoved = coalesce(async () => {
    for (const { seq, profile } of await identity.removedAfter(removed)) {
      await catalog.watching.forgetProfile(profile);
      await playback.forgetProfile(profile);
      removed = seq;
    }
  });
  bus.on('identity.changed', forgetRemoved);
  closing.push(() => http.close());
  return {
    http,
    mounted,
    config,
    db,
    close,
    detectHardware: () => hardware.start(),
    start: async () => {
      await forgetRemoved();
      await tasks.resume();
      await catalog.start(
        (library, isFull) =>
          void tasks
            .start(isFull ? 'scan' : 'scan-changes', { library })
            .catch((error: unknown) => log.fault('scan.not-started', error)),
      );
      // The server is ready without its libraries: what follows may read their folders.
      state.isReady = true;
      care.start((name) => void tasks.start(name).catch((error: unknown) => log.fault('check.not-started', error)));
      extras.start();
      await subtitles.start(
        (name) => void tasks.start(name).catch((error: unknown) => log.fault('upkeep.not-started', error)),
      );
    },
  };
}

/** Answers playback's questions about Profiles and devices. A stream may continue only for a caller who may still stream. */
const peopleOf = ({ profiles, current, operations }: Identity): People => ({
  profileName: (id) => profiles().find((one) => one.id === id)?.name,
  deviceOf: (by) => (by.via === 'session' ? (operations.sessions.read(by).device ?? 'Unnamed device') : 'API key'),
  current: (by) => current(by, { role: 'viewer', via: 'stream', link: 'media' }),
});
