/**
 * The small player at the bottom of every page. It is outside of the pages, so that it stays while they change; where
 * it is not shown, its sound continues.
 */
import x from 'lucide/dist/esm/icons/x.mjs';
import { useEffect } from 'preact/hooks';
import { useMe } from '../../../data/session.ts';
import { Artwork } from '../../../kit/art/artwork.tsx';
import { IconButton } from '../../../kit/forms/button.tsx';
import { toast } from '../../../kit/layers/toast.tsx';
import { cx } from '../../../lib/cx.ts';
import { Link } from '../../../lib/navigation/link.tsx';
import { useStore } from '../../../lib/store.ts';
import { listenWords as m } from '../../../messages/listening.ts';
import { takeRequests } from '../engine/controls.ts';
import { follow, stop } from '../engine/engine.ts';
import { keepQueue } from '../engine/keep-queue.ts';
import { change, listenClock, listening } from '../engine/state.ts';
import { NextButton, PlayButton, PreviousButton } from './transport.tsx';
import { useListeningSession } from './use-media-session.ts';
import css from './listening.module.css';

/** Stops, and brings the queue back on Undo. */
function close(): void {
  const { queue } = listening.get();
  stop();
  toast({
    message: m.closed,
    undo: () => {
      change({ queue, isPlaying: false });
      follow();
    },
  });
}

const Progress = () => {
  const { time, duration } = useStore(listenClock);
  return (
    <div className={css.thin} aria-hidden="true">
      <div style={{ width: `${duration > 0 ? Math.min(100, (time / duration) * 100) : 0}%` }} />
    </div>
  );
};

export const MiniPlayer = ({ isShown }: { isShown: boolean }) => {
  const { queue, fault, isWaiting, isPlaying } = useStore(listening);
  const me = useMe();
  const profile = me?.profile.id;
  const item = queue.entries[queue.at]?.item;
  useEffect(takeRequests, []);
  // Another Profile, or none: nothing of this one is heard or shown any more.
  useEffect(() => {
    if (profile === undefined) return undefined;
    const ended = keepQueue(profile);
    return () => {
      ended();
      stop();
    };
  }, [profile]);
  useListeningSession();
  const isOpen = isShown && item !== undefined;
  useEffect(() => {
    document.documentElement.toggleAttribute('data-listening', isOpen);
    return () => document.documentElement.removeAttribute('data-listening');
  }, [isOpen]);
  if (!isOpen) return null;
  return (
    <section className={css.mini} aria-label={m.player}>
      <Progress />
      <Link to={{ page: 'listening' }} className={css.miniItem} aria-label={m.openNowPlaying({ title: item.title })}>
        <span className={css.miniArt}>
          <Artwork
            id={item.art?.id ?? item.id}
            kind={item.art?.kind ?? 'poster'}
            version={item.art?.version}
            title={item.title}
            sizes="48px"
            isFilling
          />
        </span>
        <span className={css.miniText}>
          <span className={css.entryTitle}>{item.title}</span>
          <span
            className={cx(css.entryBy, fault !== undefined && css.bad)}
            role={fault === undefined ? undefined : 'alert'}
          >
            {fault ?? (isWaiting && isPlaying ? m.loading : item.by)}
          </span>
        </span>
      </Link>
      <span className={css.wideOnly}>
        <PreviousButton />
      </span>
      <PlayButton />
      <NextButton />
      <IconButton icon={x} label={m.closePlayer} onClick={close} />
    </section>
  );
};
