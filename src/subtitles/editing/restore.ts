/**
 * Prepares the restoring of a preserved subtitle: which file is written, and which files can be restored afterwards.
 */
import { Failure } from '../../lib/failure.ts';
import {
  fileToRestore,
  preservedFileOf,
  pathAt,
  restorableAfterRestoring,
  writtenFileOf,
  restorableFilesOf,
} from '../history/lineage.ts';
import type { PreservedBytes } from '../history/preserved.ts';
import type { InstallRequest } from '../install/install.ts';
import type { RestorableFiles, PreservedFile } from '../store/rows.ts';
import { restorableRow, type CurrentSubtitle } from './current-subtitle.ts';

/** An install request without the parts that the last checks add. */
export type PreparedInstall = Omit<InstallRequest, 'item' | 'file' | 'root' | 'check'>;

/** Returns the install request of the restored file. Throws `Failure('conflict')` if nothing is preserved. */
export async function restoreRequest(
  { preserved }: { preserved: Pick<PreservedBytes, 'get'> },
  current: CurrentSubtitle,
  to: 'original' | 'previous' | undefined,
): Promise<PreparedInstall> {
  const { file, tag, role, row, installed } = current;
  const back = restorableRow(current);
  const target =
    back &&
    chooseFile(
      restorableFilesOf(back.row, back.isGone),
      (kept) => kept.content === installed?.content && pathAt(kept.location, file.relative) === installed.relative,
      to,
    );
  if (!back || !target)
    throw new Failure('conflict', 'nothing is preserved for this language', { reason: 'nothing-preserved' });
  const bytes = await preserved.get(target.content);
  const over = installed && { relative: installed.relative, content: installed.content, language: tag, role };
  const kept = back.row.preserved;
  const self = back.isGone ? writtenFileOf(back.row) : undefined;
  return {
    language: target.language,
    role: target.role,
    format: target.format,
    bytes,
    relative: pathAt(target.location, file.relative),
    act: 'restored',
    freeze: true,
    rejects: true,
    notes: [{ reason: restoredAs(target, { kept, self, isChanged: installed !== undefined }), values: {} }],
    ...installFactsOf(target),
    // A file that was deleted by hand keeps the list of files that can be restored.
    preserved:
      !over && target.content === self?.content
        ? kept
        : restorableAfterRestoring(target, over ? preservedFileOf(over, file.relative, row) : self),
    ...(over && { over }),
  };
}

/** Returns the requested file, or the other one when the requested file is installed. */
function chooseFile(
  all: RestorableFiles,
  isThere: (kept: PreservedFile) => boolean,
  to: 'original' | 'previous' | undefined,
): PreservedFile | undefined {
  const target = fileToRestore(all, to);
  return target && isThere(target) ? [all.original, all.before].find((kept) => kept && !isThere(kept)) : target;
}

function restoredAs(
  { content }: PreservedFile,
  { kept, self, isChanged }: { kept: RestorableFiles; self: PreservedFile | undefined; isChanged: boolean },
): 'original-restored' | 'outside-change-undone' | 'deleted-restored' | 'previous-restored' {
  if (content === kept.original?.content) return 'original-restored';
  if (content === self?.content) return isChanged ? 'outside-change-undone' : 'deleted-restored';
  return 'previous-restored';
}

function installFactsOf({
  known,
}: PreservedFile): Pick<
  PreparedInstall,
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
