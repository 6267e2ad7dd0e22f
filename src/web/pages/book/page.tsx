/** A book or comic: what it is, its place in its series, and how far it is read. */
import bookmark from 'lucide/dist/esm/icons/bookmark.mjs';
import check from 'lucide/dist/esm/icons/check.mjs';
import nextIcon from 'lucide/dist/esm/icons/chevron-right.mjs';
import previousIcon from 'lucide/dist/esm/icons/chevron-left.mjs';
import open from 'lucide/dist/esm/icons/book-open.mjs';
import { useAsk } from '../../data/query.ts';
import { useIsOwner } from '../../data/session.ts';
import { Button, ButtonLink } from '../../kit/forms/button.tsx';
import { Badge, ErrorState, Notice, Pending, ProgressBar } from '../../kit/states/states.tsx';
import { day, facts, languageLabel, size } from '../../lib/format.ts';
import { hrefOf, type PageProps } from '../../lib/navigation/addresses.ts';
import { go } from '../../lib/navigation/navigate.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { useTitle } from '../../lib/title.ts';
import { catalogWords } from '../../messages/catalog.ts';
import { readingWords as m } from '../../messages/reading.ts';
import { setListed, setWatched } from '../../parts/catalog/actions.ts';
import { useOwnPage } from '../../parts/catalog/own-page.ts';
import { RateMenu } from '../../parts/catalog/rate.tsx';
import { Banner, LastActions } from '../../parts/catalog/banner.tsx';
import { ItemMenu } from '../../parts/editing/item-menu.tsx';
import { Fact } from '../../parts/details/facts.tsx';
import type { DetailedItem } from '../../parts/details/types.ts';
import { PersonLinks, withJob } from '../../parts/people/people.tsx';
import css from './book.module.css';

const lineOf = ({ volume, chapter, year, book, rating }: DetailedItem) => [
  ...facts(
    volume && m.volume({ text: volume.text }),
    chapter && m.chapter({ text: chapter.text }),
    year,
    book && book.format !== 'epub' && book.pages !== undefined && m.pagesCount({ count: book.pages }),
  ),
  ...facts(book?.format.toUpperCase(), rating).map((text) => <Badge key={text}>{text}</Badge>),
];

const Actions = ({ item }: { item: DetailedItem }) => {
  const { userData, id } = item;
  const to = (other: string) => () => go(hrefOf({ page: 'book', params: { id: other } }));
  return (
    <>
      {item.links.read !== undefined && item.available && (
        <ButtonLink look="primary" isLarge icon={open} to={{ page: 'reader', params: { id } }}>
          {userData.percent ? m.continueReading : m.read}
        </ButtonLink>
      )}
      <Button
        isLarge
        icon={check}
        aria-pressed={userData.watched}
        onClick={() => void setWatched(item, !userData.watched)}
      >
        {userData.watched ? m.finished : catalogWords.markAsRead}
      </Button>
      <RateMenu item={item} />
      <LastActions>
        <Button
          isLarge
          icon={bookmark}
          isFilled={userData.listed}
          aria-pressed={userData.listed}
          onClick={() => void setListed(item, !userData.listed)}
        >
          {userData.listed ? catalogWords.onMyList : catalogWords.myList}
        </Button>
        <ItemMenu
          item={item}
          first={[
            ...(item.next ? [{ label: m.nextInSeries, icon: nextIcon, onChoose: to(item.next) }] : []),
            ...(item.previous ? [{ label: m.previousInSeries, icon: previousIcon, onChoose: to(item.previous) }] : []),
          ]}
        />
      </LastActions>
    </>
  );
};

const Facts = ({ item }: { item: DetailedItem }) => {
  const { book, genres, people } = item;
  const named = (job: 'author' | 'contributor') => {
    const own = withJob(people, job);
    return own.length === 0 ? undefined : <PersonLinks people={own} />;
  };
  const rows = [
    [m.authors, named('author')],
    [m.contributors, named('contributor')],
    [genres.length === 1 ? catalogWords.genre : catalogWords.genres, genres.join(', ')],
    [m.publisher, book?.publisher],
    [catalogWords.language, book?.language && languageLabel(book.language)],
    [m.isbn, book?.isbn],
    [catalogWords.released, item.released && day(item.released)],
    [m.format, facts(book?.format.toUpperCase(), item.size && size(item.size)).join(' · ')],
    [catalogWords.addedLabel, day(item.added)],
  ] as const;
  return (
    <dl className={css.facts}>
      {rows.map(
        ([name, value]) =>
          value !== undefined &&
          value !== '' && (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ),
      )}
    </dl>
  );
};

const Shown = ({ item }: { item: DetailedItem }) => {
  const isOwner = useIsOwner();
  const { series, userData, authors } = item;
  return (
    <>
      <Banner
        card={item}
        over={series && <Link to={{ page: 'series', params: { id: series.id } }}>{series.title}</Link>}
        title={item.title}
        facts={[...facts(authors?.join(', ')), ...lineOf(item)]}
        plot={item.plot}
        actions={<Actions item={item} />}
      >
        {userData.percent !== undefined && userData.percent > 0 && (
          <div className={css.progress}>
            <ProgressBar value={userData.percent / 100} label={m.percentRead({ percent: userData.percent })} isThin />
            <span className="muted small">{m.percentRead({ percent: userData.percent })}</span>
          </div>
        )}
      </Banner>
      <div className={css.rest}>
        {!item.available && (
          <Notice tone="warn">
            {catalogWords.theFileIsNotAvailable({
              advice: isOwner ? catalogWords.checkThatTheDiskOr : catalogWords.askAnOwnerOfThisServer,
            })}
          </Notice>
        )}
        <Facts item={item} />
      </div>
    </>
  );
};

export const Page = ({ params: { id } }: PageProps<'book'>) => {
  const { data, error, refetch } = useAsk('catalog', 'item', { id });
  useTitle(data?.title);
  const item = useOwnPage(data, 'book');
  if (item) return <Shown item={item} />;
  return error ? (
    <ErrorState isAlone title={m.bookCouldNotBeLoaded} error={error} retry={() => void refetch()} />
  ) : (
    <Pending />
  );
};
