/** The choice of subtitles, and how they look. Kept on this device. */
import { language } from '../../lib/format.ts';
import { useStore } from '../../lib/store.ts';
import { Button } from '../../kit/forms/button.tsx';
import type { Plan } from '../engine/plan.ts';
import { playerPreferences, prefer, type PlayerPreferences } from '../engine/preferences.ts';
import { Options, Panel } from './panel.tsx';
import css from './parts.module.css';

export type Track = Plan['subtitles'][number];
const ROLES: Readonly<Record<Track['role'], string | undefined>> = { normal: undefined, forced: 'forced', sdh: 'for the hard of hearing' };

/** What a track is called: its language, then what sets it apart from others of that language. */
export function trackName(track: Track, all: readonly Track[]): string {
  const name = [language(track.language), ROLES[track.role]].filter(Boolean).join(', ');
  const isAlone = all.filter((other) => other.language === track.language && other.role === track.role).length === 1;
  return isAlone || !track.title || track.title === name ? name : `${name} – ${track.title}`;
}
const noteOf = (track: Track): string | undefined => (track.picture ? 'Pictures, not text: cannot be shown here yet' : undefined);

const LOOK = {
  size: { small: 'Small', medium: 'Medium', large: 'Large', huge: 'Very large' },
  height: { low: 'Low', middle: 'Higher', high: 'Highest' },
  ground: { outline: 'Outline', shade: 'Shade', box: 'Black box' },
  colour: { white: 'White', yellow: 'Yellow' },
} as const;
const LEGENDS = { size: 'Size', height: 'Height', ground: 'Background', colour: 'Colour' } as const;
type Look = keyof typeof LOOK;

export interface SubtitlePanelProps {
  tracks: readonly Track[];
  chosen: Track | undefined;
  offset: number;
  onChoose: (track: Track | undefined) => void;
  onOffset: (seconds: number) => void;
  onClose: () => void;
}
export const SubtitlePanel = ({ tracks, chosen, offset, onChoose, onOffset, onClose }: SubtitlePanelProps) => {
  const look = useStore(playerPreferences);
  return (
    <Panel title="Subtitles" onClose={onClose}>
      <Options
        legend="Language"
        value={chosen?.key ?? ''}
        options={[{ value: '', label: 'Off' }, ...tracks.map((track) => ({ value: track.key, label: trackName(track, tracks), note: noteOf(track), isDisabled: track.picture }))]}
        onValue={(key) => onChoose(tracks.find((track) => track.key === key))}
      />
      {tracks.length === 0 && <p className={css.aside}>There are no subtitles for this yet.</p>}
      {tracks.some((track) => track.format === 'ass' || track.format === 'ssa') && <p className={css.aside}>Styled subtitles are shown as plain text.</p>}
      {chosen && (
        <div className={css.nudge} role="group" aria-label="Timing, for this viewing only">
          <span className={css.legend}>Timing, for this viewing only</span>
          <div>
            <Button onClick={() => onOffset(offset - 0.1)}>Earlier</Button>
            <output>{offset === 0 ? 'As in the file' : `${offset > 0 ? '+' : '−'}${Math.abs(offset).toFixed(1)} s`}</output>
            <Button onClick={() => onOffset(offset + 0.1)}>Later</Button>
          </div>
        </div>
      )}
      {(Object.keys(LOOK) as Look[]).map((part) => (
        <Options key={part} isRow legend={LEGENDS[part]} value={look[part] as string} options={Object.entries(LOOK[part]).map(([value, label]) => ({ value, label }))} onValue={(value) => prefer({ [part]: value } as Partial<PlayerPreferences>)} />
      ))}
    </Panel>
  );
};
