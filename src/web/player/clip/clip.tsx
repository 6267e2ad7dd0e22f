/**
 * Plays a clip inside of a page: asks how this browser can play it, draws the picture into an element of the page, and
 * the controls over it. The session ends with it.
 */
import { createPortal } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import pause from 'lucide/dist/esm/icons/pause.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import volume from 'lucide/dist/esm/icons/volume-2.mjs';
import volumeOff from 'lucide/dist/esm/icons/volume-off.mjs';
import { sentence } from '../../data/client.ts';
import { Button, IconButton } from '../../kit/forms/button.tsx';
import { cx } from '../../lib/cx.ts';
import { playerWords as m } from '../../messages/player.ts';
import type { ClipPlayerProps } from '../../parts/playback/clip-player.ts';
import { deliveryOf, usePlan, type PlanState } from '../../parts/playback/plan.ts';
import { whyOf } from '../../parts/playback/words.ts';
import { useOtherVersion } from '../engine/other-version.ts';
import { type ControlsVisibility, useShown } from '../engine/shown.ts';
import type { StreamFault } from '../engine/stream/judge.ts';
import { limited } from '../engine/times.ts';
import { Bar, TimeLabel } from '../parts/bar.tsx';
import { BeginButton, useLasting, WaitingRing } from '../parts/over.tsx';
import { useClip } from './use-clip.ts';
import css from './clip.module.css';

const ClipFault = ({ says, retry }: { says: readonly string[]; retry: (() => void) | undefined }) => (
  <div className={css.fault} role="alert" data-controls>
    <h3>{m.thisClipCannotBePlayed}</h3>
    {says.map((one) => (
      <p key={one}>{one}</p>
    ))}
    {retry && <Button onClick={retry}>{m.tryAgain}</Button>}
  </div>
);

export const PlayedClip = (props: ClipPlayerProps) => {
  const { item, onStatus } = props;
  const [version, setVersion] = useState<string>();
  const { plan, error, again } = usePlan({ id: item.id, version });
  // One version that plays here is better than words about the first that does not.
  const other = useOtherVersion(version === undefined ? plan : undefined, item);
  const otherId = typeof other === 'object' ? other.id : undefined;
  useEffect(() => {
    if (otherId !== undefined) setVersion(otherId);
  }, [otherId]);
  const isRefused = plan !== undefined && deliveryOf(plan) === undefined && other === undefined;
  const isFailed = isRefused || error !== undefined;
  const isWaiting = useLasting(plan === undefined && !isFailed, 500);
  useEffect(() => {
    if (isFailed) onStatus('failed');
  }, [isFailed]);
  if (error !== undefined)
    return <ClipFault says={[sentence(error)]} retry={() => void again().catch(() => undefined)} />;
  if (isRefused) return <ClipFault says={whyOf(plan)} retry={undefined} />;
  if (!plan || !deliveryOf(plan)) return isWaiting ? <WaitingRing /> : null;
  return <Playing {...props} plan={plan} again={again} />;
};

/** Seconds that an arrow key moves on the seek bar: a clip is shorter than a film. */
const stepOf = (duration: number | undefined): number => limited(Math.round((duration ?? 0) / 20), 1, 10);

const faultWords = ({ kind, says }: StreamFault): string =>
  kind === 'undecodable' ? m.thisClipCouldNotBeDecoded : says;

interface ClipControlsProps extends Pick<ReturnType<typeof useClip>, 'film' | 'media' | 'player' | 'mute'> {
  /** Seconds that an arrow key moves on the seek bar. */
  step: number;
  shown: ControlsVisibility;
  onHold: (isHeld: boolean) => void;
}
const ClipControls = ({ film, media, player, mute, step, shown, onHold }: ClipControlsProps) => {
  const isSilent = media.isMuted || media.volume === 0;
  return (
    <div
      className={cx(css.controls, !shown.isShown && css.away)}
      data-controls
      onPointerDown={shown.poke}
      onFocusCapture={shown.poke}
    >
      <IconButton
        icon={media.isPaused ? play : pause}
        isFilled
        label={media.isPaused ? m.play : m.pause}
        onClick={player.toggle}
      />
      <span className={css.bar}>
        <Bar film={film} chapters={[]} markers={[]} tiles={[]} onSeek={player.seekTo} onHold={onHold} step={step} />
      </span>
      <TimeLabel film={film} />
      <IconButton icon={isSilent ? volumeOff : volume} label={isSilent ? m.unmute : m.mute} onClick={mute} />
    </div>
  );
};

const Playing = ({
  item,
  into,
  actions,
  onStatus,
  onNext,
  onPrevious,
  plan,
  again,
}: ClipPlayerProps & { plan: NonNullable<PlanState['plan']>; again: PlanState['again'] }) => {
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [isHeld, setHeld] = useState(false);
  const { film, media, source, player, mute, status } = useClip(video, { item, plan, again, onNext, onPrevious });
  const { fault, retry } = source;
  useEffect(() => onStatus(status), [status]);
  const shown = useShown(media.isPaused || isHeld || fault !== undefined);
  const isOpen = source.stream !== undefined;
  const isWaiting = useLasting((media.isWaiting || !isOpen) && !media.isEnded && !fault, 500);
  // Nothing has begun: the browser wants a hand first.
  const isShy = useLasting(isOpen && !media.isBegun && media.isPaused && !fault, 700);
  const tap = (isFinger: boolean) => {
    if (!isFinger || !media.isBegun) player.toggle();
    else if (shown.isShown) shown.hide();
    else shown.poke();
  };
  useEffect(() => {
    actions.current = { play: player.play, pause: player.pause, toggle: player.toggle, mute, tap };
    return () => {
      actions.current = undefined;
    };
  });
  useEffect(() => {
    const onMove = (event: PointerEvent) => event.pointerType === 'mouse' && shown.poke();
    document.addEventListener('pointermove', onMove);
    document.addEventListener('keydown', shown.poke);
    return () => {
      document.removeEventListener('pointermove', onMove);
      document.removeEventListener('keydown', shown.poke);
    };
  }, []);
  return (
    <>
      {createPortal(
        <video
          ref={setVideo}
          className={cx(css.video, !media.isBegun && css.unseen)}
          playsInline
          preload="auto"
          aria-label={item.title}
        />,
        into,
      )}
      {isWaiting && !isShy && <WaitingRing />}
      {isShy && <BeginButton title={item.title} onClick={player.play} />}
      {fault && <ClipFault says={[faultWords(fault)]} retry={retry} />}
      {!fault && (
        <ClipControls {...{ film, media, player, mute }} step={stepOf(plan.duration)} shown={shown} onHold={setHeld} />
      )}
    </>
  );
};
