/** One language: what is there, where it came from and why it was trusted, and what can be done about it. */
import file from 'lucide/dist/esm/icons/file-down.mjs';
import history from 'lucide/dist/esm/icons/rotate-ccw-clock.mjs';
import image from 'lucide/dist/esm/icons/scan-text.mjs';
import speech from 'lucide/dist/esm/icons/audio-lines.mjs';
import align from 'lucide/dist/esm/icons/align-horizontal-distribute-center.mjs';
import pen from 'lucide/dist/esm/icons/sliders-horizontal.mjs';
import more from 'lucide/dist/esm/icons/ellipsis-vertical.mjs';
import { useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../../kit/forms/button.tsx';
import { Switch } from '../../../kit/forms/field.tsx';
import { Menu, type MenuItem } from '../../../kit/layers/menu.tsx';
import { Badge } from '../../../kit/states/states.tsx';
import { facts, language, moment } from '../../../lib/format.ts';
import { METHODS, type Drafting } from '../../../parts/subtitles/draft/use-draft.ts';
import { EvidenceList } from '../../../parts/subtitles/evidence.tsx';
import { asSentence, MATCH_WORDS, roleWords, sourceName, type LanguageState } from '../../../parts/subtitles/words.ts';
import { restore, save, setReplaceable } from './acts.tsx';
import css from './item.module.css';

const Installed = ({
  installed,
  originalAvailable,
}: {
  installed: NonNullable<LanguageState['installed']>;
  originalAvailable: boolean;
}) => {
  const { source, match, score, format, hidden, installedAt, managed } = installed;
  return (
    <dl className={css.facts}>
      <dt>From</dt>
      <dd>{sourceName(source)}</dd>
      <dt>Match</dt>
      <dd>{facts(MATCH_WORDS[match], score !== undefined && `score ${Math.round(score)} of 100`).join(', ')}</dd>
      <dt>Format</dt>
      <dd>{facts(format.toUpperCase(), hidden && 'hidden').join(', ')}</dd>
      {installedAt !== undefined && (
        <>
          <dt>Since</dt>
          <dd>{moment(installedAt)}</dd>
        </>
      )}
      {source !== 'embedded' && (
        <>
          <dt>Put there by</dt>
          <dd>{managed ? 'This server' : 'Somebody else'}</dd>
        </>
      )}
      {originalAvailable && (
        <>
          <dt>Original</dt>
          <dd>Kept as it came</dd>
        </>
      )}
    </dl>
  );
};

/** The switch shows what is being asked for at once, and goes back when the server refuses. */
const Freeze = ({ id, state }: { id: string; state: LanguageState }) => {
  const [asked, setAsked] = useState<boolean>();
  const set = async (on: boolean) => {
    setAsked(on);
    await setReplaceable(id, state, on);
    setAsked(undefined);
  };
  return (
    <Switch
      label="May be replaced"
      hint={
        state.installed?.managed
          ? 'By a clearly better one. Off freezes it.'
          : 'Only by one made for this very file. Off freezes it.'
      }
      checked={asked ?? state.replaceable}
      onValue={(on) => void set(on)}
    />
  );
};

export interface CardProps {
  id: string;
  state: LanguageState;
  isMissing: boolean;
  drafting: Drafting;
}
function itemsOf({ id, state, drafting }: CardProps): MenuItem[] {
  const { language: code, installed, originalAvailable } = state;
  const draft = (method: keyof typeof METHODS, icon: MenuItem['icon']): MenuItem => ({
    label: `Draft: ${METHODS[method].label.toLowerCase()}`,
    ...(icon && { icon }),
    onChoose: () => void drafting.start(code, method),
  });
  return [
    ...(installed
      ? [
          { label: 'Save as SRT', icon: file, onChoose: () => save(id, state, 'srt') },
          { label: 'Save as WebVTT', icon: file, onChoose: () => save(id, state, 'vtt') },
        ]
      : []),
    ...(installed && (originalAvailable || installed.source !== 'embedded')
      ? [{ label: 'Save the original', icon: file, onChoose: () => save(id, state, 'original') }]
      : []),
    ...(drafting.isRunning
      ? []
      : [draft('ocr', image), draft('transcription', speech), ...(installed ? [draft('alignment', align)] : [])]),
  ];
}

export const Card = (props: CardProps) => {
  const { id, state, isMissing } = props;
  const { language: code, installed, evidence, reason, lastSearch, nextRetry, restorable, originalAvailable } = state;
  const role = roleWords(state.role);
  const name = `${language(code)}${role && `, ${role}`}`;
  return (
    <li className={css.card}>
      <div className={css.head}>
        <h2>
          {language(code)}
          {role && <span className="muted">, {role}</span>}
        </h2>
        <Badge tone={installed ? 'good' : isMissing ? 'warn' : 'plain'}>
          {installed ? 'Present' : isMissing ? 'Missing' : 'None'}
        </Badge>
      </div>
      {installed ? (
        <Installed installed={installed} originalAvailable={originalAvailable} />
      ) : (
        <p>{reason ? asSentence(reason) : lastSearch ? 'Nothing was found.' : 'Not looked for yet.'}</p>
      )}
      {!installed && restorable && (
        <p className="muted small">The file that was here is preserved and can be brought back.</p>
      )}
      {(lastSearch !== undefined || nextRetry !== undefined) && (
        <p className="muted small">
          {facts(
            lastSearch && `Last looked for ${moment(lastSearch)}`,
            nextRetry && `next try ${moment(nextRetry)}`,
          ).join(', ')}
        </p>
      )}
      {evidence.length > 0 && (
        <details className={css.why}>
          <summary>Why it was taken</summary>
          <EvidenceList evidence={evidence} />
        </details>
      )}
      {installed && installed.source !== 'embedded' && <Freeze id={id} state={state} />}
      <div className={css.acts}>
        <ButtonLink
          icon={pen}
          to={{ page: 'subtitleEdit', params: { id }, query: { language: code } }}
          aria-label={`Workbench for ${name}`}
        >
          Workbench
        </ButtonLink>
        {restorable && (
          <Button icon={history} onClick={() => void restore(id, state)}>
            Restore
          </Button>
        )}
        <Menu label={`More for ${name}`} icon={more} isRound items={itemsOf(props)} />
      </div>
    </li>
  );
};
