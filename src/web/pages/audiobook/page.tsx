/** An audiobook: its authors, narrators and series, and its chapters, each of which can be played. */
import bookmark from 'lucide/dist/esm/icons/bookmark.mjs';
import check from 'lucide/dist/esm/icons/check.mjs';
import nextIcon from 'lucide/dist/esm/icons/chevron-right.mjs';
import previousIcon from 'lucide/dist/esm/icons/chevron-left.mjs';
import historyIcon from 'lucide/dist/esm/icons/rotate-ccw-clock.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import { useAsk, type Reply } from '../../data/query.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Menu } from '../../kit/layers/menu.tsx';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import { facts, formatDuration, position } from '../../lib/format.ts';
import { hrefOf, type PageProps } from '../../lib/navigation/addresses.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { useTitle } from '../../lib/title.ts';
import { catalogWords } from '../../messages/catalog.ts';
import { musicWords as m } from '../../messages/music.ts';
import { setListed, setWatched } from '../../parts/catalog/actions.ts';
import { AuthorLinks } from '../../parts/catalog/author-links.tsx';
import { RateMenu } from '../../parts/catalog/rate.tsx';
import { Banner, LastActions } from '../../parts/catalog/banner.tsx';
import { ItemMenu } from '../../parts/editing/item-menu.tsx';
import { useOwnPage } from '../../parts/catalog/own-page.ts';
import { left, seen } from '../../parts/catalog/play.ts';
import { listenItemOf } from '../../parts/listening/items.ts';
import { useLastPlaces } from '../../parts/listening/places.ts';
import { listenTo } from '../../parts/listening/requests.ts';
import css from './audiobook.module.css';

type Book = Reply<'catalog', 'item'>;

const playBook = (book: Book, from?: number): void =>
  listenTo([listenItemOf(book)], from === undefined ? {} : { from });

const Actions = ({ book }: { book: Book }) => {
  const { listed } = book.userData;
  const to = (id: string) => () => go(hrefOf({ page: 'audiobook', params: { id } }));
  const places = useLastPlaces(book.id, book.chapters);
  return (
    <>
      <Button look="primary" isLarge icon={play} isFilled disabled={!book.available} onClick={() => playBook(book)}>
        {seen(book) === undefined ? m.play : m.resume}
      </Button>
      <RateMenu item={book} />
      <LastActions>
        <Button
          isLarge
          icon={bookmark}
          isFilled={listed}
          aria-pressed={listed}
          onClick={() => void setListed(book, !listed)}
        >
          {listed ? m.onMyList : m.myList}
        </Button>
        {places.length > 0 && book.available && (
          <Menu
            label={m.goBackTo}
            icon={historyIcon}
            isRound
            items={places.map(({ at, title, about }) => ({
              label: `${title} (${about})`,
              onChoose: () => playBook(book, at),
            }))}
          />
        )}
        <ItemMenu
          item={book}
          first={[
            ...(book.next ? [{ label: m.nextInSeries, icon: nextIcon, onChoose: to(book.next) }] : []),
            ...(book.previous ? [{ label: m.previousInSeries, icon: previousIcon, onChoose: to(book.previous) }] : []),
            {
              label: book.userData.watched ? catalogWords.markAsNotFinished : catalogWords.markAsFinished,
              icon: check,
              onChoose: () => void setWatched(book, !book.userData.watched),
            },
          ]}
        />
      </LastActions>
    </>
  );
};

const Over = ({ book, authors }: { book: Book; authors: readonly string[] }) => {
  const { series, volume } = book;
  return (
    <>
      <AuthorLinks names={authors} />
      {series && (
        <>
          {authors.length > 0 && ' · '}
          <Link to={{ page: 'audiobookSeries', params: { id: series.id } }}>
            {volume === undefined ? series.title : m.seriesPart({ name: series.title, part: volume.text })}
          </Link>
        </>
      )}
    </>
  );
};

const Chapters = ({ book }: { book: Book }) => {
  const { position: place } = book.userData;
  return (
    <section aria-label={m.chapters}>
      <h2 className={css.heading}>{m.chapters}</h2>
      <ol className={css.chapters}>
        {book.chapters.map(({ start, end, title }, at) => (
          <li key={at}>
            <button
              type="button"
              className={css.chapter}
              disabled={!book.available}
              aria-current={place > 0 && place >= start && place < (end ?? Infinity)}
              onClick={() => playBook(book, start)}
            >
              <span className={css.number}>{at + 1}</span>
              <span className={css.title}>{title}</span>
              <span className={css.length}>{position(start)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
};

export const Page = ({ params: { id } }: PageProps<'audiobook'>) => {
  const { data, error, refetch } = useAsk('catalog', 'item', { id });
  const book = useOwnPage(data, 'audiobook');
  useTitle(book?.title);
  if (!book)
    return error ? (
      <ErrorState isAlone title={m.audiobookCouldNotBeLoaded} error={error} retry={() => void refetch()} />
    ) : (
      <Pending />
    );
  const { authors = [], narrators = [], files = [] } = book.audiobook ?? {};
  const line = facts(
    book.year,
    book.duration !== undefined && formatDuration(book.duration),
    seen(book) !== undefined && left(book),
    narrators.length > 0 && m.readBy({ names: narrators.join(', ') }),
    files.length > 1 && m.filesCount({ count: files.length }),
  );
  return (
    <>
      <Banner
        card={book}
        title={book.title}
        over={<Over book={book} authors={authors} />}
        facts={line}
        plot={book.plot}
        actions={<Actions book={book} />}
      />
      <div className={css.rest}>{book.chapters.length > 0 && <Chapters book={book} />}</div>
    </>
  );
};
