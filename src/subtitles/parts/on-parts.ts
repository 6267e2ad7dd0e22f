/** Operations on items, for requests that name a part of a film by its number. */
import type { FailureReason } from '../../contract/failures.ts';
import { failedFor, Failure } from '../../lib/failure.ts';
import type { Drafts } from '../drafts/types.ts';
import type { Workbench } from '../editing/workbench.ts';
import type { FetchedSubtitle, Fetching, FetchRequest } from '../fetching/fetch.ts';
import type { PartAddress, PartFinder } from './part-catalog.ts';

/** Returns an operation that is called with the key of the part that a request names. */
export const onPart =
  ({ keyOf }: Pick<PartFinder, 'keyOf'>) =>
  <Asked extends { id: string }, Rest extends unknown[], Result>(
    work: (asked: Asked, ...rest: Rest) => Promise<Result>,
  ) =>
  async ({ part, ...asked }: Asked & PartAddress, ...rest: Rest): Promise<Result> =>
    work({ ...asked, id: await keyOf({ id: asked.id, part }) } as unknown as Asked, ...rest);

/** Returns the workbench for requests that name parts. Fixes of the audit have keys already. */
export function workbenchOnParts(workbench: Workbench, finder: PartFinder): Workbench {
  const on = onPart(finder);
  return {
    ...workbench,
    inspect: on(workbench.inspect),
    export: on(workbench.export),
    preview: on(workbench.preview),
    apply: on(workbench.apply),
    restore: on(workbench.restore),
    installed: on(workbench.installed),
    deleteInstalled: on(workbench.deleteInstalled),
    // A request without a part freezes all files of the film. Those without a subtitle have nothing to freeze.
    setReplaceable: async ({ part, ...asked }) => {
      const { done, failures } = await eachPart(finder, { id: asked.id, part }, async (key) => {
        return workbench.setReplaceable({ ...asked, id: key });
      });
      const [first] = done;
      const fatal =
        failures.find(({ error }) => !failedFor(error, 'no-subtitle-to-change')) ?? (first ? undefined : failures[0]);
      if (fatal || !first) throw fatal?.error ?? new Error('an item has no part');
      return first.result;
    },
  };
}

/** Returns the drafts for requests that name parts. */
export function draftsOnParts(drafts: Drafts, finder: PartFinder): Drafts {
  const on = onPart(finder);
  return { ...drafts, read: on(drafts.read), start: on(drafts.start), cancel: on(drafts.cancel) };
}

/** Result of a fetch for one part of a film. */
export interface FetchedPart extends Partial<Pick<FetchedSubtitle, 'file' | 'source' | 'match'>> {
  part: number;
  /** Why no file was written: a code, and a sentence fragment for people. */
  reason?: FailureReason;
  error?: string;
}
export type FetchedItem = FetchedSubtitle & { parts?: FetchedPart[] };

/**
 * Returns a fetch for requests that name a part, or an item as a whole: then each part of a film that lacks the
 * subtitle receives one. Throws the first failure if no part received one.
 */
export const fetchOnParts =
  ({ fetch }: Pick<Fetching, 'fetch'>, finder: PartFinder) =>
  async ({ part, ...request }: FetchRequest & PartAddress, signal: AbortSignal): Promise<FetchedItem> => {
    const address = { id: request.id, part };
    if (part !== undefined || request.candidate !== undefined)
      return fetch({ ...request, id: await finder.keyOf(address) }, signal);
    const { done, failures } = await eachPart(finder, address, async (key) => {
      signal.throwIfAborted();
      return fetch({ ...request, id: key }, signal);
    });
    const [first] = done;
    const needed = failures.find(({ error }) => !failedFor(error, 'not-needed')) ?? failures[0];
    if (!first) throw needed?.error ?? new Error('an item has no part');
    if (done.length + failures.length === 1) return first.result;
    const parts = [
      ...done.map(({ part: number, result: { file, source, match } }) => ({ part: number, file, source, match })),
      ...failures.map(({ part: number, error }) => ({ part: number, reason: error.reason, error: error.message })),
    ];
    return { ...first.result, parts: parts.sort((a, b) => a.part - b.part) };
  };

/** Does work for one part, or for all parts of an item in turn. A failure for the caller does not end it. */
async function eachPart<Result>(
  finder: PartFinder,
  address: PartAddress,
  work: (key: string) => Promise<Result>,
): Promise<{ done: { part: number; result: Result }[]; failures: { part: number; error: Failure }[] }> {
  const keys =
    address.part === undefined
      ? await finder.keysOf(address.id)
      : [{ key: await finder.keyOf(address), part: address.part }];
  const done: { part: number; result: Result }[] = [];
  const failures: { part: number; error: Failure }[] = [];
  for (const { key, part } of keys) {
    try {
      done.push({ part, result: await work(key) });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push({ part, error });
    }
  }
  return { done, failures };
}
