/** A series: its books in order, how many are read, and the one to continue with. */
import check from 'lucide/dist/esm/icons/check.mjs';
import open from 'lucide/dist/esm/icons/book-open.mjs';
import { useAsk } from '../../data/query.ts';
import type { Reply } from '../../data/query.ts';
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import { EmptyState, ErrorState, Pending } from '../../kit/states/states.tsx';
import { facts } from '../../lib/format.ts';
import type { PageProps } from '../../lib/navigation/addresses.ts';
import { useTitle } from '../../lib/title.ts';
import { catalogWords } from '../../messages/catalog.ts';
import { readingWords as m } from '../../messages/reading.ts';
import { setAllWatched } from '../../parts/catalog/actions.ts';
import { RateMenu } from '../../parts/catalog/rate.tsx';
import { Banner, LastActions } from '../../parts/catalog/banner.tsx';
import { placeIn } from '../../parts/catalog/cards.tsx';
import { ItemMenu } from '../../parts/editing/item-menu.tsx';
import { SmallGrid } from '../../parts/catalog/small-grid.tsx';
import css from './series.module.css';

type ShownSeries = Reply<'catalog', 'series'>;

/** The series has the pictures of its first book unless it has its own. */
const pictured = (series: ShownSeries): Pick<ShownSeries, 'id' | 'kind' | 'title' | 'images'> =>
  series.images.poster === undefined && series.items[0] ? { ...series.items[0], title: series.title } : series;

const Actions = ({ series }: { series: ShownSeries }) => {
  const { next, items } = series;
  const isDone = items.length > 0 && items.every(({ userData }) => userData.watched);
  const isBegun = items.some(({ userData }) => userData.watched || (userData.percent ?? 0) > 0);
  return (
    <>
      {next?.available === true && (
        <ButtonLink look="primary" isLarge icon={open} to={{ page: 'reader', params: { id: next.id } }}>
          {(isBegun ? m.continueBook : m.readBook)({ title: placeIn(next) || next.title })}
        </ButtonLink>
      )}
      <RateMenu item={series} />
      <LastActions>
        <Button
          isLarge
          icon={check}
          aria-pressed={isDone}
          disabled={items.length === 0}
          onClick={() => void setAllWatched([series.id], !isDone, series)}
        >
          {isDone ? m.finished : catalogWords.markAsRead}
        </Button>
        <ItemMenu item={series} />
      </LastActions>
    </>
  );
};

export const Page = ({ params: { id } }: PageProps<'series'>) => {
  const { data: series, error, refetch } = useAsk('catalog', 'series', { id });
  useTitle(series?.title);
  if (!series)
    return error ? (
      <ErrorState isAlone title={m.seriesCouldNotBeLoaded} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  return (
    <>
      <Banner
        card={pictured(series)}
        title={series.title}
        facts={facts(
          series.people.map(({ name }) => name).join(', '),
          series.books !== undefined && m.booksCount({ count: series.books }),
        )}
        plot={series.plot}
        actions={<Actions series={series} />}
      />
      <section className={css.books} aria-labelledby="books">
        <h2 id="books">{m.books}</h2>
        {series.items.length === 0 ? (
          <EmptyState title={m.noBooksYet} />
        ) : (
          <SmallGrid cards={series.items} label={m.books} />
        )}
      </section>
    </>
  );
};
