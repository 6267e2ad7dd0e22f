/** Pages of files that a scan could not identify or read. */
import type { ReadingStore } from '../store/reading.ts';
import type { UnplacedEntry, UnplacedQuery } from '../types.ts';
import { PLACEMENT_CLUES } from '../../contract/catalog/clues.ts';
import { discFolderOf } from '../naming/extras.ts';
import { unplacedPaging } from './listing.ts';
import { joined } from './paths.ts';

const isDisc = (problem: string | null): boolean =>
  problem === PLACEMENT_CLUES.discFolderDvd || problem === PLACEMENT_CLUES.discFolderBluray;

export async function unplacedPage(
  store: Pick<ReadingStore, 'unplaced'>,
  query: UnplacedQuery,
): Promise<{ items: UnplacedEntry[]; total: number; nextCursor?: string }> {
  const { after, cursorAfter } = unplacedPaging(query);
  // One more than the page has shows whether another page follows.
  const { rows: found, total } = await store.unplaced({ ...query, after, limit: query.limit + 1 });
  const rows = found.slice(0, query.limit);
  const last = rows.at(-1);
  return {
    total,
    ...(last && found.length > rows.length && { nextCursor: cursorAfter(last) }),
    items: rows.map((row) => ({
      id: row.id,
      library: row.library,
      file: isDisc(row.problem) ? discFolderOf(joined(row.folder, row.name)) : joined(row.folder, row.name),
      reason: row.problem ?? '',
      evidence: [...row.evidence],
      seenAt: row.seen,
    })),
  };
}
