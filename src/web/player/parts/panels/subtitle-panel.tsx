/** The choice of subtitles, one below and one above, their timing, and how they look. Kept on this device. */
import { Switch } from '../../../kit/forms/field.tsx';
import { useStore } from '../../../lib/store.ts';
import { playerPreferences, prefer, type PlayerPreferences } from '../../engine/preferences.ts';
import type { Subtitle } from '../../engine/subtitle.ts';
import { subtitleNote, trackName, type SubtitleTrack } from '../../../parts/playback/words.ts';
import { Nudge } from './nudge.tsx';
import { Options, Panel } from './panel.tsx';
import css from '../parts.module.css';

const LOOK = {
  size: { small: 'Small', medium: 'Medium', large: 'Large', huge: 'Very large' },
  height: { low: 'Low', middle: 'Higher', high: 'Highest' },
  ground: { outline: 'Outline', shade: 'Shade', box: 'Black box' },
  colour: { white: 'White', yellow: 'Yellow' },
} as const;
const LEGENDS = { size: 'Size', height: 'Height', ground: 'Background', colour: 'Colour' } as const;
type Look = keyof typeof LOOK;
const STEP_S = 0.1;
const MOST_S = 600;

export interface SubtitlePanelProps {
  tracks: readonly SubtitleTrack[];
  subtitle: Subtitle;
  onClose: () => void;
}
export const SubtitlePanel = ({ tracks, subtitle, onClose }: SubtitlePanelProps) => {
  const look = useStore(playerPreferences);
  const { chosen, second, aboves: above, shown, shownAbove, offset } = subtitle;
  const isText = shown?.as === 'text' || shownAbove !== undefined;
  const find = (key: string) => tracks.find((track) => track.key === key);
  return (
    <Panel title="Subtitles" onClose={onClose}>
      <Options
        legend="Language"
        value={chosen?.key ?? ''}
        options={[
          { value: '', label: 'Off' },
          ...tracks.map((track) => ({ value: track.key, label: trackName(track, tracks), note: subtitleNote(track) })),
        ]}
        onValue={(key) => subtitle.choose(find(key))}
      />
      {tracks.length === 0 && <p className={css.aside}>There are no subtitles for this yet.</p>}
      {chosen && shown?.as !== undefined && (
        <Nudge
          label="Timing, kept for this film"
          value={offset}
          step={STEP_S}
          least={-MOST_S}
          most={MOST_S}
          digits={1}
          onValue={subtitle.setOffset}
        />
      )}
      {chosen && above.length > 0 && (
        <Options
          legend="A second one above, to learn a language"
          value={second?.key ?? ''}
          options={[
            { value: '', label: 'Off' },
            ...above.map((track) => ({ value: track.key, label: trackName(track, tracks) })),
          ]}
          onValue={(key) => subtitle.chooseSecond(find(key))}
        />
      )}
      {isText && (
        <div className={css.after}>
          <Switch
            label="Wait while the pointer is on a line"
            hint="The line stays until the pointer leaves it. R plays a line again."
            checked={look.isHoverPause}
            onValue={(on) => prefer({ isHoverPause: on })}
          />
        </div>
      )}
      {isText &&
        (Object.keys(LOOK) as Look[]).map((part) => (
          <Options
            key={part}
            isRow
            legend={LEGENDS[part]}
            value={look[part] as string}
            options={Object.entries(LOOK[part]).map(([value, label]) => ({ value, label }))}
            onValue={(value) => prefer({ [part]: value } as Partial<PlayerPreferences>)}
          />
        ))}
      {shown?.as === 'styled' && (
        <p className={css.aside}>These subtitles bring their own look, which is drawn as it was made.</p>
      )}
    </Panel>
  );
};
