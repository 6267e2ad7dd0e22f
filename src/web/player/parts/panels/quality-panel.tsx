/** The choice of quality with what each costs, why something is converted, and the switch for the figures. */
import { useAsk } from '../../../data/query.ts';
import { Switch } from '../../../kit/forms/field.tsx';
import { useStore } from '../../../lib/store.ts';
import type { PlanReply } from '../../../parts/playback/plan.ts';
import { playerPreferences, prefer } from '../../engine/preferences.ts';
import { costOf, shiftedWhy, wayOf, whyOf, type QualityChoice } from '../../../parts/playback/words.ts';
import { Options, PlayerPanel } from './panel.tsx';
import css from '../parts.module.css';
import { bestVersionText } from '../../../messages/server-plan.ts';
import { playerWords as m } from '../../../messages/player.ts';

export interface QualityPanelProps {
  plan: PlanReply;
  /** The id of the quality that was chosen; undefined leaves it to the server. */
  chosen: string | undefined;
  /** Whether it is a stream only so that its audio can be moved earlier. */
  isShifted: boolean;
  onChoose: (quality: string | undefined) => void;
  onHelp: () => void;
  onClose: () => void;
}
const AUTOMATIC = '';
const REASONS_EVERY_MS = 5000;

/** The plan with the reasons as they are now: hardware may have failed since it was made. */
function useCurrent(plan: PlanReply): PlanReply {
  const { data } = useAsk(
    'playbackSessions',
    'read',
    { id: plan.session },
    { enabled: plan.video?.action === 'convert', every: REASONS_EVERY_MS },
  );
  return data ? { ...plan, reasons: data.reasons } : plan;
}
/** The label without its figure, which the note says with the sound in it. */
const nameOf = ({ label }: QualityChoice): string => label.split(' · ')[0] ?? label;

export const QualityPanel = ({ plan, chosen, isShifted, onChoose, onHelp, onClose }: QualityPanelProps) => {
  const { isStats } = useStore(playerPreferences);
  const current = useCurrent(plan);
  const why = isShifted ? shiftedWhy(current) : whyOf(current);
  const options = plan.qualities.map((quality: QualityChoice) => ({
    value: quality.id,
    label: nameOf(quality),
    note: costOf(quality, plan),
  }));
  return (
    <PlayerPanel title={m.qualityAndDetails} onClose={onClose}>
      {options.length > 0 && (
        <Options
          legend={m.quality}
          value={chosen ?? AUTOMATIC}
          options={[{ value: AUTOMATIC, label: m.automatic, note: m.theBestThatThisDevice }, ...options]}
          onValue={(id) => onChoose(id === AUTOMATIC ? undefined : id)}
        />
      )}
      <section aria-labelledby="why" className={css.why}>
        <h3 id="why">{wayOf(plan)}</h3>
        {why.length === 0 ? (
          <p className={css.aside}>{m.theServerSendsTheOriginal}</p>
        ) : (
          <ul>
            {why.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
        {plan.version?.why === 'best' && <p className={css.aside}>{bestVersionText(plan.version.detail)}</p>}
      </section>
      <div className={css.after}>
        <Switch label={m.showPlaybackStatistics} checked={isStats} onValue={(on) => prefer({ isStats: on })} />
      </div>
      <div className={css.after}>
        <button type="button" className={css.link} onClick={onHelp}>
          {m.keyboardAndRemoteControl}
        </button>
      </div>
    </PlayerPanel>
  );
};
