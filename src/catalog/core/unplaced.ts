/**
 * Pages of files that a scan could not identify or read, followed by films and shows whose match with a metadata
 * provider was refused because no candidate is certain.
 */
import { type ItemKind, itemFacts } from '../../contract/catalog/kinds.ts';
import type { MatchCandidate } from '../../contract/catalog/candidates.ts';
import type { ReadingStore } from '../store/reading.ts';
import type { UnplacedEntry, UnplacedQuery } from '../types.ts';
import { PLACEMENT_CLUES } from '../../contract/catalog/clues.ts';
import { discFolderOf } from '../naming/extras.ts';
import { unplacedPaging } from './listing.ts';
import { joined } from './paths.ts';

/** Returns items whose match was refused, in the order of their ids, and the number of all. */
export type RefusedItems = (query: {
  library: string | undefined;
  after: string | undefined;
  offset: number;
  limit: number;
}) => Promise<{
  items: { item: string; seenAt: number; isIdUnknown: boolean; candidates: MatchCandidate[] }[];
  total: number;
}>;

type Key = { folder: string; name: string; id: string };
type Entry = UnplacedEntry & { key: Key };
/** Every file has a name, so that a position without one is among the refused items. */
const refusedKey = (id: string): Key => ({ folder: '', name: '', id });

const isDisc = (problem: string | null): boolean =>
  problem === PLACEMENT_CLUES.discFolderDvd || problem === PLACEMENT_CLUES.discFolderBluray;

export async function unplacedPage(
  { store, refused }: { store: Pick<ReadingStore, 'unplaced' | 'files' | 'outline' | 'item'>; refused: RefusedItems },
  query: UnplacedQuery,
): Promise<{ items: UnplacedEntry[]; total: number; nextCursor?: string }> {
  const { after, cursorAfter } = unplacedPaging(query);
  const isPastFiles = after?.name === '';
  // One more than the page has shows whether another page follows.
  const wanted = query.limit + 1;
  const files = await store.unplaced({
    ...query,
    after: isPastFiles ? undefined : after,
    limit: isPastFiles ? 1 : wanted,
  });
  const found: Entry[] = (isPastFiles ? [] : files.rows).map((row) => ({
    key: row,
    id: row.id,
    library: row.library,
    file: isDisc(row.problem) ? discFolderOf(joined(row.folder, row.name)) : joined(row.folder, row.name),
    reason: row.problem ?? '',
    evidence: [...row.evidence],
    seenAt: row.seen,
  }));
  const more = await refused({
    library: query.library,
    after: isPastFiles ? after?.id : undefined,
    offset: Math.max(0, (query.offset ?? 0) - files.total),
    limit: Math.max(0, wanted - found.length),
  });
  for (const one of more.items) found.push(await refusedEntry(store, one));
  const items = found.slice(0, query.limit);
  const last = items.at(-1);
  return {
    total: files.total + more.total,
    ...(last && found.length > items.length && { nextCursor: cursorAfter(last.key) }),
    items: items.map(({ key: _key, ...entry }) => entry),
  };
}

async function refusedEntry(
  store: Pick<ReadingStore, 'files' | 'outline' | 'item'>,
  { item, seenAt, isIdUnknown, candidates }: Awaited<ReturnType<RefusedItems>>['items'][number],
): Promise<Entry> {
  const record = await store.item(item);
  const isGroup = record !== undefined && itemFacts(record.kind as ItemKind).role === 'group';
  const [first = item] = isGroup ? (await store.outline(item)).episodes.map(({ id }) => id) : [];
  const [file] = await store.files(isGroup ? first : item);
  return {
    key: refusedKey(item),
    id: item,
    library: record?.library ?? '',
    file: file === undefined ? (record?.title ?? '') : isGroup ? `${file.folder}/` : joined(file.folder, file.name),
    reason: isIdUnknown ? PLACEMENT_CLUES.statedIdUnknown : PLACEMENT_CLUES.noCertainMatch,
    evidence: record?.detail.evidence ?? [],
    seenAt,
    item,
    title: record?.title ?? '',
    candidates,
  };
}
