/**
 * One photo on the whole screen, with the one before and after it. It is part of the address, so that Back closes it
 * and a link to it opens it.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useAsk } from '../../../data/query.ts';
import { ErrorState } from '../../../kit/states/states.tsx';
import { announce } from '../../../lib/announce.ts';
import { count } from '../../../lib/format.ts';
import { closeTo, go } from '../../../lib/navigation/navigate.ts';
import { useWakeLock } from '../../../lib/wake-lock.ts';
import { photoWords as m } from '../../../messages/photos.ts';
import type { ClipActions, ClipStatus } from '../../../parts/playback/clip-player.ts';
import { ClipStage } from './clip.tsx';
import { InfoPanel } from './info.tsx';
import { LoadingStage } from './loading.tsx';
import { type PlaceNeeds, usePlace } from './place.ts';
import { slideMs, useSlideshow } from './slideshow.ts';
import { PhotoStage } from './stage.tsx';
import { type PhotoItem, ViewerBar } from './viewer-bar.tsx';
import css from './viewer.module.css';

interface ViewerProps extends PlaceNeeds {
  /** Returns the address of a photo, or without one of the list. */
  addressOf: (id: string | undefined) => string;
}

/** State of a clip that its stage and the viewer share. */
function useClipOf(item: PhotoItem | undefined) {
  const actions = useRef<ClipActions | undefined>(undefined);
  const [known, setKnown] = useState<{ id: string; status: ClipStatus }>();
  const id = item?.kind === 'video' ? item.id : undefined;
  return {
    actions,
    /** Undefined for a photo. */
    status: id === undefined ? undefined : known?.id === id ? known.status : 'loading',
    onStatus: (status: ClipStatus) => id !== undefined && setKnown({ id, status }),
  };
}

/**
 * Keeps the dialog open, and the page behind where it is. Afterwards it focuses the link to the photo shown last, or
 * the element that had the focus before if the list has no such link.
 */
function useModal(href: string): { readonly current: HTMLDialogElement | null } {
  const dialog = useRef<HTMLDialogElement>(null);
  const last = useRef(href);
  last.current = href;
  useLayoutEffect(() => {
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
      const links = [...document.querySelectorAll<HTMLElement>('main a[href]')];
      (links.find((link) => link.getAttribute('href') === last.current) ?? before)?.focus?.();
    };
  }, []);
  return dialog;
}

const isButton = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, a, [role^="menu"]') !== null;

export const PhotoViewer = (props: ViewerProps) => {
  const { id, listing, addressOf } = props;
  const dialog = useModal(addressOf(id));
  const [isInfoOpen, setInfoOpen] = useState(false);
  const [isSlideshow, setSlideshow] = useState(false);
  const [seconds, setSeconds] = useState(5);
  const item = useAsk('catalog', 'item', { id }, { keep: true });
  const data = item.data?.id === id ? item.data : undefined;
  const place = usePlace(props, data?.released, (to) => go(addressOf(to), { replace: true }));
  const { index, total, card, next, previous, toNext, toPrevious } = place;
  const close = () => closeTo(addressOf(undefined));
  const clip = useClipOf(data);
  const turnSlideshow = (isOn: boolean) => {
    setSlideshow(isOn);
    if (isOn) clip.actions.current?.play();
    else clip.actions.current?.pause();
  };
  // A slideshow ends with the last photo.
  useSlideshow({
    ms: isSlideshow && data ? slideMs(seconds, clip.status) : undefined,
    id,
    next: toNext,
    onEnd: () => setSlideshow(false),
  });
  useWakeLock(isSlideshow);
  const title = data?.title ?? card?.title ?? '';
  const placed = index !== undefined && { title, index: count(index + 1), total: count(total) };
  const name = placed ? ((data ?? card)?.kind === 'video' ? m.clipOf : m.photoOf)(placed) : title;
  useEffect(() => {
    if (index !== undefined && title) announce(name);
  }, [id, index, title]);
  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const toggleClip = () => clip.actions.current?.toggle();
    const keys: Record<string, (() => void) | undefined> = {
      i: () => setInfoOpen(!isInfoOpen),
      s: () => turnSlideshow(!isSlideshow),
      PageDown: toNext,
      PageUp: toPrevious,
      MediaTrackNext: toNext,
      MediaTrackPrevious: toPrevious,
      MediaPlayPause: clip.status === undefined ? () => turnSlideshow(!isSlideshow) : toggleClip,
      ...(clip.status !== undefined && { m: () => clip.actions.current?.mute(), ' ': toggleClip }),
    };
    const act = keys[event.key];
    // A button is pressed by the space bar.
    if (!act || (event.key === ' ' && isButton(event.target))) return;
    event.preventDefault();
    act();
  };
  const stage = {
    near: [next, previous],
    onNext: toNext,
    onPrevious: toPrevious,
    onClose: close,
    onTouch: () => setSlideshow(false),
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
        slideshow={{ isOn: isSlideshow, seconds, onToggle: () => turnSlideshow(!isSlideshow), onSeconds: setSeconds }}
        onClose={close}
      />
      <div className={css.middle}>
        {item.error && !data ? (
          <ErrorState isAlone title={m.photoCouldNotBeLoaded} error={item.error} retry={() => void item.refetch()} />
        ) : data?.kind === 'video' ? (
          <ClipStage key={id} item={data} {...stage} actions={clip.actions} onStatus={clip.onStatus} />
        ) : data ? (
          <PhotoStage key={id} item={data} {...stage} />
        ) : (
          <LoadingStage label={title} onNext={toNext} onPrevious={toPrevious} />
        )}
        {isInfoOpen && data && <InfoPanel item={data} listing={listing} />}
      </div>
    </dialog>
  );
};
