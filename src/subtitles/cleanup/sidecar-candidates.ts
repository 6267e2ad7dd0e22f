/**
 * Caches the subtitle files that a clean-up may hide, by item. The catalogue is read once, and then only its changes,
 * so that a plan that is applied right after its preview does not read everything again.
 *
 * The cache is dropped after some idle minutes. Whether a file is unchanged on disk is checked by the plan.
 */
import type { CatalogBackground, Sidecar, Subject } from '../../catalog/index.ts';
import { createLock } from '../../lib/lock.ts';
import { keyOfPart } from '../parts/part-keys.ts';

/** A SubRip or WebVTT file whose name says its language, and that is not hidden. */
export interface SidecarCandidate extends Pick<Sidecar, 'relative' | 'role'> {
  language: string;
  /** The key of the part that it belongs to. */
  item: string;
  /** The id of its library. */
  library: string;
}
export type SidecarCandidatesNeeds = Pick<CatalogBackground, 'changedSince' | 'goneSince'>;

/** Number of subjects read at once. */
const SUBJECTS_PER_READ = 50;
const IDLE_MS = 10 * 60_000;

/**
 * Returns a function that returns all candidates by item as the catalogue knows them now, the most recently changed
 * last.
 */
export function createSidecarCandidates(
  catalog: SidecarCandidatesNeeds,
  { idleMs = IDLE_MS } = {},
): (signal: AbortSignal) => Promise<ReadonlyMap<string, readonly SidecarCandidate[]>> {
  const lock = createLock();
  let known = new Map<string, SidecarCandidate[]>();
  let cursor = { change: 0, gone: 0 };
  let idle: NodeJS.Timeout | undefined;
  const forget = (): void => {
    known = new Map();
    cursor = { change: 0, gone: 0 };
  };

  async function catchUp(signal: AbortSignal): Promise<void> {
    for (let isMore = true; isMore;) {
      signal.throwIfAborted();
      const subjects = await catalog.changedSince(cursor.change, SUBJECTS_PER_READ);
      for (const subject of subjects) {
        const found = candidatesOf(subject);
        known.delete(subject.id);
        if (found.length > 0) known.set(subject.id, found);
      }
      cursor.change = subjects.at(-1)?.change ?? cursor.change;
      isMore = subjects.length === SUBJECTS_PER_READ;
    }
    for (let isMore = true; isMore;) {
      const gone = await catalog.goneSince(cursor.gone, SUBJECTS_PER_READ);
      for (const { id } of gone) known.delete(id);
      cursor.gone = gone.at(-1)?.change ?? cursor.gone;
      isMore = gone.length === SUBJECTS_PER_READ;
    }
  }

  return (signal) =>
    lock.run(async () => {
      clearTimeout(idle);
      try {
        await catchUp(signal);
        return new Map(known);
      } finally {
        idle = setTimeout(forget, idleMs);
        idle.unref();
      }
    }, signal);
}

function candidatesOf(subject: Subject): SidecarCandidate[] {
  const { gone, files, sidecars } = subject;
  if (gone) return [];
  return sidecars.flatMap(({ relative, role, language, version, part, isHidden, format }) => {
    const library = files.find(({ id }) => id === version)?.library;
    if (library === undefined || language === undefined || isHidden || (format !== 'srt' && format !== 'vtt'))
      return [];
    return [{ relative, role, language, library, item: keyOfPart(subject, { id: version, part }) }];
  });
}
