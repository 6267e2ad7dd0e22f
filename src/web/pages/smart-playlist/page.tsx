/** A smart playlist: the items that match its rules now. */
import { useInfiniteQuery } from '@tanstack/react-query';
import more from 'lucide/dist/esm/icons/ellipsis-vertical.mjs';
import sparkles from 'lucide/dist/esm/icons/sparkles.mjs';
import pencil from 'lucide/dist/esm/icons/pencil.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import trash from 'lucide/dist/esm/icons/trash.mjs';
import { useTitle } from '../../lib/title.ts';
import { facts, formatDuration } from '../../lib/format.ts';
import { hrefOf, type PageProps } from '../../lib/navigation/addresses.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { call } from '../../data/client.ts';
import { readAgain, type Reply, useAsk } from '../../data/query.ts';
import { EntryRow, entryTarget, isPlayedInList } from '../../parts/catalog/entry-row.tsx';
import { ListHead } from '../../parts/catalog/list-head.tsx';
import { queueQuery } from '../../parts/playback/queue.ts';
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import { confirm } from '../../kit/layers/confirm.tsx';
import { Menu } from '../../kit/layers/menu.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import css from '../../parts/catalog/list-head.module.css';
import { ruleWords as m } from '../../messages/rules.ts';

type SmartPlaylist = Reply<'smartPlaylists', 'read'>;

async function remove({ id, name }: SmartPlaylist): Promise<void> {
  const isSure = await confirm({
    title: m.removeQuestion({ name }),
    says: m.removeSays,
    action: m.remove,
    isDanger: true,
  });
  if (!isSure || !(await runWithToast(() => call.smartPlaylists.remove({ id }), m.removed({ name })))) return;
  go(hrefOf({ page: 'playlists' }), { replace: true });
  readAgain('smartPlaylists', 'list');
}

const Head = ({ list, first }: { list: SmartPlaylist; first: string | undefined }) => {
  const edit = () => go(hrefOf({ page: 'smartPlaylistEdit', params: { id: list.id } }));
  return (
    <ListHead
      name={list.name}
      covers={list.covers}
      says={facts(
        m.smartPlaylist,
        m.itemsCount({ count: list.items }),
        list.duration > 0 && formatDuration(list.duration),
      )}
    >
      {first !== undefined && (
        <ButtonLink
          look="primary"
          icon={play}
          isFilled
          to={{ page: 'player', params: { id: first }, query: queueQuery('smart', list.id, first) }}
        >
          {m.play}
        </ButtonLink>
      )}
      <Menu
        label={m.more}
        icon={more}
        isRound
        items={[
          { label: m.edit, icon: pencil, onChoose: edit },
          { label: m.remove, icon: trash, isDanger: true, onChoose: () => void remove(list) },
        ]}
      />
    </ListHead>
  );
};

export const Page = ({ params: { id } }: PageProps<'smartPlaylist'>) => {
  const { data: list, error, refetch } = useAsk('smartPlaylists', 'read', { id });
  const entries = useInfiniteQuery({
    queryKey: ['smartPlaylists', 'entries', 'all', id],
    queryFn: ({ pageParam, signal }) =>
      call.smartPlaylists.entries({ id, limit: 100, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  useTitle(list?.name);
  const failed = error ?? entries.error;
  if (!list || !entries.data)
    return failed ? (
      <ErrorState
        isAlone
        title={m.couldNotBeLoaded}
        error={failed}
        retry={() => void Promise.all([refetch(), entries.refetch()])}
      />
    ) : (
      <Pending />
    );
  const all = entries.data.pages.flatMap(({ items }) => items);
  return (
    <div className={css.page}>
      <Head list={list} first={all.find(({ item }) => isPlayedInList(item))?.entry} />
      {all.length === 0 && (
        <EmptyState
          icon={sparkles}
          title={m.nothingMatches}
          action={<ButtonLink to={{ page: 'smartPlaylistEdit', params: { id } }}>{m.edit}</ButtonLink>}
        >
          {m.nothingMatchesHelp}
        </EmptyState>
      )}
      <ul className={css.entries} aria-label={m.items}>
        {all.map(({ entry, item }) => (
          <li key={entry}>
            <EntryRow item={item} to={entryTarget(item, queueQuery('smart', id, entry))} label={m.playFromHere} />
          </li>
        ))}
      </ul>
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
