/** The choice of sound and speed, and what happens at the end of an episode. */
import { Button } from '../../kit/forms/button.tsx';
import { Switch } from '../../kit/forms/field.tsx';
import { channels, codec, facts, language } from '../../lib/format.ts';
import { useStore } from '../../lib/store.ts';
import type { AudioChoice } from '../engine/audio.ts';
import { playerPreferences, prefer } from '../engine/preferences.ts';
import { Options, Panel } from './panel.tsx';
import css from './parts.module.css';

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;

export interface SoundPanelProps {
  audio: AudioChoice;
  rate: number;
  hasNext: boolean;
  onRate: (rate: number) => void;
  onHelp: () => void;
  onClose: () => void;
}
export const SoundPanel = ({ audio, rate, hasNext, onRate, onHelp, onClose }: SoundPanelProps) => {
  const { isAutoplay } = useStore(playerPreferences);
  const { tracks, playing, canChoose, choose } = audio;
  const options = tracks.map((track) => ({
    value: String(track.index),
    label: facts(language(track.language), track.title !== language(track.language) && track.title).join(' – '),
    note: facts(codec(track.codec), channels(track.channels)).join(' · '),
    isDisabled: !canChoose && track.index !== playing,
  }));
  return (
    <Panel title="Sound and speed" onClose={onClose}>
      {tracks.length > 0 && <Options legend="Sound" value={String(playing ?? '')} options={options} onValue={(index) => choose(Number(index))} />}
      {tracks.length > 1 && !canChoose && <p className={css.aside}>This browser plays the track above and cannot switch between tracks of a file. Safari and apps can.</p>}
      {tracks.length === 0 && <p className={css.aside}>The file has no sound.</p>}
      <Options isRow legend="Speed" value={String(rate)} options={SPEEDS.map((speed) => ({ value: String(speed), label: speed === 1 ? 'Normal' : `${speed}×` }))} onValue={(speed) => onRate(Number(speed))} />
      {hasNext && (
        <div className={css.after}>
          <Switch label="Play the next episode by itself" checked={isAutoplay} onValue={(on) => prefer({ isAutoplay: on })} />
        </div>
      )}
      <div className={css.after}>
        <Button onClick={onHelp}>Keyboard</Button>
      </div>
    </Panel>
  );
};
