/** Headers of the videos of a batch: read from the files that are new or changed, and otherwise from the tables. */
import type { MediaInfo, ProbeFailure, ProbeResult } from '../../probe/types.ts';
import { PROBE_VERSION } from '../../probe/types.ts';
import type { ItemGroup } from './group.ts';
import { joined } from '../paths.ts';
import type { ScanScope } from './scope.ts';

const LOST: ReadonlySet<ProbeFailure> = new Set(['hung', 'unreadable']);

export interface Headers {
  fresh: { file: string; info: MediaInfo }[];
  /** Files whose header cannot be read any more. */
  none: string[];
  known: Map<string, MediaInfo | undefined>;
}

/** Marks the rows of files that have no readable header with the reason. */
export async function readHeaders(
  { probe, store, library, isAnswering, rewritten }: ScanScope,
  groups: readonly ItemGroup[],
  signal: AbortSignal,
): Promise<Headers> {
  const rows = groups.flatMap(({ files, folder }) =>
    files.map(({ row }) => ({ row, isUnread: folder.unread.has(row.id) })),
  );
  const unread = rows.filter(({ isUnread }) => isUnread).map(({ row }) => row);
  const results: ProbeResult[] =
    unread.length === 0
      ? []
      : await probe.probe(
          unread.map((row) => ({
            path: `${library.path}/${joined(row.folder, row.name)}`,
            size: row.size,
            mtimeMs: row.mtime,
          })),
          signal,
          isAnswering,
        );
  const headers: Headers = { fresh: [], none: [], known: new Map() };
  for (const [i, row] of unread.entries()) {
    const result = results[i];
    if (result?.ok) headers.fresh.push({ file: row.id, info: result.info });
    else headers.none.push(row.id);
    headers.known.set(row.id, result?.ok ? result.info : undefined);
    if (result?.ok && rewritten.has(row.id)) rewritten.add(row.id, result.info);
    row.problem = result?.ok ? null : (result?.sentence ?? 'it could not be read');
    // A disk that did not answer is asked again next time; a broken file only when it changes.
    row.probed = result && !result.ok && LOST.has(result.reason) ? 0 : PROBE_VERSION;
  }
  const rest = rows.filter(({ isUnread }) => !isUnread).map(({ row }) => row.id);
  for (const [id, info] of await store.infosOf(rest)) headers.known.set(id, info);
  return headers;
}
