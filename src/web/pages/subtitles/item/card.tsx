/** One language: what is there, where it came from and why it was trusted, and what can be done about it. */
import file from 'lucide/dist/esm/icons/file-down.mjs';
import history from 'lucide/dist/esm/icons/rotate-ccw-clock.mjs';
import image from 'lucide/dist/esm/icons/scan-text.mjs';
import speech from 'lucide/dist/esm/icons/audio-lines.mjs';
import align from 'lucide/dist/esm/icons/align-horizontal-distribute-center.mjs';
import pen from 'lucide/dist/esm/icons/sliders-horizontal.mjs';
import list from 'lucide/dist/esm/icons/list.mjs';
import more from 'lucide/dist/esm/icons/ellipsis-vertical.mjs';
import trash from 'lucide/dist/esm/icons/trash.mjs';
import { isPictureFile } from '../../../../contract/subtitles/picture-files.ts';
import { useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../../kit/forms/button.tsx';
import { Switch } from '../../../kit/forms/field.tsx';
import { Menu, type MenuItem } from '../../../kit/layers/menu.tsx';
import { Badge } from '../../../kit/states/states.tsx';
import { facts, languageLabel, moment } from '../../../lib/format.ts';
import { timingExplanation, timingLabel, timingTone } from '../../../parts/subtitles/timing-words.ts';
import { draftMethods, type Drafting } from '../../../parts/subtitles/draft/use-draft.ts';
import { missingReasonText } from '../../../messages/server-missing.ts';
import { EvidenceList } from '../../../parts/subtitles/evidence.tsx';
import {
  asSentence,
  matchWords,
  roleWords,
  sourceName,
  unreadableWords,
  type ItemLanguage,
  type SubtitleAddress,
} from '../../../parts/subtitles/words.ts';
import { deleteFile, restore, save, setReplaceable } from './acts.tsx';
import css from './item.module.css';
import { candidatesWords } from '../../../messages/candidates.ts';
import { timingWords } from '../../../messages/timing.ts';
import { Link } from '../../../lib/navigation/link.tsx';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

/** The result of the timing audit, with a way to the fixes if there is one. */
const Timing = ({ timing, language }: { timing: NonNullable<ItemLanguage['timing']>; language: string }) => {
  const says = timingExplanation(timing, language);
  return (
    <>
      <dt>{timingWords.timing}</dt>
      <dd>
        <Badge tone={timingTone(timing)}>{timingLabel(timing)}</Badge>
        {says !== undefined && <p className="muted small">{says}</p>}
        {timing.verdict !== 'fits' && timing.verdict !== 'unknown' && (
          <p>
            <Link to={{ page: 'subtitleTiming' }} className="link small">
              {timingWords.reviewFixes}
            </Link>
          </p>
        )}
        {timing.evidence.length > 0 && (
          <details className={css.why}>
            <summary>{timingWords.measured}</summary>
            <EvidenceList evidence={timing.evidence} />
          </details>
        )}
      </dd>
    </>
  );
};

const Installed = ({
  installed,
  originalAvailable,
  timing,
  language,
}: {
  installed: NonNullable<ItemLanguage['installed']>;
  originalAvailable: boolean;
} & Pick<ItemLanguage, 'timing' | 'language'>) => {
  const { source, match, score, format, hidden, installedAt, managed } = installed;
  return (
    <dl className={css.facts}>
      <dt>{m.source}</dt>
      <dd>{sourceName(source)}</dd>
      <dt>{m.match}</dt>
      <dd>
        {facts(matchWords()[match], score !== undefined && m.scoreOf100({ score: Math.round(score) })).join(', ')}
      </dd>
      {timing && <Timing timing={timing} language={language} />}
      <dt>{m.format}</dt>
      <dd>{facts(format.toUpperCase(), hidden && 'hidden').join(', ')}</dd>
      {installedAt !== undefined && (
        <>
          <dt>{m.added}</dt>
          <dd>{moment(installedAt)}</dd>
        </>
      )}
      {source !== 'embedded' && (
        <>
          <dt>{m.addedBy}</dt>
          <dd>{managed ? m.thisServer : m.someoneElse}</dd>
        </>
      )}
      {originalAvailable && (
        <>
          <dt>{m.original}</dt>
          <dd>{m.preserved}</dd>
        </>
      )}
    </dl>
  );
};

/** The switch shows what is being asked for at once, and goes back when the server refuses. */
const Freeze = ({ of, state }: { of: SubtitleAddress; state: ItemLanguage }) => {
  const [asked, setAsked] = useState<boolean>();
  const set = async (on: boolean) => {
    setAsked(on);
    await setReplaceable(of, state, on);
    setAsked(undefined);
  };
  return (
    <Switch
      label={m.mayBeReplaced}
      hint={state.installed?.managed ? m.onlyByAClearlyBetter : m.onlyByOneMadeFor}
      checked={asked ?? state.replaceable}
      onValue={(on) => void set(on)}
    />
  );
};

/** Whether it is a file of pictures, which is too large to be preserved and deleted. */
const isPictures = ({ source, format }: NonNullable<ItemLanguage['installed']>): boolean =>
  source !== 'embedded' && isPictureFile(format);

export interface CardProps {
  of: SubtitleAddress;
  state: ItemLanguage;
  isMissing: boolean;
  drafting: Drafting;
  /** Shows what the providers offer. */
  onChoose: () => void;
}
function itemsOf({ of, state, drafting, onChoose }: CardProps): MenuItem[] {
  const { language: code, installed, originalAvailable } = state;
  const draft = (method: keyof ReturnType<typeof draftMethods>, icon: MenuItem['icon']): MenuItem => ({
    label: m.draft({ method: draftMethods()[method].label.toLowerCase() }),
    ...(icon && { icon }),
    onChoose: () => void drafting.start(code, method),
  });
  return [
    { label: installed ? candidatesWords.chooseAnother : candidatesWords.chooseASubtitle, icon: list, onChoose },
    ...(installed
      ? [
          { label: m.saveAsSrt, icon: file, onChoose: () => save(of, state, 'srt') },
          { label: m.saveAsWebvtt, icon: file, onChoose: () => save(of, state, 'vtt') },
        ]
      : []),
    ...(installed && (originalAvailable || installed.source !== 'embedded')
      ? [{ label: m.saveTheOriginal, icon: file, onChoose: () => save(of, state, 'original') }]
      : []),
    ...(installed && installed.source !== 'embedded' && !installed.hidden && !isPictures(installed)
      ? [{ label: m.deleteFileMenu, icon: trash, onChoose: () => void deleteFile(of, state) }]
      : []),
    ...(drafting.isRunning
      ? []
      : [draft('ocr', image), draft('transcription', speech), ...(installed ? [draft('alignment', align)] : [])]),
  ];
}

export const LanguageCard = (props: CardProps) => {
  const { of, state, isMissing } = props;
  const { language: code, installed, evidence, lastSearch, nextRetry, restorable, originalAvailable } = state;
  const reason = missingReasonText(state);
  const role = roleWords(state.role);
  const name = `${languageLabel(code)}${role && `, ${role}`}`;
  return (
    <li className={css.card}>
      <div className={css.head}>
        <h2>
          {languageLabel(code)}
          {role && <span className="muted">, {role}</span>}
        </h2>
        <Badge tone={installed?.unreadable ? 'danger' : installed ? 'good' : isMissing ? 'warn' : 'plain'}>
          {installed?.unreadable ? m.unreadable : installed ? m.installed : isMissing ? m.missing : m.none}
        </Badge>
      </div>
      {installed?.unreadable && <p>{unreadableWords()[installed.unreadable]}</p>}
      {installed && isPictures(installed) && <p className="muted small">{m.picturesAreNotDeletedHere}</p>}
      {installed ? (
        <Installed installed={installed} originalAvailable={originalAvailable} timing={state.timing} language={code} />
      ) : (
        !restorable && <p>{reason ? asSentence(reason) : lastSearch ? m.nothingWasFound : m.notSearchedYet}</p>
      )}
      {!installed && restorable && <p className="muted small">{m.thePreviousFileIsPreserved}</p>}
      {(lastSearch !== undefined || nextRetry !== undefined) && (
        <p className="muted small">
          {facts(
            lastSearch && m.lastSearched({ moment: moment(lastSearch) }),
            nextRetry && m.nextTry({ moment: moment(nextRetry) }),
          ).join(', ')}
        </p>
      )}
      {evidence.length > 0 && (
        <details className={css.why}>
          <summary>{m.whyItWasChosen}</summary>
          <EvidenceList evidence={evidence} />
        </details>
      )}
      {installed && installed.source !== 'embedded' && !installed.unreadable && <Freeze of={of} state={state} />}
      <div className={css.acts}>
        <ButtonLink
          icon={pen}
          to={{
            page: 'subtitleEdit',
            params: { id: of.id },
            query: { language: code, kind: state.role, part: of.part },
          }}
          aria-label={m.workbenchFor({ name })}
        >
          {m.workbench}
        </ButtonLink>
        {restorable && (
          <Button icon={history} onClick={() => void restore(of, state)}>
            {state.restoresTo === 'video' ? m.backToTheVideoText : m.restore}
          </Button>
        )}
        <Menu label={m.moreFor({ name })} icon={more} isRound items={itemsOf(props)} />
      </div>
    </li>
  );
};
