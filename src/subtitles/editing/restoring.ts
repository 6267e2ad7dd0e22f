/** Restores a preserved subtitle: which file comes back, and what is preserved in its place. */
import { Failure } from '../../lib/failure.ts';
import { backOf, keptOf, placeOf, preservedBack, selfOf, waysOf } from '../history/lineage.ts';
import type { PreservedBytes } from '../history/preserved.ts';
import type { Installation } from '../install/install.ts';
import type { Preserved, PreservedFile } from '../store/rows.ts';
import { rowBack, type Standing } from './standing.ts';

/** Everything of an installation that is known before the last checks. */
export type ReadyInstallation = Omit<Installation, 'item' | 'file' | 'root' | 'check'>;

/** Returns the installation of the file that is restored. Throws `Failure('conflict')` when nothing is preserved. */
export async function restoring(
  { preserved }: { preserved: Pick<PreservedBytes, 'get'> },
  standing: Standing,
  to: 'original' | 'previous' | undefined,
): Promise<ReadyInstallation> {
  const { file, tag, role, row, installed } = standing;
  const back = rowBack(standing);
  const target =
    back &&
    wayBack(
      waysOf(back.row, back.isGone),
      (kept) => kept.content === installed?.content && placeOf(kept.spot, file.relative) === installed.relative,
      to,
    );
  if (!back || !target)
    throw new Failure('conflict', 'nothing is preserved for this language', { reason: 'nothing-preserved' });
  const bytes = await preserved.get(target.content);
  const over = installed && { relative: installed.relative, content: installed.content, language: tag, role };
  const kept = back.row.preserved;
  const self = back.isGone ? selfOf(back.row) : undefined;
  return {
    language: target.language,
    role: target.role,
    format: target.format,
    bytes,
    relative: placeOf(target.spot, file.relative),
    act: 'restored',
    freeze: true,
    rejects: true,
    detail: saidOf(target, { kept, self, isChanged: installed !== undefined }),
    ...factsOf(target),
    // A file that was deleted by hand gets back what was preserved for it.
    preserved:
      !over && target.content === self?.content
        ? kept
        : preservedBack(target, over ? keptOf(over, file.relative, row) : self),
    ...(over && { over }),
  };
}

/** Returns the requested file, or the other one when the requested file is installed. */
function wayBack(
  all: Preserved,
  isThere: (kept: PreservedFile) => boolean,
  to: 'original' | 'previous' | undefined,
): PreservedFile | undefined {
  const target = backOf(all, to);
  return target && isThere(target) ? [all.original, all.before].find((kept) => kept && !isThere(kept)) : target;
}

function saidOf(
  { content }: PreservedFile,
  { kept, self, isChanged }: { kept: Preserved; self: PreservedFile | undefined; isChanged: boolean },
): string {
  if (content === kept.original?.content) return 'The original is back.';
  if (content === self?.content)
    return isChanged ? 'It is back as it was before it was changed by hand.' : 'The deleted file is back.';
  return 'The one before is back.';
}

function factsOf({
  known,
}: PreservedFile): Pick<
  ReadyInstallation,
  'source' | 'score' | 'match' | 'evidence' | 'origin' | 'delivered' | 'candidate'
> {
  if (!known) return { source: 'sidecar', score: null, match: 'found', evidence: [], origin: 'own' };
  const { source, score, match, evidence, origin, delivered, candidate } = known;
  return {
    source,
    score,
    match,
    origin,
    evidence,
    ...(delivered !== null && { delivered }),
    ...(candidate !== null && { candidate }),
  };
}
