/**
 * Assembles the server from its domains. The program passes the real world and tests pass their own. Nothing listens
 * until `listen` is called on `http`.
 */
import { setTimeout } from 'node:timers/promises';
import { createConfig, openSealer, type Config } from './config/index.ts';
import type { Domain, Foundation, OpenDomain, Program, Review, World } from './domain.ts';
import { DOMAINS } from './domains.ts';
import { ownCertificate } from './http/certificate.ts';
import type { MountedEndpoint } from './http/handle.ts';
import { createServer, type HttpServer, type ServerNeeds } from './http/server.ts';
import { identityDomain } from './identity/domain.ts';
import type { Identity } from './identity/index.ts';
import { coalesce } from './lib/coalesce.ts';
import { createBus } from './lib/bus.ts';
import { explainDamage, openDatabase, type Database } from './lib/db/index.ts';
import { createEncoder } from './lib/ffmpeg/encode/index.ts';
import { createFfmpeg } from './lib/ffmpeg/index.ts';
import { ensurePrivateFolder, freeSpace } from './lib/files.ts';
import { createIoPool } from './lib/io-pool.ts';
import type { Log } from './lib/log.ts';
import { unlessFull } from './lib/unless-full.ts';
import { createNameQuestions, createNet } from './lib/net.ts';
import { createProcesses } from './lib/process.ts';
import { createTasks, taskMigrations } from './lib/tasks/index.ts';
import { createInstallation, databaseFile, findingsOfParts, type InstallationFile, NO_RESTARTER } from './ops/index.ts';
import { opsDomain } from './ops/domain.ts';
import { remoteDomain } from './remote/domain.ts';
import { webFilesDomain } from './web-files/domain.ts';

export interface App {
  http: HttpServer;
  /** Makes a further server over the same endpoints, for another listener. */
  makeServer: Servers['make'];
  mounted: readonly MountedEndpoint[];
  config: Config;
  db: Database;
  /** Begins what runs in the background: tasks, scans, watching folders. */
  start(): Promise<void>;
  /** Begins work that takes much processor time, such as testing the hardware. Called some time after the start. */
  startLate(): Promise<void>;
  /** Closes everything. Replies that are being sent may finish within `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

const STOP_TASKS_MS = 2_000;
/** How long a domain may take to start when the server is closed. Its folders may be on a disk that does not reply. */
const STOP_STARTING_MS = 1_000;

/** Functions that close what was opened, the first opened first. */
type Closing = ((graceMs?: number) => Promise<unknown> | unknown)[];

/** Opens the database, builds the foundation and opens the domains on it. Closes what it has opened if one fails. */
export async function createApp(world: World, domains: readonly Domain[] = DOMAINS): Promise<App> {
  const { boot, clock, log } = world;
  const data = boot.get('paths.data');
  await ensurePrivateFolder(data);
  await ensurePrivateFolder(boot.get('paths.cache'));
  const url = boot.get('database.url');
  const place = url === undefined ? { file: databaseFile(data) } : { url };
  const installation = createInstallation({ folder: data, ...place, clock });
  const db = await openDatabase({
    ...place,
    migrations: [...taskMigrations, ...domains.flatMap(({ migrations }) => migrations)],
    clock,
    mayCreate: installation.refuseNew,
    makeNew: world.makeNew,
    room: (folder) => (world.room ?? freeSpace)(folder).then(({ free }) => free),
    report: (error) => log.fault('database.failed', error),
  });
  const closing: Closing = [() => db.close()];
  const close = async (graceMs?: number) => {
    for (const end of closing.toReversed())
      // One that throws must not keep the others open.
      await Promise.try(end, graceMs).catch((error: unknown) => log.fault('stop.failed', error));
  };
  try {
    const server = createDomains(domains, log);
    const [review, servers] = [createReview(), createServers()];
    review.sendsReplies(servers.review);
    const parts = { server, review, servers, closing };
    const foundation = await createFoundation({ world, db, file: place.file, installation, ...parts });
    await server.open(foundation, closing);
    return { ...(await assemble({ foundation, ...parts })), close };
  } catch (error) {
    await close();
    throw explainDamage(error);
  }
}

async function createFoundation({
  world,
  db,
  file,
  installation,
  closing,
  server,
  review,
  servers,
}: {
  world: World;
  db: Database;
  file: string | undefined;
  installation: InstallationFile;
  closing: Closing;
  server: Domains;
  review: Review;
  servers: Servers;
}): Promise<Foundation> {
  const { boot, clock, log, net = createNet({ version: world.version }), room = freeSpace, hardware = {} } = world;
  const { restarter = NO_RESTARTER, makeNameQuestions = createNameQuestions, putBack } = world;
  const { helperModule = (source) => source } = world;
  const [data, cache] = [boot.get('paths.data'), boot.get('paths.cache')];
  const bus = createBus((error, topic) => log.fault('listener.failed', error, { topic }));
  const config = await createConfig({ boot, db, bus, log, clock, putBack });
  log.setLevel(config.get('logging.level'));
  config.on('logging.level', (level) => log.setLevel(level));
  const processes = await createProcesses({ log, temporary: `${cache}/work`, helperModule });
  const ioPool = createIoPool({ threads: world.threads });
  closing.push(
    () => net.close(),
    () => ioPool.close(),
    () => processes.close(),
  );
  const program = config.get('binaries.ffmpeg');
  return {
    ...world,
    hashingCost: world.hashingCost,
    net,
    makeNameQuestions,
    room,
    hardware,
    helperModule,
    restarter,
    config,
    db,
    file,
    data,
    cache,
    bus,
    processes,
    ioPool,
    ffmpeg: createFfmpeg({ processes, programs: { ffmpeg: program, ffprobe: config.get('binaries.ffprobe') } }),
    encoders: createEncoder({ processes, program }),
    sealer: openSealer({ folder: data }),
    installation,
    tasks: createTasks({ db, bus, clock, log }),
    review,
    makePublicServer: servers.make,
    mounted: () => server.mounted,
    findings: server.findings,
    programs: () => server.programs,
    isStarted: server.isStarted,
  };
}

/** Ties the domains to HTTP, and says how they start. */
async function assemble({
  foundation,
  server,
  closing,
  servers,
}: {
  foundation: Foundation;
  server: Domains;
  closing: Closing;
  servers: Servers;
}): Promise<Omit<App, 'close'>> {
  const { config, db, bus, clock, log, data, tasks } = foundation;
  const identity = server.door(identityDomain);
  const tls = config.get('tls.enabled')
    ? await ownCertificate({ folder: `${data}/tls`, hosts: config.get('tls.hosts') ?? [], clock })
    : undefined;
  servers.serve({
    mounted: server.mounted,
    doors: {
      identify: identity.identify,
      current: identity.current,
      newestEvent: server.door(opsDomain).newestEvent,
      log,
    },
    lost: server.door(webFilesDomain).document,
  });
  const remote = server.door(remoteDomain);
  const http = servers.make({
    listener: { kind: 'home', publicHost: remote.publicHost, noteOutside: remote.noteForwarded },
    tls: tls && { own: tls, of: remote.certificateAtHome },
  });
  const forgetRemoved = coalesce(() => forgetProfiles({ identity, opened: server.opened, log }));
  bus.on('identity.changed', forgetRemoved);
  closing.push(
    () => tasks.stop(STOP_TASKS_MS),
    (graceMs) => Promise.all([http.close(graceMs), remote.stopListening(graceMs)]),
  );
  return {
    http,
    makeServer: servers.make,
    mounted: server.mounted,
    config,
    db,
    start: async () => {
      await unlessFull(forgetRemoved, log);
      await unlessFull(() => tasks.resume(), log);
      await server.start();
    },
    startLate: server.startLate,
  };
}

/** The domains of one server, as they are opened. */
interface Domains {
  readonly opened: ReadonlyMap<string, OpenDomain<unknown>>;
  readonly mounted: readonly MountedEndpoint[];
  readonly programs: readonly Program[];
  open(foundation: Foundation, closing: Closing): Promise<void>;
  door<Door>(of: Domain<string, Door>): Door;
  findings: Foundation['findings'];
  start(): Promise<void>;
  isStarted(): boolean;
  startLate(): Promise<void>;
}

function createDomains(domains: readonly Domain[], log: Pick<Log, 'fault'>): Domains {
  const opened = new Map<string, OpenDomain<unknown>>();
  const mounted: MountedEndpoint[] = [];
  let isStarted = false;
  let isClosing = false;
  let starting: Promise<void> | undefined;
  /** A restart may close the server while its domains are started. Timers set after that would keep it in memory. */
  const startEach = async (step: 'start' | 'startBackground' | 'startLate'): Promise<void> => {
    for (const one of opened.values()) {
      if (isClosing) return;
      await unlessFull(async () => one[step]?.(), log);
    }
  };
  /** Starts no other domain, and waits for the one that is being started: it would set its timers after its close. */
  const stopStarting = async (): Promise<void> => {
    isClosing = true;
    const limit = new AbortController();
    await Promise.race([
      starting?.catch(() => {}),
      setTimeout(STOP_STARTING_MS, undefined, { signal: limit.signal }).catch(() => {}),
    ]);
    limit.abort();
  };
  const begin = (steps: () => Promise<void>): Promise<void> => (starting = steps());
  const doorOf = (name: string): unknown => {
    const found = opened.get(name);
    if (!found) throw new Error(`the domain ${name} is used before it is open: move it up in domains.ts`);
    return found.door;
  };
  return {
    opened,
    mounted,
    programs: domains.flatMap(({ programs }) => programs),
    open: async (foundation, closing) => {
      for (const { name, uses, open } of domains) {
        if (opened.has(name)) throw new Error(`two domains are called ${name}`);
        const one = await open(foundation, Object.fromEntries(uses.map((used) => [used.name, doorOf(used.name)])));
        opened.set(name, one);
        mounted.push(...(one.routes ?? []));
        foundation.tasks.declare(one.tasks ?? []);
        closing.push(() => one.close?.());
      }
      closing.push(stopStarting);
    },
    // The value opened this door, so it has the value's type; the map does not keep it.
    door: <Door>(of: Domain<string, Door>) => doorOf(of.name) as Door,
    findings: () => findingsOfParts(opened, log),
    start: () =>
      begin(async () => {
        await startEach('start');
        // The server is ready without its libraries: what follows may read their folders.
        isStarted = true;
        await startEach('startBackground');
      }),
    isStarted: () => isStarted,
    startLate: () => begin(() => startEach('startLate')),
  };
}

/** The servers of one run: of the home network, and for remote access. */
interface Servers {
  /** Says what every server is made of, once all domains are open. */
  serve(shared: Omit<ServerNeeds, 'listener' | 'tls'>): void;
  make(needs: Pick<ServerNeeds, 'listener' | 'tls'>): HttpServer;
  /** Checks the open replies of every server. */
  review(): void;
}

function createServers(): Servers {
  const made = new Set<HttpServer>();
  let shared: Omit<ServerNeeds, 'listener' | 'tls'> | undefined;
  return {
    serve: (given) => void (shared = given),
    make: (needs) => {
      if (!shared) throw new Error('a server is made before all domains are open');
      const server = createServer({ ...shared, ...needs });
      const open = { ...server, close: (graceMs?: number) => server.close(graceMs).finally(() => made.delete(open)) };
      made.add(open);
      return open;
    },
    review: () => {
      for (const { review } of made) review();
    },
  };
}

interface OpenReview extends Review {
  /** Names the function that checks open replies, once there is a server that sends them. */
  sendsReplies(check: () => void): void;
}

/** Domains are handed these functions before the server exists, so each looks up what it calls. */
function createReview(): OpenReview {
  const listeners: (() => void)[] = [];
  let checkReplies = () => {};
  const replies = () => checkReplies();
  return {
    replies,
    now: () => {
      for (const listener of listeners) listener();
      replies();
    },
    on: (listener) => void listeners.push(listener),
    sendsReplies: (check) => {
      checkReplies = check;
    },
  };
}

/**
 * Lets every domain forget the Profiles that were removed since it last did. What fails is tried again at the next
 * call.
 */
async function forgetProfiles({
  identity,
  opened,
  log,
}: {
  identity: Identity;
  opened: Domains['opened'];
  log: Log;
}): Promise<void> {
  for (const [domain, { forgetProfile }] of opened) {
    if (!forgetProfile) continue;
    try {
      for (const { profile, commitCursor } of await identity.removedFor(domain))
        await forgetProfile(profile, commitCursor);
    } catch (error) {
      log.fault('profile.not-forgotten', error, { domain });
    }
  }
}
