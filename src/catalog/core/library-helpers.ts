/** The helper processes of each library: one that reads directories, and one that reads headers of files. */
import type { Ffmpeg } from '../../lib/ffmpeg/index.ts';
import { inRoot, type Root } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import type { Helper, Processes } from '../../lib/process.ts';
import { createProbe } from '../probe/index.ts';
import type { Probe } from '../probe/types.ts';

/** Time limit of reading one chunk of directories. */
const DIRECTORY_READ_TIMEOUT_MS = 30_000;
/** Processes that read the directories of one library during a scan. They take nearly all time of an unchanged scan. */
const DIRECTORY_READERS = 2;
/** Chunks that are sent to a directory reader before it has answered the first. */
const CHUNKS_AHEAD = 4;
/** A helper that starts takes 50 ms, and one that waits for work takes 50 MiB. */
const IDLE_MS = 5_000;

export interface LibraryHelpers {
  directoryReader: Helper;
  probe: Probe;
}

export interface LibraryHelperNeeds {
  processes: Processes;
  ffmpeg: Pick<Ffmpeg, 'probe'>;
  log: Log;
  /** Returns the open folder of a library, by its path. */
  rootFor(path: string): Promise<Root>;
}

export interface HelperSet {
  /** Returns the helpers of a library. Creates them if it has none. */
  of(path: string): LibraryHelpers;
  has(path: string): boolean;
  /** Paths of the libraries that have helpers. */
  paths(): string[];
  /** Starts a directory reader in addition to that of a library. The caller closes it. */
  startDirectoryReader(): Helper;
  close(path: string): Promise<void>;
}

export function createLibraryHelpers({ processes, ffmpeg, log, rootFor }: LibraryHelperNeeds): HelperSet {
  const byPath = new Map<string, LibraryHelpers>();
  const startDirectoryReader = (): Helper =>
    processes.startHelper({
      name: 'directory-reader',
      module: new URL('./scan/directory-reader.ts', import.meta.url),
      deadlineMs: DIRECTORY_READ_TIMEOUT_MS,
      children: DIRECTORY_READERS,
      ahead: CHUNKS_AHEAD,
      idleMs: IDLE_MS,
    });
  const create = (path: string): LibraryHelpers => ({
    directoryReader: startDirectoryReader(),
    probe: createProbe({
      processes,
      ffprobe: async (file, signal) => ffmpeg.probe(inRoot(await rootFor(path), file.slice(path.length + 1)), signal),
      log,
      root: path,
    }),
  });
  return {
    of: (path) => {
      const helpers = byPath.get(path) ?? create(path);
      byPath.set(path, helpers);
      return helpers;
    },
    has: (path) => byPath.has(path),
    paths: () => [...byPath.keys()],
    startDirectoryReader,
    close: async (path) => {
      const helpers = byPath.get(path);
      byPath.delete(path);
      await Promise.all([helpers?.directoryReader.close(), helpers?.probe.close()]);
    },
  };
}
