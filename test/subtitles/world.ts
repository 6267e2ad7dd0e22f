/**
 * A house with subtitles for tests: real configuration, database, catalogue, network and ffmpeg; tiny videos in a
 * temporary folder; and the stand-ins of the providers, which count what they are asked.
 */
import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { type Catalog, type CatalogBackground, catalogMigrations, createCatalog } from '../../src/catalog/index.ts';
import { type Config, configMigrations, createConfig, loadBoot, openSealer } from '../../src/config/index.ts';
import { createBus } from '../../src/lib/bus.ts';
import { type Database, openDatabase, type Transaction } from '../../src/lib/db/index.ts';
import { copyOfEarlier } from '../../src/lib/db/testing-sqlite.ts';
import { createFfmpeg } from '../../src/lib/ffmpeg/index.ts';
import { createIoPool } from '../../src/lib/io-pool.ts';
import { createLog } from '../../src/lib/log.ts';
import { createNet } from '../../src/lib/net.ts';
import { createProcesses } from '../../src/lib/process.ts';
import { createTasks, taskMigrations, type Tasks } from '../../src/lib/tasks/index.ts';
import { createSpeech, type Speech } from '../../src/speech/index.ts';
import { createSubtitles, subtitleMigrations, type Subtitles } from '../../src/subtitles/index.ts';
import { makePrepared } from '../prepared.ts';
import { SETTINGS } from '../../src/settings.ts';
import { builtHelper } from '../built-helpers.ts';

const run = promisify(execFile);

export interface VideoNeeds {
  seconds?: number;
  texts?: readonly { srt: string; language?: string; isForced?: boolean }[];
  hasSound?: boolean;
}

/**
 * Makes a video of that many seconds, with text tracks inside it where asked for. Small, and long enough for a hash.
 */
export async function makeVideo(path: string, needs: VideoNeeds = {}): Promise<void> {
  const ending = extname(path);
  const folder = await makePrepared(['video', ending, needs], (made) => encode(join(made, `video${ending}`), needs));
  await mkdir(dirname(path), { recursive: true });
  const bytes = await readFile(join(folder, `video${ending}`));
  // No two films are the same bytes: the id of a Matroska segment is random, as ffmpeg makes it.
  const id = bytes.indexOf(SEGMENT_UID);
  if (id >= 0) randomFillSync(bytes, id + SEGMENT_UID.length, 16);
  await writeFile(path, bytes);
}
const SEGMENT_UID = Buffer.from([0x73, 0xa4, 0x90]);

async function encode(path: string, { seconds = 60, texts = [], hasSound = false }: VideoNeeds): Promise<void> {
  const inputs: string[] = [];
  const maps = ['-map', '0:v'];
  for (const [n, { srt, language, isForced }] of texts.entries()) {
    await writeFile(`${path}.${n}.part.srt`, srt);
    inputs.push('-i', `${path}.${n}.part.srt`);
    maps.push(
      '-map',
      String(n + 1),
      ...(language === undefined ? [] : [`-metadata:s:s:${n}`, `language=${language}`]),
      `-disposition:s:${n}`,
      isForced === true ? 'forced' : '0',
    );
  }
  if (hasSound) {
    inputs.push('-f', 'lavfi', '-i', `sine=duration=${seconds}`);
    maps.push('-map', String(texts.length + 1));
  }
  // Noise without loss, two pictures a second: over 128 KiB, and a codec that the header reader knows.
  const video = ['-f', 'lavfi', '-i', `color=c=black:s=64x36:r=2:d=${seconds},noise=alls=100:allf=t`];
  await run('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-y',
    ...video,
    ...inputs,
    ...maps,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-qp',
    '0',
    '-pix_fmt',
    'yuv420p',
    '-c:s',
    'srt',
    '-t',
    String(seconds),
    path,
  ]);
  for (const n of texts.keys()) await rm(`${path}.${n}.part.srt`);
}

export interface WorldNeeds {
  /** The data folder and a folder `media` in it; kept when the world closes. */
  folder: string;
  env?: Record<string, string>;
  now?: () => number;
  write?: (line: string) => void;
  /** How much is logged; warnings unless given. */
  level?: 'debug' | 'warn';
  /** Replaces parts of the speech detection. */
  speech?: (real: Speech) => Speech;
}
export interface World {
  folder: string;
  media: string;
  config: Config;
  catalog: CatalogBackground;
  /** The same as requests use it. */
  requests: Catalog;
  subtitles: Subtitles;
  db: Database;
  tasks: Tasks;
  /** Scans everything and waits until the inventory has it. */
  scan(): Promise<void>;
  /** The id of the item that has this file. */
  idOf(file: string): Promise<string>;
  inventory(query?: Partial<Parameters<Subtitles['inventory']>[0]>): ReturnType<Subtitles['inventory']>;
  close(): Promise<void>;
}

export const ALL = { view: 'library', status: 'all', kind: 'all', sort: 'title', page: 1, limit: 40 } as const;

export async function openWorld({
  folder,
  env = {},
  now = () => Date.now(),
  write = () => {},
  level = 'warn',
  speech: replaced = (real) => real,
}: WorldNeeds): Promise<World> {
  const media = join(folder, 'media');
  await mkdir(media, { recursive: true });
  const clock = { now, monotonic: () => performance.now() };
  const log = createLog({ level, write });
  const boot = await loadBoot({
    settings: SETTINGS,
    env: { SERVICE_DATA_DIR: folder, SERVICE_CACHE_DIR: join(folder, 'cache'), SERVICE_MEDIA_DIR: media, ...env },
  });
  const bus = createBus((error, topic) => log.fault('listener.failed', error, { topic }));
  const db = await openDatabase({
    file: join(folder, 'test.db'),
    migrations: [...taskMigrations, ...configMigrations, ...catalogMigrations, ...subtitleMigrations],
    makeNew: copyOfEarlier,
  });
  const config = await createConfig({ boot, db, bus, clock });
  await mkdir(join(folder, 'cache'), { recursive: true });
  const processes = await createProcesses({ log, temporary: join(folder, 'cache', 'work'), helperModule: builtHelper });
  const ioPool = createIoPool({ threads: 24 });
  const ffmpeg = createFfmpeg({ processes });
  const net = createNet({ version: '0.0.0' });
  const catalog = await createCatalog({ db, bus, clock, log, config, processes, ffmpeg, ioPool });
  const speech = replaced(createSpeech({ processes, ffmpeg, cache: config.get('paths.cache'), clock, log }));
  const subtitles = await createSubtitles({
    db,
    bus,
    clock,
    log,
    config,
    catalog: catalog.background,
    speech,
    net,
    processes,
    ffmpeg,
    sealer: openSealer({ folder }),
    random: () => 0,
  });
  const tasks = createTasks({
    db,
    bus,
    clock,
    log,
    declarations: [...catalog.tasks, ...subtitles.batches.tasks, ...subtitles.workbench.audit.tasks],
  });
  await tasks.resume();
  await subtitles.start();
  let lastScan = '';
  const inventory: World['inventory'] = (query = {}) => subtitles.inventory({ ...ALL, ...query });
  return {
    folder,
    media,
    config,
    catalog: catalog.background,
    requests: catalog,
    subtitles,
    db,
    tasks,
    inventory,
    scan: async () => {
      const { state, detail, error } = await tasks.ended((await tasks.start('scan', {})).id);
      if (state !== 'done') throw new Error(`the scan is ${state}: ${error ?? detail ?? ''}`);
      lastScan = detail ?? '';
      await subtitles.catchUp();
    },
    idOf: async (file) => {
      const { items } = await inventory({ limit: 200 });
      const item = items.find((one) => one.file.includes(file));
      if (!item) {
        const { items: unplaced } = await catalog.admin.unplaced({ limit: 10 });
        const known = JSON.stringify({
          inventory: items.map((one) => one.file),
          lastScan,
          unplaced,
          libraries: catalog.background.libraries(),
        });
        throw new Error(`${file} is not in the inventory: ${known}`);
      }
      return item.id;
    },
    close: async () => {
      await tasks.stop(1_000);
      await subtitles.close();
      await speech.close();
      await catalog.close();
      await net.close();
      await processes.close();
      ioPool.close();
      await db.close();
    },
  };
}

/** As a house of before, which did not preserve the bytes that it wrote. */
export const forgetSelf = (db: Database): Promise<void> =>
  db.write(
    'safe',
    async (tx: Transaction<{ subtitle_installed: { preserved: string } }>) =>
      void (await tx.updateTable('subtitle_installed').set({ preserved: '{}' }).execute()),
  );

/** A folder that is gone after the test. */
export async function openTemporaryFolder(t: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'matinee-subtitles-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
