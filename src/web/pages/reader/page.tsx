/** The reader of books and comics. The text of a book is in a frame in which nothing runs. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import arrow from 'lucide/dist/esm/icons/arrow-left.mjs';
import back from 'lucide/dist/esm/icons/chevron-left.mjs';
import forward from 'lucide/dist/esm/icons/chevron-right.mjs';
import open from 'lucide/dist/esm/icons/book-open.mjs';
import list from 'lucide/dist/esm/icons/list.mjs';
import maximize from 'lucide/dist/esm/icons/maximize.mjs';
import search from 'lucide/dist/esm/icons/search.mjs';
import settings from 'lucide/dist/esm/icons/settings.mjs';
import zoomIn from 'lucide/dist/esm/icons/zoom-in.mjs';
import zoomOut from 'lucide/dist/esm/icons/zoom-out.mjs';
import { queries, useAsk } from '../../data/query.ts';
import { ButtonLink, IconButton } from '../../kit/forms/button.tsx';
import { ErrorState, Pending } from '../../kit/states/states.tsx';
import { cx } from '../../lib/cx.ts';
import { hrefOf, type PageProps } from '../../lib/navigation/addresses.ts';
import { closeTo } from '../../lib/navigation/navigate.ts';
import { useTitle } from '../../lib/title.ts';
import { readingWords as m } from '../../messages/reading.ts';
import { ComicView } from './comic-view.tsx';
import { barMarks, isForBars, useBars } from './bars.ts';
import { onReaderKey, type Turning } from './input.ts';
import { Contents, Search, ReaderSettings } from './panels.tsx';
import { changePreferences, directionOf, keepDirection, preferences, stepSize } from './preferences.ts';
import { usePlaceReports } from './reports.ts';
import { TextView } from './text-view.tsx';
import type { OpenBook, ReaderTarget } from './types.ts';
import css from './reader.module.css';

type Panel = 'contents' | 'search' | 'settings';
const ZOOMS = [1, 1.5, 2, 3] as const;
const nextZoom = (zoom: number, step: 1 | -1): number =>
  ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, ZOOMS.findIndex((one) => one >= zoom) + step))] ?? 1;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('dialog, input, select, textarea') !== null;

/** Takes the keys of the page around a book. */
function useReaderKeys(turning: { readonly current: Turning | undefined }): void {
  // Before the first page is seen: a key that is pressed then must count.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event.target) || !turning.current || event.defaultPrevented) return;
      const on = event.target instanceof Element ? event.target : undefined;
      // Space does nothing on a link: there it turns the page.
      if ((event.key === 'Enter' || event.key === ' ') && on?.closest('button')) return;
      if (event.key === 'Enter' && on?.closest('a')) return;
      if (isForBars(event)) return;
      onReaderKey(event, turning.current);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Turns pages, and says which one is shown. */
const PageBar = ({
  says,
  isText,
  isRightToLeft,
  place,
  parts,
  onPart,
  turning,
  next,
}: {
  says: string;
  isText: boolean;
  isRightToLeft: boolean;
  place: { part: number };
  parts: number;
  onPart: (part: number) => void;
  turning: () => Turning | undefined;
  /** Id of the next book of the series, once the end of this one is shown. */
  next: string | undefined;
}) => {
  const [toStart, toEnd] = isRightToLeft
    ? [() => turning()?.forward(), () => turning()?.back()]
    : [() => turning()?.back(), () => turning()?.forward()];
  return (
    <footer className={cx(css.bar, css.bottom)} {...barMarks()}>
      <IconButton icon={back} label={isRightToLeft ? m.nextPage : m.previousPage} onClick={toStart} />
      <span className={css.says} aria-live="polite">
        {says}
      </span>
      {!isText && (
        <input
          type="range"
          className={css.slider}
          aria-label={m.goToPage}
          dir={isRightToLeft ? 'rtl' : 'ltr'}
          min={1}
          max={parts}
          value={place.part + 1}
          onChange={(event) => onPart(Number(event.currentTarget.value) - 1)}
        />
      )}
      {next !== undefined && (
        <ButtonLink look="primary" icon={open} to={{ page: 'reader', params: { id: next } }}>
          {m.nextInSeries}
        </ButtonLink>
      )}
      <IconButton icon={forward} label={isRightToLeft ? m.previousPage : m.nextPage} onClick={toEnd} />
    </footer>
  );
};

/** Returns how a place of a book is said, and whether it is the end. */
function placeIn({ kind, parts }: OpenBook, { part, offset }: { part: number; offset: number }) {
  if (kind !== 'epub') return { says: m.page({ page: part + 1, pages: parts }), isAtEnd: part === parts - 1 };
  const percent = Math.round(((part + offset) / Math.max(1, parts)) * 100);
  return {
    says: `${m.part({ part: part + 1, parts })} · ${m.percentRead({ percent })}`,
    isAtEnd: part === parts - 1 && offset >= 1,
  };
}

interface ShownBookProps {
  id: string;
  title: string;
  book: OpenBook;
  /** Id of the next book of the series. */
  next: string | undefined;
  /** Id of what shares a direction: the series, or the book if it has none. */
  work: string;
}
const Shown = ({ id, title, book, next, work }: ShownBookProps) => {
  const [target, setTarget] = useState<ReaderTarget>({
    part: Math.min(book.place.part, book.parts - 1),
    offset: book.place.offset,
  });
  const [place, setPlace] = useState({ part: target.part, offset: target.offset });
  const [panel, setPanel] = useState<Panel>();
  const [isRightToLeft, setRightToLeft] = useState((directionOf(work) ?? book.direction) === 'rtl');
  const [zoom, setZoom] = useState(1);
  const turning = useRef<Turning | undefined>(undefined);
  const { hasControls, setControls, reader } = useBars();
  const report = usePlaceReports(id);
  const isText = book.kind === 'epub';
  const bookPage = { page: 'book', params: { id } } as const;

  const around = {
    isRightToLeft,
    toggle: () => setControls((now) => !now),
    larger: () =>
      isText ? changePreferences({ size: stepSize(preferences.get().size, 1) }) : setZoom((now) => nextZoom(now, 1)),
    smaller: () =>
      isText ? changePreferences({ size: stepSize(preferences.get().size, -1) }) : setZoom((now) => nextZoom(now, -1)),
    close: () => closeTo(hrefOf(bookPage)),
  };
  const onPlace = (now: { part: number; offset: number }, hasMoved = true) => {
    // A scrolled comic moves all the time, and only its page is shown.
    setPlace((was) => (!isText && was.part === now.part ? was : now));
    // Another device may have read on: only the reader moves the place, not a window that changes its size.
    if (hasMoved) report(now);
  };
  const shared = {
    id,
    book,
    target,
    onPlace,
    onTarget: setTarget,
    turning: around,
    onTurning: (now: Turning) => void (turning.current = now),
  };
  useReaderKeys(turning);

  const { says, isAtEnd } = placeIn(book, place);
  return (
    <div className={cx(css.reader, hasControls && css.controlled)} data-arrows="own" ref={reader} tabIndex={-1}>
      {isText ? (
        <TextView {...shared} isCovered={panel !== undefined} />
      ) : (
        <ComicView {...shared} isRightToLeft={isRightToLeft} zoom={zoom} />
      )}
      <header className={cx(css.bar, css.top, !hasControls && css.away)} {...barMarks()} hidden={!hasControls}>
        <ButtonLink look="quiet" icon={arrow} to={bookPage} aria-label={m.close} isClosing />
        <h1 className={css.title}>{title}</h1>
        {book.contents.length > 0 && <IconButton icon={list} label={m.contents} onClick={() => setPanel('contents')} />}
        {book.kind !== 'comic' && <IconButton icon={search} label={m.search} onClick={() => setPanel('search')} />}
        {!isText && <IconButton icon={zoomOut} label={m.zoomOut} onClick={around.smaller} disabled={zoom === 1} />}
        {!isText && <IconButton icon={zoomIn} label={m.zoomIn} onClick={around.larger} />}
        <IconButton icon={settings} label={m.settings} onClick={() => setPanel('settings')} />
        {document.fullscreenEnabled && (
          <IconButton
            icon={maximize}
            label={m.fullScreen}
            onClick={() =>
              void (document.fullscreenElement
                ? document.exitFullscreen()
                : document.documentElement.requestFullscreen())
            }
          />
        )}
      </header>
      {hasControls && (
        <PageBar
          {...{ says, isText, isRightToLeft, place }}
          parts={book.parts}
          onPart={(part) => setTarget({ part, offset: 0 })}
          turning={() => turning.current}
          next={isAtEnd ? next : undefined}
        />
      )}
      {panel === 'contents' && (
        <Contents book={book} part={place.part} onClose={() => setPanel(undefined)} onTarget={setTarget} />
      )}
      {panel === 'search' && <Search id={id} onClose={() => setPanel(undefined)} onTarget={setTarget} />}
      {panel === 'settings' && (
        <ReaderSettings
          kind={book.kind}
          isRightToLeft={isRightToLeft}
          onDirection={(isNow) => {
            setRightToLeft(isNow);
            keepDirection(work, isNow ? 'rtl' : 'ltr');
          }}
          onClose={() => setPanel(undefined)}
        />
      )}
    </div>
  );
};

/** The reader of one book. */
const Reading = ({ id }: { id: string }) => {
  const { data: item, error: itemError } = useAsk('catalog', 'item', { id });
  const { data, error, refetch } = useAsk('reader', 'open', { id });
  // The place where the book was opened stays: replies that are read again do not turn pages.
  const opened = useRef<OpenBook | undefined>(undefined);
  if (data && opened.current?.version !== data.version) opened.current = data;
  // The next visit begins where this one ends. The next book of the series is open already.
  useEffect(
    () => () =>
      queries.removeQueries({
        predicate: ({ queryKey: [group, , asked] }) => group === 'reader' && (asked as { id?: string }).id === id,
      }),
    [],
  );
  useTitle(item?.title);
  const failed = error ?? itemError;
  if (opened.current && item)
    return <Shown {...{ id, title: item.title, book: opened.current, next: item.next, work: item.series?.id ?? id }} />;
  if (!failed) return <Pending />;
  return (
    <div className={css.alone}>
      <h1 className="unseen">{m.reader}</h1>
      <ErrorState title={m.bookCouldNotBeOpened} error={failed} retry={() => void refetch()} />
      <ButtonLink look="quiet" to={{ page: 'book', params: { id } }}>
        {m.goBack}
      </ButtonLink>
    </div>
  );
};

/** Nothing of a book is kept when its reader leads to the next one. */
export const Page = ({ params: { id } }: PageProps<'reader'>) => <Reading key={id} id={id} />;
