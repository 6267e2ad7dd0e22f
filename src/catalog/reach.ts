/**
 * Which libraries answer, found out without anything waiting for one that does not.
 *
 * Each library has its own helper processes, so that a dead share delays only itself. A library that does not
 * answer in time is offline, and is asked again in the background until it does; when it comes back it is scanned.
 */
import type { Ffmpeg } from '../lib/ffmpeg/index.ts';
import { inRoot, type Root } from '../lib/files.ts';
import { createLimit } from '../lib/limit.ts';
import type { Log } from '../lib/log.ts';
import type { Helper, Processes } from '../lib/process.ts';
import { createProbe } from './probe/index.ts';
import type { Probe } from './probe/types.ts';
import type { Looked, LookRequest } from './scan/look.ts';
import type { LibraryTable } from './store/tables.ts';

/** How long a library may take to answer. A disk that spins up needs seven seconds. */
const PATIENCE_MS = 10_000;
/** The same at the start, when what has not answered yet is shown as available. */
const START_PATIENCE_MS = 2_000;
const ASK_AGAIN_MS = 30_000;
/** Helpers that start at the same time, each of which takes a tenth of a second of a processor. */
const STARTS_AT_ONCE = 2;
const LOOK_MS = 30_000;
/** Processes that look at the folders of one library during a scan. Nearly all time of an unchanged scan is theirs. */
const LOOKERS = 2;
/** A helper that starts takes 50 ms, and one that waits for work takes 50 MiB. */
const IDLE_MS = 5_000;
/** How long a helper may take to start before the library's own time begins: on a machine that is busy, as long as several seconds. */
const HELPER_START_MS = 20_000;

/** The helper processes of one library. */
export interface LibraryHelpers {
  looker: Helper;
  probe: Probe;
}

export interface Reach {
  helpers(path: string): LibraryHelpers;
  /** Gets the helper of a library ready while the server does something else. */
  warm(path: string): void;
  /** The helper that looks at a library which answered when it was asked last. */
  onlineLooker(path: string): Helper | undefined;
  /** Whether it answered when it was asked last. */
  isOnline(path: string): boolean;
  /** Asks whether the library answers, within ten seconds, and settles it. */
  check(library: LibraryTable): Promise<boolean>;
  /** Asks the same in a separate process, for when the library's helper hangs. Settles nothing. */
  isAnswering(library: LibraryTable): Promise<boolean>;
  /** Settles that a library stopped answering. */
  lost(library: LibraryTable): void;
  /** Asks those of these that were never asked, and keeps no helpers of others. Returns at once. */
  follow(libraries: readonly LibraryTable[]): void;
  close(): Promise<void>;
}

export interface ReachNeeds {
  processes: Processes;
  ffmpeg: Pick<Ffmpeg, 'probe'>;
  log: Log;
  /** An open folder of a library, by its path. */
  rootFor(path: string): Promise<Root>;
  hasFiles(library: string): Promise<boolean>;
  /** Called with every answer. */
  settled(library: LibraryTable, isOnline: boolean): void;
  /** Called after that, when a library answers that was offline. */
  returned(library: LibraryTable): void;
  patienceMs?: number;
  startPatienceMs?: number;
  askAgainMs?: number;
}

export function createReach(needs: ReachNeeds): Reach {
  const {
    processes,
    ffmpeg,
    log,
    rootFor,
    hasFiles,
    settled,
    returned,
    patienceMs = PATIENCE_MS,
    startPatienceMs = START_PATIENCE_MS,
    askAgainMs = ASK_AGAIN_MS,
  } = needs;
  const byPath = new Map<string, LibraryHelpers>();
  /** The one question to each library that is under way, by path. */
  const asked = new Map<string, Question>();
  const offline = new Map<string, LibraryTable>();
  const online = new Set<string>();
  /** Paths of the libraries that were followed last: one may be removed while its question waits for its turn. */
  let followed: ReadonlySet<string> = new Set();
  const limit = createLimit(STARTS_AT_ONCE);
  let isClosed = false;

  const startLooker = (): Helper =>
    processes.startHelper({
      name: 'look',
      module: new URL('./scan/look.ts', import.meta.url),
      deadlineMs: LOOK_MS,
      children: LOOKERS,
      ahead: 4,
      idleMs: IDLE_MS,
    });
  const helpers = (path: string): LibraryHelpers => {
    const had = byPath.get(path);
    if (had) return had;
    const looker = startLooker();
    const made: LibraryHelpers = {
      looker,
      probe: createProbe({
        processes,
        ffprobe: async (file, signal) => ffmpeg.probe(inRoot(await rootFor(path), file.slice(path.length + 1)), signal),
        log,
        root: path,
      }),
    };
    byPath.set(path, made);
    return made;
  };

  const ask = (library: LibraryTable): Question => {
    const { id, path } = library;
    // A helper that is started now would never be closed.
    if (isClosed) return { isPut: Promise.resolve(), answer: Promise.resolve(false) };
    const had = asked.get(path);
    if (had) return had;
    const question = questionTo(helpers(path).looker, path, () => hasFiles(id));
    asked.set(path, question);
    void question.answer.finally(() => asked.delete(path));
    return question;
  };
  const settle = (library: LibraryTable, isOnline: boolean): void => {
    const { path } = library;
    if (isClosed || !byPath.has(path)) return;
    if (isOnline) {
      offline.delete(path);
      online.add(path);
    } else {
      offline.set(path, library);
      online.delete(path);
    }
    settled(library, isOnline);
  };
  /** Handles an answer that arrived after its caller stopped waiting. */
  const comeBack = (library: LibraryTable, isThere: boolean): void => {
    if (!isThere || isClosed || !offline.has(library.path)) return;
    settle(library, true);
    returned(library);
  };
  const check = async (library: LibraryTable, patience: number): Promise<boolean> => {
    const question = ask(library);
    const answer = await answerWithin(question, patience);
    settle(library, answer === true);
    if (answer === undefined) void question.answer.then((isThere) => comeBack(library, isThere));
    return answer === true;
  };

  const timer = setInterval(() => {
    for (const library of offline.values()) {
      if (!asked.has(library.path)) void ask(library).answer.then((isThere) => comeBack(library, isThere));
    }
  }, askAgainMs);
  timer.unref();

  return {
    helpers,
    warm: (path) => {
      void started(helpers(path).looker);
    },
    onlineLooker: (path) => (online.has(path) ? helpers(path).looker : undefined),
    isOnline: (path) => online.has(path),
    // One that is known to be away has been asked already, or is asked soon.
    check: (library) => check(library, offline.has(library.path) ? startPatienceMs : patienceMs),
    isAnswering: async (library) => {
      const looker = startLooker();
      try {
        return (
          (await answerWithin(
            questionTo(looker, library.path, () => hasFiles(library.id)),
            patienceMs,
          )) === true
        );
      } finally {
        void looker.close();
      }
    },
    lost: (library) => settle(library, false),
    follow: (libraries) => {
      followed = new Set(libraries.map(({ path }) => path));
      for (const [path, { looker, probe }] of byPath) {
        if (libraries.some((library) => library.path === path)) continue;
        byPath.delete(path);
        offline.delete(path);
        online.delete(path);
        void Promise.all([looker.close(), probe.close()]).catch((error: unknown) =>
          log.fault('catalog.helpers', error),
        );
      }
      for (const library of libraries) {
        const { path } = library;
        if (online.has(path) || offline.has(path) || asked.has(path)) continue;
        const first = async () => void (!isClosed && followed.has(path) && (await check(library, startPatienceMs)));
        void limit(first).catch((error: unknown) => log.fault('catalog.reach', error));
      }
    },
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await Promise.all([...byPath.values()].flatMap(({ looker, probe }) => [looker.close(), probe.close()]));
    },
  };
}

interface Question {
  /** Settles when the library itself is being asked: its helper has started. */
  isPut: Promise<void>;
  answer: Promise<boolean>;
}

function questionTo(looker: Helper, root: string, hadFiles: () => Promise<boolean>): Question {
  const isPut = started(looker);
  return { isPut, answer: isPut.then(() => answers(looker, root, hadFiles)) };
}

/** Waits for an answer for as long as a library may take, not counting the start of its helper. Undefined when there is none in time. */
async function answerWithin({ isPut, answer }: Question, ms: number): Promise<boolean | undefined> {
  await Promise.race([isPut, after(HELPER_START_MS)]);
  return (await Promise.race([answer, after(ms)])) ?? undefined;
}

/** Starts a helper by asking it for nothing. Never rejects: what is asked next meets the same failure. */
const started = (looker: Helper): Promise<void> =>
  looker.ask({ root: '/', folders: [], isFull: false, now: 0 } satisfies LookRequest).then(
    () => {},
    () => {},
  );

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

/** Whether the root answers and holds anything, where it did before: an empty mount point is a disk that is away. */
async function answers(looker: Helper, root: string, hadFiles: () => Promise<boolean>): Promise<boolean> {
  try {
    const [top] = await looker.ask<Looked[]>({
      root,
      folders: [{ path: '' }],
      isFull: true,
      now: 0,
    } satisfies LookRequest);
    if (top?.state !== 'listed') return false;
    return top.files.length + top.folders.length > 0 || !(await hadFiles());
  } catch {
    return false;
  }
}
