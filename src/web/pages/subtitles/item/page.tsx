/**
 * The subtitles of one item: each language with what is there and why, what can be done about it, and what was done.
 */
import type { PageProps } from '../../../lib/navigation/addresses.ts';
import { Link } from '../../../lib/navigation/link.tsx';
import { useState } from 'preact/hooks';
import { hrefOf } from '../../../lib/navigation/addresses.ts';
import { go, useQueryParams } from '../../../lib/navigation/navigate.ts';
import { useTitle } from '../../../lib/title.ts';
import { CallFailed } from '../../../data/client.ts';
import { useAsk } from '../../../data/query.ts';
import { useIsOwner } from '../../../data/session.ts';
import { ButtonLink } from '../../../kit/forms/button.tsx';
import { EmptyState, ErrorState, Pending } from '../../../kit/states/states.tsx';
import { Tabs } from '../../../kit/states/tabs.tsx';
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
import { OwnersOnly } from '../../../parts/settings/owners-only.tsx';
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
          <OwnersOnly title={m.onlyAnOwnerCanManage} says={m.askAnOwnerOfThisServer} />
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
/** Returns the part that the address names: `?part=2`. */
const numberIn = (query: URLSearchParams): number | undefined => {
  const part = query.get('part') ?? '';
  return /^\d{1,2}$/.test(part) ? Number(part) : undefined;
};
/** Returns the subtitle that the address asks to choose: `?choose=en&kind=sdh`. */
function targetIn(query: URLSearchParams, id: string): CandidateTarget | undefined {
  const language = query.get('choose') ?? '';
  const kind = subtitleKinds().find(({ value }) => value === query.get('kind'));
  return LANGUAGE_TAG.test(language)
    ? { id, part: numberIn(query), language: language.toLowerCase(), role: kind?.value ?? 'normal' }
    : undefined;
}

/** Returns an item as the page of one of its parts shows it. */
const shownPart = (item: ItemSubtitles, part: NonNullable<ItemSubtitles['parts']>[number]): ItemSubtitles => ({
  ...item,
  ...part,
  history: item.history.filter((entry) => entry.part === part.part),
});

/** The languages of one file, and what can be done about them. */
const FileSubtitles = ({
  item,
  part,
  asked,
}: {
  item: ItemSubtitles;
  part?: number | undefined;
  /** The subtitle that the address asks to choose. */
  asked: CandidateTarget | undefined;
}) => {
  const { id } = item;
  const of = { id, part };
  const drafting = useDraft(of);
  const { draft } = drafting;
  // A refused fetch of a batch leads here.
  const [choosing, setChoosing] = useState(asked);
  const states = item.languages.filter(isWorthShowing(item));
  return (
    <>
      <p className={css.file}>
        <code>{item.file}</code>
      </p>
      <Fetch item={item} part={part} onChoose={({ language, role }) => setChoosing({ ...of, language, role })} />
      {draft && draft.state !== 'none' && <DraftProgress of={of} draft={draft} drafting={drafting} />}
      {states.length === 0 ? (
        <EmptyState title={m.thereAreNoSubtitlesYet}>{m.fetchOneAboveOrOpen}</EmptyState>
      ) : (
        <ul className={css.states} aria-label={m.languages}>
          {states.map((state, at) => (
            <LanguageCard
              key={`${state.language}${state.role}${at}`}
              of={of}
              state={state}
              isMissing={item.lacks.some((lack) => isSameKind(lack, state))}
              drafting={drafting}
              onChoose={() => setChoosing({ ...of, language: state.language, role: state.role })}
            />
          ))}
        </ul>
      )}
      <History id={id} entries={item.history} />
      {choosing && <CandidatesDialog target={choosing} onClose={() => setChoosing(undefined)} />}
    </>
  );
};

/** The parts of a film, each with separate subtitles. One of them is shown. */
const Parts = ({
  item,
  parts,
  asked,
}: {
  item: ItemSubtitles;
  parts: NonNullable<ItemSubtitles['parts']>;
  asked: CandidateTarget | undefined;
}) => {
  const query = useQueryParams();
  const shown = parts.find(({ part }) => part === numberIn(query)) ?? parts[0];
  if (!shown) return null;
  const choose = (value: string) =>
    go(hrefOf({ page: 'subtitleItem', params: { id: item.id }, query: { part: value } }), { replace: true });
  return (
    <>
      <p className="muted">{item.ready ? m.eachPartHasSubtitles : m.eachPartNeedsSubtitles}</p>
      <Tabs
        label={m.parts}
        tabs={parts.map(({ part, ready }) => ({
          id: String(part),
          label: ready ? m.part({ part }) : m.partWithMissing({ part }),
        }))}
        value={String(shown.part)}
        onValue={choose}
      >
        <FileSubtitles key={shown.part} item={shownPart(item, shown)} part={shown.part} asked={asked} />
      </Tabs>
    </>
  );
};

const Body = ({ id, item }: { id: string; item: ItemSubtitles }) => {
  const query = useQueryParams();
  const [asked] = useState(() => targetIn(query, id));
  return (
    <div className={css.page}>
      <Link to={{ page: 'subtitles' }} className="link small">
        {m.allSubtitles}
      </Link>
      <h1>{item.title}</h1>
      <p className="muted">
        {facts(
          item.context,
          item.year,
          item.duration !== undefined && formatDuration(item.duration),
          item.parts && m.partsCount({ count: item.parts.length }),
        ).join(' · ')}
      </p>
      <div className={css.actions}>
        <ButtonLink to={{ page: 'player', params: { id } }}>{m.play}</ButtonLink>
        <ButtonLink look="quiet" to={{ page: 'item', params: { id } }}>
          {m.details}
        </ButtonLink>
      </div>
      {item.parts ? (
        <Parts item={item} parts={item.parts} asked={asked} />
      ) : (
        <FileSubtitles item={item} asked={asked} />
      )}
    </div>
  );
};
