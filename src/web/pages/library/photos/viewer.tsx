/**
 * One photo on the whole screen, with the one before and after it. It is part of the address, so that Back closes it
 * and a link to it opens it.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, queries, useAsk } from '../../../data/query.ts';
import { ErrorState, Pending } from '../../../kit/states/states.tsx';
import { announce } from '../../../lib/announce.ts';
import { count } from '../../../lib/format.ts';
import { go } from '../../../lib/navigation/navigate.ts';
import { photoWords as m } from '../../../messages/photos.ts';
import { indexOfPhoto, type PhotoListing, usePhotoCards } from './cards.ts';
import { InfoPanel } from './info.tsx';
import { layoutOfDays, type PhotoDay } from './layout.ts';
import { PhotoStage } from './stage.tsx';
import { ViewerBar } from './viewer-bar.tsx';
import css from './viewer.module.css';

interface ViewerProps {
  id: string;
  days: readonly PhotoDay[];
  listing: PhotoListing;
  /** Returns the address of a photo, or without one of the list. */
  addressOf: (id: string | undefined) => string;
}

/** Finds the photo in the list: by its day, which its page says. */
function useIndex({ id, days, listing }: ViewerProps, released: string | undefined): number | undefined {
  const [found, setFound] = useState<{ id: string; index: number }>();
  useEffect(() => {
    if (found?.id === id || released === undefined) return;
    const place = layoutOfDays(days, { width: 1, leastCell: 1, gap: 0, head: 0, below: 0 }).days.find(
      ({ date }) => date === released,
    );
    let isOver = false;
    if (place)
      void indexOfPhoto(listing, id, place).then(
        (index) => !isOver && index !== undefined && setFound({ id, index }),
        () => undefined,
      );
    return () => {
      isOver = true;
    };
  }, [id, released, days]);
  return found?.id === id ? found.index : undefined;
}

/** Shows the next photo after so many seconds, as long as the slideshow is on. */
function useSlideshow(isOn: boolean, seconds: number, key: string, next: () => void): void {
  const show = useRef(next);
  show.current = next;
  useEffect(() => {
    if (!isOn) return;
    const timer = setTimeout(() => show.current(), seconds * 1000);
    return () => clearTimeout(timer);
  }, [isOn, seconds, key]);
}

export const PhotoViewer = (props: ViewerProps) => {
  const { id, days, listing, addressOf } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [isInfoOpen, setInfoOpen] = useState(false);
  const [isSlideshow, setSlideshow] = useState(false);
  const [seconds, setSeconds] = useState(5);
  const item = useAsk('catalog', 'item', { id }, { keep: true });
  const data = item.data?.id === id ? item.data : undefined;
  const index = useIndex(props, data?.released);
  const total = days.reduce((sum, day) => sum + day.count, 0);
  const around =
    index === undefined ? { first: 0, end: 0 } : { first: Math.max(0, index - 2), end: Math.min(total, index + 3) };
  const cardAt = usePhotoCards(listing, around);
  const near = (by: number) => (index === undefined ? undefined : cardAt(index + by));
  const card = near(0)?.id === id ? near(0) : undefined;
  const [next, previous] = [near(1), near(-1)];
  // The page of a neighbour is there before its turn, so that keys are never without a picture to act on.
  useEffect(() => {
    for (const one of [next, previous]) if (one) void queries.prefetchQuery(ask('catalog', 'item', { id: one.id }));
  }, [next?.id, previous?.id]);
  const close = () => go(addressOf(undefined), { replace: true });
  const show = (to: { id: string } | undefined) => to && go(addressOf(to.id), { replace: true });
  // A slideshow ends with the last photo.
  const advance = () => (next ? show(next) : setSlideshow(false));
  useSlideshow(isSlideshow && data !== undefined, seconds, id, advance);
  useEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement as HTMLElement | null;
    if (shown && !shown.open) {
      if (typeof shown.showModal === 'function') shown.showModal();
      else shown.setAttribute('open', '');
    }
    document.documentElement.style.overflow = 'hidden';
    return () => {
      document.documentElement.style.overflow = '';
      if (typeof shown?.close === 'function' && shown.open) shown.close();
      before?.focus?.();
    };
  }, []);
  const title = data?.title ?? card?.title ?? '';
  const name = index === undefined ? title : m.photoOf({ title, index: count(index + 1), total: count(total) });
  useEffect(() => {
    if (index !== undefined && title) announce(name);
  }, [id, index]);
  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const keys: Record<string, (() => void) | undefined> = {
      i: () => setInfoOpen(!isInfoOpen),
      s: () => setSlideshow(!isSlideshow),
      PageDown: () => show(next),
      PageUp: () => show(previous),
      MediaTrackNext: () => show(next),
      MediaTrackPrevious: () => show(previous),
      MediaPlayPause: () => setSlideshow(!isSlideshow),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <dialog
      ref={dialog}
      className={css.viewer}
      data-theme="dark"
      aria-label={name}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onKeyDown={onKey}
    >
      <ViewerBar
        item={data}
        title={title}
        isInfoOpen={isInfoOpen}
        onInfo={() => setInfoOpen(!isInfoOpen)}
        slideshow={{ isOn: isSlideshow, seconds, onToggle: () => setSlideshow(!isSlideshow), onSeconds: setSeconds }}
        onClose={close}
      />
      <div className={css.middle}>
        {item.error && !data ? (
          <ErrorState isAlone title={m.photoCouldNotBeLoaded} error={item.error} retry={() => void item.refetch()} />
        ) : data ? (
          <PhotoStage
            key={id}
            item={data}
            near={[next, previous]}
            onNext={next && (() => show(next))}
            onPrevious={previous && (() => show(previous))}
            onClose={close}
            onTouch={() => setSlideshow(false)}
          />
        ) : (
          <Pending />
        )}
        {isInfoOpen && data && <InfoPanel item={data} listing={listing} />}
      </div>
    </dialog>
  );
};
