/** Matches a film or show with TMDB by hand: what it is matched with now, the candidates with what speaks for each. */
import film from 'lucide/dist/esm/icons/film.mjs';
import { useState } from 'preact/hooks';
import type { MatchCandidate } from '../../../contract/catalog/candidates.ts';
import { address, call, CallFailed, routes } from '../../data/client.ts';
import { readAgain, useAsk } from '../../data/query.ts';
import { Icon } from '../../kit/art/icon.tsx';
import { Button } from '../../kit/forms/button.tsx';
import { Field } from '../../kit/forms/field.tsx';
import { Dialog } from '../../kit/layers/dialog.tsx';
import { runWithToast } from '../../kit/layers/run.ts';
import { toast } from '../../kit/layers/toast.tsx';
import { Badge, ErrorState, Pending } from '../../kit/states/states.tsx';
import { cx } from '../../lib/cx.ts';
import { Link } from '../../lib/navigation/link.tsx';
import { peopleWords as m } from '../../messages/people.ts';
import css from './match.module.css';

/** Has everything read again that shows the facts of an item. */
export const readItemAgain = (): void => {
  for (const group of ['catalog', 'metadata', 'onlineMetadata', 'people'] as const) readAgain(group);
};

type Choice = Pick<MatchCandidate, 'provider' | 'id' | 'title'>;

/** Matches an item, or removes its match, and offers to undo that. `before` is the id that it had by hand. */
async function match(
  { item, title }: { item: string; title: string },
  choice: Choice | undefined,
  before: string | undefined,
): Promise<boolean> {
  const put = async (id: string | undefined): Promise<void> => {
    await call.onlineMetadata.match({ item, ...(id === undefined ? { none: true } : { provider: 'tmdb', id }) });
    readItemAgain();
  };
  return runWithToast(async () => {
    await put(choice?.id);
    toast({
      message: choice ? m.matched({ title: choice.title }) : m.unmatched({ title }),
      ...(choice?.id !== before && { undo: () => void runWithToast(() => put(before)) }),
    });
  });
}

const evidenceOf = ({ evidence }: MatchCandidate): string =>
  evidence.length === 0 ? m.noEvidence : evidence.map((one) => m.evidence[one]).join(' · ');

const POSTER_WIDTH = 160;

const Candidate = ({
  item,
  candidate,
  isCurrent,
  isBusy,
  onChoose,
}: {
  item: string;
  candidate: MatchCandidate;
  isCurrent: boolean;
  isBusy: boolean;
  onChoose: () => void;
}) => {
  const { title, year, plot, poster, confidence } = candidate;
  const name = year === undefined ? title : `${title} (${year})`;
  return (
    <li className={css.candidate}>
      {poster === undefined ? (
        <span className={cx(css.poster, css.none)}>
          <Icon of={film} size={1.5} />
        </span>
      ) : (
        <img
          className={css.poster}
          alt=""
          loading="lazy"
          decoding="async"
          src={address(routes.metadata.candidate, {
            id: item,
            kind: 'poster',
            candidate: poster,
            width: POSTER_WIDTH,
            v: poster,
          })}
        />
      )}
      <div className={css.words}>
        <strong>{name}</strong> {isCurrent && <Badge tone="good">{m.matchedNow}</Badge>}
        <p className="small">
          {m.confidence({ points: confidence })}: {evidenceOf(candidate)}
        </p>
        {plot !== undefined && <p className={css.plot}>{plot}</p>}
      </div>
      <Button disabled={isBusy} aria-label={m.chooseThis({ title: name })} onClick={onChoose}>
        {m.choose}
      </Button>
    </li>
  );
};

/** Candidates that can be chosen at once. `onChosen` is called when one was. */
export const WorkChoices = ({
  item,
  title,
  current,
  candidates,
  onChosen,
}: {
  item: string;
  title: string;
  current: string | undefined;
  candidates: readonly MatchCandidate[];
  onChosen?: () => void;
}) => {
  const [isBusy, setBusy] = useState(false);
  const choose = async (candidate: MatchCandidate) => {
    setBusy(true);
    const isDone = await match({ item, title }, candidate, current);
    setBusy(false);
    if (isDone) onChosen?.();
  };
  return (
    <ul className={css.candidates} aria-label={m.candidates}>
      {candidates.map((candidate) => (
        <Candidate
          key={candidate.id}
          item={item}
          candidate={candidate}
          isCurrent={candidate.id === current}
          isBusy={isBusy}
          onChoose={() => void choose(candidate)}
        />
      ))}
    </ul>
  );
};

interface MatchDialogProps {
  id: string;
  title: string;
  /** Id of the work at TMDB, if it has one. */
  current: string | undefined;
  onClose: () => void;
}

export const MatchDialog = ({ id: item, title, current, onClose }: MatchDialogProps) => {
  const [text, setText] = useState(title);
  const [query, setQuery] = useState<string>();
  const { data, error, refetch } = useAsk('onlineMetadata', 'candidates', {
    item,
    ...(query !== undefined && { query }),
  });
  const isSetUp = !(error instanceof CallFailed && error.reason === 'metadata-not-configured');
  const remove = async () => {
    if (await match({ item, title }, undefined, current)) onClose();
  };
  return (
    <Dialog
      title={m.matchOf({ title })}
      onClose={onClose}
      isWide
      actions={<Button onClick={() => void remove()}>{m.noneOfThese}</Button>}
    >
      <p>{current === undefined ? m.notMatched : m.matchedWith({ id: current })}</p>
      <form
        className={css.search}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') setQuery(text.trim());
        }}
      >
        <Field label={m.searchTitle} value={text} maxLength={200} onValue={setText} />
        <Button type="submit">{m.search}</Button>
      </form>
      {data ? (
        <div aria-live="polite">
          {data.items.length === 0 ? (
            <p className="muted">{m.noCandidates}</p>
          ) : (
            <>
              {!data.certain && <p className="muted">{m.unsure}</p>}
              <WorkChoices item={item} title={title} current={current} candidates={data.items} onChosen={onClose} />
            </>
          )}
        </div>
      ) : error ? (
        <>
          <ErrorState
            title={m.candidatesCouldNotBeLoaded}
            error={error}
            {...(isSetUp && { retry: () => void refetch() })}
          />
          {!isSetUp && (
            <Link
              className="link"
              to={{ page: 'settingsPart', params: { part: 'configuration' }, query: { q: 'metadata' } }}
            >
              {m.setUpMetadata}
            </Link>
          )}
        </>
      ) : (
        <Pending />
      )}
    </Dialog>
  );
};
