/** The choice of subtitles, one below and one above, their timing, and how they look. Kept on this device. */
import { Switch } from '../../../kit/forms/field.tsx';
import { useStore } from '../../../lib/store.ts';
import { playerPreferences, prefer, type PlayerPreferences } from '../../engine/preferences.ts';
import type { Subtitle } from '../../engine/subtitle.ts';
import { subtitleNote, trackName, type PlanSubtitle } from '../../../parts/playback/words.ts';
import { Nudge } from './nudge.tsx';
import { Options, PlayerPanel } from './panel.tsx';
import css from '../parts.module.css';
import { playerWords as m } from '../../../messages/player.ts';

const lookChoices = () =>
  ({
    size: { small: m.small, medium: m.medium, large: m.large, huge: m.veryLarge },
    height: { low: m.low, middle: m.higher, high: m.highest },
    ground: { outline: m.outline, shade: m.shade, box: m.blackBox },
    colour: { white: m.white, yellow: m.yellow },
  }) as const;
const lookLegends = () => ({ size: m.size, height: m.height, ground: m.background, colour: m.colour }) as const;
type Look = keyof ReturnType<typeof lookChoices>;
const STEP_S = 0.1;
const MAX_S = 600;

export interface SubtitlePanelProps {
  tracks: readonly PlanSubtitle[];
  subtitle: Subtitle;
  onClose: () => void;
}
export const SubtitlePanel = ({ tracks, subtitle, onClose }: SubtitlePanelProps) => {
  const look = useStore(playerPreferences);
  const { chosen, second, aboves: above, shown, shownAbove, offset } = subtitle;
  const isText = shown?.as === 'text' || shownAbove !== undefined;
  const find = (key: string) => tracks.find((track) => track.key === key);
  return (
    <PlayerPanel title={m.subtitlesLabel} onClose={onClose}>
      <Options
        legend={m.language}
        value={chosen?.key ?? ''}
        options={[
          { value: '', label: m.off },
          ...tracks.map((track) => ({ value: track.key, label: trackName(track, tracks), note: subtitleNote(track) })),
        ]}
        onValue={(key) => subtitle.choose(find(key))}
      />
      {tracks.length === 0 && <p className={css.aside}>{m.noSubtitlesYetSentence}</p>}
      {chosen && shown?.as !== undefined && (
        <Nudge
          label={m.subtitleDelayKeptForThis}
          value={offset}
          step={STEP_S}
          least={-MAX_S}
          most={MAX_S}
          digits={1}
          onValue={subtitle.setOffset}
        />
      )}
      {chosen && above.length > 0 && (
        <Options
          legend={m.secondSubtitleAboveToLearn}
          value={second?.key ?? ''}
          options={[
            { value: '', label: m.off },
            ...above.map((track) => ({ value: track.key, label: trackName(track, tracks) })),
          ]}
          onValue={(key) => subtitle.chooseSecond(find(key))}
        />
      )}
      {isText && (
        <div className={css.after}>
          <Switch
            label={m.pauseWhileThePointerIs}
            hint={m.theLineStaysUntilThe}
            checked={look.isHoverPause}
            onValue={(on) => prefer({ isHoverPause: on })}
          />
        </div>
      )}
      {isText &&
        (Object.keys(lookChoices()) as Look[]).map((part) => (
          <Options
            key={part}
            isRow
            legend={lookLegends()[part]}
            value={look[part] as string}
            options={Object.entries(lookChoices()[part]).map(([value, label]) => ({ value, label }))}
            onValue={(value) => prefer({ [part]: value } as Partial<PlayerPreferences>)}
          />
        ))}
      {shown?.as === 'styled' && <p className={css.aside}>{m.theseSubtitlesHaveTheirOwn}</p>}
    </PlayerPanel>
  );
};
