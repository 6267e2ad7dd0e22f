/**
 * The interface of the search in dialogue: a remembered phrase leads to the film and the second in which it is spoken.
 *
 * The index holds the lines of everything. A search receives the items that its caller may see, and finds no others,
 * so a hidden film changes no result, no page and no progress.
 */
import type { Catalog, CatalogBackground } from '../catalog/index.ts';
import type { Config } from '../config/index.ts';
import type { Bus } from '../lib/bus.ts';
import { debounce } from '../lib/coalesce.ts';
import type { Ffmpeg } from '../lib/ffmpeg/index.ts';
import type { Log } from '../lib/log.ts';
import type { TaskDefinition } from '../lib/tasks/index.ts';
import { createDialogueIndex } from './index-threads.ts';
import { createDialogueIndexing, DIALOGUE_TASK } from './indexing.ts';
import { createDialogueSearch, type DialogueSearch } from './search.ts';

export interface DialogueNeeds {
  catalog: Pick<Catalog, 'seenBy'>;
  unfiltered: CatalogBackground;
  bus: Pick<Bus, 'on'>;
  config: Pick<Config, 'get' | 'on'>;
  ffmpeg: Pick<Ffmpeg, 'extractText'>;
  log: Log;
  /** The server's folder for data that can be rebuilt (`paths.cache`). */
  cache: string;
  /** Returns the module to run in place of the source of a thread. */
  helperModule(source: URL): URL;
  isPlaying(): boolean;
  /** Puts a task in the queue. */
  startTask(name: string): Promise<unknown>;
}

export interface Dialogue {
  search: DialogueSearch;
  tasks: readonly TaskDefinition<never>[];
  /** Opens the index and follows the catalogue. */
  start(quiet?: { quietMs: number; mostMs: number }): Promise<void>;
  close(): Promise<void>;
}

/** A scan writes many changes; the index follows when it has rested. */
const QUIET = { quietMs: 30_000, mostMs: 10 * 60_000 };

export function createDialogue(needs: DialogueNeeds): Dialogue {
  const { bus, config, log, cache, helperModule, startTask } = needs;
  const isOn = (): boolean => config.get('search.dialogue') !== false;
  const index = createDialogueIndex({ folder: `${cache}/dialogue`, log, helperModule, rebuilt: () => soon.ask() });
  const failed = (error: unknown): void => log.fault('dialogue.background', error);
  let soon = { ask: (): void => {}, stop: (): void => {} };
  let stops: (() => void)[] = [];
  let opened: Promise<void> | undefined;

  const open = (): Promise<void> =>
    (opened ??= index.open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
  const indexing = createDialogueIndexing({ ...needs, catalog: needs.unfiltered, index, isOn, open });
  const look = async (): Promise<void> => {
    if (!isOn()) return;
    await open();
    if (await indexing.isDue()) await startTask(DIALOGUE_TASK);
  };
  const switched = async (): Promise<void> => {
    if (isOn()) return look();
    opened = undefined;
    await index.remove();
  };
  return {
    search: createDialogueSearch({ catalog: needs.catalog, index, pending: indexing.pending, isOn, open }),
    tasks: [indexing.task] as unknown as readonly TaskDefinition<never>[],
    start: async (quiet = QUIET) => {
      soon = debounce(() => void look().catch(failed), quiet);
      stops = [
        bus.on('catalog.changed', soon.ask),
        config.on('search.dialogue', () => void switched().catch(failed)),
        soon.stop,
      ];
      if (!isOn()) await index.remove();
      soon.ask();
    },
    close: async () => {
      for (const stop of stops) stop();
      await index.close();
    },
  };
}
