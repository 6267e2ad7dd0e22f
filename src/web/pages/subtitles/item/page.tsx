/** The subtitles of one item: each language with what is there and why, what can be done about it, and what was done. */
import type { PageProps } from '../../../lib/navigation/addresses.ts';
import { Link } from '../../../lib/navigation/link.tsx';
import { useTitle } from '../../../lib/title.ts';
import { CallFailed } from '../../../data/client.ts';
import { useAsk } from '../../../data/query.ts';
import { useIsOwner } from '../../../data/session.ts';
import { ButtonLink } from '../../../kit/forms/button.tsx';
import { EmptyState, ErrorState, Pending } from '../../../kit/states/states.tsx';
import { duration, facts } from '../../../lib/format.ts';
import { DraftProgress } from '../../../parts/subtitles/draft/progress.tsx';
import { useDraft } from '../../../parts/subtitles/draft/use-draft.ts';
import { Card } from './card.tsx';
import { Fetch } from './fetch.tsx';
import { History } from './history.tsx';
import type { Item } from './types.ts';
import css from './item.module.css';

export const Page = ({ params: { id } }: PageProps<'subtitleItem'>) => {
  const isOwner = useIsOwner();
  const { data: item, error, refetch } = useAsk('subtitles', 'item', { id }, { enabled: isOwner });
  const isGone = error instanceof CallFailed && error.status === 404;
  const { data: card } = useAsk('catalog', 'item', { id }, { enabled: isGone });
  useTitle(item ? `Subtitles of ${item.title}` : 'Subtitles');
  if (item) return <Body id={id} item={item} />;
  if (!isOwner || (isGone && card))
    return (
      <div className={css.page}>
        <h1>{card?.title ?? 'Subtitles'}</h1>
        {isOwner ? (
          <EmptyState title="Not in the subtitle inventory">
            Only films and episodes have their subtitles managed here. A new file appears after the next scan.
          </EmptyState>
        ) : (
          <EmptyState title="Only an Owner manages subtitles">
            Ask an Owner of this server when something is missing.
          </EmptyState>
        )}
      </div>
    );
  return error ? (
    <ErrorState isAlone title="This item could not be shown" error={error} retry={() => void refetch()} />
  ) : (
    <Pending />
  );
};

/** A language that nothing is there in, and that somebody wanted once, is not worth a card of its own unless it is configured. */
const isWorthShowing = (item: Item) => (state: Item['languages'][number]) =>
  state.installed !== undefined ||
  state.restorable ||
  item.configured.includes(state.language) ||
  item.missing.includes(state.language) ||
  state.nextRetry !== undefined;

const Body = ({ id, item }: { id: string; item: Item }) => {
  const drafting = useDraft(id);
  const { draft } = drafting;
  const states = item.languages.filter(isWorthShowing(item));
  return (
    <div className={css.page}>
      <Link to={{ page: 'subtitles' }} className="link small">
        All subtitles
      </Link>
      <h1>{item.title}</h1>
      <p className="muted">
        {facts(item.context, item.year, item.duration !== undefined && duration(item.duration)).join(' · ')}
      </p>
      <p className={css.file}>
        <code>{item.file}</code>
      </p>
      <div className={css.actions}>
        <ButtonLink to={{ page: 'player', params: { id } }}>Play</ButtonLink>
        <ButtonLink look="quiet" to={{ page: 'item', params: { id } }}>
          About this item
        </ButtonLink>
      </div>
      <Fetch item={item} />
      {draft && draft.state !== 'none' && <DraftProgress id={id} draft={draft} drafting={drafting} />}
      {states.length === 0 ? (
        <EmptyState title="There are no subtitles yet">
          Fetch one above, or open the workbench to import a file or make a draft.
        </EmptyState>
      ) : (
        <ul className={css.states} aria-label="Languages">
          {states.map((state, at) => (
            <Card
              key={`${state.language}${state.role}${at}`}
              id={id}
              state={state}
              isMissing={item.missing.includes(state.language)}
              drafting={drafting}
            />
          ))}
        </ul>
      )}
      <History entries={item.history} />
    </div>
  );
};
