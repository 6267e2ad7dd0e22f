/** The buttons of the audio player. */
import back from 'lucide/dist/esm/icons/rotate-ccw.mjs';
import forward from 'lucide/dist/esm/icons/rotate-cw.mjs';
import pause from 'lucide/dist/esm/icons/pause.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import previousIcon from 'lucide/dist/esm/icons/skip-back.mjs';
import repeat from 'lucide/dist/esm/icons/repeat.mjs';
import repeatOne from 'lucide/dist/esm/icons/repeat-1.mjs';
import shuffle from 'lucide/dist/esm/icons/shuffle.mjs';
import skip from 'lucide/dist/esm/icons/skip-forward.mjs';
import volumeIcon from 'lucide/dist/esm/icons/volume-2.mjs';
import volumeOff from 'lucide/dist/esm/icons/volume-off.mjs';
import { IconButton } from '../../../kit/forms/button.tsx';
import { cx } from '../../../lib/cx.ts';
import { useStore } from '../../../lib/store.ts';
import { listenWords as m } from '../../../messages/listening.ts';
import {
  next,
  nextRepeat,
  previous,
  seekBy,
  setVolume,
  toggle,
  toggleMuted,
  toggleShuffle,
} from '../engine/controls.ts';
import { listening, listenPreferences } from '../engine/state.ts';
import { bookPreferences } from '../engine/book.ts';
import css from './listening.module.css';

export const PlayButton = ({ className }: { className?: string | undefined }) => {
  const { isPlaying } = useStore(listening);
  return (
    <IconButton
      icon={isPlaying ? pause : play}
      isFilled
      label={isPlaying ? m.pause : m.play}
      onClick={toggle}
      className={className ?? ''}
    />
  );
};
export const PreviousButton = () => <IconButton icon={previousIcon} isFilled label={m.previous} onClick={previous} />;
export const NextButton = () => <IconButton icon={skip} isFilled label={m.next} onClick={next} />;

const repeatWords = () => ({ off: m.repeatOff, all: m.repeatAll, one: m.repeatOne });

export const MusicTransport = () => {
  const { queue } = useStore(listening);
  return (
    <div className={css.transport}>
      <IconButton
        icon={shuffle}
        label={queue.unshuffled ? m.shuffleOn : m.shuffleOff}
        aria-pressed={queue.unshuffled !== undefined}
        onClick={toggleShuffle}
        className={cx(queue.unshuffled && css.on)}
      />
      <PreviousButton />
      <PlayButton className={css.main} />
      <NextButton />
      <IconButton
        icon={queue.repeat === 'one' ? repeatOne : repeat}
        label={repeatWords()[queue.repeat]}
        aria-pressed={queue.repeat !== 'off'}
        onClick={nextRepeat}
        className={cx(queue.repeat !== 'off' && css.on)}
      />
    </div>
  );
};

const Jump = ({ by, label, icon }: { by: number; label: string; icon: typeof back }) => (
  <span className={css.jump}>
    <IconButton icon={icon} label={label} onClick={() => seekBy(by)} />
    <span aria-hidden="true">{Math.abs(by)}</span>
  </span>
);
export const BookTransport = () => {
  const { skipBack, skipForward } = useStore(bookPreferences);
  return (
    <div className={css.transport}>
      <PreviousButton />
      <Jump by={-skipBack} label={m.backSeconds({ seconds: skipBack })} icon={back} />
      <PlayButton className={css.main} />
      <Jump by={skipForward} label={m.forwardSeconds({ seconds: skipForward })} icon={forward} />
      <NextButton />
    </div>
  );
};

export const VolumeControl = () => {
  const { volume, isMuted } = useStore(listenPreferences);
  return (
    <span className={css.volume}>
      <IconButton
        icon={isMuted || volume === 0 ? volumeOff : volumeIcon}
        label={isMuted ? m.unmute : m.mute}
        onClick={toggleMuted}
      />
      <input
        type="range"
        aria-label={m.volume}
        min={0}
        max={100}
        step={5}
        value={isMuted ? 0 : Math.round(volume * 100)}
        data-keys="slider"
        onInput={(event) => setVolume(Number(event.currentTarget.value) / 100)}
      />
    </span>
  );
};
