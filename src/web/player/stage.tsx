/** The picture with everything over it: subtitles, title, controls, panels, and what went wrong. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import arrow from 'lucide/dist/esm/icons/arrow-left.mjs';
import type { Item } from '../../contract/catalog.ts';
import { hrefOf, type To } from '../app/addresses.ts';
import { Link } from '../app/link.tsx';
import { go, useQueryParams } from '../app/navigate.ts';
import { isTelevision } from '../app/theme.ts';
import { Icon } from '../kit/art/icon.tsx';
import { KeyMap } from '../kit/layers/key-map.tsx';
import { cx } from '../lib/cx.ts';
import { episodeCode, facts } from '../lib/format.ts';
import { useStore } from '../lib/store.ts';
import { Captions } from './captions/captions.tsx';
import { createPlayer } from './engine/actions.ts';
import { useAudio } from './engine/audio.ts';
import { useFullscreen, useMediaSession, usePictureInPicture, useWakeLock } from './engine/device.ts';
import { usePicture } from './input/hands.ts';
import { useMedia } from './engine/media.ts';
import type { Plan } from './engine/plan.ts';
import { playerPreferences } from './engine/preferences.ts';
import { useReports } from './engine/reports.ts';
import { useShown } from './engine/shown.ts';
import { useSource } from './engine/source.ts';
import { startAt } from './engine/times.ts';
import { useSubtitle } from './engine/subtitle.ts';
import { HELP } from './input/keys.ts';
import { useKeys } from './input/use-keys.ts';
import { Bar } from './parts/bar.tsx';
import { ChapterPanel } from './parts/chapter-panel.tsx';
import { Controls, type Open } from './parts/controls.tsx';
import { Next } from './parts/next.tsx';
import { Over } from './parts/over.tsx';
import { SoundPanel } from './parts/sound-panel.tsx';
import { SubtitlePanel } from './parts/subtitle-panel.tsx';
import css from './player.module.css';

export interface StageProps {
  item: Item;
  plan: Plan;
  url: string;
  version: string | undefined;
  part: number;
  behind: To;
  again: () => Promise<void>;
}
const goTo = (id: string) => go(hrefOf({ page: 'player', params: { id } }), { replace: true });

/** A short word about what a key or tap did; each new one replaces the one before. */
function useSaid(): [string, (what: string) => void] {
  const [said, setSaid] = useState({ what: '', count: 0 });
  useEffect(() => {
    if (!said.what) return;
    const timer = setTimeout(() => setSaid({ what: '', count: 0 }), Math.max(1400, said.what.length * 60));
    return () => clearTimeout(timer);
  }, [said]);
  return [said.what, (what) => setSaid((before) => ({ what, count: before.count + 1 }))];
}

/** The volume of last time. */
function useKeptVolume(video: HTMLVideoElement | null): void {
  useEffect(() => {
    if (!video) return;
    const { volume, isMuted } = playerPreferences.get();
    video.volume = volume;
    video.muted = isMuted;
  }, [video]);
}

const Head = ({ item, behind }: Pick<StageProps, 'item' | 'behind'>) => (
  <header className={css.head}>
    <Link to={behind} className={css.back} aria-label="Back" title="Back">
      <Icon of={arrow} size={1.5} />
    </Link>
    <div className={css.title}>
      <h1>{item.show?.title ?? item.title}</h1>
      {item.show ? <p>{facts(episodeCode(item), item.title).join(' · ')}</p> : item.year !== undefined && <p>{item.year}</p>}
    </div>
  </header>
);

export const Stage = ({ item, plan, url, version, part, behind, again }: StageProps) => {
  const query = useQueryParams();
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<Open>();
  const [isHelp, setHelp] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const [said, say] = useSaid();
  const parts = item.versions.find((one) => one.id === (version ?? item.versions[0]?.id))?.parts ?? 1;
  const known = plan.duration;
  // A part knows only its own times; where the person was is a time of the whole.
  const start = useMemo(() => startAt({ asked: query.get('start'), position: parts > 1 ? 0 : plan.position, duration: known }), []);
  const media = useMedia(video);
  // Before the source: on leaving, the last report is made while the element still knows its place.
  useReports(video, { id: item.id, session: plan.session, isWhole: parts === 1, isLastPart: part >= parts - 1 });
  const source = useSource(video, { url, start, again });
  useKeptVolume(video);
  const audio = useAudio(video, plan.audio);
  const subtitle = useSubtitle({ item, plan, version, part, spoken: plan.audio.find(({ index }) => index === audio.playing)?.language, say });
  const player = useMemo(() => createPlayer({ video, chapters: plan.chapters, known, say }), [video, plan, known]);
  const full = useFullscreen(video);
  const picture = usePictureInPicture(video);
  const nextPart = part < parts - 1 ? () => go(hrefOf({ page: 'player', params: { id: item.id }, query: { version, part: part + 1 } }), { replace: true }) : undefined;
  const nextId = plan.next ?? item.next;
  const next = nextPart ?? (nextId === undefined ? undefined : () => goTo(nextId));
  const previous = item.previous === undefined ? undefined : () => goTo(item.previous as string);
  const shown = useShown(media.isPaused || open !== undefined || isHelp || isHeld || source.fault !== undefined);
  useWakeLock(!media.isPaused);
  useMediaSession(video, item, { ...player, next, previous });
  const leave = () => go(hrefOf(behind), { replace: true });
  useKeys({ stage, isShown: shown.isShown, isRemote: isTelevision(), poke: shown.poke, player, subtitle, full, picture, next, previous, leave, onChapters: () => plan.chapters.length > 0 && setOpen('chapters'), onHelp: () => setHelp(true), isCovered: isHelp, say });
  const hands = usePicture({ player, shown, full, say });
  useEffect(() => {
    if (media.isEnded && nextPart) nextPart();
  }, [media.isEnded]);
  const close = () => setOpen(undefined);
  return (
    <div ref={stage} className={cx(css.stage, !shown.isShown && css.idle)} data-theme="dark" onPointerMove={(event) => event.pointerType === 'mouse' && shown.poke()} onFocusCapture={shown.poke}>
      <div className={css.picture} {...hands}>
        <video ref={setVideo} className={css.video} playsInline preload="auto" aria-label={item.title} disableRemotePlayback={false} />
      </div>
      {video && subtitle.track && !source.fault && <Captions key={subtitle.track.url} video={video} track={subtitle.track} offset={subtitle.offset} isRaised={shown.isShown} onFailed={subtitle.onFailed} />}
      <Over {...{ media, source, said, player, start, title: item.title, behind }} />
      <div className={css.chrome}>
        <Head item={item} behind={behind} />
        <div className={css.foot}>
          <Bar video={video} known={known} chapters={plan.chapters} onSeek={player.seekTo} onHold={setHeld} />
          <Controls {...{ video, known, media, player, open, full, picture, next }} onOpen={setOpen} hasCaptions={subtitle.track !== undefined} hasChapters={plan.chapters.length > 1} />
        </div>
      </div>
      {open === 'subtitles' && <SubtitlePanel tracks={plan.subtitles} chosen={subtitle.chosen} offset={subtitle.offset} onChoose={subtitle.choose} onOffset={subtitle.setOffset} onClose={close} />}
      {open === 'sound' && <SoundPanel audio={audio} rate={media.rate} hasNext={nextId !== undefined} onRate={player.setRate} onClose={close} onHelp={() => (close(), setHelp(true))} />}
      {open === 'chapters' && <ChapterPanel chapters={plan.chapters} time={video?.currentTime ?? 0} onSeek={(time) => (player.seekTo(time), close())} onClose={close} />}
      {isHelp && <KeyMap keys={HELP} onClose={() => setHelp(false)} />}
      {nextId !== undefined && !nextPart && <Ending video={video} id={nextId} isEnded={media.isEnded} known={known} />}
    </div>
  );
};

/** From here on the next episode is offered. */
const CREDITS_S = 25;
const Ending = ({ video, id, isEnded, known }: { video: HTMLVideoElement | null; id: string; isEnded: boolean; known: number | undefined }) => {
  const { isAutoplay } = useStore(playerPreferences);
  const [isNear, setNear] = useState(false);
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    if (!video) return;
    const look = () => {
      const length = Number.isFinite(video.duration) ? video.duration : (known ?? 0);
      setNear(length > 2 * CREDITS_S && length - video.currentTime < CREDITS_S);
    };
    video.addEventListener('timeupdate', look);
    return () => video.removeEventListener('timeupdate', look);
  }, [video]);
  if ((!isEnded && !isNear) || isRefused) return null;
  return <Next key={String(isEnded)} id={id} isCounting={isEnded && isAutoplay} onPlay={() => goTo(id)} onCancel={() => setRefused(true)} />;
};
