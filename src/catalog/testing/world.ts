/**
 * A catalogue on real folders with real, tiny media, for tests.
 *
 * The clips are made by ffmpeg once and kept under node_modules/.cache; each file of a test is a copy that
 * differs from every other in bytes, size and time, as real files do.
 */
import { textOfReason } from '../../contract/kernel/reason-texts.ts';
import { TASK_REMARKS, type TaskRemark } from '../../contract/ops/task-remarks.ts';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'node:test';
import { configMigrations, createConfig, type LibraryOptions, loadBoot } from '../../config/index.ts';
import type { LibraryKind } from '../../contract/catalog/kinds.ts';
import { OWNER_POLICY, type Policy } from '../../contract/identity/profiles.ts';
import { createBus } from '../../lib/bus.ts';
import type { Database } from '../../lib/db/index.ts';
import { openTemporaryDatabase } from '../../lib/db/testing-sqlite.ts';
import { createFfmpeg } from '../../lib/ffmpeg/index.ts';
import { createIoPool } from '../../lib/io-pool.ts';
import { createProcesses, type Helper, type HelperNeeds } from '../../lib/process.ts';
import { quietLog } from '../../lib/process/testing.ts';
import { runTask } from '../../lib/tasks/testing.ts';
import { catalogMigrations, createCatalog } from '../index.ts';
import type { CatalogTables } from '../store/tables.ts';
import type { DirectoryReport } from '../core/scan/directory-reader.ts';
import type { VisibleCatalog } from '../types.ts';
import { SETTINGS } from '../../settings.ts';
import { builtHelper } from '../../../test/built-helpers.ts';

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/catalog-clips', import.meta.url));
const SECONDS = 2;
const inputs = (seconds: number) => [
  ...['-f', 'lavfi', '-i', `testsrc=s=64x36:r=5:d=${seconds}`],
  ...['-f', 'lavfi', '-i', `sine=f=440:r=8000:d=${seconds}`],
];
const ARGS = {
  mp4: [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-b:a',
    '16k',
    '-metadata:s:a:0',
    'language=eng',
  ],
  mkv: [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-b:a',
    '16k',
    '-metadata:s:a:0',
    'language=ger',
  ],
};

/** Returns the clip with this extension; makes it if there is none yet. */
export function makeClip(kind: 'mp4' | 'mkv', seconds = SECONDS): string {
  const path = join(CACHE, seconds === SECONDS ? `clip.${kind}` : `clip-${seconds}.${kind}`);
  if (existsSync(path)) return path;
  mkdirSync(CACHE, { recursive: true });
  const part = join(CACHE, `part-${process.pid}-${seconds}.${kind}`);
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...inputs(seconds), ...ARGS[kind], '-shortest', part]);
  renameSync(part, path);
  return path;
}

let serial = 0;
/** Long enough ago for any clock of a file system. */
const LONG_AGO = Date.parse('2024-03-01T12:00:00Z');

/** Makes a unique video; a name with another extension gets the bytes of an MP4. */
export function makeVideo(path: string, seconds?: number): void {
  mkdirSync(dirname(path), { recursive: true });
  serial++;
  const kind = path.endsWith('.mkv') ? 'mkv' : 'mp4';
  copyFileSync(makeClip(kind, seconds), path);
  const bytes = Buffer.alloc(16 + (serial % 997), 0x20 + (serial % 64));
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.write('free', 4, 'latin1');
  bytes.writeUInt32BE(serial, 8);
  // Appends a free box, or in Matroska after a segment of known size a Void element.
  if (kind === 'mkv') Buffer.from([0xec, 0x40 | ((bytes.length - 3) >> 8), (bytes.length - 3) & 0xff]).copy(bytes);
  appendFileSync(path, bytes);
  utimesSync(path, new Date(), new Date(LONG_AGO + serial * 1000));
}

export function makeTextFile(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  serial++;
  utimesSync(path, new Date(), new Date(LONG_AGO + serial * 1000));
}

export const makeNfo = (
  kind: 'movie' | 'tvshow' | 'episodedetails' | 'artist',
  fields: Readonly<Record<string, string | number>>,
): string =>
  `<${kind}>${Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</${kind}>`;

/** Folders and files of a library: true is a video, a number one of so many seconds, a text is a file with it. */
export type Tree = Readonly<Record<string, true | number | string | Uint8Array>>;
export function grow(root: string, tree: Tree): void {
  mkdirSync(root, { recursive: true });
  for (const [path, what] of Object.entries(tree)) {
    if (what === true || typeof what === 'number') makeVideo(join(root, path), what === true ? undefined : what);
    else makeTextFile(join(root, path), what);
  }
}

export interface World {
  db: Database;
  folder: string;
  /** Absolute path below the folder that all libraries of the test lie in. */
  at(...path: string[]): string;
  catalog: Awaited<ReturnType<typeof createCatalog>>;
  clock: { now(): number; monotonic(): number; ahead: number };
  /**
   * Scans all libraries, looking at every file; `quick` trusts the times of folders. Returns the result of the task.
   */
  scan(options?: { quick?: boolean; library?: string; signal?: AbortSignal }): Promise<string>;
  run(name: string): Promise<void>;
  /** Closes the catalogue and opens it again on the same database, with other libraries if given. */
  again(libraries?: readonly LibraryEntry[]): Promise<void>;
  seen(policy?: Partial<Policy>, role?: 'owner' | 'viewer', profile?: string): VisibleCatalog;
  /** Every visible item, as `title` or `show/1x2`. */
  titles(): Promise<string[]>;
  /** The id of the item with this title. */
  id(title: string): Promise<string>;
  /** Highest change number. */
  change(): Promise<number>;
  files(): Promise<CatalogTables['catalog_file'][]>;
  /** Number of files that the header reader was asked for. */
  probes(): number;
  /** Changes the results of reading folders, as a broken disk would. */
  disk: {
    looks(looked: DirectoryReport[]): DirectoryReport[];
    /** Awaited before a folder of this library is read, as on a disk that does not answer. */
    answers?: (root: string) => Promise<void>;
  };
}
export type LibraryEntry = { name: string; path: string; kind: LibraryKind } & LibraryOptions;

/** Opens a catalogue with these libraries; everything is gone after the test. */
export async function openWorld(
  t: TestContext,
  kinds: Readonly<Record<string, LibraryKind>>,
  given?: Database,
  probeModule?: URL,
): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'matinee-catalog-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const db = given ?? (await openTemporaryDatabase(t, worldMigrations));
  let listed: readonly LibraryEntry[] = Object.entries(kinds).map(([name, kind]) => ({
    name,
    path: join(folder, 'media', name),
    kind,
  }));
  for (const { path } of listed) mkdirSync(path, { recursive: true });
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead, monotonic: () => performance.now() };
  const disk: World['disk'] = { looks: (looked) => looked };
  let opened = await openCatalog({ folder, db, listed, clock, disk, probeModule });
  t.after(() => opened.close());
  const world: World = {
    db,
    folder,
    clock,
    disk,
    catalog: opened.catalog,
    at: (...path) => join(folder, 'media', ...path),
    scan: async ({ quick = false, library, signal = new AbortController().signal } = {}) => {
      let said = '';
      const task = found(world.catalog.tasks.find(({ name }) => name === (quick ? 'scan-changes' : 'scan')));
      const input = {
        library:
          library === undefined
            ? undefined
            : found(world.catalog.background.libraries().find(({ name }) => name === library)).id,
      };
      await runTask(task, input as never, {
        signal,
        progress: (_part: number, ...remarks: readonly TaskRemark[]) =>
          void (said = remarks.map((remark) => textOfReason(TASK_REMARKS, remark)).join(', ')),
      });
      return said;
    },
    run: (name) => runTask(found(world.catalog.tasks.find((one) => one.name === name)), {} as never),
    again: async (libraries = listed) => {
      listed = libraries;
      await opened.close();
      opened = await openCatalog({ folder, db, listed, clock, disk, probeModule });
      world.catalog = opened.catalog;
    },
    seen: (policy = {}, role = 'owner', profile = 'p1') =>
      world.catalog.seenBy({ profile, role, policy: { ...OWNER_POLICY, ...policy } }),
    titles: async () => {
      const { items } = await world.seen().library({ view: 'all', q: undefined, sort: 'title', offset: 0, limit: 500 });
      const all: string[] = [];
      for (const { id, title, kind, available } of items) {
        const shown =
          kind === 'show'
            ? (await world.seen().page('shows', id))?.seasons.flatMap(({ number, episodes }) =>
                episodes.map(({ episode }) => `${title}/${number}x${episode ?? '?'}`),
              )
            : [title];
        all.push(...(shown ?? ['?']).map((one) => (available ? one : `(${one})`)));
      }
      return all;
    },
    id: async (title) => {
      const [show = '', place] = title.split(/\/(?=\d+x)/);
      const { items } = await world.seen().library({ view: 'all', offset: 0, limit: 500 });
      const top = found(
        items.find((one) => one.title === show),
        title,
      );
      if (place === undefined) return top.id;
      const [season, episode] = place.split('x').map(Number);
      return found(
        (await world.seen().page('shows', top.id))?.seasons
          .find(({ number }) => number === season)
          ?.episodes.find((one) => one.episode === episode),
        title,
      ).id;
    },
    change: async () =>
      (
        await db
          .tables<CatalogTables>()
          .selectFrom('catalog_counter')
          .select('change')
          .where('only', '=', 1)
          .executeTakeFirstOrThrow()
      ).change,
    files: () =>
      db.tables<CatalogTables>().selectFrom('catalog_file').selectAll().orderBy('folder').orderBy('name').execute(),
    probes: () => opened.probes(),
  };
  return world;
}

export const worldMigrations = [...configMigrations, ...catalogMigrations];

export function found<T>(value: T | undefined, what = 'it'): T {
  if (value === undefined) throw new Error(`${what} is not there`);
  return value;
}

interface Opening {
  folder: string;
  db: Database;
  listed: readonly LibraryEntry[];
  clock: World['clock'];
  disk: World['disk'];
  /** A header reader that misbehaves, in place of the real one. */
  probeModule: URL | undefined;
}

export async function openCatalog({ folder, db, listed, clock, disk, probeModule }: Opening) {
  const env = {
    SERVICE_DATA_DIR: join(folder, 'data'),
    SERVICE_CACHE_DIR: join(folder, 'cache'),
    SERVICE_LIBRARIES: JSON.stringify(listed),
  };
  mkdirSync(env.SERVICE_DATA_DIR, { recursive: true });
  mkdirSync(env.SERVICE_CACHE_DIR, { recursive: true });
  const bus = createBus((error) => {
    throw error;
  });
  const config = await createConfig({
    boot: await loadBoot({ settings: SETTINGS, env }),
    db,
    bus,
    log: quietLog,
    clock,
  });
  const processes = await createProcesses({
    log: quietLog,
    temporary: join(folder, 'work'),
    helperModule: builtHelper,
  });
  const ioPool = createIoPool({ threads: 8 });
  let asked = 0;
  const counting = {
    ...processes,
    startHelper: (needs: HelperNeeds): Helper => {
      const isProbe = needs.name === 'probe';
      const helper = processes.startHelper(
        isProbe && probeModule ? { ...needs, module: probeModule, deadlineMs: 1_500 } : needs,
      );
      const ask = async <T>(request: unknown, signal?: AbortSignal): Promise<T> => {
        if (isProbe) asked += (request as { paths?: string[] }).paths?.length ?? 0;
        if (!isProbe) await disk.answers?.((request as { root: string }).root);
        const reply = await helper.ask<T>(request, signal);
        return isProbe || 'files' in (request as object) ? reply : (disk.looks(reply as DirectoryReport[]) as T);
      };
      return { ...helper, ask };
    },
  };
  const catalog = await createCatalog({
    db,
    bus,
    clock,
    log: quietLog,
    config,
    processes: counting,
    ffmpeg: createFfmpeg({ processes }),
    ioPool,
  });
  return {
    catalog,
    probes: () => asked,
    close: async () => {
      await catalog.close();
      ioPool.close();
      await processes.close();
    },
  };
}
