/**
 * Applying and undoing fixes of the timing audit. What was fixed is kept until the page is loaded again, so that it can
 * be undone after other pages were looked at.
 */
import { call, sentence } from '../../../data/client.ts';
import { readAgain } from '../../../data/query.ts';
import { toast } from '../../../kit/layers/toast.tsx';
import { facts } from '../../../lib/format.ts';
import { createStore } from '../../../lib/store.ts';
import { timingWords as m } from '../../../messages/timing.ts';
import type { TimingFinding } from '../../../parts/subtitles/timing-words.ts';
import { inventoryTitle, partName, subtitleName } from '../../../parts/subtitles/words.ts';

export const keyOfAudited = ({ id, part, track }: Pick<TimingFinding, 'id' | 'part' | 'track'>): string =>
  `${id} ${part ?? ''} ${track}`;
/** Returns the name of a subtitle: its title, and its language and kind. */
export const auditedName = (
  one: Pick<TimingFinding, 'title' | 'year' | 'context' | 'part' | 'language' | 'role'>,
): string => facts(inventoryTitle(one), partName(one.part, undefined), subtitleName(one)).join(', ');

export interface FixedSubtitle {
  key: string;
  id: string;
  part: number | undefined;
  name: string;
  /** The subtitle that the fix wrote. */
  track: string;
  fingerprint: string;
}
export interface Fixing {
  fixed: readonly FixedSubtitle[];
  /** Why fixes were refused, by their keys. */
  failures: ReadonlyMap<string, string>;
  /** Number of fixes that are done and asked for. */
  running?: { done: number; total: number };
  isStopping: boolean;
}
/** Number of fixes in a request, so that the page shows how far it is and can stop. */
const FIXES_PER_REQUEST = 4;

export const fixing = createStore<Fixing>({ fixed: [], failures: new Map(), isStopping: false });

const readEverythingAgain = (): void => {
  readAgain('subtitleAudit');
  readAgain('subtitles');
  readAgain('workbench');
  readAgain('catalog', 'item');
};
const fail = (key: string, says: string | undefined): void =>
  fixing.change((now) => {
    const failures = new Map(now.failures);
    if (says === undefined) failures.delete(key);
    else failures.set(key, says);
    return { ...now, failures };
  });

/** Runs work on some subtitles at a time, until it is done or stopped. */
async function inSteps<T>(all: readonly T[], work: (some: readonly T[]) => Promise<void>): Promise<void> {
  if (fixing.get().running) return;
  fixing.change((now) => ({ ...now, isStopping: false, running: { done: 0, total: all.length } }));
  try {
    for (let at = 0; at < all.length && !fixing.get().isStopping; at += FIXES_PER_REQUEST) {
      await work(all.slice(at, at + FIXES_PER_REQUEST));
      const done = Math.min(all.length, at + FIXES_PER_REQUEST);
      fixing.change((now) => ({ ...now, running: { done, total: all.length } }));
    }
  } catch (error) {
    toast({ message: sentence(error), isError: true });
  } finally {
    fixing.change(({ running: _running, ...rest }) => ({ ...rest, isStopping: false }));
    readEverythingAgain();
  }
}

export const stopFixing = (): void => fixing.change((now) => ({ ...now, isStopping: true }));

/** Applies fixes. Those of a person's own files are only given if the person chose them. */
export async function applyFixes(all: readonly TimingFinding[]): Promise<void> {
  const made: FixedSubtitle[] = [];
  await inSteps(all, async (some) => {
    const { results } = await call.subtitleAudit.fix({
      fixes: some.map(({ id, part, track, judgement, own }) => ({ id, part, track, judgement, ...(own && { own }) })),
    });
    for (const [n, { written, error }] of results.entries()) {
      const one = some[n];
      if (!one) continue;
      fail(keyOfAudited(one), error);
      if (written)
        made.push({ key: keyOfAudited(one), id: one.id, part: one.part, name: auditedName(one), ...written });
    }
    const done = new Set(made.map(({ key }) => key));
    fixing.change((now) => ({ ...now, fixed: [...now.fixed.filter(({ key }) => !done.has(key)), ...made] }));
  });
  const [first] = made;
  if (first)
    toast({
      message: made.length === 1 ? m.isFixed({ name: first.name }) : m.areFixed({ amount: made.length }),
      undo: () => void undoFixes(made),
    });
}

/** Restores what fixes replaced. */
export async function undoFixes(all: readonly FixedSubtitle[]): Promise<void> {
  const undone: FixedSubtitle[] = [];
  await inSteps(all, async (some) => {
    const { results } = await call.subtitleAudit.undo({
      fixes: some.map(({ id, part, track, fingerprint }) => ({ id, part, track, fingerprint })),
    });
    for (const [n, { outcome, error }] of results.entries()) {
      const one = some[n];
      if (!one) continue;
      if (outcome === 'undone') undone.push(one);
      else if (error !== undefined) toast({ message: `${one.name}: ${error}`, isError: true });
    }
    fixing.change((now) => ({ ...now, fixed: now.fixed.filter((one) => !some.includes(one)) }));
  });
  const [first] = undone;
  if (first)
    toast({
      message: undone.length === 1 ? m.isUndone({ name: first.name }) : m.areUndone({ amount: undone.length }),
    });
}
