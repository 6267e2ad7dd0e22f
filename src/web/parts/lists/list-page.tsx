/** The page of a list: it reads the list and its entries, a page at a time, and says so if that fails. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ComponentChildren } from 'preact';
import { useTitle } from '../../lib/title.ts';
import { Button } from '../../kit/forms/button.tsx';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import css from '../catalog/list-head.module.css';
import { listWords as m } from '../../messages/lists.ts';

const ENTRIES_AT_ONCE = 100;
interface EntryPage<E> {
  items: E[];
  nextCursor?: string | undefined;
}

/** Reads the entries of a list. `group` is its group of endpoints, so that events have them read again. */
export const useListEntries = <E,>(
  group: 'playlists' | 'smartPlaylists' | 'collections',
  id: string,
  read: (asked: { id: string; limit: number; cursor?: string }, signal: AbortSignal) => Promise<EntryPage<E>>,
) =>
  useInfiniteQuery({
    queryKey: [group, 'entries', 'all', id],
    queryFn: ({ pageParam, signal }) =>
      read({ id, limit: ENTRIES_AT_ONCE, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export interface ListPageProps<L, E> {
  read: { data: L | undefined; error: unknown; refetch: () => Promise<unknown> };
  entries: ReturnType<typeof useListEntries<E>>;
  failedTitle: string;
  children: (list: L, entries: readonly E[]) => ComponentChildren;
}
export const ListPage = <L extends { name: string }, E>({
  read,
  entries,
  failedTitle,
  children,
}: ListPageProps<L, E>) => {
  useTitle(read.data?.name);
  const failed = read.error ?? entries.error;
  if (!read.data || !entries.data)
    return failed ? (
      <ErrorState
        isAlone
        title={failedTitle}
        error={failed}
        retry={() => void Promise.all([read.refetch(), entries.refetch()])}
      />
    ) : (
      <Pending />
    );
  return (
    <div className={css.page}>
      {children(
        read.data,
        entries.data.pages.flatMap(({ items }) => items),
      )}
      {entries.hasNextPage && (
        <div className={css.more}>
          <Button isBusy={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
            {m.showMore}
          </Button>
        </div>
      )}
    </div>
  );
};
