/** Aligning to the speech: switched on, or made as a draft with progress; and what it found, with its evidence. */
import type { AlignmentView } from '../../../contract/subtitles/views.ts';
import { Button } from '../../kit/forms/button.tsx';
import { Switch } from '../../kit/forms/field.tsx';
import { Badge } from '../../kit/states/states.tsx';
import { EvidenceList } from '../../parts/subtitles/evidence.tsx';
import { asSentence } from '../../parts/subtitles/words.ts';
import { useWorkbench } from '../state/context.ts';
import { shiftText } from '../model/srt.ts';
import { ratioWords } from '../model/timing.ts';
import css from './tools.module.css';
import { refusalText } from '../../messages/server-evidence.ts';
import { workbenchWords as m } from '../../messages/workbench.ts';

const outcomeNames = (): Readonly<
  Record<AlignmentView['outcome'], { label: string; tone: 'good' | 'accent' | 'warn'; says: string }>
> => ({
  fits: { label: m.fits, tone: 'good', says: m.theLinesAlreadyMatchThe },
  moved: { label: m.movedLabel, tone: 'accent', says: m.theLinesWereAlignedTo },
  refused: { label: m.notAligned, tone: 'warn', says: m.thereIsNotEnoughEvidenceSo },
});

/** Lines `from` to `to` are counted from zero by the server, from one by people. */
const partName = (from: number, to: number, isOnly: boolean): string =>
  isOnly ? m.allLines : m.linesTo({ from: from + 1, to: to + 1 });

export const AlignmentFound = ({ alignment }: { alignment: AlignmentView }) => {
  const { outcome, reason, why, reference, ratio, segments, evidence } = alignment;
  const speed = ratioWords(ratio);
  const { label, tone, says } = outcomeNames()[outcome];
  return (
    <div className={css.found}>
      <p>
        <Badge tone={tone}>{label}</Badge> {says}
      </p>
      {reason !== undefined && <p>{asSentence(refusalText({ reason, why }))}</p>}
      {outcome === 'moved' && (
        <ul className={css.segments}>
          {segments.map(({ from, to, offsetMilliseconds }) => (
            <li key={from}>
              <span>{partName(from, to, segments.length === 1)}</span> <strong>{shiftText(offsetMilliseconds)}</strong>
            </li>
          ))}
          {speed !== undefined && (
            <li>
              <span>{m.speed}</span> <strong>{speed}</strong>
            </li>
          )}
        </ul>
      )}
      <p className="muted small">{reference === 'speech' ? m.comparedWithTheSpeechIn : m.comparedWithTheTimesOf}</p>
      {evidence.length > 0 && (
        <details>
          <summary>{m.evidence}</summary>
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
      <h2 id="align">{m.speech}</h2>
      <Switch
        label={m.alignToTheSpeech}
        hint={m.findsTheShiftTheFrame}
        checked={isOn}
        onValue={(on) => set((now) => ({ ...now, timing: on ? { kind: 'auto' } : { kind: 'none' } }))}
      />
      {isOn && isWaiting && (
        <p role="status" className="muted">
          {m.analysingTheAudio}
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
            {m.runInTheBackground}
          </Button>
        </p>
      )}
    </section>
  );
};
