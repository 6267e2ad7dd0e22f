/** Aligning to the speech: switched on, or made as a draft with progress; and what it found, with its evidence. */
import type { AlignmentView } from '../../../contract/subtitles/workbench.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Switch } from '../../kit/forms/field.tsx';
import { Badge } from '../../kit/states/states.tsx';
import { EvidenceList } from '../../parts/subtitles/evidence.tsx';
import { asSentence } from '../../parts/subtitles/words.ts';
import { useWorkbench } from '../state/context.ts';
import { shiftText } from '../model/srt.ts';
import { ratioWords } from '../model/timing.ts';
import css from './tools.module.css';

const OUTCOMES: Readonly<
  Record<AlignmentView['outcome'], { label: string; tone: 'good' | 'accent' | 'warn'; says: string }>
> = {
  fits: { label: 'Fits', tone: 'good', says: 'The lines already match the speech.' },
  moved: { label: 'Moved', tone: 'accent', says: 'The lines were aligned to the speech.' },
  refused: { label: 'Not aligned', tone: 'warn', says: 'There is not enough evidence, so nothing was moved.' },
};

/** Lines `from` to `to` are counted from zero by the server, from one by people. */
const partName = (from: number, to: number, isOnly: boolean): string =>
  isOnly ? 'All lines' : `Lines ${from + 1} to ${to + 1}`;

export const AlignmentFound = ({ alignment }: { alignment: AlignmentView }) => {
  const { outcome, reason, reference, ratio, segments, evidence } = alignment;
  const speed = ratioWords(ratio);
  const { label, tone, says } = OUTCOMES[outcome];
  return (
    <div className={css.found}>
      <p>
        <Badge tone={tone}>{label}</Badge> {says}
      </p>
      {reason !== undefined && <p>{asSentence(reason)}</p>}
      {outcome === 'moved' && (
        <ul className={css.segments}>
          {segments.map(({ from, to, offsetMilliseconds }) => (
            <li key={from}>
              <span>{partName(from, to, segments.length === 1)}</span> <strong>{shiftText(offsetMilliseconds)}</strong>
            </li>
          ))}
          {speed !== undefined && (
            <li>
              <span>Speed</span> <strong>{speed}</strong>
            </li>
          )}
        </ul>
      )}
      <p className="muted small">
        {reference === 'speech'
          ? 'Compared with the speech in the film.'
          : 'Compared with the times of a subtitle in the video.'}
      </p>
      {evidence.length > 0 && (
        <details>
          <summary>Evidence</summary>
          <EvidenceList evidence={evidence} />
        </details>
      )}
    </div>
  );
};

export const AlignPart = () => {
  const { session, drafting } = useWorkbench();
  const { language, installed, preview } = session;
  const { settings, set } = session.steps;
  const { reply, isWaiting } = preview;
  const isOn = settings.timing.kind === 'auto';
  const found =
    isOn && !isWaiting
      ? reply?.alignment
      : settings.source.kind === 'draft'
        ? (reply?.alignment ?? (drafting.draft?.draftId === settings.source.id ? drafting.draft.alignment : undefined))
        : undefined;
  const canDraft = settings.source.kind === 'installed' && installed.inspected.current !== undefined;
  return (
    <section aria-labelledby="align" className={css.part}>
      <h2 id="align">Speech</h2>
      <Switch
        label="Align to the speech"
        hint="Finds the shift, the frame rate and cuts from the speech in the film. The first time, the whole film is analysed."
        checked={isOn}
        onValue={(on) => set((now) => ({ ...now, timing: on ? { kind: 'auto' } : { kind: 'none' } }))}
      />
      {isOn && isWaiting && (
        <p role="status" className="muted">
          Analysing the audio
        </p>
      )}
      {found && <AlignmentFound alignment={found} />}
      {canDraft && !isOn && (
        <p className={css.act}>
          <Button
            look="quiet"
            disabled={drafting.isRunning}
            isBusy={drafting.isBusy}
            onClick={() => void drafting.start(language, 'alignment')}
          >
            Run in the background
          </Button>
        </p>
      )}
    </section>
  );
};
