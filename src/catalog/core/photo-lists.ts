/** Photos of a Profile by day and by folder. Both start from the library index, so only from visible photos. */
import { type RowPage, type RowPaging, sortedPage } from '../../lib/json/page.ts';
import { policyKey } from './library-index/results.ts';
import { LIBRARY_KINDS } from '../../contract/catalog/kinds.ts';
import type { Policy } from '../../contract/identity/profiles.ts';
import type { CardNeeds } from './kind.ts';
import { cardImages, dateOf } from './cards/cards.ts';
import type { IndexQuery, IndexRow } from './library-index/types.ts';
import { folderId, folderOfKey } from './paths.ts';

interface PhotoFilter {
  library?: string | undefined;
  year?: number | undefined;
  camera?: string | undefined;
  /** The id of a folder. */
  folder?: string | undefined;
}
interface PhotoFolder {
  id: string;
  title: string;
  parents: string[];
  library: string;
  count: number;
  from?: string;
  to?: string;
  cover: { id: string; version?: string };
}
export interface PhotoLists {
  days(filter: PhotoFilter): { items: { date: string; count: number }[]; total: number };
  /** Returns a page of the folders, by name. */
  folders(filter: Pick<PhotoFilter, 'library'> & RowPaging): Promise<RowPage<PhotoFolder>>;
}

const KINDS = LIBRARY_KINDS.photos.holds;
const QUERY = { kinds: KINDS, sort: 'released', order: 'descending', offset: 0, limit: 0 } as const;

/** Returns the folder of a row as people are shown it. The root of a library has the library's name. */
export function folderFacts(
  { folder }: Pick<IndexRow, 'folder'>,
  nameOf: (library: string) => string | undefined,
): { id: string; title: string; parents: string[]; library: string } | undefined {
  if (folder == null) return undefined;
  const { library, path } = folderOfKey(folder);
  const parts = path.split('/').filter((part) => part !== '');
  return { id: folderId(folder), title: parts.pop() ?? nameOf(library) ?? '', parents: parts, library };
}

export function createPhotoLists(
  { index, store, nameOf }: Pick<CardNeeds, 'index' | 'store'> & { nameOf(library: string): string | undefined },
  policy: Policy,
): PhotoLists {
  return {
    days: ({ folder, ...filter }) => {
      const query: IndexQuery = {
        ...QUERY,
        ...filter,
        ...(folder !== undefined && { folder: index.photos.folderOf(folder) }),
      };
      const items = index.photos.days(query, policy).map(({ day, count }) => ({ date: dateOf(day ?? 0), count }));
      return { items, total: items.reduce((sum, { count }) => sum + count, 0) };
    },
    folders: async ({ library, ...paging }) => {
      const found = index.photos.folders({ ...QUERY, library }, policy);
      const cards = await store.cards(found.map(({ first }) => first));
      const items = found.flatMap(({ folder, count, first, from, to }) => {
        const facts = folderFacts({ folder }, nameOf);
        const row = index.row(first);
        const version = row && cardImages(row, cards.get(first)?.images ?? {}).thumb;
        if (!facts) return [];
        return {
          ...facts,
          count,
          ...(from !== null && { from: dateOf(from) }),
          ...(to !== null && { to: dateOf(to) }),
          cover: { id: first, ...(version !== undefined && { version }) },
        };
      });
      return sortedPage(items, {
        query: ['photo folders', policyKey(policy), library ?? ''],
        keyOf: ({ title, parents, id }) => [title, parents.join('/'), id],
        ...paging,
      });
    },
  };
}
