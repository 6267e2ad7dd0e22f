/**
 * A domain: one value with everything that the server needs to assemble it, in `<domain>/domain.ts`.
 *
 * A domain names the domains that it uses, and its `open` receives the doors of those and of no others. `domains.ts`
 * lists the values, lower ones first; `app.ts` opens them in that order and closes them in reverse. The architecture
 * test reads from the same values which folder may import which.
 */
import type { Boot, Config, OwnerTexts, Sealer, Setting, SettingKey } from './config/index.ts';
import type { Finding } from './contract/findings.ts';
import type { FindingTable } from './contract/kernel/finding.ts';
import type { MountedEndpoint } from './http/handle.ts';
import type { HashingCost } from './identity/index.ts';
import type { Bus } from './lib/bus.ts';
import type { Clock } from './lib/clock.ts';
import type { CommitCursor, Database, MakeNew, Migration } from './lib/db/index.ts';
import type { createEncoder } from './lib/ffmpeg/encode/index.ts';
import type { Ffmpeg } from './lib/ffmpeg/index.ts';
import type { IoPool } from './lib/io-pool.ts';
import type { RootLog } from './lib/log.ts';
import type { NameQuestions, NameServers, Net } from './lib/net.ts';
import type { Processes } from './lib/process.ts';
import type { TaskDefinition, Tasks } from './lib/tasks/index.ts';
import type { InstallationFile, Restarter } from './ops/index.ts';
import type { HardwareNeeds } from './playback/index.ts';
import type { PublicServer, PublicServerNeeds } from './remote/index.ts';

/** The server's outside world: the program passes the real one, tests pass their own. */
export interface World {
  boot: Boot;
  clock: Clock;
  log: RootLog;
  version: string;
  /** Size of Node's thread pool (UV_THREADPOOL_SIZE). */
  threads: number;
  /** Folder of the built dashboard. */
  dashboard: string;
  /** The network; replaced only by tests, like what follows. */
  net?: Net;
  /** Makes the questions to name servers. */
  makeNameQuestions?: (servers: NameServers) => NameQuestions;
  /** Devices that convert video, and how they are tested. */
  hardware?: Pick<HardwareNeeds, 'place' | 'sizes' | 'trialMs'>;
  /** Returns the free and total bytes of the disk of a folder. */
  room?: (path: string) => Promise<{ free: number; total: number }>;
  /** Returns the module to run in place of the source of a helper process or thread. */
  helperModule?: (source: URL) => URL;
  /** Cost of new password hashes. */
  hashingCost?: HashingCost;
  /** Makes the tables of a new database. */
  makeNew?: MakeNew;
  /** Starts the server again within its process. Left out, it cannot be restarted that way. */
  restarter?: Restarter;
  /** Settings that are put back before they are read, because a restart failed with what is saved. */
  putBack?: OwnerTexts | undefined;
}

/** Parts that every domain is built on. They exist before the first domain is opened. */
export interface Foundation extends Required<Omit<World, 'putBack' | 'hashingCost' | 'makeNew'>> {
  /** Undefined in a server: then it is `HASHING_COST`. */
  hashingCost: HashingCost | undefined;
  config: Config;
  db: Database;
  /** The database where it is a file. */
  file: string | undefined;
  /** Folder for what is worth keeping (`paths.data`). */
  data: string;
  /** Folder for data that can be rebuilt (`paths.cache`). */
  cache: string;
  bus: Bus;
  processes: Processes;
  ioPool: IoPool;
  ffmpeg: Ffmpeg;
  encoders: ReturnType<typeof createEncoder>;
  sealer: Sealer;
  installation: InstallationFile;
  /** The task queue. It accepts tasks once the server has started. */
  tasks: Tasks;
  review: Review;
  /** Makes a server for remote access, over the endpoints that exist there. Called once all domains are open. */
  makePublicServer(needs: PublicServerNeeds): PublicServer;
  /** Returns every mounted endpoint; complete once all domains are open. */
  mounted(): readonly MountedEndpoint[];
  /** Returns the findings of all domains. */
  findings(): Promise<Finding[]>;
  /** Returns the programs that the domains start. */
  programs(): readonly Program[];
  /** Whether every domain has started. */
  isStarted(): boolean;
}

/** Checks open replies and playback sessions again, after a caller's rights may have changed. */
export interface Review {
  /**
   * Ends what its caller may no longer have: first what listeners keep open, then replies that are still being sent.
   */
  now(): void;
  /** Checks only the replies that are still being sent. */
  replies(): void;
  /** Calls `listener` at each review, before the replies are checked. */
  on(listener: () => void): void;
}

/** A program that a domain starts. Diagnostics say whether it is installed. */
export interface Program {
  setting: Extract<SettingKey, `binaries.${string}`>;
  /** Title of the feature that does not work without it. */
  feature: string;
  /** Whether the server is of little use without it. */
  isNeeded: boolean;
}

/** A domain that is open: what it offers to others and takes part in. */
export interface OpenDomain<Door, Reported extends Finding = Finding> {
  /** The calls open to the domains above. */
  door: Door;
  routes?: readonly MountedEndpoint[];
  tasks?: readonly TaskDefinition<never>[];
  /** Returns what is worth an Owner's attention. */
  findings?(): Promise<Reported[]> | Reported[];
  /**
   * Begins the domain's work. The server is ready when every domain has started, so nothing here waits for media
   * folders.
   */
  start?(): Promise<void> | void;
  /** Begins work that may wait for media folders; called when the server is ready. */
  startBackground?(): Promise<void> | void;
  /** Begins work that takes much processor time; called some time after the start. */
  startLate?(): Promise<void>;
  close?(): Promise<void> | void;
  /**
   * Removes what the domain keeps about a Profile that was removed. `commitCursor` must run in the transaction that
   * removes the rows, so that the removal is neither lost nor repeated. Called again after a failure or a crash.
   */
  forgetProfile?(profile: string, commitCursor: CommitCursor): Promise<void>;
}

/** A domain as the list of domains holds it. */
export interface Domain<Name extends string = string, Door = unknown> {
  /** Name of its folder. */
  readonly name: Name;
  readonly uses: readonly Domain[];
  readonly settings: readonly Setting[];
  readonly migrations: readonly Migration[];
  readonly programs: readonly Program[];
  readonly findings: FindingTable;
  open(foundation: Foundation, doors: Readonly<Record<string, unknown>>): Promise<OpenDomain<Door>>;
}

/** The doors of some domains by their names. */
type DoorsOf<Uses extends readonly Domain[]> = {
  readonly [Used in Uses[number] as Used['name']]: Used extends Domain<string, infer Door> ? Door : never;
};

/** Declares a domain. `open` receives the doors of `uses` and of no other domain. */
export function domain<
  const Name extends string,
  const Uses extends readonly Domain[],
  Door,
  const Findings extends FindingTable = Readonly<Record<never, never>>,
>(declared: {
  name: Name;
  /** The domains that it calls. Its folder may import their `index.ts`, and no other domain's. */
  uses: Uses;
  /** Settings that it reads. */
  settings?: readonly Setting[];
  /** Steps of its tables, in order. */
  migrations?: readonly Migration[];
  programs?: readonly Program[];
  /** Codes of the findings that it reports; `open` returns findings with these codes only. */
  findings?: Findings;
  open(
    foundation: Foundation,
    doors: DoorsOf<Uses>,
  ): Promise<OpenDomain<Door, Extract<Finding, { code: keyof Findings }>>>;
}): Domain<Name, Door> {
  return { settings: [], migrations: [], programs: [], findings: {}, ...declared };
}
