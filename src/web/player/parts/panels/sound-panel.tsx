/** The choice of sound and speed, night mode, the delay of the sound, and what happens at the end of an episode. */
import { Switch } from '../../../kit/forms/field.tsx';
import { languageLabel } from '../../../lib/format.ts';
import { useStore } from '../../../lib/store.ts';
import type { Item } from '../../../../contract/catalog/items.ts';
import type { AudioChoice } from '../../engine/sound/tracks.ts';
import type { AudioDelay } from '../../engine/sound/use-audio-delay.ts';
import { playerPreferences, prefer } from '../../engine/preferences.ts';
import { soundNote } from '../../../parts/playback/words.ts';
import { Nudge } from './nudge.tsx';
import { Options, PlayerPanel } from './panel.tsx';
import css from '../parts.module.css';
import { playerWords as m } from '../../../messages/player.ts';

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;
const STEP_S = 0.05;

export interface SoundPanelProps {
  audio: AudioChoice;
  streams: Item['streams'];
  /** Whether this browser lets the sound of this film be changed. */
  canShape: boolean;
  delay: AudioDelay;
  rate: number;
  hasNext: boolean;
  isAutoplay: boolean;
  onRate: (rate: number) => void;
  onClose: () => void;
}
export const SoundPanel = ({
  audio,
  streams,
  canShape,
  delay,
  rate,
  hasNext,
  isAutoplay,
  onRate,
  onClose,
}: SoundPanelProps) => {
  const { isNight } = useStore(playerPreferences);
  const { tracks, playing, choose } = audio;
  const options = tracks.map((track) => ({
    value: String(track.index),
    label: track.title || languageLabel(track.language),
    note: soundNote(
      track,
      streams.find(({ index, type }) => index === track.index && type === 'audio'),
    ),
  }));
  return (
    <PlayerPanel title={m.audioAndSpeed} onClose={onClose}>
      {tracks.length > 0 && (
        <Options
          legend={m.audioLabel}
          value={String(playing ?? '')}
          options={options}
          onValue={(index) => choose(Number(index))}
        />
      )}
      {tracks.length === 0 && <p className={css.aside}>{m.theFileHasNoAudio}</p>}
      <Options
        isRow
        legend={m.speedLabel}
        value={String(rate)}
        options={SPEEDS.map((speed) => ({ value: String(speed), label: speed === 1 ? m.normal : `${speed}×` }))}
        onValue={(speed) => onRate(Number(speed))}
      />
      {canShape ? (
        <>
          <div className={css.after}>
            <Switch
              label={m.nightMode}
              hint={m.quieterLoudPassagesAndClearer}
              checked={isNight}
              onValue={(on) => prefer({ isNight: on })}
            />
          </div>
          <Nudge
            label={m.audioDelayKeptForThis}
            value={delay.delay}
            step={STEP_S}
            least={delay.least}
            most={delay.most}
            digits={2}
            onValue={delay.set}
          />
          {delay.least === 0 && <p className={css.aside}>{m.thisBrowserCanDelayAudio}</p>}
        </>
      ) : (
        <p className={css.aside}>{m.nightModeAndAudioDelay}</p>
      )}
      {hasNext && (
        <div className={css.after}>
          <Switch label={m.autoplayNextEpisode} checked={isAutoplay} onValue={(on) => prefer({ isAutoplay: on })} />
        </div>
      )}
    </PlayerPanel>
  );
};
