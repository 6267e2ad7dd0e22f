/** Asking a library whether it is online, through its directory reader. */
import type { Helper } from '../../lib/process.ts';
import type { DirectoryReport, DirectoryRequest } from './scan/directory-reader.ts';

/** How long a helper may take to start before the time of the library begins: several seconds on a busy machine. */
const HELPER_START_MS = 20_000;

export interface ReachQuestion {
  /** Resolves when the library itself is being asked: its helper has started. */
  isAsked: Promise<void>;
  answer: Promise<boolean>;
}

export function questionTo(directoryReader: Helper, root: string, hadFiles: () => Promise<boolean>): ReachQuestion {
  const isAsked = startHelper(directoryReader);
  return { isAsked, answer: isAsked.then(() => answers(directoryReader, root, hadFiles)) };
}

/** Waits for the answer, not counting the start of the helper. Returns undefined if there is none in time. */
export async function answerWithin({ isAsked, answer }: ReachQuestion, ms: number): Promise<boolean | undefined> {
  await Promise.race([isAsked, after(HELPER_START_MS)]);
  return (await Promise.race([answer, after(ms)])) ?? undefined;
}

/** Starts a helper by an empty request. Never rejects: the next request fails in the same way. */
export const startHelper = (directoryReader: Helper): Promise<void> =>
  directoryReader.ask(requestFor('/', [])).then(
    () => {},
    () => {},
  );

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

const requestFor = (root: string, folders: DirectoryRequest['folders']): DirectoryRequest => ({
  root,
  folders,
  isFull: true,
  now: 0,
  placement: '',
  ignored: [],
});

/**
 * Returns whether the root answers and holds anything, if it did before: an empty mount point means that the disk is
 * offline.
 */
async function answers(directoryReader: Helper, root: string, hadFiles: () => Promise<boolean>): Promise<boolean> {
  try {
    const [top] = await directoryReader.ask<DirectoryReport[]>(requestFor(root, [{ path: '' }]));
    if (top?.state !== 'listed') return false;
    return top.files.length + top.folders.length > 0 || !(await hadFiles());
  } catch {
    return false;
  }
}
