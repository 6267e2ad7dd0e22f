/**
 * The row of buttons under the picture. All of them are reachable by keyboard and remote whether they are on show or
 * not.
 */
import back from 'lucide/dist/esm/icons/rotate-ccw.mjs';
import captions from 'lucide/dist/esm/icons/captions.mjs';
import captionsOff from 'lucide/dist/esm/icons/captions-off.mjs';
import forward from 'lucide/dist/esm/icons/rotate-cw.mjs';
import gauge from 'lucide/dist/esm/icons/gauge.mjs';
import list from 'lucide/dist/esm/icons/list.mjs';
import maximize from 'lucide/dist/esm/icons/maximize.mjs';
import minimize from 'lucide/dist/esm/icons/minimize.mjs';
import pause from 'lucide/dist/esm/icons/pause.mjs';
import pip from 'lucide/dist/esm/icons/picture-in-picture-2.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import settings from 'lucide/dist/esm/icons/sliders-horizontal.mjs';
import skip from 'lucide/dist/esm/icons/skip-forward.mjs';
import volume from 'lucide/dist/esm/icons/volume-2.mjs';
import volumeOff from 'lucide/dist/esm/icons/volume-off.mjs';
import type { MediaState } from '../engine/media.ts';
import type { Player } from '../engine/actions.ts';
import type { Film } from '../engine/timeline.ts';
import { SKIP_BACK, SKIP_FORWARD } from '../input/keys.ts';
import { prefer } from '../engine/preferences.ts';
import { IconButton } from '../../kit/forms/button.tsx';
import { cx } from '../../lib/cx.ts';
import { TimeLabel } from './bar.tsx';
import css from './controls.module.css';
import { playerWords as m } from '../../messages/player.ts';

export type Open = 'subtitles' | 'sound' | 'chapters' | 'quality' | undefined;
export interface ControlsProps {
  film: Film | undefined;
  media: MediaState;
  player: Player;
  open: Open;
  onOpen: (open: Open) => void;
  hasCaptions: boolean;
  hasChapters: boolean;
  next: (() => void) | undefined;
  full: { isFull: boolean; canFull: boolean; toggle: () => void };
  picture: { canPip: boolean; isPip: boolean; toggle: () => void };
}

const Volume = ({ film, media, player }: Pick<ControlsProps, 'film' | 'media' | 'player'>) => (
  <span className={css.volume}>
    <IconButton
      icon={media.isMuted || media.volume === 0 ? volumeOff : volume}
      label={media.isMuted ? m.unmute : m.mute}
      onClick={player.mute}
    />
    <input
      type="range"
      aria-label={m.volume}
      min={0}
      max={100}
      step={5}
      value={media.isMuted ? 0 : Math.round(media.volume * 100)}
      data-keys="slider"
      onInput={(event) => {
        const video = film?.video;
        if (!video) return;
        video.volume = Number(event.currentTarget.value) / 100;
        video.muted = false;
        prefer({ volume: video.volume, isMuted: false });
      }}
    />
  </span>
);

export const Controls = ({
  film,
  media,
  player,
  open,
  onOpen,
  hasCaptions,
  hasChapters,
  next,
  full,
  picture,
}: ControlsProps) => {
  const opens = (what: NonNullable<Open>) => ({
    'aria-haspopup': 'dialog' as const,
    'aria-expanded': open === what,
    onClick: () => onOpen(open === what ? undefined : what),
  });
  return (
    <div className={css.controls}>
      <IconButton
        icon={media.isPaused ? play : pause}
        isFilled
        label={media.isPaused ? m.play : m.pause}
        onClick={player.toggle}
        className={css.main ?? ''}
      />
      <span className={css.skip}>
        <IconButton
          icon={back}
          label={m.backSeconds({ seconds: SKIP_BACK })}
          onClick={() => player.seekBy(-SKIP_BACK)}
        />
        <span aria-hidden="true">{SKIP_BACK}</span>
      </span>
      <span className={css.skip}>
        <IconButton
          icon={forward}
          label={m.forwardSeconds({ seconds: SKIP_FORWARD })}
          onClick={() => player.seekBy(SKIP_FORWARD)}
        />
        <span aria-hidden="true">{SKIP_FORWARD}</span>
      </span>
      {next && <IconButton icon={skip} isFilled label={m.nextEpisode} onClick={next} />}
      <Volume film={film} media={media} player={player} />
      <TimeLabel film={film} />
      <span className={css.space} />
      {hasChapters && <IconButton icon={list} label={m.chapters} {...opens('chapters')} />}
      <IconButton
        icon={hasCaptions ? captions : captionsOff}
        label={m.subtitlesLabel}
        className={hasCaptions ? (css.on ?? '') : ''}
        {...opens('subtitles')}
      />
      <IconButton icon={settings} label={m.audioAndSpeed} {...opens('sound')} />
      <IconButton icon={gauge} label={m.qualityAndDetails} {...opens('quality')} />
      {picture.canPip && (
        <IconButton
          icon={pip}
          label={picture.isPip ? m.leavePictureInPicture : m.pictureInPicture}
          className={cx(css.wide, picture.isPip && css.on)}
          onClick={picture.toggle}
        />
      )}
      {full.canFull && (
        <IconButton
          icon={full.isFull ? minimize : maximize}
          label={full.isFull ? m.leaveFullScreen : m.fullScreen}
          onClick={full.toggle}
        />
      )}
    </div>
  );
};
