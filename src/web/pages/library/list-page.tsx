/** My List: what this Profile wants to watch. */
import bookmark from 'lucide/dist/esm/icons/bookmark.mjs';
import { DESTINATIONS } from '../../lib/navigation/destinations.ts';
import { useTitle } from '../../lib/title.ts';
import { CardGrid, GRID_PAGE_SIZE } from '../../parts/catalog/grid.tsx';
import { useAsk } from '../../data/query.ts';
import { ButtonLink } from '../../kit/forms/button.tsx';
import { EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import css from './library.module.css';
import { catalogWords as m } from '../../messages/catalog.ts';

const LISTING = { view: 'list' } as const;

export const Page = () => {
  useTitle(DESTINATIONS.list.label());
  const { data, error, refetch } = useAsk('catalog', 'library', { ...LISTING, offset: 0, limit: GRID_PAGE_SIZE });
  if (!data)
    return error ? (
      <ErrorState isAlone title={m.myListCouldNotBe} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{DESTINATIONS.list.label()}</h1>
        {data.total > 0 && <p className="muted">{m.itemsCount({ count: data.total })}</p>}
      </header>
      {data.total === 0 ? (
        <EmptyState
          isAlone
          icon={bookmark}
          title={m.nothingOnYourListYet}
          action={<ButtonLink to={{ page: 'library' }}>{m.browseTheLibraries}</ButtonLink>}
        >
          {m.chooseAddToMyList}
        </EmptyState>
      ) : (
        <div className={css.body}>
          <CardGrid listing={LISTING} first={data} label={m.myList} isMyList />
        </div>
      )}
    </div>
  );
};
