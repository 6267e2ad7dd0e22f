/** Fetching a subtitle in any language, and what came of it. */
import { useState } from 'preact/hooks';
import { Link } from '../../../lib/navigation/link.tsx';
import { call, failureIn, loadReasons } from '../../../data/client.ts';
import { readAgain } from '../../../data/query.ts';
import { Button, ButtonLink } from '../../../kit/forms/button.tsx';
import { Select } from '../../../kit/forms/field.tsx';
import { Notice } from '../../../kit/states/states.tsx';
import { languageLabel } from '../../../lib/format.ts';
import { LANGUAGES } from '../../../lib/language-list.ts';
import { EvidenceList } from '../../../parts/subtitles/evidence.tsx';
import { WaitsForRestart } from '../../../parts/restart/waits-for-restart.tsx';
import { useListening } from '../../../parts/subtitles/use-speech-progress.ts';
import {
  subtitleKinds,
  matchWords,
  refusal,
  sourceName,
  type FetchRefusal,
  type FetchResult,
  type SubtitleKey,
} from '../../../parts/subtitles/words.ts';
import type { ItemSubtitles } from './types.ts';
import css from './item.module.css';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';
import { rich } from '../../../messages/rich.ts';
import { candidatesWords } from '../../../messages/candidates.ts';

type Result = { fetched: FetchResult } | FetchRefusal;

const Outcome = ({ result, id, onChoose }: { result: Result; id: string; onChoose: () => void }) => {
  if (!('fetched' in result)) {
    if (result.isRestart) return <WaitsForRestart says={result.says} />;
    return (
      <Notice tone="warn">
        {result.says}{' '}
        {result.isSetup && (
          <Link
            to={{ page: 'settingsPart', params: { part: 'configuration' }, query: { q: 'subtitles' } }}
            className="link"
          >
            {m.subtitleSettings}
          </Link>
        )}
        {result.isChoice && (
          <p className={css.choose}>
            <Button look="primary" onClick={onChoose}>
              {candidatesWords.chooseASubtitle}
            </Button>
          </p>
        )}
      </Notice>
    );
  }
  const { language: code, source, score, match, evidence, file, parts } = result.fetched;
  return (
    <Notice tone="good">
      <p>
        {rich(m.scoreOf100WithSourceAndScoreAndMatch, {
          source: <strong>{m.from({ language: languageLabel(code), source: sourceName(source) })}</strong>,
          score: Math.round(score),
          match: matchWords()[match],
        })}
      </p>
      {file !== undefined && !parts && (
        <p className="small">{rich(m.savedNextToTheFilm, { file: <code>{file}</code> })}</p>
      )}
      {parts?.map(({ part, file: written, reason, error }) => (
        <p key={part} className="small">
          {written === undefined
            ? m.partWithout({ part, why: failureIn(409, { reason, error }).says })
            : rich(m.partSaved, { part: String(part), file: <code>{written}</code> })}
        </p>
      ))}
      <EvidenceList evidence={evidence} />
      <p>
        <Link to={{ page: 'player', params: { id }, query: { subtitle: code } }} className="link">
          {m.watchNow}
        </Link>
      </p>
    </Notice>
  );
};

/** Returns the kind that an item lacks in a language: the first of several. */
const lackedRole = ({ lacks }: ItemSubtitles, language: string): SubtitleKey['role'] =>
  lacks.find((one) => one.language === language)?.role ?? 'normal';

export const Fetch = ({
  item,
  part,
  onChoose,
}: {
  item: ItemSubtitles;
  /** The part of a film that is shown. All parts that lack the subtitle can be fetched for, too. */
  part: number | undefined;
  /** Shows what the providers offer. */
  onChoose: (which: SubtitleKey) => void;
}) => {
  const [which, setWhich] = useState<SubtitleKey>(
    item.lacks[0] ?? { language: item.configured[0] ?? 'en', role: 'normal' },
  );
  const { language: code, role } = which;
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<Result>();
  const how = useListening(item.id, isBusy);
  const first = [...new Set([...item.missing, ...item.configured])];
  const choices = [...first, ...LANGUAGES.filter((one) => !first.includes(one))].map((value) => ({
    value,
    label: item.missing.includes(value)
      ? m.missingWithLanguage({ language: languageLabel(value) })
      : languageLabel(value),
  }));
  const fetchIt = async (of: number | undefined) => {
    setBusy(true);
    setResult(undefined);
    try {
      const fetched = await call.subtitles.fetch({ id: item.id, part: of, language: code, role });
      if (fetched.parts) await loadReasons();
      setResult({ fetched });
      readAgain('subtitles');
      readAgain('workbench');
      readAgain('catalog', 'item');
    } catch (error) {
      setResult(refusal(error));
    }
    setBusy(false);
  };
  return (
    <section aria-labelledby="fetch">
      <h2 id="fetch" className="unseen">
        {m.fetchASubtitle}
      </h2>
      <div className={css.fetch}>
        <Select
          label={m.fetchASubtitleIn}
          value={code}
          choices={choices}
          onValue={(language) => setWhich({ language, role: lackedRole(item, language) })}
        />
        <Select
          label={m.kindOfSubtitle}
          value={role}
          choices={subtitleKinds()}
          onValue={(value) => setWhich({ language: code, role: value })}
        />
        <Button look="primary" isBusy={isBusy} onClick={() => void fetchIt(part)}>
          {isBusy ? m.searching : m.fetch}
        </Button>
        {part !== undefined && (
          <Button disabled={isBusy} onClick={() => void fetchIt(undefined)}>
            {m.fetchForAllParts}
          </Button>
        )}
        <Button disabled={isBusy} onClick={() => onChoose(which)}>
          {candidatesWords.chooseASubtitle}
        </Button>
        <ButtonLink
          look="quiet"
          to={{ page: 'subtitleEdit', params: { id: item.id }, query: { language: code, kind: role, part } }}
        >
          {m.importOrCreateOne}
        </ButtonLink>
      </div>
      <div aria-live="polite">
        {result ? (
          <Outcome result={result} id={item.id} onChoose={() => onChoose(which)} />
        ) : (
          how !== undefined && <p className="muted small">{how}</p>
        )}
      </div>
    </section>
  );
};
