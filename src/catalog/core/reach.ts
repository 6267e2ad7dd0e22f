/**
 * Which libraries are online. Nothing waits for a library that does not answer.
 *
 * Each library has its own helper processes, so a dead network share delays only itself. A library that does not answer
 * in time is offline, and is asked again in the background until it does; then it is scanned.
 */
import { createLimit } from '../../lib/limit.ts';
import type { Helper } from '../../lib/process.ts';
import type { LibraryTable } from '../store/tables.ts';
import { createLibraryHelpers, type LibraryHelperNeeds, type LibraryHelpers } from './library-helpers.ts';
import { answerWithin, type ReachQuestion, questionTo, startHelper } from './reach-question.ts';

/** How long a library may take to answer. A disk that spins up needs seven seconds. */
const ANSWER_TIMEOUT_MS = 10_000;
/** The same at the start, while libraries that have not answered yet are shown as available. */
const START_ANSWER_TIMEOUT_MS = 2_000;
const RETRY_MS = 30_000;
/** Helpers that start at the same time. Each start takes a tenth of a second of processor time. */
const STARTS_AT_ONCE = 2;

export interface Reach {
  helpers(path: string): LibraryHelpers;
  /** Starts the helper of a library in the background. */
  warm(path: string): void;
  /** Returns the directory reader of a library that is online. */
  onlineDirectoryReader(path: string): Helper | undefined;
  /** Returns whether a library answered when it was last asked. */
  isOnline(path: string): boolean;
  /** Asks whether the library answers within ten seconds, and settles it. */
  check(library: LibraryTable): Promise<boolean>;
  /** Asks the same in a separate process, for when the library's helper hangs. Settles nothing. */
  isAnswering(library: LibraryTable): Promise<boolean>;
  /** Settles that a library stopped answering. */
  lost(library: LibraryTable): void;
  /** Asks those of these libraries that were never asked, and closes the helpers of all others. Returns at once. */
  follow(libraries: readonly LibraryTable[]): void;
  close(): Promise<void>;
}

export interface ReachNeeds extends LibraryHelperNeeds {
  hasFiles(library: string): Promise<boolean>;
  /** Called with every answer. */
  settled(library: LibraryTable, isOnline: boolean): void;
  /** Called after that if the library was offline before. */
  returned(library: LibraryTable): void;
  timeoutMs?: number;
  startTimeoutMs?: number;
  retryMs?: number;
}

export function createReach(needs: ReachNeeds): Reach {
  const { log, hasFiles, settled, returned } = needs;
  const { timeoutMs = ANSWER_TIMEOUT_MS, startTimeoutMs = START_ANSWER_TIMEOUT_MS, retryMs = RETRY_MS } = needs;
  const helpers = createLibraryHelpers(needs);
  /** The question to each library that is not answered yet, by path. */
  const asked = new Map<string, ReachQuestion>();
  const offline = new Map<string, LibraryTable>();
  const online = new Set<string>();
  /** Paths of the libraries that were last followed. One may be removed while its question waits. */
  let followed: ReadonlySet<string> = new Set();
  const limit = createLimit(STARTS_AT_ONCE);
  let isClosed = false;

  const ask = ({ id, path }: LibraryTable): ReachQuestion => {
    // A helper that is started now would never be closed.
    if (isClosed) return { isAsked: Promise.resolve(), answer: Promise.resolve(false) };
    const known = asked.get(path);
    if (known) return known;
    const question = questionTo(helpers.of(path).directoryReader, path, () => hasFiles(id));
    asked.set(path, question);
    void question.answer.finally(() => asked.delete(path));
    return question;
  };
  const settle = (library: LibraryTable, isOnline: boolean): void => {
    const { path } = library;
    if (isClosed || !helpers.has(path)) return;
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
  const check = async (library: LibraryTable, ms: number): Promise<boolean> => {
    const question = ask(library);
    const answer = await answerWithin(question, ms);
    settle(library, answer === true);
    if (answer === undefined) void question.answer.then((isThere) => comeBack(library, isThere));
    return answer === true;
  };
  const closeHelpers = (path: string): void => {
    offline.delete(path);
    online.delete(path);
    void helpers.close(path).catch((error: unknown) => log.fault('catalog.helpers', error));
  };

  const timer = setInterval(() => {
    for (const library of offline.values())
      if (!asked.has(library.path)) void ask(library).answer.then((isThere) => comeBack(library, isThere));
  }, retryMs);
  timer.unref();

  return {
    helpers: helpers.of,
    warm: (path) => void startHelper(helpers.of(path).directoryReader),
    onlineDirectoryReader: (path) => (online.has(path) ? helpers.of(path).directoryReader : undefined),
    isOnline: (path) => online.has(path),
    // A library that is known to be offline has been asked already, or is asked soon.
    check: (library) => check(library, offline.has(library.path) ? startTimeoutMs : timeoutMs),
    isAnswering: async ({ id, path }) => {
      const directoryReader = helpers.startDirectoryReader();
      const question = questionTo(directoryReader, path, () => hasFiles(id));
      return (await answerWithin(question, timeoutMs).finally(() => void directoryReader.close())) === true;
    },
    lost: (library) => settle(library, false),
    follow: (libraries) => {
      followed = new Set(libraries.map(({ path }) => path));
      for (const path of helpers.paths()) if (!followed.has(path)) closeHelpers(path);
      for (const library of libraries) {
        const { path } = library;
        if (online.has(path) || offline.has(path) || asked.has(path)) continue;
        const first = async () => void (!isClosed && followed.has(path) && (await check(library, startTimeoutMs)));
        void limit(first).catch((error: unknown) => log.fault('catalog.reach', error));
      }
    },
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await Promise.all(helpers.paths().map(helpers.close));
    },
  };
}
