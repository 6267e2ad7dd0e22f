/**
 * The subtitles of one item: each language with what is there and why, what can be done about it, and what was done.
 */
import type { PageProps } from '../../../lib/navigation/addresses.ts';
import { Link } from '../../../lib/navigation/link.tsx';
import { useState } from 'preact/hooks';
import { useQueryParams } from '../../../lib/navigation/navigate.ts';
import { useTitle } from '../../../lib/title.ts';
import { CallFailed } from '../../../data/client.ts';
import { useAsk } from '../../../data/query.ts';
import { useIsOwner } from '../../../data/session.ts';
import { ButtonLink } from '../../../kit/forms/button.tsx';
import { EmptyState, ErrorState, Pending } from '../../../kit/states/states.tsx';
import { formatDuration, facts } from '../../../lib/format.ts';
import { CandidatesDialog } from '../../../parts/subtitles/candidates/candidates-dialog.tsx';
import type { CandidateTarget } from '../../../parts/subtitles/candidates/use-candidates.ts';
import { DraftProgress } from '../../../parts/subtitles/draft/progress.tsx';
import { useDraft } from '../../../parts/subtitles/draft/use-draft.ts';
import { isSameKind, subtitleKinds } from '../../../parts/subtitles/words.ts';
import { LanguageCard } from './card.tsx';
import { Fetch } from './fetch.tsx';
import { History } from './history.tsx';
import type { ItemSubtitles } from './types.ts';
import css from './item.module.css';
import { subtitlesWords as m } from '../../../messages/subtitles.ts';

export const Page = ({ params: { id } }: PageProps<'subtitleItem'>) => {
  const isOwner = useIsOwner();
  const { data: item, error, refetch } = useAsk('subtitles', 'item', { id }, { enabled: isOwner });
  const isGone = error instanceof CallFailed && error.status === 404;
  const { data: card } = useAsk('catalog', 'item', { id }, { enabled: isGone });
  useTitle(item ? m.subtitlesFor({ title: item.title }) : m.subtitles);
  if (item) return <Body id={id} item={item} />;
  if (!isOwner || (isGone && card))
    return (
      <div className={css.page}>
        <h1>{card?.title ?? m.subtitles}</h1>
        {isOwner ? (
          <EmptyState title={m.subtitlesAreNotManagedHere}>{m.onlyFilmsAndEpisodesHave}</EmptyState>
        ) : (
          <EmptyState title={m.onlyAnOwnerCanManage}>{m.askAnOwnerOfThisServer}</EmptyState>
        )}
      </div>
    );
  return error ? (
    <ErrorState isAlone title={m.thisItemCouldNotBe} error={error} retry={() => void refetch()} />
  ) : (
    <Pending />
  );
};

/**
 * Returns whether a language gets its own card: one that has no subtitles and was only wanted in the past gets none.
 */
const isWorthShowing = (item: ItemSubtitles) => (state: ItemSubtitles['languages'][number]) =>
  state.installed !== undefined ||
  state.restorable ||
  item.configured.includes(state.language) ||
  item.missing.includes(state.language) ||
  state.nextRetry !== undefined;

const LANGUAGE_TAG = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$/;
/** Returns the subtitle that the address asks to choose: `?choose=en&kind=sdh`. */
function targetIn(query: URLSearchParams, id: string): CandidateTarget | undefined {
  const language = query.get('choose') ?? '';
  const kind = subtitleKinds().find(({ value }) => value === query.get('kind'));
  return LANGUAGE_TAG.test(language)
    ? { id, language: language.toLowerCase(), role: kind?.value ?? 'normal' }
    : undefined;
}

const Body = ({ id, item }: { id: string; item: ItemSubtitles }) => {
  const drafting = useDraft(id);
  const { draft } = drafting;
  // A refused fetch of a batch leads here.
  const query = useQueryParams();
  const [choosing, setChoosing] = useState(() => targetIn(query, id));
  const states = item.languages.filter(isWorthShowing(item));
  return (
    <div className={css.page}>
      <Link to={{ page: 'subtitles' }} className="link small">
        {m.allSubtitles}
      </Link>
      <h1>{item.title}</h1>
      <p className="muted">
        {facts(item.context, item.year, item.duration !== undefined && formatDuration(item.duration)).join(' · ')}
      </p>
      <p className={css.file}>
        <code>{item.file}</code>
      </p>
      <div className={css.actions}>
        <ButtonLink to={{ page: 'player', params: { id } }}>{m.play}</ButtonLink>
        <ButtonLink look="quiet" to={{ page: 'item', params: { id } }}>
          {m.details}
        </ButtonLink>
      </div>
      <Fetch item={item} onChoose={({ language, role }) => setChoosing({ id, language, role })} />
      {draft && draft.state !== 'none' && <DraftProgress id={id} draft={draft} drafting={drafting} />}
      {states.length === 0 ? (
        <EmptyState title={m.thereAreNoSubtitlesYet}>{m.fetchOneAboveOrOpen}</EmptyState>
      ) : (
        <ul className={css.states} aria-label={m.languages}>
          {states.map((state, at) => (
            <LanguageCard
              key={`${state.language}${state.role}${at}`}
              id={id}
              state={state}
              isMissing={item.lacks.some((lack) => isSameKind(lack, state))}
              drafting={drafting}
              onChoose={() => setChoosing({ id, language: state.language, role: state.role })}
            />
          ))}
        </ul>
      )}
      <History id={id} entries={item.history} />
      {choosing && <CandidatesDialog target={choosing} onClose={() => setChoosing(undefined)} />}
    </div>
  );
};
