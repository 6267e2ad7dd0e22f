/** A catalogue over a folder of real films for tests, without anything above it: what reads media is tested on this. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type CatalogBackground, catalogMigrations, createCatalog, type Subject } from '../../src/catalog/index.ts';
import { configMigrations, createConfig, loadBoot } from '../../src/config/index.ts';
import { createBus } from '../../src/lib/bus.ts';
import { systemClock as clock } from '../../src/lib/clock.ts';
import { openDatabase } from '../../src/lib/db/index.ts';
import { copyOfEarlier } from '../../src/lib/db/testing-sqlite.ts';
import { createFfmpeg, type Ffmpeg } from '../../src/lib/ffmpeg/index.ts';
import { createIoPool } from '../../src/lib/io-pool.ts';
import { createLog } from '../../src/lib/log.ts';
import { createProcesses, type Processes } from '../../src/lib/process.ts';
import { createTasks, taskMigrations } from '../../src/lib/tasks/index.ts';
import { SETTINGS } from '../../src/settings.ts';
import { builtHelper } from '../built-helpers.ts';

export interface OpenTestLibrary {
  media: string;
  catalog: CatalogBackground;
  processes: Processes;
  ffmpeg: Ffmpeg;
  scan(): Promise<void>;
  /** The film or episode whose file is called so. */
  film(name: string): Promise<Subject>;
  close(): Promise<void>;
}

export async function openTestLibrary(folder: string): Promise<OpenTestLibrary> {
  const media = join(folder, 'media');
  await mkdir(media, { recursive: true });
  await mkdir(join(folder, 'cache'), { recursive: true });
  const log = createLog({ level: 'warn', write: () => {} });
  const boot = await loadBoot({
    settings: SETTINGS,
    env: { SERVICE_DATA_DIR: folder, SERVICE_CACHE_DIR: join(folder, 'cache'), SERVICE_MEDIA_DIR: media },
  });
  const bus = createBus((error, topic) => log.fault('listener.failed', error, { topic }));
  const db = await openDatabase({
    file: join(folder, 'test.db'),
    migrations: [...taskMigrations, ...configMigrations, ...catalogMigrations],
    makeNew: copyOfEarlier,
  });
  const config = await createConfig({ boot, db, bus, clock });
  const processes = await createProcesses({ log, temporary: join(folder, 'cache', 'work'), helperModule: builtHelper });
  const ioPool = createIoPool({ threads: 24 });
  const ffmpeg = createFfmpeg({ processes });
  const catalog = await createCatalog({ db, bus, clock, log, config, processes, ffmpeg, ioPool });
  const tasks = createTasks({ db, bus, clock, log, declarations: [...catalog.tasks] });
  await tasks.resume();
  return {
    media,
    catalog: catalog.background,
    processes,
    ffmpeg,
    scan: async () => void (await tasks.ended((await tasks.start('scan', {})).id)),
    film: async (name) => {
      const subjects = await catalog.background.changedSince(0, 1_000);
      const found = subjects.find(({ files }) => files.some(({ relative }) => relative.includes(name)));
      if (!found) throw new Error(`not in the catalogue: ${name}`);
      return found;
    },
    close: async () => {
      await tasks.stop(1_000);
      await catalog.close();
      await processes.close();
      ioPool.close();
      await db.close();
    },
  };
}
