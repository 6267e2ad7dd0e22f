/** A smart playlist: the items that match its rules now. */
import more from 'lucide/dist/esm/icons/ellipsis-vertical.mjs';
import sparkles from 'lucide/dist/esm/icons/sparkles.mjs';
import pinIcon from 'lucide/dist/esm/icons/pin.mjs';
import pencil from 'lucide/dist/esm/icons/pencil.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import trash from 'lucide/dist/esm/icons/trash.mjs';
import { facts, formatDuration } from '../../lib/format.ts';
import { hrefOf, type PageProps } from '../../lib/navigation/addresses.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { call } from '../../data/client.ts';
import { type Reply, useAsk } from '../../data/query.ts';
import { isPlayedInList } from '../../parts/catalog/entry-row.tsx';
import { ListHead } from '../../parts/catalog/list-head.tsx';
import { deleteList } from '../../parts/lists/deleting.tsx';
import { ListEntries } from '../../parts/lists/entries.tsx';
import { ListPage, useListEntries } from '../../parts/lists/list-page.tsx';
import { usePin } from '../../parts/lists/pin.ts';
import { queueQuery } from '../../parts/playback/queue.ts';
import { ButtonLink } from '../../kit/forms/button.tsx';
import { Menu } from '../../kit/layers/menu.tsx';
import { EmptyState } from '../../kit/states/states.tsx';
import { listWords } from '../../messages/lists.ts';
import { ruleWords as m } from '../../messages/rules.ts';

type SmartPlaylist = Reply<'smartPlaylists', 'read'>;

const Head = ({ list, first }: { list: SmartPlaylist; first: string | undefined }) => {
  const pin = usePin(`smart:${list.id}`, list.name);
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
          {
            label: pin.isPinned ? listWords.unpinFromHome : listWords.pinOnHome,
            icon: pinIcon,
            onChoose: pin.toggle,
          },
          { label: m.edit, icon: pencil, onChoose: edit },
          { label: m.remove, icon: trash, isDanger: true, onChoose: () => void deleteList('smartPlaylists', list) },
        ]}
      />
    </ListHead>
  );
};

export const Page = ({ params: { id } }: PageProps<'smartPlaylist'>) => {
  const read = useAsk('smartPlaylists', 'read', { id });
  const entries = useListEntries('smartPlaylists', id, call.smartPlaylists.entries);
  return (
    <ListPage read={read} entries={entries} failedTitle={m.couldNotBeLoaded}>
      {(list, all) => (
        <>
          <Head list={list} first={all.find(({ item }) => isPlayedInList(item))?.entry} />
          {all.length === 0 ? (
            <EmptyState
              icon={sparkles}
              title={m.nothingMatches}
              action={<ButtonLink to={{ page: 'smartPlaylistEdit', params: { id } }}>{m.edit}</ButtonLink>}
            >
              {m.nothingMatchesHelp}
            </EmptyState>
          ) : (
            <ListEntries kind="smart" id={id} entries={all} />
          )}
        </>
      )}
    </ListPage>
  );
};
