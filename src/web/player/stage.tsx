/** The picture with everything over it: subtitles, title, controls, panels, and what went wrong. */
import { useEffect, useRef, useState } from 'preact/hooks';
import arrow from 'lucide/dist/esm/icons/arrow-left.mjs';
import { Link } from '../lib/navigation/link.tsx';
import { isTelevision } from '../lib/theme.ts';
import { useWakeLock } from '../lib/wake-lock.ts';
import { Icon } from '../kit/art/icon.tsx';
import { KeyMap } from '../kit/layers/key-map.tsx';
import { cx } from '../lib/cx.ts';
import { episodeCode, facts } from '../lib/format.ts';
import { timeWarning } from '../data/day-time.ts';
import { useStore } from '../lib/store.ts';
import { SubtitleLayer } from './captions/subtitles.tsx';
import { useFullscreen, useMediaSession, usePictureInPicture } from './engine/device.ts';
import { playerPreferences, prefer } from './engine/preferences.ts';
import { useShown } from './engine/shown.ts';
import { usePlaying, type Playing, type PlayingItem } from './engine/use-playing.ts';
import { usePicture } from './input/pointer.ts';
import { keyHelp } from './input/keys.ts';
import { useKeys } from './input/use-keys.ts';
import { Bar } from './parts/bar.tsx';
import { Controls, type ControlsProps, type Open } from './parts/controls.tsx';
import { Skip } from './parts/marks/skip.tsx';
import { Ending } from './parts/next.tsx';
import { PlayerOverlay } from './parts/over.tsx';
import { Panels } from './parts/panels/panels.tsx';
import { Stats } from './parts/stats.tsx';
import css from './player.module.css';
import { playerWords as m } from '../messages/player.ts';
import { later } from '../lib/pending-work.ts';

/** A short word about what a key or tap did; each new one replaces the one before. */
function useSaid(): [string, (what: string) => void] {
  const [said, setSaid] = useState({ what: '', count: 0 });
  useEffect(() => {
    if (!said.what) return;
    return later(Math.max(1400, said.what.length * 60), () => setSaid({ what: '', count: 0 }), { isBackground: true });
  }, [said]);
  return [said.what, (what) => setSaid((before) => ({ what, count: before.count + 1 }))];
}

const Head = ({ item, behind }: Pick<PlayingItem, 'item' | 'behind'>) => (
  <header className={css.head}>
    <Link to={behind} className={css.back} aria-label={m.back} title={m.back}>
      <Icon of={arrow} size={1.5} />
    </Link>
    <div className={css.title}>
      <h1>{item.show?.title ?? item.title}</h1>
      {item.show ? (
        <p>{facts(episodeCode(item), item.title).join(' · ')}</p>
      ) : (
        item.year !== undefined && <p>{item.year}</p>
      )}
    </div>
  </header>
);

/** Layers over the picture: the open panel, the help of the keys, and the seek bar while it is held. */
function useLayers() {
  const [open, setOpen] = useState<Open>();
  const [isHelp, setHelp] = useState(false);
  const [isHeld, setHeld] = useState(false);
  return {
    open,
    setOpen,
    isHelp,
    setHelp,
    setHeld,
    isAny: open !== undefined || isHelp || isHeld,
    /** Returns whether a panel was open. */
    closePanel: () => {
      setOpen(undefined);
      return open !== undefined;
    },
  };
}

interface ChromeProps extends Pick<ControlsProps, 'open' | 'full' | 'picture'> {
  played: PlayingItem;
  playing: Playing;
  setOpen: (open: Open) => void;
  onHold: (isHeld: boolean) => void;
}

/** The title over the picture, and the seek bar and buttons under it. */
const Chrome = ({ played: { item, plan, behind }, playing, open, setOpen, full, picture, onHold }: ChromeProps) => {
  const { film, media, player, next, subtitle, tiles } = playing;
  return (
    <div className={css.chrome}>
      <Head item={item} behind={behind} />
      <div className={css.foot}>
        <Bar
          film={film}
          chapters={plan.chapters}
          markers={plan.markers}
          tiles={tiles}
          onSeek={player.seekTo}
          onHold={onHold}
        />
        <Controls
          {...{ film, media, player, open, full, picture, next }}
          onOpen={setOpen}
          hasCaptions={subtitle.chosen !== undefined}
          hasChapters={plan.chapters.length > 1}
        />
      </div>
    </div>
  );
};

/** Says over the picture how much of its time a Profile has left, when it is warned. */
function useTimeLeftSaid(say: (what: string) => void): void {
  const warning = useStore(timeWarning);
  useEffect(() => {
    if (warning) say(m.minutesLeftToWatch({ count: warning.minutes }));
  }, [warning]);
}

export const Stage = (played: PlayingItem) => {
  const { item, plan, choices, behind } = played;
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const stage = useRef<HTMLDivElement>(null);
  const layers = useLayers();
  const { open, setOpen, isHelp, setHelp } = layers;
  const [said, say] = useSaid();
  useTimeLeftSaid(say);
  const playing = usePlaying(played, video, say);
  const { film, media, source, player, subtitle, next, previous, skipping } = playing;
  const { isNight, isStats } = useStore(playerPreferences);
  const full = useFullscreen(video);
  const picture = usePictureInPicture(video);
  const shown = useShown(media.isPaused || layers.isAny || source.fault !== undefined);
  useWakeLock(!media.isPaused);
  useMediaSession(film, item, { ...player, next, previous });
  const night = () => {
    if (!playing.sound.canShape) return say(m.nightModeIsNotPossible);
    prefer({ isNight: !isNight });
    return say(isNight ? m.nightModeOff : m.nightModeOn);
  };
  const skip = () => (skipping.marker ? skipping.skip() : say(m.thereIsNothingToSkip));
  const keys = {
    leave: playing.leave,
    closePanel: layers.closePanel,
    skip,
    night,
    nextSound: playing.nextSound,
    delay: (by: number) => playing.delay.set(playing.delay.delay + by),
    stats: () => prefer({ isStats: !isStats }),
    onChapters: () => plan.chapters.length > 0 && setOpen('chapters'),
    onQuality: () => setOpen('quality'),
    onHelp: () => setHelp(true),
  };
  useKeys({
    stage,
    isShown: shown.isShown,
    isRemote: isTelevision(),
    poke: shown.poke,
    player,
    subtitle,
    full,
    picture,
    next,
    previous,
    isCovered: isHelp,
    say,
    ...keys,
  });
  const pointerHandlers = usePicture({ film, player, shown, full, say });
  useEffect(() => {
    if (media.isEnded) playing.nextPart?.();
  }, [media.isEnded]);
  return (
    <div
      ref={stage}
      className={cx(css.stage, !shown.isShown && css.idle)}
      data-theme="dark"
      onPointerMove={(event) => event.pointerType === 'mouse' && shown.poke()}
      onFocusCapture={shown.poke}
    >
      <div className={css.picture} {...pointerHandlers}>
        <video
          ref={setVideo}
          className={css.video}
          playsInline
          preload="auto"
          aria-label={item.title}
          disableRemotePlayback={false}
        />
      </div>
      {video && !source.fault && (
        <SubtitleLayer video={video} subtitle={subtitle} offset={playing.subtitleOffset} isRaised={shown.isShown} />
      )}
      {video && isStats && <Stats video={video} plan={plan} stream={source.stream} />}
      <PlayerOverlay {...{ media, source, said, player, start: playing.start, title: item.title, behind }} />
      <Chrome {...{ played, playing, open, setOpen, full, picture }} onHold={layers.setHeld} />
      {!source.fault && <Skip {...skipping} />}
      <Panels
        {...{ open, item, plan, choices, playing }}
        onClose={() => setOpen(undefined)}
        onHelp={() => setHelp(true)}
      />
      {isHelp && <KeyMap keys={keyHelp()} onClose={() => setHelp(false)} />}
      {film && playing.nextId !== undefined && !source.fault && (
        <Ending
          film={film}
          id={playing.nextId}
          isEnded={media.isEnded}
          isAutoplay={playing.isAutoplay}
          isInList={playing.isInList}
          plan={plan}
          onPlay={() => next?.()}
        />
      )}
    </div>
  );
};
